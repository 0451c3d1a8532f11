// What a callable throws, as one text.
#ifndef BYNAME_TESTS_OBJECT_ERROR_TEXT_H_
#define BYNAME_TESTS_OBJECT_ERROR_TEXT_H_

#include <string>

#include "byname/error.h"

// "Kind: message" of the error it throws; "no error" if it throws none.
template <class F>
std::string error_of(F&& callable) {
  try {
    callable();
  } catch (const byname::Error& error) {
    return std::string(error.kind()) + ": " + std::string(error.message());
  }
  return "no error";
}

#endif  // BYNAME_TESTS_OBJECT_ERROR_TEXT_H_
