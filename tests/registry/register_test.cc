// Registering, looking up, removing and listing names.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support.h"

namespace byname {
namespace {

using namespace literals;

int64_t one() { return 1; }
int64_t two() { return 2; }

TEST(Register, a_registered_function_is_found_called_and_listed_until_it_is_removed) {
  Registration registration = register_function("test.register.one", one, {}, "One.");
  EXPECT_EQ(get("test.register.one")().to<int64_t>(), 1);
  EXPECT_EQ(get("test.register.one").name(), "test.register.one");
  EXPECT_EQ(get("test.register.one").doc(), "One.");
  EXPECT_EQ(get("test.register.one").schema(), "test.register.one() -> int");
  EXPECT_TRUE(find("test.register.one").has_value());
  EXPECT_EQ(names("test.register."), std::vector<std::string>{"test.register.one"});
  remove("test.register.one");
  EXPECT_FALSE(find("test.register.one").has_value());
  EXPECT_TRUE(names("test.register.").empty());
  EXPECT_EQ(error_of([] { remove("test.register.one"); }).substr(0, 9), "NotFound:");
}

TEST(Register, a_name_that_is_not_there_is_an_error_of_get_and_nothing_of_find) {
  EXPECT_FALSE(find("test.register.nothing").has_value());
  EXPECT_EQ(byname_error_take(), nullptr);
  Error error = [] {
    try {
      get("test.register.nothing");
    } catch (const Error& caught) {
      return caught;
    }
    return Error("none", "none");
  }();
  EXPECT_TRUE(error.is("NotFound"));
  EXPECT_TRUE(error.is("LookupError"));
  EXPECT_TRUE(error.is("AttributeError"));
}

TEST(Register, near_names_are_told) {
  Registration registration = register_function("test.register.scale", one);
  EXPECT_EQ(
      error_of([] { get("test.register.sacle"); }),
      "NotFound: nothing is registered under the name 'test.register.sacle' (did you mean 'test.register.scale'?)");
  EXPECT_EQ(
      error_of([] { remove("test.register.scal"); }),
      "NotFound: nothing is registered under the name 'test.register.scal' (did you mean 'test.register.scale'?)");
  registration.remove();
  EXPECT_EQ(error_of([] { get("test.register.sacle"); }),
            "NotFound: nothing is registered under the name 'test.register.sacle' (nothing is registered under "
            "'test.register.'; is its library loaded, and linked whole?)");
}

TEST(Register, an_empty_namespace_is_told_and_one_that_holds_something_is_not) {
  EXPECT_EQ(error_of([] { get("test.nowhere.f"); }),
            "NotFound: nothing is registered under the name 'test.nowhere.f' (nothing is registered under "
            "'test.nowhere.'; is its library loaded, and linked whole?)");
  Registration registration = register_function("test.nowhere.something_else", one);
  EXPECT_EQ(error_of([] { get("test.nowhere.f"); }), "NotFound: nothing is registered under the name 'test.nowhere.f'");
  EXPECT_EQ(error_of([] { get("f"); }), "NotFound: nothing is registered under the name 'f'");
}

// Fault: the same definition twice
TEST(Register, a_name_is_registered_once_and_both_places_are_told) {
  Registration first = register_function({"test.register.twice", "first.cc", 1}, one);
  EXPECT_EQ(error_of([] { register_function({"test.register.twice", "second.cc", 2}, two).keep(); }),
            "ValueError: 'test.register.twice' is registered twice: at first.cc:1 and at second.cc:2");
  EXPECT_EQ(get("test.register.twice")().to<int64_t>(), 1);
  Registration overload = register_function({"test.register::twice.o", "third.cc", 3}, [](int64_t) {});
  EXPECT_EQ(error_of([] { register_function({"test.register.twice", "second.cc", 2}, [](bool) {}).keep(); }),
            "ValueError: 'test.register.twice' is registered twice: at first.cc:1 and at second.cc:2");
  EXPECT_EQ(error_of([] { register_function({"test.register::twice.o", "second.cc", 2}, [](bool) {}).keep(); }),
            "ValueError: 'test.register::twice.o' is registered twice: at third.cc:3 and at second.cc:2");
}

TEST(Register, a_place_that_is_not_known_is_told_as_such) {
  byname_definition definition{};
  definition.struct_size = sizeof definition;
  definition.text = {"test.register.placeless", 23};
  definition.callback = [](void*, const byname_any*, int32_t, byname_any*) { return 0; };
  byname_registration* raw = nullptr;
  detail::check(byname_register(&definition, &raw));
  Registration registration(raw);
  EXPECT_EQ(byname_register(&definition, &raw), -1);
  EXPECT_EQ(Error(byname_error_take()).message(),
            "'test.register.placeless' is registered twice: at an unknown place and at an unknown place");
}

// Fault: a NUL inside of text, bytes and names
TEST(Register, names_are_any_bytes) {
  const std::string with_nul("test.register.a\0b", 17);
  const std::string tail("test.register.a", 15);
  const std::string others = "test.register.\xff\xfe \n\"'";
  Registration registrations[] = {register_function(std::string_view(with_nul), one),
                                  register_function(std::string_view(tail), two),
                                  register_function(std::string_view(others), two)};
  EXPECT_EQ(get(with_nul)().to<int64_t>(), 1);
  EXPECT_EQ(get(tail)().to<int64_t>(), 2);
  EXPECT_EQ(get(with_nul).name(), with_nul);
  EXPECT_EQ(get(others)().to<int64_t>(), 2);
  EXPECT_EQ(names("test.register.a"), (std::vector<std::string>{tail, with_nul}));
}

// Fault: a name of ten thousand characters, and one that begins another
TEST(Register, long_names_and_names_that_begin_others_are_distinct) {
  const std::string longest = "test.register." + std::string(10000, 'x');
  std::vector<Registration> registrations;
  for (size_t size : {10014, 10013, 9000, 100, 16, 15}) {
    std::string name = longest.substr(0, size);
    registrations.push_back(register_function(std::string_view(name), [size] { return static_cast<int64_t>(size); }));
  }
  for (size_t size : {10014, 10013, 9000, 100, 16, 15}) {
    EXPECT_EQ(get(longest.substr(0, size))().to<int64_t>(), static_cast<int64_t>(size));
  }
  EXPECT_FALSE(find(longest.substr(0, 10012)).has_value());
  EXPECT_EQ(error_of([&] { get(longest + "y"); }).substr(0, 9), "NotFound:");
  EXPECT_EQ(names("test.register.xx").size(), 5u);
}

TEST(Register, empty_names_and_parts_are_refused) {
  auto refused = [](std::string_view name) {
    std::string error = error_of([&] { register_function({name, "x.cc", 1}, one).keep(); });
    return error.substr(0, 11) == "ValueError:" ? error.substr(error.find("): ") + 3) : error;
  };
  EXPECT_EQ(refused(""), "name '' is empty");
  EXPECT_EQ(refused("a."), "name 'a.' has nothing beside a dot");
  EXPECT_EQ(refused(".a"), "name '.a' has nothing beside a dot");
  EXPECT_EQ(refused("a::"), "name 'a::' is empty");
  EXPECT_EQ(refused("::a"), "name '::a' has no namespace before '::'");
  EXPECT_EQ(refused("a::b.default"), "name 'a::b.default' has a reserved overload name");
  EXPECT_EQ(refused("a::b.__x"), "name 'a::b.__x' has a reserved overload name");
  EXPECT_EQ(refused("a::b::c"), "name 'a::b::c' has more than one '::'");
  EXPECT_FALSE(find("").has_value());
  EXPECT_EQ(error_of([] { get(""); }), "NotFound: nothing is registered under the name ''");
}

TEST(Register, a_schema_may_be_written_with_blanks_around_its_name) {
  Registration registration =
      register_function(" test . register . spaced ( int a ) -> int", [](int64_t a) { return a; });
  EXPECT_EQ(get("test.register.spaced")(7).to<int64_t>(), 7);
}

TEST(Register, names_are_listed_in_order_by_their_beginning) {
  Registration registrations[] = {register_function("test.register.list.b", one),
                                  register_function("test.register.list.a", one),
                                  register_function("test.register.listing", one)};
  EXPECT_EQ(names("test.register.list."), (std::vector<std::string>{"test.register.list.a", "test.register.list.b"}));
  EXPECT_EQ(names("test.register.list").size(), 3u);
  std::vector<std::string> all = names();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_TRUE(std::binary_search(all.begin(), all.end(), std::string("test.register.listing")));
  EXPECT_TRUE(names("test.register.no").empty());
}

TEST(Register, more_names_than_the_table_first_holds_are_all_found) {
  std::vector<Registration> registrations;
  for (int i = 0; i < 3000; ++i) {
    std::string name = "test.register.many.f" + std::to_string(i);
    registrations.push_back(register_function(std::string_view(name), [i] { return int64_t{i}; }));
  }
  for (int i = 0; i < 3000; ++i) {
    EXPECT_EQ(get("test.register.many.f" + std::to_string(i))().to<int64_t>(), i);
  }
  EXPECT_EQ(names("test.register.many.").size(), 3000u);
}

TEST(Registration, ends_with_its_object_unless_it_is_kept) {
  {
    Registration registration = register_function("test.register.scoped", one);
  }
  EXPECT_FALSE(find("test.register.scoped").has_value());
  register_function("test.register.kept", one).keep();
  EXPECT_TRUE(find("test.register.kept").has_value());
  remove("test.register.kept");
}

// Fault: a removal from inside of a removal
TEST(Registration, of_one_that_a_function_holds_ends_with_the_function) {
  constexpr int kLength = 100'000;
  Registration first;
  for (int i = 0; i < kLength; ++i) {
    std::string name = "test.register.held" + std::to_string(i);
    // A removal drops the function, and with it the registration before, whose function is dropped in turn.
    first = register_function(std::string_view(name), [next = std::move(first)] { return int64_t{1}; });
  }
  EXPECT_EQ(names("test.register.held").size(), static_cast<size_t>(kLength));
  first.remove();
  collect();
  EXPECT_TRUE(names("test.register.held").empty());
}

TEST(Registration, moves_and_is_replaced) {
  Registration a = register_function("test.register.a1", one);
  Registration b = std::move(a);
  a.remove();
  EXPECT_TRUE(find("test.register.a1").has_value());
  b = register_function("test.register.b1", one);
  EXPECT_FALSE(find("test.register.a1").has_value());
  EXPECT_TRUE(find("test.register.b1").has_value());
}

TEST(Registration, of_old_removes_nothing_that_somebody_else_registered_since) {
  Registration old = register_function("test.register.again", one);
  remove("test.register.again");
  Registration now = register_function("test.register.again", two);
  old.remove();
  EXPECT_EQ(get("test.register.again")().to<int64_t>(), 2);
}

}  // namespace
}  // namespace byname
