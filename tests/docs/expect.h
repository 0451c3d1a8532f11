// Included before the C++ of a page.
#ifndef TESTS_DOCS_EXPECT_H_
#define TESTS_DOCS_EXPECT_H_

#include <byname/byname.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>

using namespace byname::literals;

namespace docs {

inline std::string text_of(const byname::Any& value) {
  if (auto text = value.as<std::string>()) return *text;
  return value.print();
}

// Tells the page's process what an expression came to.
template <class F>
void expect(int line, F expression) {
  std::string got;
  try {
    if constexpr (std::is_void_v<decltype(expression())>) {
      expression();
    } else {
      got = text_of(byname::Any(expression()));
    }
  } catch (const byname::Error& error) {
    got = std::string(error.kind()) + ": " + std::string(error.message());
  }
  byname::get("docs.expect")(line, got);
}

}  // namespace docs

#endif  // TESTS_DOCS_EXPECT_H_
