// Objects and boxed classes as parameters, results and receivers of member functions.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "../error_of.h"
#include "byname/byname.h"
#include "byname/convert_std.h"

namespace byname {
namespace {

using namespace literals;

struct CounterNode : Derive<CounterNode, Object, "test.object.Counter"> {
  int64_t value = 0;
  int64_t increase(int64_t by) { return value += by; }
  int64_t get() const noexcept { return value; }
};
struct LoudNode : Derive<LoudNode, CounterNode, "test.object.LoudCounter"> {
  std::string shout = "!";
};

// Plain C++ classes: a hierarchy with virtual functions and a second base at an offset.
struct Named {
  explicit Named(std::string name) : name(std::move(name)) {}
  virtual ~Named() = default;
  virtual std::string describe() const { return "named " + name; }
  std::string name;
};
struct Sized {
  virtual ~Sized() = default;
  virtual int64_t size() const { return size_; }
  void resize(int64_t size) { size_ = size; }
  int64_t size_ = 7;
};
struct File : Named, Sized {
  explicit File(std::string name) : Named(std::move(name)) { ++num_alive; }
  File(const File& other) : Named(other), Sized(other) { ++num_alive; }
  ~File() override { --num_alive; }
  std::string describe() const override { return "file " + name; }
  static inline int num_alive = 0;
};
struct DeepNode : Derive<DeepNode, Object, "test.object.below.Deep"> {
  int64_t depth() const { return 2; }
};
struct Stranger {};

BYNAME_LIBRARY("test.object", lib) {
  lib.type<CounterNode>("Counts.")
      .init<>()
      .method("increase", &CounterNode::increase, {"by"_a = 1})
      .method("get", &CounterNode::get)
      .method("set", [](CounterNode& counter, std::optional<int64_t> value) { counter.value = value.value_or(-1); },
              {"value"_a});
  lib.type<LoudNode>("Counts loudly.").init<>();
  lib.type<Named>("Named", "Has a name.").init<std::string>({"name"_a}).method("describe", &Named::describe);
  lib.type<Sized>("Sized", "Has a size.").method("size", &Sized::size).method("resize", &Sized::resize, {"size"_a});
  lib.type<File, Named, Sized>("File", "A file.").init<std::string>({"name"_a});
  lib.type<DeepNode>("Its key is below the namespace.").init<>().method("depth", &DeepNode::depth);
  lib.def("by_reference", [](CounterNode& counter) { return ++counter.value; });
  lib.def("by_const_reference", [](const CounterNode& counter) { return counter.value; });
  lib.def("by_pointer", [](CounterNode* counter) { return counter == nullptr ? -1 : counter->value; });
  lib.def("by_ref", [](Ref<CounterNode> counter) { return counter->value; });
  lib.def("by_object_ptr", [](ObjectPtr<CounterNode> counter) { return counter ? counter->value : -1; });
  lib.def("any_object", [](const ObjectRef& object) { return std::string(object->type_key()); });
  lib.def("describe", [](const Named& named) { return named.describe(); });
  lib.def("describe_pointer", [](const Named* named) { return named == nullptr ? "nothing" : named->describe(); });
  lib.def("size", [](const Sized& sized) { return sized.size(); });
  lib.def("open", [](std::string name) { return std::make_unique<File>(std::move(name)); });
  lib.def("share", [](std::string name) { return std::make_shared<File>(std::move(name)); });
  lib.def("keep", [](std::shared_ptr<File> file) { return file; });
  lib.def("box", [](Boxed<Named> named) { return named; });
  lib.def("copy", [](File file) { return file; });
  lib.def("nothing", [] { return std::unique_ptr<File>(); });
}

TEST(ObjectParameter, references_pointers_and_refs_are_the_same_object) {
  Ref<CounterNode> counter = make<CounterNode>();
  EXPECT_EQ(get("test.object.by_reference")(counter).to<int64_t>(), 1);
  EXPECT_EQ(counter->value, 1);
  EXPECT_EQ(get("test.object.by_const_reference")(counter).to<int64_t>(), 1);
  EXPECT_EQ(get("test.object.by_pointer")(counter).to<int64_t>(), 1);
  EXPECT_EQ(get("test.object.by_ref")(counter).to<int64_t>(), 1);
  EXPECT_EQ(get("test.object.by_object_ptr")(counter).to<int64_t>(), 1);
  EXPECT_EQ(get("test.object.by_reference")(*counter).to<int64_t>(), 2);
  EXPECT_EQ(counter->use_count(), 1u);
}

// Fault: None is taken only where it is declared, by functions and methods
TEST(ObjectParameter, none_is_a_null_pointer_where_a_pointer_is_declared) {
  EXPECT_EQ(get("test.object.by_pointer")(nullptr).to<int64_t>(), -1);
  EXPECT_EQ(get("test.object.by_object_ptr")(nullptr).to<int64_t>(), -1);
  EXPECT_EQ(error_of([] { get("test.object.by_reference")(nullptr); }),
            "TypeError: test.object.by_reference(): argument '_0' (position 1) expects test.object.Counter, got None");
}

// Fault: None is taken only where it is declared, by functions and methods
TEST(ObjectParameter, a_method_takes_none_only_where_it_is_declared) {
  Any counter = get("test.object.Counter")();
  get("test.object.Counter.set")(counter, nullptr);
  EXPECT_EQ(get("test.object.Counter.get")(counter).to<int64_t>(), -1);
  EXPECT_EQ(error_of([&] { get("test.object.Counter.increase")(counter, nullptr); }),
            "TypeError: test.object.Counter.increase(): argument 'by' (position 2) expects int, got None");
  EXPECT_EQ(error_of([] { get("test.object.Counter.get")(nullptr); }),
            "TypeError: test.object.Counter.get(): argument 'self' (position 1) expects test.object.Counter, got None");
  EXPECT_EQ(get("test.object.Counter.get")(counter).to<int64_t>(), -1);
}

TEST(ObjectParameter, an_object_of_a_type_below_is_taken_and_another_is_refused) {
  EXPECT_EQ(get("test.object.by_ref")(make<LoudNode>()).to<int64_t>(), 0);
  EXPECT_EQ(get("test.object.any_object")(make<LoudNode>()).to<std::string>(), "test.object.LoudCounter");
  EXPECT_EQ(error_of([] { get("test.object.by_ref")(Function([] {})); }),
            "TypeError: test.object.by_ref(): argument '_0' (position 1) expects test.object.Counter, got Function");
  EXPECT_EQ(error_of([] { get("test.object.any_object")("text of more than seven bytes"); }),
            "TypeError: test.object.any_object(): argument '_0' (position 1) expects Object, got str");
}

TEST(ObjectParameter, member_functions_take_their_object_first) {
  Any counter = get("test.object.Counter")();
  EXPECT_EQ(get("test.object.Counter.increase")(counter).to<int64_t>(), 1);
  EXPECT_EQ(get("test.object.Counter.increase")(counter, "by"_a = 4).to<int64_t>(), 5);
  EXPECT_EQ(get("test.object.Counter.get")(counter).to<int64_t>(), 5);
  Function get_value(&CounterNode::get);
  EXPECT_EQ(get_value(counter).to<int64_t>(), 5);
  EXPECT_EQ(error_of([&] { get_value(1); }),
            "TypeError: function(): argument '_0' (position 1) expects test.object.Counter, got int");
}

TEST(ObjectParameter, a_type_may_be_deeper_than_its_blocks_namespace) {
  Any deep = get("test.object.below.Deep")();
  EXPECT_EQ(deep.type_name(), "test.object.below.Deep");
  EXPECT_EQ(get("test.object.below.Deep.depth")(deep).to<int64_t>(), 2);
  EXPECT_EQ(get("test.object.below.Deep").doc(), "Its key is below the namespace.");
}

TEST(BoxedParameter, a_boxed_object_is_borrowed_as_its_bases_wherever_they_lie_in_it) {
  Any file = get("test.object.File")("a.txt");
  EXPECT_EQ(file.type_name(), "test.object.File");
  EXPECT_EQ(get("test.object.describe")(file).to<std::string>(), "file a.txt");
  EXPECT_EQ(get("test.object.describe_pointer")(file).to<std::string>(), "file a.txt");
  EXPECT_EQ(get("test.object.describe_pointer")(nullptr).to<std::string>(), "nothing");
  EXPECT_EQ(get("test.object.size")(file).to<int64_t>(), 7);
  get("test.object.Sized.resize")(file, 9);
  EXPECT_EQ(get("test.object.Sized.size")(file).to<int64_t>(), 9);
  EXPECT_EQ(get("test.object.Named.describe")(file).to<std::string>(), "file a.txt");
}

TEST(BoxedParameter, a_base_is_not_what_derives_from_it) {
  Any named = get("test.object.Named")("x");
  EXPECT_EQ(get("test.object.describe")(named).to<std::string>(), "named x");
  EXPECT_EQ(
      error_of([&] { get("test.object.size")(named); }),
      "TypeError: test.object.size(): argument '_0' (position 1) expects test.object.Sized, got test.object.Named");
  EXPECT_EQ(
      error_of([&] { get("test.object.keep")(named); }),
      "TypeError: test.object.keep(): argument '_0' (position 1) expects test.object.File, got test.object.Named");
}

TEST(BoxedParameter, results_are_owned_whatever_holds_them) {
  {
    Any opened = get("test.object.open")("a");
    Any shared = get("test.object.share")("b");
    EXPECT_EQ(File::num_alive, 2);
    EXPECT_EQ(get("test.object.describe")(opened).to<std::string>(), "file a");
    EXPECT_EQ(get("test.object.describe")(shared).to<std::string>(), "file b");
    Any copied = get("test.object.copy")(opened);
    EXPECT_EQ(File::num_alive, 3);
    EXPECT_EQ(get("test.object.size")(copied).to<int64_t>(), 7);
  }
  EXPECT_EQ(File::num_alive, 0);
}

TEST(BoxedParameter, a_shared_ptr_parameter_keeps_any_box_alive) {
  Any opened = get("test.object.open")("a");
  Any kept = get("test.object.keep")(opened);
  opened = Any();
  EXPECT_EQ(File::num_alive, 1);
  EXPECT_EQ(get("test.object.describe")(kept).to<std::string>(), "file a");
  kept = Any();
  EXPECT_EQ(File::num_alive, 0);
}

TEST(BoxedParameter, a_boxed_parameter_is_a_share_in_the_very_box) {
  Any opened = get("test.object.open")("a");
  auto file = opened.to<Boxed<File>>();
  EXPECT_EQ(file->describe(), "file a");
  EXPECT_EQ(&*file, file.get());
  Boxed<Sized> sized = file;  // a base at an offset
  EXPECT_EQ(sized->size(), 7);
  EXPECT_EQ(sized.box(), file.box());
  Any returned = get("test.object.box")(file);
  EXPECT_EQ(returned.raw().as_object, opened.raw().as_object);
  EXPECT_EQ(get("test.object.size")(sized).to<int64_t>(), 7);
  std::shared_ptr<File> shared = file;
  Boxed<File> moved = std::move(file);
  Boxed<File> other = get("test.object.open")("b").to<Boxed<File>>();
  EXPECT_FALSE(other == moved);
  other = moved;
  EXPECT_TRUE(other == moved);
  EXPECT_EQ(File::num_alive, 1);
  for (Any* value : {&opened, &returned}) *value = Any();
  sized = Boxed<Sized>(std::move(other));
  moved = get("test.object.open")("c").to<Boxed<File>>();
  EXPECT_EQ(shared->describe(), "file a");
  EXPECT_EQ(File::num_alive, 2);
  shared = std::move(moved);
  EXPECT_EQ(shared->describe(), "file c");
  EXPECT_EQ(sized->size(), 7);
  sized = get("test.object.share")("d").to<Boxed<Sized>>();
  EXPECT_EQ(File::num_alive, 2);
  EXPECT_EQ(error_of([] { AnyView(Any(3)).to<Boxed<File>>(); }), "TypeError: expected test.object.File, got int");
}

TEST(BoxedParameter, a_null_unique_ptr_is_no_result) {
  EXPECT_EQ(error_of([] { get("test.object.nothing")(); }),
            "ValueError: a null unique_ptr has no value (return an optional)");
}

TEST(BoxedParameter, functions_that_take_a_class_may_be_registered_by_several_threads) {
  struct Both {
    static std::string describe(const Named& named, const Sized&) { return named.name; }
  };
  std::thread threads[2];
  for (std::thread& thread : threads) {
    std::string name = &thread == &threads[0] ? "test.object.thread0" : "test.object.thread1";
    thread = std::thread([name] {
      Registration registration = register_function(std::string_view(name), &Both::describe);
      Any file = get("test.object.File")("a");
      EXPECT_EQ(get(name)(file, file).to<std::string>(), "a");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(BoxedParameter, a_class_that_nobody_registered_is_refused_when_the_function_is_registered) {
  EXPECT_EQ(
      error_of([] { register_function({"test.object.strange", "x.cc", 1}, [](const Stranger&) {}).keep(); }),
      "TypeError: cannot register 'test.object.strange' (x.cc:1): 'test.object.strange' takes or gives the C++ class "
      "'byname::(anonymous namespace)::Stranger', which is not registered (lib.type<T>(\"name\", "
      "\"documentation\") before it, or load the module that does)");
}

}  // namespace
}  // namespace byname
