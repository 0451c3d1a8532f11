// Typed functions and handles: direct calls where the signatures are the same, packed ones elsewhere.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "../error_of.h"
#include "byname/byname.h"
#include "byname/convert_std.h"
#include "byname/shape.h"

namespace byname {
namespace {

template <class R, class... P>
const void* id_of() {
  return byname_signature_id(&detail::Signature<R, P...>::record);
}

TEST(SignatureId, the_same_signature_has_one_id_and_others_have_others) {
  const void* id = id_of<int64_t, int64_t, int64_t>();
  ASSERT_NE(id, nullptr);
  EXPECT_EQ(id, (id_of<int64_t, int64_t, int64_t>()));
  EXPECT_NE(id, (id_of<int64_t, int64_t>()));
  EXPECT_NE(id, (id_of<int64_t, int64_t, int32_t>()));
  EXPECT_NE(id, (id_of<int64_t, int64_t, uint64_t>()));
  EXPECT_NE(id, (id_of<int64_t, int64_t, double>()));
  EXPECT_NE(id, (id_of<double, int64_t, int64_t>()));
  EXPECT_NE(id, (id_of<int64_t, const int64_t&, int64_t>()));
  EXPECT_NE(id, (id_of<int64_t, int64_t&&, int64_t>()));
  EXPECT_NE((id_of<void>()), (id_of<int64_t>()));
  EXPECT_NE((id_of<void, float>()), (id_of<void, double>()));
  EXPECT_NE((id_of<void, bool>()), (id_of<void, uint8_t>()));
}

TEST(SignatureId, types_that_are_one_in_the_interface_have_one_id) {
  EXPECT_EQ((id_of<long, long>()), (id_of<long long, long long>()));
  EXPECT_EQ((id_of<signed char>()), (id_of<int8_t>()));
}

TEST(SignatureId, bynames_own_types_text_and_spans_have_ids) {
  EXPECT_NE((id_of<Any, AnyView>()), nullptr);
  EXPECT_NE((id_of<String, const String&>()), nullptr);
  EXPECT_NE((id_of<void, std::string_view>()), nullptr);
  EXPECT_NE((id_of<void, std::span<const float>>()), (id_of<void, std::span<const double>>()));
  EXPECT_NE((id_of<void, std::span<const float>, double>()), (id_of<void, double, std::span<const float>>()));
  EXPECT_NE((id_of<Shape, const Shape&, ObjectRef, Function>()), nullptr);
}

TEST(SignatureId, types_without_a_name_across_modules_have_none) {
  EXPECT_EQ((id_of<std::string, int64_t>()), nullptr);
  EXPECT_EQ((id_of<void, std::vector<int64_t>>()), nullptr);
  EXPECT_EQ((id_of<void, Args>()), nullptr);
}

// Counts what a callable's calls go through: a direct call converts nothing.
struct Counted {
  int64_t value = 0;
};

}  // namespace

template <>
struct Convert<Counted> : ConvertVia<Counted, int64_t> {
  static inline int num_converted = 0;
  static int64_t to(const Counted& counted) { return counted.value; }
  static Counted from(int64_t value) {
    ++num_converted;
    return {value};
  }
};

namespace {

TEST(TypedHandle, calls_directly_and_converts_nothing_where_the_signatures_are_one) {
  const void* seen = nullptr;
  Registration registration = register_function("test.typed.f", [&seen](const int64_t& a) {
    seen = &a;
    return a + 1;
  });
  auto typed = get<int64_t(const int64_t&)>("test.typed.f");
  int64_t value = 41;
  EXPECT_EQ(typed(value), 42);
  EXPECT_EQ(seen, &value) << "the very argument, not a copy";
}

TEST(TypedHandle, packs_where_they_differ) {
  Registration registration = register_function("test.typed.f", [](int64_t a) { return a + 1; });
  EXPECT_EQ((get<int64_t(int32_t)>("test.typed.f")(41)), 42);
  EXPECT_EQ((get<double(uint8_t)>("test.typed.f")(41)), 42.0);
  EXPECT_EQ((get<Any(Any)>("test.typed.f")(41).to<int>()), 42);
  get<void(int64_t)>("test.typed.f")(41);
  EXPECT_EQ(error_of([] { get<int64_t(double)>("test.typed.f")(1.5); }),
            "TypeError: test.typed.f(): argument '_0' (position 1) expects int, got float");
  EXPECT_EQ(error_of([] { get<std::string(int64_t)>("test.typed.f")(1); }),
            "TypeError: test.typed.f(): the result expects str, got int");
  EXPECT_EQ(error_of([] { get<int64_t(int64_t, int64_t)>("test.typed.f")(1, 2); }),
            "TypeError: test.typed.f(): takes 1 argument, got 2");
}

TEST(TypedHandle, packs_after_the_name_was_registered_with_another_signature) {
  Registration first = register_function("test.typed.f", [](int64_t a) { return a + 1; });
  auto typed = get<int64_t(int64_t)>("test.typed.f");
  EXPECT_EQ(typed(1), 2);
  first.remove();
  EXPECT_EQ(error_of([&] { typed(1); }),
            "NotFound: 'test.typed.f' is not registered any more (it was removed, or its module unloaded)");
  Registration second = register_function("test.typed.f", [](double a) { return static_cast<int64_t>(a * 10); });
  EXPECT_EQ(typed(1), 10);
  second.remove();
  Registration third = register_function("test.typed.f", [](int64_t a) { return a + 3; });
  EXPECT_EQ(typed(1), 4);
}

TEST(TypedHandle, types_without_an_id_are_packed_and_converted) {
  Registration registration = register_function("test.typed.counted", [](Counted counted) { return counted; });
  auto typed = get<Counted(Counted)>("test.typed.counted");
  Convert<Counted>::num_converted = 0;
  EXPECT_EQ(typed({7}).value, 7);
  EXPECT_EQ(Convert<Counted>::num_converted, 2);
}

TEST(TypedFunction, calls_directly_or_packed_and_keeps_its_function) {
  TypedFunction<int64_t(int64_t)> direct = [](int64_t a) { return a + 1; };
  EXPECT_EQ(direct(1), 2);
  TypedFunction<int64_t(int64_t)> packed = [](double a) { return static_cast<int64_t>(a * 10); };
  EXPECT_EQ(packed(1), 10);
  Registration registration = register_function("test.typed.g", [](int64_t a) { return a + 1; });
  TypedFunction<int64_t(int64_t)> pinned = get("test.typed.g").pin();
  registration.remove();
  EXPECT_EQ(pinned(1), 2);
  Function again = pinned.function();
  EXPECT_EQ(again(1).to<int64_t>(), 2);
}

TEST(TypedFunction, exceptions_arrive_as_errors_by_either_way) {
  TypedFunction<int64_t(int64_t)> direct = [](int64_t) -> int64_t { throw std::out_of_range("far"); };
  TypedFunction<int64_t(int64_t)> packed = [](double) -> int64_t { throw std::out_of_range("far"); };
  EXPECT_EQ(error_of([&] { direct(1); }), "IndexError: far");
  EXPECT_EQ(error_of([&] { packed(1); }), "IndexError: far");
}

TEST(TypedHandle, text_and_spans_are_lent_for_the_call) {
  Registration registration =
      register_function("test.typed.text", [](std::string_view text, std::span<const double> numbers) {
        return static_cast<int64_t>(text.size()) + static_cast<int64_t>(numbers.size());
      });
  const double numbers[] = {1, 2, 3};
  EXPECT_EQ((get<int64_t(std::string_view, std::span<const double>)>("test.typed.text")("four", numbers)), 7);
  EXPECT_EQ((get<int64_t(std::string, std::vector<double>)>("test.typed.text")("four", {1, 2})), 6);
}

TEST(Typed, a_result_of_another_type_tells_whose_it_is) {
  Registration registration = register_function("test.typed.text", [](int64_t) { return std::string("text"); });
  EXPECT_EQ(error_of([] { get<int64_t(int64_t)>("test.typed.text")(1); }),
            "TypeError: test.typed.text(): the result expects int, got str");
  std::function<int8_t(int64_t)> narrow =
      Any(Function([](int64_t n) { return n; })).to<std::function<int8_t(int64_t)>>();
  EXPECT_EQ(error_of([&] { narrow(300); }),
            "OverflowError: function(): the result expects int8, got 300 (out of range)");
}

}  // namespace
}  // namespace byname
