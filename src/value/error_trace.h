// Where an error was raised and what it passed.
#ifndef BYNAME_VALUE_ERROR_TRACE_H_
#define BYNAME_VALUE_ERROR_TRACE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "value/error.h"

namespace byname::core {

// Notes that the error passed a function (empty: none) and a place in a file (NULL: none). All texts are copied, for
// errors outlive modules. Several threads may do so at a time: they may have caught copies of one exception. Does
// nothing to foreign errors, and nothing without memory.
void pass_error(byname_object* error, std::string_view function, const char* file, int32_t line);

// A line for each place, the outermost call first, as in Python: "math.add (plugin.cc:12)", "math.add", "plugin.cc:12".
std::string print_trace(const byname_object* error);

void free_frames(Frame* frames);

// What a function is called, and where it was registered. The texts live as long as the function.
struct FunctionSite {
  std::string_view name;
  const char* file = nullptr;
  int32_t line = 0;
};
// Set once by the layer that knows what functions are made of.
using FunctionSiteHook = FunctionSite (*)(const byname_function* function);
void set_function_site_hook(FunctionSiteHook hook);
FunctionSite function_site(const byname_function* function);

}  // namespace byname::core

#endif  // BYNAME_VALUE_ERROR_TRACE_H_
