// Error objects and the thread's slot.
#include "byname/error.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

const byname_error* layout(const Error& error) { return reinterpret_cast<const byname_error*>(error.object()); }

TEST(Error, raising_returns_minus_one_and_fills_the_slot_which_taking_empties) {
  EXPECT_EQ(byname_error_raise(str("ValueError"), str("no good")), -1);
  EXPECT_EQ(raised(), "ValueError: no good");
  EXPECT_EQ(byname_error_take(), nullptr);
}

TEST(Error, the_newest_error_takes_the_place_of_the_one_before) {
  byname_error_raise(str("ValueError"), str("first"));
  byname_error_raise(str("TypeError"), str("second"));
  EXPECT_EQ(raised(), "TypeError: second");
  EXPECT_EQ(raised(), "nothing");
}

TEST(Error, each_thread_has_a_slot_of_its_own) {
  byname_error_raise(str("ValueError"), str("of the first thread"));
  std::thread([] { EXPECT_EQ(raised(), "nothing"); }).join();
  EXPECT_EQ(raised(), "ValueError: of the first thread");
}

TEST(Error, an_error_that_nobody_takes_goes_with_its_thread) {
  std::thread([] { byname_error_raise(str("ValueError"), str("left behind")); }).join();
  EXPECT_EQ(raised(), "nothing");
}

TEST(Error, kind_and_message_are_any_bytes_and_copied) {
  std::string kind("a\0b", 3);
  std::string message("x\0\xff", 3);
  byname_error_raise(str(kind), str(message));
  kind.assign("???");
  message.assign("???");
  Error error(byname_error_take());
  EXPECT_EQ(error.kind(), std::string_view("a\0b", 3));
  EXPECT_EQ(error.message(), std::string_view("x\0\xff", 3));
  EXPECT_EQ(error.what()[error.message().size()], '\0');
}

TEST(Error, formatted_messages_may_be_of_any_length) {
  EXPECT_EQ(byname_error_raisef("ValueError", "%d of %s", 3, "them"), -1);
  EXPECT_EQ(raised(), "ValueError: 3 of them");
  std::string text(100'000, 'x');
  byname_error_raisef("ValueError", "<%s>", text.c_str());
  EXPECT_EQ(raised(), "ValueError: <" + text + ">");
}

TEST(Error, an_error_for_which_there_is_no_memory_is_a_memory_error) {
  // Nothing reads a text of that size, for there is no memory to copy it to.
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(byname_error_raise(str("ValueError"), {"", SIZE_MAX / 2}), -1);
    Error error(byname_error_take());
    EXPECT_EQ(text_of(error), "MemoryError: out of memory");
    // It is shared, so it keeps no places and offers no room for what a binding attaches.
    byname_error_pass(error.object(), str("math.add"), "math.cc", 3);
    EXPECT_EQ(error.trace(), "");
    EXPECT_NE(layout(error)->extra, nullptr);
  }
}

TEST(Error, copies_share_one_object) {
  Error error("ValueError", "shared");
  Error copy = error;
  EXPECT_EQ(copy.object(), error.object());
  copy = Error("TypeError", "other");
  EXPECT_EQ(text_of(error), "ValueError: shared");
  EXPECT_EQ(text_of(copy), "TypeError: other");
}

TEST(Error, raising_an_object_hands_out_the_same_object) {
  Error error("ValueError", "the one");
  byname_object_retain(error.object());
  EXPECT_EQ(byname_error_raise_object(error.object()), -1);
  byname_object* taken = byname_error_take();
  EXPECT_EQ(taken, error.object());
  byname_object_release(taken);
}

TEST(Error, a_cause_is_kept_by_what_it_caused) {
  byname_any cause{};
  byname_any made{};
  ASSERT_EQ(byname_error_new(str("OSError"), str("why"), nullptr, &cause), 0);
  ASSERT_EQ(byname_error_new(str("ValueError"), str("what"), cause.as_object, &made), 0);
  byname_any_drop(&cause);
  EXPECT_EQ(byname_error_cause(made.as_object), cause.as_object);
  EXPECT_EQ(std::string(byname_error_message(byname_error_cause(made.as_object)).data), "why");
  EXPECT_EQ(byname_error_cause(byname_error_cause(made.as_object)), nullptr);
  byname_any_drop(&made);
}

