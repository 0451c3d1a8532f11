// Arrays, tuples and shapes.
#include "byname/array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

const byname_array* layout(const Any& value) { return reinterpret_cast<const byname_array*>(value.raw().as_object); }

template <class T>
std::string print(const T& value) {
  return Any(value).print();
}

TEST(Array, is_made_of_items_and_read_by_index_and_iterator) {
  Array<int64_t> array{3, 1, 2};
  EXPECT_EQ(array.size(), 3u);
  EXPECT_FALSE(array.empty());
  EXPECT_EQ(array[0], 3);
  EXPECT_EQ(array.front(), 3);
  EXPECT_EQ(array.back(), 2);
  int64_t sum = 0;
  for (int64_t item : array) sum += item;
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(*std::ranges::max_element(array), 3);
  EXPECT_EQ(array.end() - array.begin(), 3);
  EXPECT_EQ(array.begin()[2], 2);
}

TEST(Array, of_a_range) {
  std::vector<std::string> texts = {"a", "b"};
  Array<String> array(texts.begin(), texts.end());
  EXPECT_EQ(print(array), "['a', 'b']");
}

TEST(Array, an_index_outside_is_an_index_error) {
  Array<int64_t> array{1};
  EXPECT_EQ(thrown([&] { array.at(1); }), "IndexError: array index out of range");
  EXPECT_EQ(thrown([&] { array.set(1, 5); }), "IndexError: array assignment index out of range");
  EXPECT_EQ(thrown([&] { array.insert(2, 5); }), "IndexError: array insertion index out of range");
  EXPECT_EQ(thrown([&] { array.erase(1); }), "IndexError: array deletion index out of range");
  EXPECT_EQ(thrown([&] { array.erase(0, SIZE_MAX); }), "IndexError: array deletion index out of range");
  EXPECT_EQ(thrown([] { Array<int64_t>().pop_back(); }), "IndexError: pop from empty array");
}

TEST(Array, is_changed_like_a_vector) {
  Array<int64_t> array;
  for (int64_t i = 0; i < 5; ++i) array.push_back(i);
  array.insert(0, 10);
  array.insert(3, 11);
  array.insert(array.size(), 12);
  EXPECT_EQ(print(array), "[10, 0, 1, 11, 2, 3, 4, 12]");
  array.set(1, 20);
  array.erase(2, 3);
  EXPECT_EQ(print(array), "[10, 20, 3, 4, 12]");
  EXPECT_EQ(array.pop_back(), 12);
  array.erase(0);
  EXPECT_EQ(print(array), "[20, 3, 4]");
  array.clear();
  EXPECT_EQ(print(array), "[]");
}

TEST(Array, copies_share_until_one_is_changed) {
  Array<String> a{"one", "two"};
  Array<String> b = a;
  EXPECT_EQ(layout(a), layout(b));
  b.push_back("three");
  EXPECT_EQ(print(a), "['one', 'two']");
  EXPECT_EQ(print(b), "['one', 'two', 'three']");
  Any kept = b;
  b.set(0, "1");
  EXPECT_EQ(kept.print(), "['one', 'two', 'three']");
  EXPECT_EQ(print(b), "['1', 'two', 'three']");
}

TEST(Array, one_that_is_alone_is_changed_in_place) {
  Array<int64_t> array{1, 2, 3};
  const byname_any* before = array.raw_items().data();
  array.set(0, 5);
  EXPECT_EQ(array.raw_items().data(), before);
  array.reserve(100);
  before = array.raw_items().data();
  for (int64_t i = 3; i < 100; ++i) array.push_back(i);
  EXPECT_EQ(array.raw_items().data(), before);
}

TEST(Array, growing_takes_few_moves) {
  Array<int64_t> array;
  const byname_any* place = nullptr;
  int moves = 0;
  for (int64_t i = 0; i < 100'000; ++i) {
    array.push_back(i);
    if (array.raw_items().data() != place) ++moves;
    place = array.raw_items().data();
  }
  EXPECT_LE(moves, 20);
  EXPECT_EQ(array[99'999], 99'999);
}

TEST(Array, that_was_moved_from_is_empty) {
  Array<int64_t> a{1};
  Array<int64_t> b = std::move(a);
  EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): what it tests
  EXPECT_TRUE(a == Array<int64_t>());
  EXPECT_EQ(b.size(), 1u);
}

TEST(Array, an_empty_one_is_an_array_for_others) {
  Any value = Array<int64_t>();
  EXPECT_EQ(value.type_index(), BYNAME_ARRAY);
  EXPECT_EQ(layout(value)->size, 0);
  EXPECT_EQ(value.to<Array<String>>().size(), 0u);
}

TEST(Array, loads_only_if_every_item_is_of_its_type) {
  Any numbers = Array<Any>{1, 2, 3};
  EXPECT_TRUE(numbers.is<Array<int64_t>>());
  EXPECT_TRUE(numbers.is<Array<Any>>());
  EXPECT_FALSE(numbers.is<Array<String>>());
  Any mixed = Array<Any>{1, "two"};
  EXPECT_FALSE(mixed.is<Array<int64_t>>());
  EXPECT_TRUE((mixed.is<Array<std::variant<int64_t, std::string>>>()));
  Any nested = Array<Array<int64_t>>{{1, 2}, {}};
  EXPECT_TRUE(nested.is<Array<Array<int64_t>>>());
  EXPECT_EQ(nested.to<Array<Array<int64_t>>>()[0][1], 2);
  EXPECT_FALSE(Any(1).is<Array<int64_t>>());
  EXPECT_FALSE((Any(Tuple<int64_t>(1)).is<Array<int64_t>>()));
}

