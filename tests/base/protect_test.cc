#include "base/protect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/hazard.h"
#include "base/thread.h"
#include "byname/protect.h"
#include "object/pool.h"

namespace byname::core {
namespace {

int num_destroyed = 0;
constinit CoreClass cell_class(BYNAME_FUNCTION, sizeof(byname_function), 8, [](void*) { ++num_destroyed; });

byname_function* make_cell() {
  auto* cell = static_cast<byname_function*>(allocate(&cell_class));
  byname_object_init(cell, BYNAME_FUNCTION);
  return cell;
}

uint32_t count_of(const byname_function* cell) {
  return static_cast<uint32_t>(__atomic_load_n(&cell->header.counts, __ATOMIC_RELAXED));
}

ptrdiff_t hazards_in_use() { return byname_this_thread.top - byname_this_thread.hazards; }

bool is_protected(const byname_function* cell) {
  std::vector<const byname_function*> cells;
  EXPECT_TRUE(protected_cells(cells));
  EXPECT_TRUE(std::is_sorted(cells.begin(), cells.end()));
  return std::binary_search(cells.begin(), cells.end(), cell);
}

class Protect : public testing::Test {
 protected:
  byname_function* cell = make_cell();
  byname_entry entry = {cell, "f", 1};
  ~Protect() override {
    EXPECT_EQ(hazards_in_use(), 0);
    byname_object_release(&cell->header);
  }
};

TEST_F(Protect, a_cell_is_protected_while_a_call_is_inside) {
  EXPECT_FALSE(is_protected(cell));
  {
    detail::Protected inside(&entry);
    EXPECT_EQ(inside.cell(), cell);
    EXPECT_TRUE(is_protected(cell));
    EXPECT_EQ(count_of(cell), 1u) << "a slot is no reference";
  }
  EXPECT_FALSE(is_protected(cell));
}

TEST_F(Protect, nothing_is_protected_where_nothing_is_registered) {
  entry.cell = nullptr;
  detail::Protected inside(&entry);
  EXPECT_EQ(inside.cell(), nullptr);
  EXPECT_EQ(hazards_in_use(), 0);
}

TEST_F(Protect, an_unknown_thread_becomes_known) {
  std::thread([this] {
    EXPECT_EQ(byname_this_thread.limit, nullptr);
    detail::Protected inside(&entry);
    EXPECT_EQ(inside.cell(), cell);
    EXPECT_TRUE(is_protected(cell));
  }).join();
  EXPECT_FALSE(is_protected(cell));
}

TEST_F(Protect, calls_deeper_than_the_slots_hold_references) {
  std::vector<byname_guard> guards;
  constexpr ptrdiff_t kSlots = BYNAME_NUM_HAZARDS - 1;
  for (ptrdiff_t depth = 0; depth < 3 * kSlots; ++depth) {
    guards.push_back(byname_protect(&entry));
    ASSERT_EQ(guards.back().cell, cell);
    EXPECT_EQ(count_of(cell), 1 + (depth < kSlots ? 0 : depth - kSlots + 1));
    EXPECT_EQ(hazards_in_use(), std::min(depth + 1, kSlots));
  }
  entry.cell = nullptr;
  EXPECT_EQ(byname_protect(&entry).cell, nullptr) << "nothing is registered, however deep one asks";
  for (; !guards.empty(); guards.pop_back()) {
    EXPECT_TRUE(is_protected(cell));
    byname_unprotect(guards.back());
  }
  EXPECT_EQ(count_of(cell), 1u);
  EXPECT_FALSE(is_protected(cell));
}

TEST_F(Protect, the_spare_slot_protects_only_for_a_moment) {
  std::vector<byname_guard> guards;
  byname_entry other = {make_cell(), "g", 1};
  for (int i = 0; i < BYNAME_NUM_HAZARDS - 1; ++i) guards.push_back(byname_protect(&entry));
  guards.push_back(byname_protect(&other));
  EXPECT_EQ(count_of(other.cell), 2u);
  EXPECT_FALSE(is_protected(other.cell)) << "its reference holds it";
  for (; !guards.empty(); guards.pop_back()) byname_unprotect(guards.back());
  byname_object_release(&other.cell->header);
}

TEST_F(Protect, whoever_is_alone_knows_it) {
  this_local();
  EXPECT_TRUE(is_single_threaded());
  std::atomic<bool> ends{false};
  std::atomic<bool> is_known{false};
  std::thread other([&] {
    this_local();
    is_known = true;
    while (!ends) std::this_thread::yield();
  });
  while (!is_known) std::this_thread::yield();
  EXPECT_FALSE(is_single_threaded());
  ends = true;
  other.join();
  EXPECT_TRUE(is_single_threaded());
}

// A remover frees what it replaced as soon as no thread is inside; readers must never see a freed one.
TEST(Reclaim, cells_that_are_replaced_under_readers_are_freed_after_the_last_left) {
  num_destroyed = 0;
  constexpr int kNumReplaced = 2000;
  byname_entry entry = {make_cell(), "f", 1};
  entry.cell->arity = 42;
  std::atomic<bool> ends{false};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!ends) {
        detail::Protected inside(&entry);
        EXPECT_EQ(inside.cell()->arity, 42) << "memory of a cell that was freed";
      }
    });
  }
  std::vector<byname_function*> retired;
  std::vector<const byname_function*> inside;
  for (int i = 0; i < kNumReplaced; ++i) {
    byname_function* next = make_cell();
    next->arity = 42;
    retired.push_back(__atomic_exchange_n(&entry.cell, next, __ATOMIC_SEQ_CST));
    if (retired.size() < 16) continue;
    ASSERT_TRUE(protected_cells(inside));
    std::erase_if(retired, [&](byname_function* cell) {
      if (std::binary_search(inside.begin(), inside.end(), cell)) return false;
      cell->arity = -1;
      byname_object_release(&cell->header);
      return true;
    });
    ASSERT_LE(retired.size(), 4u) << "two readers are inside of one each, or of one that they are about to leave";
  }
  ends = true;
  for (std::thread& reader : readers) reader.join();
  for (byname_function* cell : retired) byname_object_release(&cell->header);
  EXPECT_EQ(num_destroyed, kNumReplaced);
  byname_object_release(&entry.cell->header);
}

}  // namespace
}  // namespace byname::core
