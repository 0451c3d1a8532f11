// Factories: making objects of a type by the names of what derives from it, and from configurations.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../plugins/core_shapes.h"
#include "module_support.h"

namespace byname {
namespace {

using core_shapes::PainterNode;
using core_shapes::Shape;
using namespace literals;

struct Square : Shape {
  explicit Square(double side) : side(side) {}
  double area() const override { return side * side; }
  double side;
};

// Made of other products.
struct Union : Shape {
  using Named = std::map<std::string, std::shared_ptr<Shape>>;
  Union(std::vector<std::shared_ptr<Shape>> parts, std::optional<Named> named,
        std::optional<std::shared_ptr<Shape>> rest)
      : parts(std::move(parts)), named(std::move(named).value_or(Named())), rest(std::move(rest).value_or(nullptr)) {}
  double area() const override {
    double sum = rest == nullptr ? 0 : rest->area();
    for (const auto& part : parts) sum += part->area();
    for (const auto& [name, part] : named) sum += part->area();
    return sum;
  }
  std::vector<std::shared_ptr<Shape>> parts;
  Named named;
  std::shared_ptr<Shape> rest;
};

struct Marked {
  int64_t mark = 1;
};

// Its base is at an offset, it cannot be moved, and constructing it may fail.
struct Fixed : Marked, Shape {
  explicit Fixed(const std::string& name) : name(name) {
    ++num_made;
    if (name.empty()) throw std::invalid_argument("a shape without a name");
  }
  Fixed(const Fixed&) = delete;
  ~Fixed() override { --num_made; }
  double area() const override { return static_cast<double>(name.size()); }
  std::string name;
  static inline int num_made = 0;
};

struct SprayNode : Derive<SprayNode, PainterNode, "test.shapes.Spray"> {
  SprayNode(std::string wanted, int64_t coats) : coats(coats) { color = std::move(wanted); }
  int64_t coats;
};

struct Unmade {};

BYNAME_LIBRARY("test.shapes", lib) {
  lib.type<Shape>("Shape", "Has an area.").method("area", &Shape::area);
  lib.factory<Shape>({"shape", "first.cc", 1})
      .product<Square, double>("Square", {"side"_a}, "All sides alike.")
      .product<Union, std::vector<std::shared_ptr<Shape>>, std::optional<Union::Named>,
               std::optional<std::shared_ptr<Shape>>>("Union", {"parts"_a, "named"_a = nullptr, "rest"_a = nullptr});
  lib.creator<Shape>(
      "Half",
      [](double side) -> std::unique_ptr<Shape> {
        if (side < 0) throw std::invalid_argument("a side below 0");
        return std::make_unique<Square>(side / 2);
      },
      {"side"_a}, "A smaller square.");
  lib.product<Shape, Fixed, const std::string&>("Fixed", {"name"_a});
  lib.type<PainterNode>("Paints.");
  lib.factory<PainterNode>("painter").product<SprayNode, std::string, int64_t>("Spray", {"color"_a, "coats"_a = 2});
}

Map<String, Any> config(std::initializer_list<std::pair<const char*, Any>> items) {
  Map<String, Any> map;
  for (const auto& [name, value] : items) map.set(name, value);
  return map;
}

TEST(Factory, makes_objects_by_the_names_of_their_types) {
  Factory<Shape> shapes;
  EXPECT_EQ(shapes.prefix(), "test.shapes.shape");
  std::shared_ptr<Shape> square = shapes.create("Square", 3);
  EXPECT_EQ(square->area(), 9);
  EXPECT_EQ(shapes.create("Half", "side"_a = 4)->area(), 4);
  EXPECT_EQ(shapes.types(), (Texts{"Fixed", "Half", "Square", "Union"}));
  EXPECT_EQ(get("test.shapes.shape.Square")(2).to<std::shared_ptr<Shape>>()->area(), 4);
  EXPECT_EQ(get("test.shapes.Shape.area")(square).to<double>(), 9);
}

TEST(Factory, constructs_products_where_they_stay) {
  Factory<Shape> shapes;
  {
    Boxed<Shape> fixed = shapes.create("Fixed", "abc");
    EXPECT_EQ(fixed->area(), 3);
    EXPECT_EQ(Fixed::num_made, 1);
    EXPECT_EQ(get("test.shapes.Shape.area")(fixed).to<double>(), 3);
  }
  EXPECT_EQ(Fixed::num_made, 0);
  EXPECT_EQ(error_of([&] { shapes.create("Fixed", ""); }), "ValueError: a shape without a name");
}

TEST(Factory, forgets_a_type_that_went_and_knows_one_that_came_back) {
  Factory<Shape> shapes;
  const Factory<Shape> copy = shapes;
  auto make = [](double side) -> std::unique_ptr<Shape> { return std::make_unique<Square>(side); };
  for (int round = 0; round < 2; ++round) {
    Registration registration = register_function("test.shapes.shape.Late", make);
    EXPECT_EQ(shapes.create("Late", 2)->area(), 4);
    EXPECT_EQ(copy.create("Late", 3)->area(), 9);
    registration.remove();
    for (const Factory<Shape>* factory : std::initializer_list<const Factory<Shape>*>{&shapes, &copy}) {
      EXPECT_EQ(error_of([&] { factory->create("Late", 2); }),
                "NotFound: 'test.shapes.shape': unknown type 'Late' (known: Fixed, Half, Square, Union)");
    }
  }
  EXPECT_EQ(error_of([&] { shapes.create("", 2); }),
            "NotFound: 'test.shapes.shape': unknown type '' (known: Fixed, Half, Square, Union)");
}

TEST(Factory, may_be_shared_by_threads_while_types_come_and_go) {
  const Factory<Shape> shapes;
  std::atomic<bool> is_done = false;
  std::atomic<int> num_late = 0;
  std::thread makers[2];
  for (std::thread& maker : makers) {
    maker = std::thread([&] {
      for (int i = 0; !is_done || i < 100; ++i) {
        EXPECT_EQ(shapes.create(i % 2 == 0 ? "Square" : "Half", 2)->area(), i % 2 == 0 ? 4 : 1);
        try {
          EXPECT_EQ(shapes.create("Late", 3)->area(), 9);
          ++num_late;
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), "NotFound");
        }
      }
    });
  }
  for (int round = 0; round < 1000 && (round < 20 || num_late < 20); ++round) {
    Registration registration = register_function(
        "test.shapes.shape.Late", [](double side) -> std::unique_ptr<Shape> { return std::make_unique<Square>(side); });
    std::this_thread::yield();
    registration.remove();
    std::this_thread::yield();
  }
  is_done = true;
  for (std::thread& maker : makers) maker.join();
}

