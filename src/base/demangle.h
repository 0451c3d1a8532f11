// C++ names as people write them.
#ifndef BYNAME_BASE_DEMANGLE_H_
#define BYNAME_BASE_DEMANGLE_H_

#include <string>
#include <typeinfo>

namespace byname::core {

// The name of a type or symbol; as the compiler writes it, if it can't be read.
std::string demangled(const char* symbol);
std::string demangled(const std::type_info& type);

}  // namespace byname::core

#endif  // BYNAME_BASE_DEMANGLE_H_
