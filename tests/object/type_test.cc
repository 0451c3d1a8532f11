// The table of types.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../error_of.h"
#include "families.h"

namespace {

using byname::error_of;

std::string_view key_of(int32_t type_index) { return byname::detail::from_c(info_of(type_index).key); }

const byname_type_info* find(std::string_view key) { return byname_type_find({key.data(), key.size()}); }

TEST(Types, built_in_types_have_their_fixed_indices_and_keys) {
  const std::pair<int32_t, std::string_view> built_in[] = {
      {64, "Object"},          {65, "byname.Str"},   {66, "byname.Bytes"},    {67, "byname.Error"},
      {68, "byname.Function"}, {69, "byname.Shape"}, {70, "byname.Tensor"},   {71, "byname.Array"},
      {72, "ffi.Map"},         {73, "ffi.Module"},   {74, "byname.PyObject"}, {75, "ffi.List"},
      {76, "ffi.Dict"},        {128, "byname.Map"},  {129, "byname.Tuple"},   {130, "byname.Complex"},
      {131, "byname.Module"},  {132, "byname.Box"}};
  for (auto [index, key] : built_in) {
    const byname_type_info* info = byname_type_get(index);
    ASSERT_NE(info, nullptr) << index;
    EXPECT_EQ(info->type_index, index);
    EXPECT_EQ(key_of(index), key);
    EXPECT_EQ(find(key), info);
    EXPECT_EQ(info->depth, index == BYNAME_OBJECT ? 0 : 1);
    EXPECT_TRUE(index == BYNAME_OBJECT || info->ancestors[0] == byname_type_get(BYNAME_OBJECT));
  }
}

TEST(Types, a_new_type_gets_an_index_from_the_first_free_one_on) {
  int32_t index = new_type("test.New");
  EXPECT_GE(index, BYNAME_FIRST_FREE);
  EXPECT_EQ(key_of(index), "test.New");
  EXPECT_EQ(find("test.New"), byname_type_get(index));
  EXPECT_EQ(byname_type_table()[index], byname_type_get(index));
}

TEST(Types, registering_again_gives_the_same_index_whatever_it_reserves) {
  int32_t index = new_type("test.Again", BYNAME_OBJECT, 3);
  EXPECT_EQ(new_type("test.Again", BYNAME_OBJECT, 3), index);
  EXPECT_EQ(new_type("test.Again", BYNAME_OBJECT, 0), index);
  EXPECT_EQ(new_type("test.Again", BYNAME_OBJECT, 9), index);
  EXPECT_EQ(info_of(index).slots, 3u);
}

TEST(Types, keys_are_copied) {
  std::string key = "test.Copied";
  int32_t index = new_type(key);
  key = "test.Erased";
  EXPECT_EQ(key_of(index), "test.Copied");
  EXPECT_EQ(key_of(index).data()[key_of(index).size()], '\0');
}

TEST(Types, keys_are_any_bytes_of_any_length) {
  std::string with_zero("test.a\0b", 8);
  std::string with_other_zero("test.a\0c", 8);
  std::string of_ten_thousand = "test." + std::string(10'000, 'k');
  int32_t indices[] = {new_type(with_zero), new_type(with_other_zero), new_type("test.a"), new_type(of_ten_thousand),
                       new_type(of_ten_thousand + "k")};
  std::sort(std::begin(indices), std::end(indices));
  EXPECT_EQ(std::unique(std::begin(indices), std::end(indices)), std::end(indices));
  EXPECT_EQ(find(with_zero)->key.size, 8u);
  EXPECT_EQ(key_of(find(of_ten_thousand)->type_index), of_ten_thousand);
}

TEST(Types, a_type_lists_its_ancestors_the_root_first) {
  int32_t parent = new_type("test.Parent");
  int32_t child = new_type("test.Child", parent);
  int32_t grandchild = new_type("test.Grandchild", child);
  const byname_type_info& info = info_of(grandchild);
  ASSERT_EQ(info.depth, 3);
  EXPECT_EQ(info.ancestors[0], byname_type_get(BYNAME_OBJECT));
  EXPECT_EQ(info.ancestors[1], byname_type_get(parent));
  EXPECT_EQ(info.ancestors[2], byname_type_get(child));
  EXPECT_LT(parent, child);
  EXPECT_LT(child, grandchild);
}

TEST(Types, unknown_keys_and_indices_are_found_to_be_none) {
  EXPECT_EQ(find("test.Nobody"), nullptr);
  EXPECT_EQ(find(""), nullptr);
  for (int32_t index : {-1, 0, 63, 77, 143, (1 << 20) - 1, 1 << 20, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(byname_type_get(index), nullptr) << index;
    EXPECT_EQ(byname_type_is(index, BYNAME_OBJECT), 0) << index;
    EXPECT_EQ(byname_type_is(BYNAME_STR, index), 0) << index;
  }
}

TEST(Types, the_hash_of_a_key_is_the_same_in_every_process) {
  EXPECT_EQ(info_of(BYNAME_OBJECT).key_hash, UINT64_C(0x730182ad28374cda));
  EXPECT_EQ(info_of(BYNAME_MAP).key_hash, UINT64_C(0xf26a587bd1fd3d23));
}

TEST(TypeErrors, an_empty_key) {
  EXPECT_EQ(error_of([] { new_type(""); }), "ValueError: expected the key of a type, got an empty text");
}

TEST(TypeErrors, an_unknown_parent) {
  EXPECT_EQ(error_of([] { new_type("test.Orphan", 4711); }),
            "ValueError: parent of type 'test.Orphan': expected the index of a type, got 4711");
  EXPECT_EQ(error_of([] { new_type("test.Orphan", BYNAME_INT); }),
            "ValueError: parent of type 'test.Orphan': expected the index of a type, got 1");
  EXPECT_EQ(error_of([] { new_type("test.Orphan", -1); }),
            "ValueError: parent of type 'test.Orphan': expected the index of a type, got -1");
  EXPECT_EQ(find("test.Orphan"), nullptr);
}

TEST(TypeErrors, the_same_key_with_another_parent) {
  int32_t first = new_type("test.FirstParent");
  int32_t second = new_type("test.SecondParent");
  int32_t child = new_type("test.ChildOfTwo", first);
  EXPECT_EQ(error_of([&] { new_type("test.ChildOfTwo", second); }),
            "TypeError: type 'test.ChildOfTwo' is registered already: expected parent 'test.FirstParent', got parent "
            "'test.SecondParent'");
  EXPECT_EQ(error_of([&] { new_type("Object", first); }),
            "TypeError: type 'Object' is registered already: expected no parent, got parent 'test.FirstParent'");
  EXPECT_EQ(new_type("test.ChildOfTwo", first), child);
}

TEST(TypeErrors, slots_that_can_not_be) {
  EXPECT_EQ(error_of([] { new_type("test.Slots", BYNAME_OBJECT, -1); }),
            "ValueError: type 'test.Slots': expected 0 to 1048575 slots for descendants, got -1");
  EXPECT_EQ(error_of([] { new_type("test.Slots", BYNAME_OBJECT, 1 << 20); }),
            "ValueError: type 'test.Slots': expected 0 to 1048575 slots for descendants, got 1048576");
  EXPECT_EQ(error_of([] { new_type("test.Slots", BYNAME_OBJECT, (1 << 20) - 1); }),
            "RuntimeError: type 'test.Slots': no room for it and its 1048575 slots in the table of 1048576 types");
  EXPECT_EQ(find("test.Slots"), nullptr);
}

// In a process of its own, whose table it fills.
void fill_the_table() {
  int32_t probe = new_type("test.Probe");
  int32_t rest = BYNAME_MAX_TYPES - probe - 1;
  int32_t last = new_type("test.Last", BYNAME_OBJECT, rest - 1);
  EXPECT_EQ(last, probe + 1);
  EXPECT_EQ(error_of([] { new_type("test.TooMany"); }),
            "RuntimeError: type 'test.TooMany': no room for it and its 0 slots in the table of 1048576 types");
  EXPECT_EQ(find("test.TooMany"), nullptr);
  EXPECT_EQ(new_type("test.Probe"), probe);
  // Reserved slots are still there for those they were reserved for.
  EXPECT_EQ(new_type("test.InSlot", last), last + 1);
  std::exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST(TypeErrors, a_full_table) { EXPECT_EXIT(fill_the_table(), testing::ExitedWithCode(0), ""); }

TEST(Types, threads_that_register_the_same_types_in_any_order_agree) {
  constexpr int kThreads = 4;
  constexpr int kTypes = 400;
  std::array<std::vector<int32_t>, kThreads> indices;
  auto register_all = [&](int thread) {
    indices[thread].resize(kTypes);
    std::vector<int> order(kTypes);
    for (int i = 0; i < kTypes; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(thread));
    for (int i : order) {
      int32_t parent = new_type("test.threads.Parent" + std::to_string(i % 7), BYNAME_OBJECT, 20);
      int32_t index = new_type("test.threads.Child" + std::to_string(i), parent, i % 3);
      EXPECT_EQ(byname_type_is(index, parent), 1);
      EXPECT_EQ(find("test.threads.Child" + std::to_string(i))->type_index, index);
      indices[thread][i] = index;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(register_all, i);
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<int32_t>& of_thread : indices) EXPECT_EQ(of_thread, indices[0]);
  std::sort(indices[0].begin(), indices[0].end());
  EXPECT_EQ(std::unique(indices[0].begin(), indices[0].end()), indices[0].end());
}

TEST(Types, look_ups_find_what_was_registered_before_while_the_table_grows) {
  std::atomic<int32_t> newest = new_type("test.grow.0");
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      int32_t index = newest;
      std::string key(key_of(index));
      EXPECT_EQ(find(key), byname_type_get(index));
    }
  });
  for (int i = 1; i < 3000; ++i) newest = new_type("test.grow." + std::to_string(i));
  done = true;
  reader.join();
}

TEST(Types, all_keys_are_listed_by_index) {
  int32_t index = new_type("test.Listed");
  byname_any keys{};
  ASSERT_EQ(byname_type_keys(&keys), 0);
  ASSERT_EQ(keys.type_index, BYNAME_ARRAY);
  const auto& array = *reinterpret_cast<const byname_array*>(keys.as_object);
  std::vector<std::string> texts;
  for (int64_t i = 0; i < array.size; ++i) {
    byname_str text{};
    ASSERT_EQ(byname_any_text(&array.data[i], &text), 1);
    texts.emplace_back(text.data, text.size);
  }
  byname_any_drop(&keys);
  EXPECT_EQ(texts[0], "Object");
  EXPECT_EQ(texts[1], "byname.Str");
  EXPECT_EQ(std::count(texts.begin(), texts.end(), "test.Listed"), 1);
  EXPECT_NE(byname_type_get(index), nullptr);
}

}  // namespace
