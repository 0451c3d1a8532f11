// Names come, change and go all together or not at all, wherever memory runs out.
#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "allocation.h"
#include "byname/byname.h"
#include "byname/listener.h"
#include "registry/library.h"
#include "registry/module.h"
#include "registry/registry.h"

namespace byname::core {
namespace {

using Texts = std::vector<std::string>;

Registry& registry() { return Registry::instance(); }

Batch batch_of(byname_module& module, const Texts& schemas) {
  Batch batch;
  for (const std::string& schema : schemas) {
    byname_definition definition{};
    definition.struct_size = sizeof definition;
    definition.text = detail::to_c(schema);
    definition.callback = [](void*, const byname_any*, int32_t, byname_any*) { return 0; };
    definition.file = "commit.cc";
    definition.dso = &module.dso;
    batch.push_back(pending_of(definition));
  }
  return batch;
}

// What is registered under which name.
std::vector<std::pair<std::string, const byname_function*>> state() {
  std::vector<std::pair<std::string, const byname_function*>> all;
  for (const std::string& name : names("test.commit")) all.emplace_back(name, registry().entry(name)->cell());
  return all;
}

// Does it again and again, with one allocation that fails, a later one each time, until it succeeds. Until then nothing
// may change. `prepare` makes what `change` works with.
template <class Prepare, class Change>
void expect_all_or_nothing(Prepare prepare, Change change) {
  Texts heard;
  Listener listener([&](std::string_view name, bool created) {
    if (name.starts_with("test.commit")) heard.push_back((created ? "+" : "-") + std::string(name));
  });
  heard.clear();
  const auto before = state();
  int num_failures = 0;
  for (bool is_done = false; !is_done; ++num_failures) {
    auto prepared = prepare();
    allocations_left = num_failures;
    try {
      change(prepared);
      is_done = allocations_left >= 0;
      EXPECT_TRUE(is_done) << "a failed allocation went unnoticed";
    } catch (const std::bad_alloc&) {
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), "MemoryError");
    }
    allocations_left = -1;
    if (is_done) break;
    registry().settle();
    ASSERT_EQ(state(), before) << "failure " << num_failures;
    ASSERT_EQ(heard, Texts{}) << "failure " << num_failures;
  }
  registry().settle();
  EXPECT_NE(state(), before);
  EXPECT_NE(heard, Texts{});
  EXPECT_GT(num_failures, 5);
}

// Classes of functions refer to them to the end.
byname_module old_module;
byname_module new_module;

TEST(Commit, that_fails_for_want_of_memory_has_changed_nothing) {
  const Texts olds = {"test.commit.same() -> ()",
                      "test.commit.gone() -> ()",
                      "test.commit.spread(int a) -> ()",
                      "test.commit::joined.int(int a) -> ()",
                      "test.commit::joined.str(str a) -> ()",
                      "test.commit::less.int(int a) -> ()",
                      "test.commit::less.str(str a) -> ()"};
  std::vector<Registered> registered;
  expect_all_or_nothing([&] { return batch_of(old_module, olds); },
                        [&](const Batch& batch) {
                          registered = registry().commit(batch, &old_module, {{"test.commit.owned", "commit.cc", 1}});
                        });
  EXPECT_EQ(registered.size(), olds.size());
  EXPECT_EQ(names("test.commit").size(), 9u);

  const Texts news = {"test.commit.same() -> ()", "test.commit::spread.int(int a) -> ()",
                      "test.commit::spread.str(str a) -> ()", "test.commit.joined(int a) -> ()",
                      "test.commit::less.int(int a) -> ()"};
  std::vector<FunctionRef> removed;
  expect_all_or_nothing(
      [&] {
        removed.clear();
        return batch_of(new_module, news);
      },
      [&](const Batch& batch) { registered = registry().commit(batch, &new_module, {}, &old_module, &removed); });
  EXPECT_EQ(removed.size(), olds.size());
  EXPECT_EQ(names("test.commit"),
            (Texts{"test.commit.joined", "test.commit.less", "test.commit.same", "test.commit.spread",
                   "test.commit::less.int", "test.commit::spread.int", "test.commit::spread.str"}));

  removed.clear();
  expect_all_or_nothing(
      [&] {
        removed.clear();
        return 0;
      },
      [&](int) { registry().remove(registered, &removed); });
  EXPECT_EQ(removed.size(), news.size());
  EXPECT_EQ(names("test.commit"), Texts{});
}

TEST(Commit, the_end_of_a_name_with_all_its_overloads_fails_as_a_whole) {
  registry().commit(batch_of(old_module, {"test.commit.f() -> ()", "test.commit::f.int(int a) -> ()",
                                          "test.commit::f.str(str a) -> ()"}),
                    &old_module);
  expect_all_or_nothing([] { return 0; }, [](int) { registry().remove("test.commit.f"); });
  EXPECT_EQ(names("test.commit"), Texts{});
}

}  // namespace
}  // namespace byname::core
