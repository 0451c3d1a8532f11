// What a callable throws, as one text.
#ifndef BYNAME_TESTS_ERROR_OF_H_
#define BYNAME_TESTS_ERROR_OF_H_

#include <string>

#include "byname/error.h"

namespace byname {

// "Kind: message" of the error that it throws; "no error" if it throws none.
template <class F>
std::string error_of(F&& callable) {
  try {
    callable();
  } catch (const Error& error) {
    return std::string(error.kind()) + ": " + std::string(error.message());
  }
  return "no error";
}

}  // namespace byname

#endif  // BYNAME_TESTS_ERROR_OF_H_
