// Memory of objects: kept for reuse, within bounds, by each thread.
#include "object/pool.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <semaphore>
#include <thread>
#include <vector>

#include "../sanitized.h"
#include "byname/ref.h"
#include "families.h"

namespace byname::core {
namespace {

struct Pair : Derive<Pair, Object, "test.pool.Pair"> {
  Pair(int64_t first, int64_t second) : first(first), second(second) {}
  int64_t first, second;
};

size_t kept_blocks(uint32_t block) {
  size_t kept = 0;
  for (void* at = object_thread.objects->lists[block].head; at != nullptr; at = *static_cast<void**>(at)) ++kept;
  return kept;
}

TEST(Pool, sizes_come_in_steps_of_sixteen_bytes) {
  EXPECT_EQ(block_of(1), 0u);
  EXPECT_EQ(block_of(16), 0u);
  EXPECT_EQ(block_of(17), 1u);
  EXPECT_EQ(block_of(512), 31u);
  EXPECT_EQ(block_of(513), kUnpooled);
  EXPECT_EQ(block_of(SIZE_MAX), kUnpooled);
}

TEST(Pool, a_thread_keeps_a_bounded_number_of_blocks) {
  std::vector<ObjectPtr<Pair>> objects;
  for (int i = 0; i < 50'000; ++i) objects.push_back(make<Pair>(i, i));
  uint32_t block = byname_object_prefix(objects[0]->raw())->owner->block;
  objects.clear();
#ifdef __SANITIZE_ADDRESS__
  EXPECT_EQ(kept_blocks(block), 0u) << "AddressSanitizer would not see a use of a dropped object";
#else
  EXPECT_EQ(kept_blocks(block) * (block + 1) * kBlockStep, size_t{64} << 10);
#endif
}

TEST(Pool, a_thread_that_ends_gives_its_blocks_back) {
  auto use_objects = [] {
    std::vector<ObjectPtr<Pair>> objects;
    for (int i = 0; i < 2000; ++i) objects.push_back(make<Pair>(i, i));
  };
  std::thread(use_objects).join();
  size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 100; ++i) std::thread(use_objects).join();
  size_t after = mallinfo2().uordblks;
  EXPECT_LT(after, before + (size_t{1} << 20));
}

size_t resident_bytes() {
  size_t total = 0;
  size_t resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  EXPECT_EQ(std::fscanf(file, "%zu %zu", &total, &resident), 2);
  std::fclose(file);
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(Pool, a_hundred_million_objects_made_in_one_thread_and_dropped_in_another_keep_memory_bounded) {
  constexpr size_t kObjects = kIsSanitized ? 1'000'000 : 100'000'000;
  constexpr size_t kBatch = 10'000;
  std::array<std::vector<Ref<Pair>>, 2> batches;
  std::counting_semaphore<2> empty(2);
  std::counting_semaphore<2> full(0);
  std::thread dropper([&] {
    for (size_t i = 0; i < kObjects / kBatch; ++i) {
      full.acquire();
      batches[i % 2].clear();
      empty.release();
    }
  });
  size_t early = 0;
  size_t most = 0;
  for (size_t i = 0; i < kObjects / kBatch; ++i) {
    empty.acquire();
    for (size_t j = 0; j < kBatch; ++j) batches[i % 2].push_back(make<Pair>(i, j));
    full.release();
    if (i == 10) early = resident_bytes();
    if (i % 10 == 0) most = std::max(most, resident_bytes());
  }
  dropper.join();
  // AddressSanitizer keeps what was given back for a while.
  EXPECT_TRUE(kIsSanitized || most < early + (size_t{32} << 20)) << early << " became " << most;
  EXPECT_EQ(live_objects(byname::detail::class_of<Pair>()), 0u);
}

TEST(Pool, a_forked_child_makes_and_drops_objects_whatever_other_threads_were_doing) {
  std::atomic<bool> done = false;
  std::thread other([&] {
    for (int i = 0; !done; ++i) {
      new_type("test.pool.fork" + std::to_string(i % 1000));
      live_objects(byname::detail::class_of<Pair>());
    }
  });
  ObjectPtr<Pair> before = make<Pair>(1, 2);
  for (int i = 0; i < 20; ++i) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      new_type("test.pool.in_child");
      ObjectPtr<Pair> object = make<Pair>(3, 4);
      bool is_right = live_objects(byname::detail::class_of<Pair>()) == 2;
      before = nullptr;
      is_right = is_right && live_objects(byname::detail::class_of<Pair>()) == 1;
      _exit(is_right ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  done = true;
  other.join();
}

}  // namespace
}  // namespace byname::core
