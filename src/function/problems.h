// What is wrong with a call: all of it, in one error.
#ifndef BYNAME_FUNCTION_PROBLEMS_H_
#define BYNAME_FUNCTION_PROBLEMS_H_

#include <string>
#include <string_view>

#include "schema/schema.h"

namespace byname::core {

class Problems {
 public:
  explicit Problems(const byname_function* function);
  // `name` must live as long as this; empty: a function without one.
  explicit Problems(std::string_view name) : name_(name) {}

  // "argument 'b' (position 2) expects int, got str". Positions count from 0.
  void mismatch(const Argument& argument, size_t position, const byname_any& value, const byname_type& type,
                bool out_of_range);
  // "argument 'b' (position 2) is missing"
  void missing(const Argument& argument, size_t position);
  // "takes at most 64 arguments, got 65", of any function.
  void too_many(size_t given);
  // "the result expects int, got str"
  void wrong_result(const byname_any& value, const byname_type& type, bool out_of_range);
  void other(std::string_view text);

  bool empty() const { return text_.empty(); }
  // "a; b; c", without the function's name.
  const std::string& text() const { return text_; }
  // Raises "math.add(): a; b; c": OverflowError if numbers out of range are all there is, else TypeError. Returns -1.
  int raise() const;

 private:
  std::string& begin();
  std::string& begin(const Argument& argument, size_t position);
  std::string_view name_;
  std::string text_;
  bool only_range_ = true;
};

// "int, got str", "int[], got list (item 2 is str)", "int8, got 200 (out of range)"
std::string expected_got(const byname_any& value, const byname_type& type, bool out_of_range);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_PROBLEMS_H_
