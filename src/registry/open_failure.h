// Why a file cannot be opened as a library, and what to do about it.
#ifndef BYNAME_REGISTRY_OPEN_FAILURE_H_
#define BYNAME_REGISTRY_OPEN_FAILURE_H_

#include <string>
#include <string_view>

namespace byname::core {

// What the loader does not tell: of a file for another architecture it says that there is none, and one that is cut off
// it maps as it is, to crash when what is missing is touched. Empty: nothing that is known here.
std::string what_is_wrong(const std::string& file);
// Whether the loader's reason is that the very file is not there.
bool is_missing(std::string_view file, std::string_view reason);
// What to do about a reason, or nothing.
std::string hint_for(const std::string& file, std::string_view reason);
// What to do about a name that nothing was found by in the directories of `search` ("a:b") and elsewhere.
std::string hint_for_name(std::string_view name, std::string_view search);

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_OPEN_FAILURE_H_
