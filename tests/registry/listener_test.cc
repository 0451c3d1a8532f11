// Listeners: they hear of names that come and go, in order, with no lock held.
#include "byname/listener.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support.h"

namespace byname {
namespace {

using Texts = std::vector<std::string>;

Registration register_one(std::string_view name) {
  return register_function(name, [] { return int64_t{1}; });
}

// What a listener hears of one namespace.
struct Heard {
  explicit Heard(std::string prefix) : prefix(std::move(prefix)) {}
  void operator()(std::string_view name, bool created) {
    if (name.starts_with(prefix)) texts.push_back((created ? "+" : "-") + std::string(name.substr(prefix.size())));
  }
  std::string prefix;
  Texts texts;
};

TEST(Listener, hears_first_of_what_is_there_and_then_of_changes_in_order) {
  Registration there = register_one("test.listener.order.there");
  Heard heard("test.listener.order.");
  Listener listener(std::ref(heard));
  EXPECT_EQ(heard.texts, Texts{"+there"});
  Registration a = register_one("test.listener.order.a");
  Registration b = register_one("test.listener.order.b");
  a.remove();
  a = register_one("test.listener.order.a");
  there.remove();
  EXPECT_EQ(heard.texts, (Texts{"+there", "+a", "+b", "-a", "+a", "-there"}));
}

TEST(Listener, hears_of_overloads_and_of_the_name_that_they_share) {
  Heard heard("test.listener");
  Registration overload = register_function("test.listener.over.x", [](int64_t) {});
  Listener listener(std::ref(heard));
  heard.texts.clear();
  Registration a = register_function("test.listener.over::f.a", [](int64_t) {});
  Registration b = register_function("test.listener.over::f.b", [](bool) {});
  a.remove();
  b.remove();
  EXPECT_EQ(heard.texts, (Texts{"+.over::f.a", "+.over.f", "+.over::f.b", "-.over::f.a", "-.over::f.b", "-.over.f"}));
}

TEST(Listener, is_not_called_any_more_once_it_ended) {
  Heard heard("test.listener.end.");
  {
    Listener listener(std::ref(heard));
    register_one("test.listener.end.a").remove();
  }
  register_one("test.listener.end.b").remove();
  EXPECT_EQ(heard.texts, (Texts{"+a", "-a"}));
}

TEST(Listener, several_hear_the_same) {
  Heard one("test.listener.both.");
  Heard two("test.listener.both.");
  Listener first(std::ref(one));
  Listener second(std::ref(two));
  register_one("test.listener.both.a").remove();
  EXPECT_EQ(one.texts, (Texts{"+a", "-a"}));
  EXPECT_EQ(two.texts, one.texts);
}

TEST(Listener, may_register_and_remove_and_all_hear_of_it_afterwards) {
  Registration echo;
  Texts order;
  Listener first([&](std::string_view name, bool created) {
    if (name == "test.listener.echo.a" && created) {
      order.push_back("first: a");
      echo = register_one("test.listener.echo.b");
      EXPECT_TRUE(find("test.listener.echo.b").has_value()) << "the registry is not locked";
    } else if (name == "test.listener.echo.b" && created) {
      order.push_back("first: b");
    }
  });
  Listener second([&](std::string_view name, bool created) {
    if (name.starts_with("test.listener.echo.") && created) order.push_back("second: " + std::string(name.substr(19)));
  });
  Registration a = register_one("test.listener.echo.a");
  EXPECT_EQ(order, (Texts{"first: a", "second: a", "first: b", "second: b"}));
}

// Fault: a removal from inside of a removal
TEST(Listener, may_remove_names_while_it_hears_of_a_removal) {
  Registration a = register_one("test.listener.chain.a");
  Registration b = register_one("test.listener.chain.b");
  Heard heard("test.listener.chain.");
  Listener listener([&](std::string_view name, bool created) {
    heard(name, created);
    if (name == "test.listener.chain.a" && !created) b.remove();
  });
  heard.texts.clear();
  a.remove();
  EXPECT_EQ(heard.texts, (Texts{"-a", "-b"}));
}

TEST(Listener, may_end_itself_and_others_while_it_is_called) {
  std::optional<Listener> self;
  std::optional<Listener> other;
  int num_self = 0;
  int num_other = 0;
  self.emplace([&](std::string_view name, bool) {
    if (name != "test.listener.quit.a") return;
    ++num_self;
    other.reset();
    self.reset();
  });
  other.emplace([&](std::string_view name, bool) { num_other += name == "test.listener.quit.a" ? 1 : 0; });
  register_one("test.listener.quit.a").remove();
  EXPECT_EQ(num_self, 1);
  EXPECT_EQ(num_other, 0);
}

TEST(Listener, may_begin_another_which_hears_of_what_is_there_and_of_what_comes_later) {
  std::optional<Listener> inner;
  Heard heard("test.listener.nest.");
  Listener outer([&](std::string_view name, bool created) {
    if (name == "test.listener.nest.a" && created) inner.emplace(std::ref(heard));
  });
  Registration a = register_one("test.listener.nest.a");
  EXPECT_EQ(heard.texts, Texts{"+a"});
  Registration b = register_one("test.listener.nest.b");
  EXPECT_EQ(heard.texts, (Texts{"+a", "+b"}));
}

TEST(Listener, what_it_throws_is_warned_about_and_stops_nobody) {
  Warnings warnings;
  Listener throwing([](std::string_view name, bool) {
    if (name == "test.listener.throw.a") throw std::runtime_error("no");
  });
  Heard heard("test.listener.throw.");
  Listener after(std::ref(heard));
  Registration a = register_one("test.listener.throw.a");
  EXPECT_EQ(heard.texts, Texts{"+a"});
  EXPECT_EQ(warnings.texts(), Texts{"RuntimeWarning: what a listener threw is ignored: no"});
}

TEST(Listener, ends_only_when_no_other_thread_is_inside) {
  std::atomic<bool> is_inside{false};
  std::atomic<bool> may_leave{false};
  auto alive = std::make_shared<std::atomic<int>>(0);
  std::optional<Listener> listener;
  listener.emplace([&, alive](std::string_view name, bool created) {
    if (name != "test.listener.wait.a" || !created) return;
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
    ++*alive;
  });
  std::thread registering([] { register_one("test.listener.wait.a").keep(); });
  while (!is_inside) std::this_thread::yield();
  std::thread ending([&] {
    listener.reset();
    EXPECT_EQ(*alive, 1) << "it had returned";
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  may_leave = true;
  registering.join();
  ending.join();
  EXPECT_EQ(alive.use_count(), 1);
  remove("test.listener.wait.a");
}

std::atomic<bool> hangs{false};

// In C, and not instrumented: AddressSanitizer does not clean up behind frames that are unwound by force.
__attribute__((no_sanitize("address"))) void hang(void*, byname_str name, int created) {
  if (created == 0 || name.size != 22 || std::memcmp(name.data, "test.listener.cancel.a", 22) != 0) return;
  hangs = true;
  for (;;) pause();
}

TEST(Listener, a_thread_that_is_cancelled_inside_one_does_not_silence_the_others) {
  Heard before("test.listener.cancel.");
  Heard after("test.listener.cancel.");
  Listener first(std::ref(before));
  uint64_t hanging = 0;
  ASSERT_EQ(byname_listener_register({hang, nullptr}, &hanging), 0);
  Listener last(std::ref(after));
  byname_registration* registration = nullptr;
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* registration) -> void* {
        auto function = [] { return int64_t{1}; };
        byname_definition definition = detail::definition_of<decltype(function)>(function);
        definition.text = {"test.listener.cancel.a", 22};
        byname_register(&definition, static_cast<byname_registration**>(registration));
        return nullptr;
      },
      &registration);
  while (!hangs) std::this_thread::yield();
  pthread_cancel(thread);
  pthread_join(thread, nullptr);
  ASSERT_NE(registration, nullptr) << "it was registered before anybody heard of it";
  byname_registration_remove(registration);
  byname_listener_remove(hanging);
  EXPECT_EQ(before.texts, (Texts{"+a", "-a"}));
  EXPECT_EQ(after.texts, (Texts{"+a", "-a"})) << "the one that was cancelled had not told it yet";
}

}  // namespace
}  // namespace byname
