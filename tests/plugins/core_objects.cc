// Objects, boxed classes, function values and calls that keep the code in memory.
#include <byname/byname.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

using namespace byname::literals;

namespace {

struct CounterNode : byname::Derive<CounterNode, byname::Object, "core.objects.Counter"> {
  int64_t value = 0;
  int64_t increase() { return ++value; }
};

// Polymorphic, with a second base at an offset.
struct Shape {
  virtual ~Shape() = default;
  virtual std::string describe() const { return "shape"; }
};
struct Sized {
  virtual ~Sized() = default;
  int64_t size = 4;
};
struct Square : Shape, Sized {
  std::string describe() const override { return "square of " + std::to_string(size); }
};

std::atomic<int64_t> num_unloads{0};

// Unloads the module that this code is in.
std::string unload_self(const std::string& path) {
  byname::Any modules;
  byname::detail::check(byname_modules(modules.out()));
  const auto* array = reinterpret_cast<const byname_array*>(modules.raw().as_object);
  for (int64_t i = 0; i < array->size; ++i) {
    byname::Module module(byname::AnyView(array->data[i]).copy());
    if (module.path() != path) continue;
    std::string holders;
    for (const std::string& holder : module.unload()) holders += holder + "; ";
    return holders;
  }
  return "no such module";
}

// A tensor that this module's code gives back.
byname::Tensor managed() {
  static float element = 42;
  static int64_t size = 1;
  auto* made = new byname_dl_managed{};
  made->tensor = {
      &element, byname::Device(byname::DeviceType::kCpu).raw(), 1, byname::DType::of<float>().raw(), &size, nullptr, 0};
  made->deleter = [](byname_dl_managed* self) {
    element = 0;
    delete self;
  };
  return byname::Tensor::from_dlpack(made);
}

// Hears of names and warnings, or no more.
void listen(bool begin) {
  static uint64_t id = 0;
  static byname_warning_handler before = {};
  if (begin) {
    byname::detail::check(byname_listener_register({[](void*, byname_str, int) { ++num_unloads; }, nullptr}, &id));
    byname_warning_handler_set({[](void*, byname_str, byname_str) { ++num_unloads; }, nullptr}, &before);
  } else {
    byname_listener_remove(id);
    byname_warning_handler_set(before, nullptr);
  }
}

// Dropped by a static destructor of this module.
byname::Any kept;

// Its destructor is this module's code, and ends the module's registrations.
struct Unloader {
  explicit Unloader(std::string path) : path(std::move(path)) {}
  Unloader(const Unloader&) = delete;
  Unloader& operator=(const Unloader&) = delete;
  ~Unloader() { unload_self(path); }
  std::string path;
};

// Unloads the module when a name comes that is called so.
void unload_when_heard(std::string name, std::string path) {
  static byname::Listener* listener = new byname::Listener([name, path](std::string_view heard, bool created) {
    if (!created || heard != name) return;
    unload_self(path);
    delete std::exchange(listener, nullptr);
  });
}

}  // namespace

BYNAME_LIBRARY("core.objects", lib) {
  lib.type<CounterNode>("Counts.").init<>().method("increase", &CounterNode::increase);
  lib.type<Shape>("Shape", "A shape.").method("describe", &Shape::describe);
  lib.type<Sized>("Sized", "Has a size.").method("size", [](const Sized& sized) { return sized.size; });
  lib.type<Square, Shape, Sized>("Square", "A square.").init<>();
  lib.def("make_adder", [](int64_t offset) { return [offset](int64_t a) { return a + offset; }; });
  lib.def("call", [](const byname::Function& callback) { return callback(); });
  lib.def("unload_self", unload_self);
  lib.def("managed", managed);
  lib.def("listen", listen);
  lib.def("keep", [](byname::Any value) { kept = std::move(value); });
  lib.def("fail", [](const std::string& why) { throw std::runtime_error(why); });
  lib.type<Unloader>("Unloader", "Unloads the module when it goes.").init<std::string>();
  lib.def("unload_when_heard", unload_when_heard);
  lib.def("sizes", [] { return byname::Array<byname::Any>{1, "a text of more than seven bytes", 2.5}; });
  lib.on_unload([] { ++num_unloads; });
}