TEST(Factory, makes_objects_with_their_references) {
  Factory<PainterNode> painters;
  Ref<PainterNode> spray = painters.create("Spray", "red");
  EXPECT_EQ(spray->color, "red");
  EXPECT_EQ(spray.as<SprayNode>()->coats, 2);
}

TEST(Factory, an_unknown_type_is_told_with_near_ones) {
  Factory<Shape> shapes;
  EXPECT_EQ(
      error_of([&] { shapes.create("Squar", 1); }),
      "NotFound: 'test.shapes.shape': unknown type 'Squar' (did you mean 'Square'? known: Fixed, Half, Square, Union)");
  EXPECT_EQ(error_of([&] { shapes.create("Square", "x"); }),
            "TypeError: test.shapes.shape.Square(): argument 'side' (position 1) expects float, got str");
}

TEST(Factory, products_of_other_modules_come_and_go_with_them) {
  for (const char* compiler : {"gcc", "clang"}) {
    Module module = load(plugin("core_shapes", compiler));
    EXPECT_EQ(module.names(), (Texts{"test.shapes.shape.Circle", "test.shapes.shape.Ring"}));
    Factory<Shape> shapes;
    std::shared_ptr<Shape> circle = shapes.create("Circle", "radius"_a = 2);
    std::shared_ptr<Shape> ring = shapes.create("Ring");
    EXPECT_EQ(circle->area(), 12);
    EXPECT_EQ(module.unload(), Texts{"2 objects of type 'test.shapes.Shape'"}) << "of two classes";
    EXPECT_EQ(circle->area(), 12);
    circle.reset();
    ring.reset();
    EXPECT_EQ(collect(), 1u);
    EXPECT_FALSE(is_mapped(plugin("core_shapes", compiler)));
    EXPECT_EQ(shapes.types().size(), 4u);
  }
}

