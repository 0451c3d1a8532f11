// As if it had been built for another version of the interface.
#include <byname/byname.h>

namespace {

byname_library_node node = {sizeof(byname_library_node),
                            BYNAME_ABI_VERSION + 1,
                            {"core.version", 12},
                            __FILE__,
                            1,
                            0,
                            [](byname_library*) {},
                            &byname::detail::this_dso,
                            nullptr};

__attribute__((constructor)) void link() { byname_library_link(&node); }
__attribute__((destructor)) void unlink() { byname_library_unlink(&node); }

}  // namespace
