// Arbitrary bytes as a program for a stack of values: what the C interface promises of values holds for all of them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "byname/c_api.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// A call either succeeds, or fails with an error, which is dropped.
bool succeeds(int status) {
  byname_object* error = byname_error_take();
  require((status == -1) == (error != nullptr), "a status and the slot disagree");
  byname_object_release(error);
  return status != -1;
}

class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), left_(size) {}
  bool is_empty() const { return left_ == 0; }
  uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  int64_t number() {
    // Small, large, and those at the edges.
    uint8_t shape = byte();
    int64_t small = static_cast<int8_t>(byte());
    if (shape < 200) return small;
    int64_t edge = int64_t{1} << (shape % 63);
    return shape % 2 == 0 ? edge + small : -edge + small;
  }
  std::string text() {
    std::string out;
    for (size_t size = byte() % 24; size > 0; --size) out.push_back(static_cast<char>(byte()));
    return out;
  }

 private:
  const uint8_t* data_;
  size_t left_;
};

class Machine {
 public:
  explicit Machine(Input input) : input_(input) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() {
    for (byname_any& value : stack_) byname_any_drop(&value);
  }
  void run() {
    while (!input_.is_empty()) step();
  }

 private:
  static constexpr size_t kMaxValues = 40;
  static constexpr size_t kMaxWeight = 2000;

  // How many values it is, shared ones counted as often as they are met: what a print or a comparison takes.
  static size_t weight(const byname_any& value) {
    size_t sum = 1;
    if (value.type_index == BYNAME_ARRAY || value.type_index == BYNAME_TUPLE) {
      const auto* array = reinterpret_cast<const byname_array*>(value.as_object);
      for (int64_t i = 0; i < array->size; ++i) sum += weight(array->data[i]);
    } else if (value.type_index == BYNAME_MAP) {
      size_t cursor = 0;
      const byname_any* key = nullptr;
      const byname_any* item = nullptr;
      while (byname_map_next(value.as_object, &cursor, &key, &item) == 1) sum += weight(*key) + weight(*item);
    }
    return sum;
  }

  void push(byname_any value) {
    if (stack_.size() < kMaxValues && weight(value) <= kMaxWeight) {
      stack_.push_back(value);
    } else {
      byname_any_drop(&value);
    }
  }
  byname_any& top(size_t below = 0) { return stack_[stack_.size() - 1 - below % stack_.size()]; }
  size_t count() { return input_.byte() % (std::min<size_t>(stack_.size(), 6) + 1); }
  const byname_any* last(size_t n) { return stack_.data() + (stack_.size() - n); }

  void step() {
    uint8_t code = input_.byte() % 16;
    if (stack_.empty()) code %= 6;
    byname_any made{};
    switch (code) {
      case 0:
        return push({BYNAME_INT, 0, {input_.number()}});
      case 1:
        made.type_index = BYNAME_FLOAT;
        made.as_float = static_cast<double>(input_.number()) / static_cast<double>(input_.byte());
        return push(made);
      case 2:
      case 3:
        return push_text(code == 2);
      case 4:
        return push_other();
      case 5:
        return push_tensor();
      case 6:
        return push_sequence();
      case 7:
        return push_map();
      case 8:
        if (succeeds(byname_any_copy(&top(input_.byte()), &made))) push(made);
        return;
      case 9:
        byname_any_drop(&stack_.back());
        return stack_.pop_back();
      case 10:
        return compare(top(input_.byte()), top(input_.byte()));
      case 11:
        require(succeeds(byname_any_print(&top(input_.byte()), &made)), "a value does not print");
        return push(made);
      case 12:
        return change_map(top(input_.byte()));
      case 13:
        return change_array(top(input_.byte()));
      case 14:
        return view_tensor(top(input_.byte()));
      default:
        return exchange_tensor(top(input_.byte()));
    }
  }