TEST(Factory, configurations_are_nested_in_each_other_in_lists_and_maps) {
  Factory<Shape> shapes;
  Map<String, Any> square = config({{"type", "Square"}, {"side", 2}});
  Map<String, Any> half = config({{"type", "Half"}, {"side", 2.0}});
  EXPECT_EQ(shapes.create(square)->area(), 4);
  Any ready = get("test.shapes.shape.Square")(10);
  Map<String, Any> all = config({{"type", "Union"},
                                 {"parts", Array<Any>{Any(square), ready, Any(half)}},
                                 {"named", config({{"a", Any(square)}})},
                                 {"rest", Any(config({{"type", "Union"}, {"parts", Array<Any>{Any(half)}}}))}});
  EXPECT_EQ(shapes.create(all)->area(), 4 + 100 + 1 + 4 + 1);
}

TEST(Factory, all_that_is_wrong_with_a_configuration_is_told_with_its_place) {
  Factory<Shape> shapes;
  Map<String, Any> bad =
      config({{"type", "Union"},
              {"parts", Array<Any>{Any(config({{"type", "Sqare"}, {"side", 2}})),
                                   Any(config({{"type", "Square"}, {"sied", "x"}})), Any(config({{"side", 2}}))}},
              {"named", config({{"a.b\n", Any(config({{"type", "Half"}, {"side", -1}}))}})},
              {"rset", Any()}});
  EXPECT_EQ(error_of([&] { shapes.create(bad); }),
            "ValueError: cannot make an object of 'test.shapes.shape': 5 problems\n"
            "  $.parts[0]: unknown type 'Sqare' (did you mean 'Square'? known: Fixed, Half, Square, Union)\n"
            "  $.parts[1]: test.shapes.shape.Square(): unexpected keyword 'sied' (did you mean 'side'?); argument "
            "'side' (position 1) is missing\n"
            "  $.parts[2]: 'type' is missing (one of Fixed, Half, Square, Union)\n"
            "  $.named['a.b\\n']: a side below 0\n"
            "  $: test.shapes.shape.Union(): unexpected keyword 'rset' (did you mean 'rest'?)");
  bad = config({{"type", "Union"},
                {"parts", Array<Any>{Any(3), Any(config({{"type", "Square"}, {"side", "x"}})), Any()}},
                {"rest", Any(1.5)}});
  EXPECT_EQ(error_of([&] { shapes.create(bad); }),
            "ValueError: cannot make an object of 'test.shapes.shape': 4 problems\n"
            "  $.parts[0]: expected test.shapes.Shape or a configuration of one, got int\n"
            "  $.parts[1]: test.shapes.shape.Square(): argument 'side' (position 1) expects float, got str\n"
            "  $.parts[2]: expected test.shapes.Shape or a configuration of one, got None\n"
            "  $.rest: expected test.shapes.Shape or a configuration of one, got float");
  EXPECT_EQ(shapes.create(config({{"type", "Union"}, {"parts", Array<Any>()}, {"rest", Any()}}))->area(), 0);
  EXPECT_EQ(error_of([&] { shapes.create(config({{"type", 3}})); }),
            "ValueError: cannot make an object of 'test.shapes.shape': $: 'type' is to be text, got int");
  EXPECT_EQ(error_of([&] { shapes.create(config({{"type", "Ellipse"}})); }),
            "ValueError: cannot make an object of 'test.shapes.shape': $: unknown type 'Ellipse' (known: Fixed, Half, "
            "Square, Union)");
  Any deep = Any(config({{"type", "Square"}, {"side", 1}}));
  for (int i = 0; i < 300; ++i) deep = Any(config({{"type", "Union"}, {"parts", Array<Any>{deep}}}));
  EXPECT_NE(error_of([&] { shapes.create(deep.to<Map<String, Any>>()); }).find("nested more than 200 deep"),
            std::string::npos);
}

