#include "function/problems.h"

#include "byname/convert.h"
#include "byname/error.h"
#include "function/cell.h"
#include "schema/type.h"
#include "value/convert.h"

namespace byname::core {
namespace {

constexpr size_t kMaxShownValue = 60;

std::string print_value(const byname_any& value) {
  byname_any text{};
  byname_str characters{};
  if (byname_any_print(&value, &text) != 0) {
    byname_object_release(byname_error_take());
    return "a value";
  }
  byname_any_text(&text, &characters);
  std::string printed(characters.data, std::min(characters.size, kMaxShownValue));
  if (characters.size > kMaxShownValue) printed += "...";
  byname_any_drop(&text);
  return printed;
}

std::string number_text(const byname_any& value) {
  if (value.type_index == BYNAME_SCALAR_VIEW && value.as_scalar->value.type_index == BYNAME_NONE) {
    std::string_view digits = detail::from_c(value.as_scalar->text);
    return digits.size() <= kMaxShownValue ? std::string(digits)
                                           : std::string(digits.substr(0, kMaxShownValue)).append("...");
  }
  return print_value(plain_value(value));
}

std::string tensor_words(const byname_dtype& dtype) {
  byname_any text{};
  byname_str characters{};
  if (byname_dtype_print(dtype, &text) != 0) {
    byname_object_release(byname_error_take());
    return "unknown";
  }
  byname_any_text(&text, &characters);
  std::string printed(characters.data, characters.size);
  byname_any_drop(&text);
  return printed;
}

// "contiguous writable float32 tensor of 2 dimensions on the cpu"
std::string wanted_tensor(const byname_tensor_spec& spec) {
  std::string text;
  if (spec.contiguous) text += "contiguous ";
  if (spec.writable) text += "writable ";
  if (spec.dtype.bits != 0) text += tensor_words(spec.dtype) + " ";
  text += "Tensor";
  if (spec.ndim >= 0) text += " of " + std::to_string(spec.ndim) + (spec.ndim == 1 ? " dimension" : " dimensions");
  if (spec.device_type == 1) text += " on the cpu";
  return text;
}

std::string got_tensor(const byname_any& value, const byname_tensor_spec& spec) {
  const auto* tensor = reinterpret_cast<const byname_tensor*>(value.as_object);
  bool read_only = (byname_tensor_flags(value.as_object) & BYNAME_DL_READ_ONLY) != 0;
  std::string text = is_misaligned(tensor->dl, spec) ? "misaligned " : "";
  if (read_only) text += "read-only ";
  text += tensor_words(tensor->dl.dtype) + " Tensor of shape (";
  for (int32_t i = 0; i < tensor->dl.ndim; ++i) text += (i > 0 ? ", " : "") + std::to_string(tensor->dl.shape[i]);
  text += tensor->dl.ndim == 1 ? ",)" : ")";
  text += " and strides (";
  for (int32_t i = 0; i < tensor->dl.ndim; ++i) text += (i > 0 ? ", " : "") + std::to_string(tensor->dl.strides[i]);
  return text += tensor->dl.ndim == 1 ? ",)" : ")";
}

// "str"; of text that names nothing, itself.
std::string got_words(const byname_any& value, const byname_type& type) {
  byname_str text{};
  bool is_name = (type.kind == BYNAME_KIND_DTYPE || type.kind == BYNAME_KIND_DEVICE) && byname_any_text(&value, &text);
  return is_name ? print_value(value) : std::string(detail::from_c(byname_any_type_name(&value)));
}

std::string_view hint(const byname_type& type) {
  if (type.kind == BYNAME_KIND_DTYPE) return " (such as 'float32', 'int8x4' or 'bool')";
  if (type.kind == BYNAME_KIND_DEVICE) return " (such as 'cpu' or 'cuda:1')";
  return "";
}

std::string inner_mismatch(const byname_any& value, const byname_type& type);

// "item 2 is str"; empty for one that fits.
std::string item_mismatch(const std::string& item, const byname_any& value, const byname_type& type) {
  int rank = convert(value, type, nullptr);
  if (rank >= 0) return {};
  std::string text = item + " is ";
  text += rank == kOutOfRange ? number_text(value) + ", out of range" : got_words(value, type);
  std::string deeper = inner_mismatch(value, type);
  return deeper.empty() ? text : text + " (" + deeper + ")";
}

std::string map_mismatch(const byname_object* map, const byname_type& type) {
  const byname_any* key = nullptr;
  const byname_any* value = nullptr;
  for (size_t cursor = 0; byname_map_next(map, &cursor, &key, &value) != 0;) {
    std::string shown = print_value(*key);
    std::string mismatch = item_mismatch("key " + shown, *key, *type.elements[0]);
    if (mismatch.empty()) mismatch = item_mismatch("item " + shown, *value, *type.elements[1]);
    if (!mismatch.empty()) return mismatch;
  }
  return {};
}

// The first item of a container that does not fit, as "item 2 is str"; empty if the container itself is wrong.
std::string inner_mismatch(const byname_any& value, const byname_type& type) {
  if (type.kind == BYNAME_KIND_OPTIONAL) return inner_mismatch(value, *type.elements[0]);
  if (type.kind == BYNAME_KIND_DICT && value.type_index == BYNAME_MAP) return map_mismatch(value.as_object, type);
  bool is_list = type.kind == BYNAME_KIND_LIST;
  if (!is_list && type.kind != BYNAME_KIND_TUPLE) return {};
  if (value.type_index != BYNAME_ARRAY && value.type_index != BYNAME_TUPLE) return {};
  const auto* array = reinterpret_cast<const byname_array*>(value.as_object);
  int64_t wanted = is_list ? type.fixed_size : type.num_elements;
  if (wanted >= 0 && array->size != wanted) return "of " + std::to_string(array->size) + " items";
  for (int64_t i = 0; i < array->size; ++i) {
    std::string mismatch = item_mismatch("item " + std::to_string(i), array->data[i], *type.elements[is_list ? 0 : i]);
    if (!mismatch.empty()) return mismatch;
  }
  return {};
}

}  // namespace

std::string expected_got(const byname_any& value, const byname_type& type, bool out_of_range) {
  const byname_type& inner = strip_optional(type);
  // What is wrong with an opaque object is told of the value that it stands for.
  detail::OwnedSide made;
  const byname_any& meant = foreign_value(value, inner, &made.value) ? made.value : value;
  std::string text = type.tensor != nullptr ? wanted_tensor(*type.tensor) : print_type(type);
  text += ", got ";
  if (type.tensor != nullptr && meant.type_index == BYNAME_TENSOR) return text + got_tensor(meant, *type.tensor);
  std::string inside = inner_mismatch(meant, type);
  if (out_of_range && inside.empty()) return text + number_text(meant) + " (out of range)";
  text += got_words(value, inner);
  return inside.empty() ? text.append(hint(inner)) : text + " (" + inside + ")";
}

Problems::Problems(const byname_function* function) : name_(name_of(function)) {}

std::string& Problems::begin() {
  if (!text_.empty()) text_ += "; ";
  return text_;
}

std::string& Problems::begin(const Argument& argument, size_t position) {
  begin().append(argument.keyword_only ? "keyword argument '" : "argument '").append(argument.name).append("'");
  if (!argument.keyword_only) text_.append(" (position ").append(std::to_string(position + 1)).append(")");
  return text_;
}

void Problems::mismatch(const Argument& argument, size_t position, const byname_any& value, const byname_type& type,
                        bool out_of_range) {
  begin(argument, position).append(" expects ").append(expected_got(value, type, out_of_range));
  only_range_ = only_range_ && out_of_range;
}

void Problems::missing(const Argument& argument, size_t position) {
  begin(argument, position).append(" is missing");
  only_range_ = false;
}

void Problems::too_many(size_t given) {
  other("takes at most " + std::to_string(kMaxParameters) + " arguments, got " + std::to_string(given));
}

void Problems::wrong_result(const byname_any& value, const byname_type& type, bool out_of_range) {
  begin().append("the result expects ").append(expected_got(value, type, out_of_range));
  only_range_ = only_range_ && out_of_range;
}

void Problems::other(std::string_view text) {
  begin().append(text);
  only_range_ = false;
}

int Problems::raise() const {
  std::string message(name_.empty() ? std::string_view("function") : name_);
  message.append("(): ").append(text_);
  return byname_error_raise(detail::to_c(only_range_ ? "OverflowError" : "TypeError"), detail::to_c(message));
}

}  // namespace byname::core