TEST(Array, a_parameter_borrows_it) {
  Function count([](const Array<int64_t>& array) {
    return static_cast<int64_t>(reinterpret_cast<const byname_object*>(layout(Any(array)))->counts & 0xffffffff);
  });
  Array<int64_t> array{1, 2};
  // The array here and the Any in the function.
  EXPECT_EQ(count(array).to<int64_t>(), 2);
}

TEST(Array, items_that_cannot_be_kept_are_refused_and_nothing_is_left_behind) {
  byname_dl_tensor dl{};
  byname_any items[2] = {Any(String("some long enough text")).leak(), {BYNAME_DL_TENSOR, 0, {0}}};
  items[1].as_dl_tensor = &dl;
  byname_any made{};
  EXPECT_EQ(byname_array_new(items, 2, &made), -1);
  EXPECT_EQ(raised(), "TypeError: a value of type DLTensor is borrowed and cannot be kept");
  EXPECT_EQ(items[0].as_object->counts, BYNAME_COUNT_UNIQUE);
  byname_any_drop(&items[0]);
}

TEST(Array, of_a_size_that_no_memory_has_is_an_error) {
  byname_any none{};
  EXPECT_EQ(byname_array_unshare(&none, SIZE_MAX), -1);
  EXPECT_EQ(raised(), "MemoryError: out of memory");
  Any array = Array<int64_t>{1};
  byname_any taken = array.leak();
  EXPECT_EQ(byname_array_unshare(&taken, SIZE_MAX), -1);
  EXPECT_EQ(raised(), "MemoryError: out of memory");
  EXPECT_EQ(reinterpret_cast<byname_array*>(taken.as_object)->size, 1);
  byname_any_drop(&taken);
}

TEST(Array, threads_may_read_and_copy_one) {
  const Array<String> shared{"some long enough text", "b"};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&shared] {
      for (int j = 0; j < 1000; ++j) {
        Array<String> mine = shared;
        mine.push_back("c");
        EXPECT_EQ(mine.size(), 3u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared.size(), 2u);
}

TEST(Tuple, holds_a_value_of_each_type) {
  Tuple<int64_t, String, Any> tuple(1, "a", Array<int64_t>{2});
  EXPECT_EQ(tuple.get<0>(), 1);
  EXPECT_EQ(tuple.get<1>(), "a");
  auto [number, text, any] = tuple;
  EXPECT_EQ(number, 1);
  EXPECT_EQ(text.view(), "a");
  EXPECT_EQ(any.print(), "[2]");
  EXPECT_EQ(Any(tuple).print(), "(1, 'a', [2])");
  EXPECT_TRUE((tuple == Tuple<int64_t, String, Any>(1, "a", Array<int64_t>{2})));
  EXPECT_FALSE((tuple == Tuple<int64_t, String, Any>(1, "a", Array<int64_t>{3})));
}

TEST(Tuple, loads_only_with_the_right_number_and_types) {
  Any value = Tuple<int64_t, String>(1, "a");
  EXPECT_TRUE((value.is<Tuple<int64_t, String>>()));
  EXPECT_TRUE((value.is<Tuple<Any, Any>>()));
  EXPECT_FALSE((value.is<Tuple<int64_t>>()));
  EXPECT_FALSE((value.is<Tuple<String, String>>()));
  EXPECT_FALSE((Any(Array<Any>{1, "a"}).is<Tuple<int64_t, String>>()));
  EXPECT_TRUE(value.is<AnyTuple>());
  EXPECT_EQ(value.to<AnyTuple>()[1].print(), "'a'");
}

TEST(Tuple, of_any_size_is_read_by_index) {
  AnyTuple tuple{1, "a"};
  EXPECT_EQ(tuple.size(), 2u);
  EXPECT_EQ(tuple.at(0).print(), "1");
  EXPECT_EQ(thrown([&] { tuple.at(2); }), "IndexError: tuple index out of range");
  int count = 0;
  for (const Any& item : tuple) count += item.is_none() ? 0 : 1;
  EXPECT_EQ(count, 2);
  EXPECT_TRUE(tuple == (AnyTuple{1, "a"}));
  EXPECT_EQ(Any(AnyTuple()).print(), "()");
}

TEST(Shape, holds_sizes) {
  Shape shape{2, 3, 4};
  EXPECT_EQ(shape.size(), 3u);
  EXPECT_EQ(shape[1], 3);
  EXPECT_EQ(shape.count(), 24);
  EXPECT_EQ(Shape().count(), 1);
  EXPECT_EQ(thrown([&] { shape.at(3); }), "IndexError: shape index out of range");
  EXPECT_TRUE(shape == (Shape{2, 3, 4}));
  EXPECT_FALSE(shape == Shape());
  EXPECT_EQ(std::vector<int64_t>(shape.begin(), shape.end()), (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(Any(shape).to<Shape>().size(), 3u);
  EXPECT_EQ(Any(Shape()).to<Shape>().size(), 0u);
  EXPECT_FALSE(Any(Array<int64_t>{1}).is<Shape>());
}

}  // namespace
}  // namespace byname