TEST(Error, its_trace_tells_the_calls_it_passed_and_where_it_began_the_innermost_last) {
  Error error("ValueError", "deep", "plugin.cc", 12);
  byname_error_pass(error.object(), str("math.add"), "math.cc", 7);
  byname_error_pass(error.object(), str("math.sum"), nullptr, 0);
  EXPECT_EQ(error.trace(), "math.sum\nmath.add (math.cc:7)\nplugin.cc:12");
}

TEST(Error, an_error_knows_where_it_was_made) {
  Error error("ValueError", "here");
  std::string place = std::string(__FILE__) + ":" + std::to_string(__LINE__ - 1);
  EXPECT_EQ(error.trace(), place);
}

TEST(Error, the_texts_of_its_trace_are_its_own) {
  byname_error_raise(str("ValueError"), str("kept"));
  Error error(byname_error_take());
  char function[] = "math.add";
  char file[] = "math.cc";
  byname_error_pass(error.object(), str(function), file, 1);
  std::memset(function, '?', sizeof function - 1);
  std::memset(file, '?', sizeof file - 1);
  EXPECT_EQ(error.trace(), "math.add (math.cc:1)");
}

TEST(Error, an_endless_recursion_leaves_a_short_trace) {
  byname_error_raise(str("RecursionError"), str("too deep"));
  Error error(byname_error_take());
  for (int i = 0; i < 1000; ++i) byname_error_pass(error.object(), str("f"), "f.cc", 1);
  EXPECT_EQ(error.trace(), "f (f.cc:1)\n[the same 999 more times]");
  for (int i = 0; i < 1000; ++i) byname_error_pass(error.object(), str(i % 2 == 0 ? "g" : "h"), nullptr, 0);
  std::string trace = error.trace();
  EXPECT_EQ(trace.substr(0, trace.find('\n')), "[937 more]");
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 65);
}

TEST(Error, threads_may_note_places_in_one_error_at_a_time) {
  byname_error_raise(str("ValueError"), str("shared"));
  Error error(byname_error_take());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&error, i] {
      std::string name = "f" + std::to_string(i);
      for (int j = 0; j < 8; ++j) byname_error_pass(error.object(), str(name), "f.cc", j);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string trace = error.trace();
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 31);
}

TEST(Error, others_may_add_to_the_backtrace) {
  Error error("ValueError", "here", "a.cc", 1);
  ASSERT_NE(layout(error)->update_backtrace, nullptr);
  byname_str more = str("  File \"x.py\"");
  layout(error)->update_backtrace(error.object(), &more, 1);
  layout(error)->update_backtrace(error.object(), &more, 1);
  EXPECT_EQ(error.trace(), "a.cc:1\n  File \"x.py\"  File \"x.py\"");
  layout(error)->update_backtrace(error.object(), &more, 0);
  EXPECT_EQ(error.trace(), "a.cc:1\n  File \"x.py\"");
}

TEST(Error, a_chain_of_a_million_causes_drops_on_any_stack) {
  byname_any last{};
  ASSERT_EQ(byname_error_new(str("ValueError"), str("first"), nullptr, &last), 0);
  for (int i = 0; i < 1'000'000; ++i) {
    byname_any next{};
    ASSERT_EQ(byname_error_new(str("ValueError"), str("next"), last.as_object, &next), 0);
    byname_any_drop(&last);
    last = next;
  }
  byname_any_drop(&last);
}

TEST(Warning, goes_to_the_handler_and_without_one_to_stderr) {
  std::vector<std::string> heard;
  byname_warning_handler mine = {
      [](void* context, byname_str kind, byname_str message) {
        static_cast<std::vector<std::string>*>(context)->push_back(std::string(kind.data, kind.size) + ": " +
                                                                   std::string(message.data, message.size));
      },
      &heard};
  byname_warning_handler before{};
  byname_warning_handler_set(mine, &before);
  byname_warn(str("DeprecationWarning"), str("old"));
  EXPECT_EQ(heard, std::vector<std::string>{"DeprecationWarning: old"});
  byname_warning_handler_set({nullptr, nullptr}, nullptr);
  testing::internal::CaptureStderr();
  byname_warn(str("DeprecationWarning"), str("old"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "byname: DeprecationWarning: old\n");
  byname_warning_handler_set(before, nullptr);
}

TEST(Warning, an_exception_of_the_handler_is_dropped) {
  byname_warning_handler before{};
  byname_warning_handler_set({[](void*, byname_str, byname_str) { throw 42; }, nullptr}, &before);
  byname_warn(str("UserWarning"), str("heard"));
  byname_warning_handler_set(before, nullptr);
  EXPECT_EQ(raised(), "nothing");
}

}  // namespace
}  // namespace byname
