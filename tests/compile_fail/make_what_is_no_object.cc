// expect: byname: make<T> makes objects; T derives from byname::Object
#include <byname/ref.h>

struct Foreign {};
auto new_foreign() { return byname::make<Foreign>(); }