  void push_text(bool is_bytes) {
    std::string text = input_.text();
    byname_any made{};
    byname_str view = {text.data(), text.size()};
    require(succeeds((is_bytes ? byname_bytes_new : byname_string_new)(view, &made)), "text cannot be made");
    byname_any as_view{is_bytes ? BYNAME_BYTE_VIEW : BYNAME_STR_VIEW, 0, {0}};
    as_view.as_str = &view;
    compare(made, as_view);
    require(byname_any_equal(&made, &as_view) == 1, "text differs from its view");
    push(made);
  }
  void push_other() {
    byname_any made{};
    switch (input_.byte() % 4) {
      case 0:
        return push(made);
      case 1:
        return push({BYNAME_BOOL, 0, {input_.byte() % 2}});
      case 2:
        if (succeeds(byname_complex_new(static_cast<double>(input_.number()), input_.byte(), &made))) push(made);
        return;
      default:
        return push({BYNAME_UINT, 0, {static_cast<int64_t>(input_.number() | INT64_MIN)}});
    }
  }
  void push_sequence() {
    size_t size = count();
    byname_any made{};
    bool is_tuple = input_.byte() % 2 == 0;
    require(succeeds((is_tuple ? byname_tuple_new : byname_array_new)(last(size), size, &made)), "no sequence");
    push(made);
  }
  void push_map() {
    byname_any map{};
    require(succeeds(byname_map_new(input_.byte() % 20, &map)), "no map");
    for (size_t i = 0; i + 1 < count(); i += 2) {
      succeeds(byname_map_put(map.as_object, &top(i), &top(i + 1)));
    }
    push(map);
  }
  void compare(const byname_any& a, const byname_any& b) {
    int equal = byname_any_equal(&a, &b);
    require(equal == byname_any_equal(&b, &a), "equality is not symmetric");
    uint64_t hash_a = 0;
    uint64_t hash_b = 0;
    bool can_hash_a = succeeds(byname_any_hash(&a, &hash_a));
    bool can_hash_b = succeeds(byname_any_hash(&b, &hash_b));
    require(equal == 0 || (can_hash_a == can_hash_b && (!can_hash_a || hash_a == hash_b)),
            "equal values differ in hash");
  }
  void change_map(byname_any& map) {
    if (map.type_index != BYNAME_MAP || !succeeds(byname_map_unshare(&map))) return;
    const byname_any& key = top(input_.byte());
    size_t before = byname_map_size(map.as_object);
    bool was_there = byname_map_get(map.as_object, &key) != nullptr;
    if (input_.byte() % 2 == 0) {
      const byname_any& value = top(input_.byte());
      if (weight(map) + weight(key) + weight(value) > kMaxWeight) return;
      if (!succeeds(byname_map_put(map.as_object, &key, &value))) return;
      // NaN, alone or within, is never found again.
      require(byname_map_size(map.as_object) == before + (was_there ? 0 : 1), "put and size disagree");
    } else {
      int removed = byname_map_remove(map.as_object, &key);
      if (!succeeds(removed)) return;
      require((removed == 1) == was_there, "remove and get disagree");
      require(byname_map_get(map.as_object, &key) == nullptr, "what was removed is there");
    }
    check_map(map.as_object);
  }
  static void check_map(const byname_object* map) {
    size_t cursor = 0;
    size_t walked = 0;
    const byname_any* key = nullptr;
    const byname_any* value = nullptr;
    while (byname_map_next(map, &cursor, &key, &value) == 1) {
      ++walked;
      if (byname_any_equal(key, key) == 1) require(byname_map_get(map, key) == value, "an entry is not found");
    }
    require(walked == byname_map_size(map), "the walk and the size disagree");
  }
  void change_array(byname_any& value) {
    if (value.type_index != BYNAME_ARRAY || !succeeds(byname_array_unshare(&value, input_.byte()))) return;
    auto* array = reinterpret_cast<byname_array*>(value.as_object);
    if (array->size < array->capacity) array->data[array->size++] = {BYNAME_INT, 0, {input_.byte()}};
  }

  byname_dl_tensor description(std::array<int64_t, 8>& numbers) {
    for (int64_t& number : numbers) number = input_.number();
    byname_dl_tensor dl{};
    dl.device = {1, 0};
    dl.ndim = static_cast<int32_t>(input_.byte() % 5);
    dl.dtype = {static_cast<uint8_t>(input_.byte() % 3), static_cast<uint8_t>(input_.byte() % 65),
                static_cast<uint16_t>(input_.byte() % 3)};
    dl.shape = numbers.data();
    dl.strides = input_.byte() % 2 == 0 ? numbers.data() + 4 : nullptr;
    dl.byte_offset = input_.byte();
    return dl;
  }
  void push_tensor() {
    std::array<int64_t, 8> numbers{};
    byname_dl_tensor dl = description(numbers);
    // Not so large that the memory for it is found and touched.
    for (int64_t& number : numbers) number = number > 100 && number < int64_t{1} << 50 ? 7 : number;
    byname_any made{};
    if (succeeds(byname_tensor_new(dl.shape, dl.ndim, dl.dtype, dl.device, &made))) push(made);
  }
  void view_tensor(const byname_any& value) {
    if (value.type_index != BYNAME_TENSOR) return;
    std::array<int64_t, 8> numbers{};
    byname_dl_tensor dl = description(numbers);
    byname_any made{};
    if (!succeeds(byname_tensor_alias(value.as_object, &dl, &made))) return;
    touch(reinterpret_cast<const byname_tensor*>(made.as_object)->dl);
    push(made);
  }
  // Its first and last element, which AddressSanitizer looks at.
  static void touch(const byname_dl_tensor& dl) {
    int64_t low = 0;
    int64_t high = 0;
    if (std::count(dl.shape, dl.shape + dl.ndim, 0) > 0) return;
    for (int32_t i = 0; i < dl.ndim; ++i) {
      int64_t reach = (dl.shape[i] - 1) * dl.strides[i];
      (reach < 0 ? low : high) += reach;
    }
    int64_t bits = int64_t{dl.dtype.bits} * dl.dtype.lanes;
    const auto* first = static_cast<const volatile char*>(dl.data) + dl.byte_offset;
    static_cast<void>(first[low * bits / 8]);
    static_cast<void>(first[((high + 1) * bits + 7) / 8 - 1]);
  }
  void exchange_tensor(const byname_any& value) {
    if (value.type_index != BYNAME_TENSOR) return;
    byname_any back{};
    if (input_.byte() % 2 == 0) {
      byname_dl_managed* managed = nullptr;
      require(succeeds(byname_tensor_to_dlpack(value.as_object, &managed)), "a tensor does not go out");
      require(succeeds(byname_tensor_from_dlpack(managed, nullptr, &back)), "what went out does not come in");
    } else {
      byname_dl_managed_versioned* managed = nullptr;
      require(succeeds(byname_tensor_to_dlpack_versioned(value.as_object, &managed)), "a tensor does not go out");
      managed->major = input_.byte() % 8 == 0 ? 2 : 1;
      if (!succeeds(byname_tensor_from_dlpack_versioned(managed, nullptr, &back))) return;
    }
    push(back);
  }

  Input input_;
  std::vector<byname_any> stack_;
};

}  // namespace

// Memory that there is not is an error of the call, not the end of the process.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Machine(Input(data, size)).run();
  return 0;
}
