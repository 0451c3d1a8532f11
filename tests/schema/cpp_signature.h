// C++ signatures written down as types of the schema language.
#ifndef BYNAME_TESTS_SCHEMA_CPP_SIGNATURE_H_
#define BYNAME_TESTS_SCHEMA_CPP_SIGNATURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace byname::core {

// CppSignature("int32, str[]", "(int, str)"): two parameters, a tuple as result. No result: "".
class CppSignature {
 public:
  CppSignature(std::string_view parameters, std::string_view result)
      : schema_(parse_schema("f(Function f, (" + std::string(parameters) + ") p) -> ((" + std::string(result) + "))")) {
    const byname_type& tuple = *schema_.arguments()[1].type;
    record_.struct_size = sizeof record_;
    record_.arity = tuple.num_elements;
    record_.parameters = tuple.elements;
    const byname_type& results = *schema_.returns()[0].type;
    record_.result = results.num_elements == 0 ? nullptr : results.elements[0];
  }
  // A function that takes its arguments as one span.
  static CppSignature variadic(std::string_view result) {
    CppSignature signature("", result);
    signature.record_.arity = -1;
    signature.record_.parameters = nullptr;
    return signature;
  }
  const byname_signature& record() const { return record_; }

 private:
  Schema schema_;
  byname_signature record_{};
};

// What stands beside the C++ function in a registration.
struct Parameter {
  std::string_view name;
  bool has_default = false;
  byname_any value{};
  bool keyword_only = false;
};

inline std::vector<byname_parameter> raw(const std::vector<Parameter>& parameters) {
  std::vector<byname_parameter> all;
  for (const Parameter& p : parameters) {
    uint8_t has_default = p.has_default ? 1 : 0;
    all.push_back({{p.name.data(), p.name.size()}, p.value, has_default, static_cast<uint8_t>(p.keyword_only)});
  }
  return all;
}

inline byname_any int_value(int64_t number) { return {BYNAME_INT, 0, {number}}; }
inline byname_any text_value(const char* text) {
  byname_any value{BYNAME_CHARS, 0, {0}};
  value.as_chars = text;
  return value;
}

}  // namespace byname::core

#endif  // BYNAME_TESTS_SCHEMA_CPP_SIGNATURE_H_
