// Registration, look-up, removal and calls from several threads at once, against a model.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support.h"

namespace byname {
namespace {

constexpr int kNumThreads = 3;
constexpr int kNumRounds = 200;
constexpr int kNumShared = 4;
constexpr int kNumOwn = 4;

struct SharedName {
  std::string name;
  std::atomic<int> num_registered{0};
};

// Every step a thread may take; a round takes each of them several times, in a random order.
enum Step { kRegister, kRemove, kCall, kLookUp, kPin, kList, kRegisterShared, kRemoveShared, kCallShared, kNumSteps };

class Worker {
 public:
  Worker(int number, std::vector<SharedName>& shared, const std::vector<Handle>& handles, uint32_t seed)
      : prefix_("test.model.t" + std::to_string(number) + "."), shared_(shared), handles_(handles), random_(seed) {}

  void run() {
    std::vector<int> steps(6 * kNumSteps);
    for (size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<int>(i) % kNumSteps;
    std::shuffle(steps.begin(), steps.end(), random_);
    for (int step : steps) take(static_cast<Step>(step));
    own_.clear();
    mine_.clear();
    for (size_t i = 0; i < shared_.size(); ++i) remove_shared(i);
  }

 private:
  std::string own_name() { return prefix_ + std::to_string(random_() % kNumOwn); }

  void take(Step step) {
    std::string name = own_name();
    size_t shared = random_() % kNumShared;
    switch (step) {
      case kRegister:
        return register_own(name);
      case kRemove:
        ASSERT_EQ(error_of([&] { remove(name); }).substr(0, 8), own_.count(name) > 0 ? "no error" : "NotFound");
        own_.erase(name);
        mine_.erase(name);
        return;
      case kCall:
        if (own_.count(name) > 0) {
          ASSERT_EQ(get(name)(1).to<int64_t>(), own_[name] + 1);
        } else {
          ASSERT_EQ(error_of([&] { get(name)(1); }).substr(0, 8), "NotFound");
        }
        return;
      case kLookUp:
        ASSERT_EQ(find(name).has_value(), own_.count(name) > 0);
        return;
      case kPin:
        if (own_.count(name) > 0) {
          Function pinned = get(name).pin();
          mine_.erase(name);
          ASSERT_EQ(pinned(1).to<int64_t>(), own_[name] + 1) << "a pinned function outlives its name";
          own_.erase(name);
        }
        return;
      case kList: {
        std::vector<std::string> expected;
        for (const auto& [own, value] : own_) expected.push_back(own);
        ASSERT_EQ(names(prefix_), expected);
        return;
      }
      case kRegisterShared:
        return register_shared(shared);
      case kRemoveShared:
        return remove_shared(shared);
      default:
        return call_shared(shared);
    }
  }

  void register_own(const std::string& name) {
    auto value = static_cast<int64_t>(random_() % 1000);
    bool is_there = own_.count(name) > 0;
    std::string error = error_of([&] {
      mine_[is_there ? "" : name] =
          register_function(std::string_view(name), [value, state = std::string(64, 'x')](int64_t a) {
            return value + a + (state == std::string(64, 'x') ? 0 : 1000000);
          });
    });
    ASSERT_EQ(error.substr(0, 10), is_there ? "ValueError" : "no error");
    if (!is_there) own_[name] = value;
  }

  // At any time at most one thread has a shared name registered.
  void register_shared(size_t i) {
    try {
      Registration registration =
          register_function(std::string_view(shared_[i].name), [i, state = std::string(64, 'y')](int64_t a) {
            return state == std::string(64, 'y') ? static_cast<int64_t>(i) * 1000 + a : -1;
          });
      ASSERT_EQ(shared_[i].num_registered.fetch_add(1), 0);
      ours_[i] = std::move(registration);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), "ValueError");
    }
  }

  void remove_shared(size_t i) {
    auto ours = ours_.find(i);
    if (ours == ours_.end()) return;
    ASSERT_EQ(shared_[i].num_registered.fetch_sub(1), 1);
    ours_.erase(ours);
  }

  void call_shared(size_t i) {
    try {
      ASSERT_EQ(handles_[i](7).to<int64_t>(), static_cast<int64_t>(i) * 1000 + 7);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), "NotFound");
      ASSERT_EQ(ours_.count(i), 0u) << "ours must be found";
    }
  }

  std::string prefix_;
  std::vector<SharedName>& shared_;
  const std::vector<Handle>& handles_;
  std::mt19937 random_;
  std::map<std::string, int64_t> own_;        // the model of what only this thread changes
  std::map<std::string, Registration> mine_;  // and what stands behind it
  std::map<size_t, Registration> ours_;       // shared names that this thread registered
};

// Fault: registering, looking up and removing while calls are in flight
TEST(Model, threads_that_register_look_up_remove_and_call_agree_with_it) {
  std::vector<SharedName> shared(kNumShared);
  for (int i = 0; i < kNumShared; ++i) {
    shared[i].name = "test.model.shared" + std::to_string(i);
    register_function(std::string_view(shared[i].name), [](int64_t a) { return a; }).keep();
  }
  const uint32_t seed = testing::UnitTest::GetInstance()->random_seed() != 0
                            ? static_cast<uint32_t>(testing::UnitTest::GetInstance()->random_seed())
                            : std::random_device()();
  std::vector<Handle> handles;
  for (SharedName& name : shared) {
    handles.push_back(get(name.name));
    remove(name.name);
  }
  int num_permutations = 0;
  for (int round = 0; round < kNumRounds && !testing::Test::HasFailure(); ++round) {
    std::vector<Worker> workers;
    for (int i = 0; i < kNumThreads; ++i) {
      workers.emplace_back(i, shared, handles, seed + static_cast<uint32_t>(round * kNumThreads + i));
    }
    std::vector<std::thread> threads;
    for (Worker& worker : workers) threads.emplace_back([&worker] { worker.run(); });
    for (std::thread& thread : threads) thread.join();
    num_permutations += kNumThreads;
    ASSERT_TRUE(names("test.model.").empty());
  }
  std::printf("%d random permutations of %d steps ran, seed %u\n", num_permutations, 6 * kNumSteps, seed);
  EXPECT_GE(num_permutations, kNumRounds);
}

}  // namespace
}  // namespace byname
