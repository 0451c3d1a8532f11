// The machine of c_api_fuzz.cc: slots for values, names, and where the program is read from.
#ifndef BYNAME_TESTS_FUZZ_C_API_MACHINE_H_
#define BYNAME_TESTS_FUZZ_C_API_MACHINE_H_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "byname/c_api.h"

namespace byname::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

constexpr size_t kNumSlots = 8;
constexpr size_t kMaxSteps = 300;
// Of a value, all its items counted as often as they occur: arrays of arrays double with each step.
constexpr uint64_t kMaxSize = 2000;
constexpr int kMaxDepth = 30;

constexpr std::string_view kNames[] = {"f", "fuzz.f", "fuzz.g", "fuzz::f.a", "fuzz::f.b", "fuzz.h.i", "fuzz::g.x"};
constexpr std::string_view kSignatures[] = {"",
                                            "(int a, int b=2) -> int",
                                            "(str a, *, int8 b, float32? c=None) -> Any",
                                            "(int[] a, Dict(str, int) b) -> ()",
                                            "(int[2] a, Union(int, str, float[]) b=1) -> Any",
                                            "(Any a, ...) -> ...",
                                            "(Scalar a, bool b=True, uint64 c=3) -> Any",
                                            "((int, str) a, Shape b) -> Any",
                                            "(Function a, ScalarType b, Device c=\"cpu\") -> Any",
                                            "(bytes a, complex b) -> Any"};

inline const byname_type* type_at(uint8_t number) {
  static const auto leaf = [](uint8_t kind, uint8_t bits = 0, uint8_t is_unsigned = 0) {
    return byname_type{kind, bits, is_unsigned, 0, 0, -1, nullptr, {}, nullptr, nullptr, nullptr};
  };
  static const byname_type kInt8 = leaf(BYNAME_KIND_INT, 8), kUint64 = leaf(BYNAME_KIND_INT, 64, 1),
                           kFloat = leaf(BYNAME_KIND_FLOAT, 32), kText = leaf(BYNAME_KIND_STR);
  static const byname_type* const kElements[] = {&kInt8, &kText, &kFloat, &kUint64};
  static const auto compound = [](uint8_t kind, int32_t size, int32_t fixed_size) {
    byname_type type = leaf(kind);
    type.num_elements = size;
    type.fixed_size = fixed_size;
    type.elements = kElements;
    return type;
  };
  static const byname_type kLists[] = {compound(BYNAME_KIND_LIST, 1, -1), compound(BYNAME_KIND_LIST, 1, 2)};
  static const byname_type* const kListElement[] = {&kLists[0]};
  static byname_type list_of_lists = compound(BYNAME_KIND_LIST, 1, -1);
  list_of_lists.elements = kListElement;
  static const byname_type* const kTypes[] = {&kInt8,     &kUint64,   &kFloat,       &kText,
                                              &kLists[0], &kLists[1], &list_of_lists};
  static const byname_type kCompounds[] = {compound(BYNAME_KIND_OPTIONAL, 1, -1), compound(BYNAME_KIND_DICT, 2, -1),
                                           compound(BYNAME_KIND_TUPLE, 3, -1), compound(BYNAME_KIND_UNION, 4, -1)};
  static byname_type kinds[BYNAME_NUM_KINDS];
  size_t i = number % (std::size(kTypes) + std::size(kCompounds) + BYNAME_KIND_OPTIONAL);
  if (i < std::size(kTypes)) return kTypes[i];
  i -= std::size(kTypes);
  if (i < std::size(kCompounds)) return &kCompounds[i];
  i -= std::size(kCompounds);
  kinds[i] = leaf(static_cast<uint8_t>(i), i == BYNAME_KIND_INT || i == BYNAME_KIND_FLOAT ? 64 : 0);
  return &kinds[i];
}

class Machine {
 public:
  Machine(const uint8_t* data, size_t size) : data_(data), end_(data + size) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  void run();
  ~Machine();

 private:
  struct Slot {
    byname_any value{};
    uint64_t size = 1;
  };
  // A value as an argument, as it is or as a view of it.
  struct Argument {
    byname_any value{};
    byname_str text{};
    byname_scalar scalar{};
  };
  struct Context {
    Machine* machine;
    uint8_t what;
  };

  uint8_t byte() { return data_ == end_ ? 0 : *data_++; }
  std::string_view bytes() {
    size_t size = std::min<size_t>(byte() % 40, static_cast<size_t>(end_ - data_));
    std::string_view text(reinterpret_cast<const char*>(data_), size);
    data_ += size;
    return text;
  }
  byname_str text() { return to_c(bytes()); }
  // Any byte, or none; of long ones there would be more and more, and they stay.
  byname_str name() {
    uint8_t number = byte();
    if (number < 16) return to_c(bytes().substr(0, 1));
    return to_c(kNames[number % std::size(kNames)]);
  }
  static byname_str to_c(std::string_view text) { return {text.data(), text.size()}; }
  Slot& slot() { return slots_[byte() % kNumSlots]; }

  // A call's outcome: an error that it raised is taken.
  bool settle(int status) {
    byname_object* error = byname_error_take();
    require(status == 0 || (status == -1 && error != nullptr), "a call failed without an error");
    require(status != 0 || error == nullptr, "a call succeeded with an error");
    byname_object_release(error);
    return status == 0;
  }
  void put(Slot& to, byname_any owned, uint64_t size = 1) {
    byname_any old = to.value;
    to = {owned, size};
    byname_any_drop(&old);
  }
  void put_if(int status, byname_any owned, uint64_t size = 1) {
    if (settle(status)) put(slot(), owned, size);
  }
  Argument argument(const Slot& slot);
  std::vector<Argument> arguments();
  void make_scalar();
  void make_container();
  void inspect();
  void define();
  void call();
  void look_up();
  void listen();
  void fail();
  void attach();
  static int call_back(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result);
  byname_definition definition(std::string& text);

  const uint8_t* data_;
  const uint8_t* end_;
  Slot slots_[kNumSlots];
  std::deque<std::string> texts_;  // what definitions point to
  std::vector<byname_registration*> registrations_;
  std::vector<uint64_t> listeners_;
  size_t num_steps_ = 0;
  int depth_ = 0;
  static inline int num_contexts = 0;
};

}  // namespace byname::fuzz

#endif  // BYNAME_TESTS_FUZZ_C_API_MACHINE_H_