TEST(Factory, of_very_many_problems_the_first_are_told) {
  std::vector<Any> parts(1000, Any(3));
  std::string text = error_of(
      [&] { Factory<Shape>().create(config({{"type", "Union"}, {"parts", Array<Any>(parts.begin(), parts.end())}})); });
  EXPECT_EQ(text.substr(0, text.find('\n')), "ValueError: cannot make an object of 'test.shapes.shape': 1000 problems");
  EXPECT_NE(text.find("\n  $.parts[49]: "), std::string::npos);
  EXPECT_EQ(text.substr(text.rfind('\n')), "\n  and 950 more");
}

TEST(Factory, a_creator_may_drop_the_configuration) {
  Any only = Any(config({{"type", "Dropper"}, {"side", 2}}));
  Registration registration = register_function("test.shapes.shape.Dropper",
                                                [&](double side) -> std::unique_ptr<Shape> {
                                                  only = Any();
                                                  return std::make_unique<Square>(side);
                                                },
                                                {"side"_a});
  EXPECT_EQ(Factory<Shape>().create(AnyView(only))->area(), 4);
}

TEST(Factory, listeners_hear_of_types_that_come_and_go) {
  const std::string prefix = Factory<Shape>().prefix() + ".";
  Texts heard;
  Listener listener([&](std::string_view name, bool created) {
    if (name.starts_with(prefix)) heard.push_back((created ? "+" : "-") + std::string(name.substr(prefix.size())));
  });
  heard.clear();  // those that were there
  Module module = load(plugin("core_shapes"));
  register_function((prefix + "Here").c_str(), [] { return 1; }).remove();
  EXPECT_EQ(module.unload(), Texts{});
  EXPECT_EQ(heard, (Texts{"+Circle", "+Ring", "+Here", "-Here", "-Circle", "-Ring"}));
}

TEST(Factory, a_second_one_for_a_type_or_a_name_is_refused_with_both_places) {
  EXPECT_EQ(error_of([] { load(plugin("core_second_factory")); }),
            "ValueError: type 'test.shapes.Shape' has a factory already: 'test.shapes.shape' at first.cc:1, declared "
            "again at second.cc:5");
  EXPECT_EQ(
      error_of([] { load(plugin("core_same_factory")); }),
      "ValueError: 'test.shapes.shape' is the factory of type 'test.shapes.Shape' (first.cc:1), declared again for "
      "'test.shapes.Other' at same.cc:8");
  EXPECT_EQ(
      error_of([] { load(plugin("core_twice_factory")); }),
      "ValueError: type 'core.twice_factory.Other' has a factory already: 'core.twice_factory.one' at twice.cc:1, "
      "declared again at twice.cc:2");
  EXPECT_EQ(error_of([] { load(plugin("core_dotted_factory")); }),
            "ValueError: expected a name without dots or colons for the factory at dotted.cc:3, got 'a.b'");
  EXPECT_FALSE(is_mapped(plugin("core_second_factory")));
}

TEST(Factory, there_is_one_for_a_type_and_none_for_others) {
  EXPECT_EQ(error_of([] { Factory<SprayNode> none; }),
            "NotFound: type 'test.shapes.Spray' has no factory (is the library that declares it loaded?)");
  EXPECT_EQ(error_of([] { Factory<Unmade> none; }).substr(0, 16), "TypeError: the C");
}

}  // namespace
}  // namespace byname
