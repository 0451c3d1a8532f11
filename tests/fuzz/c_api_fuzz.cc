// Arbitrary bytes as a program over functions and names: whatever it does, each call succeeds or raises an error, and
// nothing is left when the program has ended. What values alone promise is value_fuzz.cc's.
#include "c_api_machine.h"

namespace byname::fuzz {

Machine::Argument Machine::argument(const Slot& slot) {
  Argument argument;
  argument.value = slot.value;
  uint8_t how = byte();
  if (how % 4 == 1 && byname_any_text(&slot.value, &argument.text) != 0) argument.value.type_index = BYNAME_STR_VIEW;
  if (how % 4 == 1 && byname_any_bytes(&slot.value, &argument.text) != 0) argument.value.type_index = BYNAME_BYTE_VIEW;
  bool is_number = slot.value.type_index == BYNAME_INT || slot.value.type_index == BYNAME_UINT ||
                   slot.value.type_index == BYNAME_FLOAT || slot.value.type_index == BYNAME_BOOL;
  if (how % 4 == 2 && is_number) {
    argument.scalar.dtype = {static_cast<uint8_t>(how / 4 % 3), static_cast<uint8_t>(8 << (how / 16 % 4)), 1};
    argument.scalar.value = slot.value;
    argument.value.type_index = BYNAME_SCALAR_VIEW;
  }
  if (how % 4 == 3 && slot.value.type_index == BYNAME_INT) {
    argument.scalar.text = {"123456789012345678901234567890", 30};
    argument.scalar.approximate = 1.2345678901234568e29;
    argument.value.type_index = BYNAME_SCALAR_VIEW;
  }
  return argument;
}

// Views point into what holds them, which moves no more.
std::vector<Machine::Argument> Machine::arguments() {
  std::vector<Argument> all;
  size_t size = byte() % 6;
  all.reserve(size);
  for (size_t i = 0; i < size; ++i) {
    Argument& added = all.emplace_back(argument(slot()));
    if (added.value.type_index == BYNAME_STR_VIEW || added.value.type_index == BYNAME_BYTE_VIEW) {
      added.value.as_str = &added.text;
    }
    if (added.value.type_index == BYNAME_SCALAR_VIEW) added.value.as_scalar = &added.scalar;
  }
  return all;
}

void Machine::make_scalar() {
  byname_any value{};
  switch (byte() % 8) {
    case 0:
      std::memcpy(&value.as_int, std::string(bytes()).append(8, '\0').data(), 8);
      value.type_index = BYNAME_INT;
      return put(slot(), value);
    case 1:
      value = {BYNAME_INT, 0, {static_cast<int8_t>(byte())}};
      return put(slot(), value);
    case 2:
      std::memcpy(&value.as_float, std::string(bytes()).append(8, '\0').data(), 8);
      value.type_index = BYNAME_FLOAT;
      return put(slot(), value);
    case 3:
      value = {BYNAME_BOOL, 0, {byte() & 1}};
      return put(slot(), value);
    case 4:
      value.as_uint = UINT64_MAX - byte();
      value.type_index = BYNAME_UINT;
      return put(slot(), value);
    case 5: {
      int status = byname_string_new(text(), &value);
      return put_if(status, value);
    }
    case 6: {
      int status = byname_bytes_new(text(), &value);
      return put_if(status, value);
    }
    default:
      return put(slot(), value);
  }
}

void Machine::make_container() {
  byname_any made{};
  std::vector<Argument> items = arguments();
  std::vector<byname_any> values;
  for (const Argument& item : items) values.push_back(item.value);
  uint64_t size = 1;
  for (const byname_any& value : values) {
    for (const Slot& from : slots_) {
      if (from.value.as_object == value.as_object) size += from.size;
    }
  }
  if (size > kMaxSize) return;
  switch (byte() % 5) {
    case 0:
      return put_if(byname_array_new(values.data(), values.size(), &made), made, size);
    case 1:
      return put_if(byname_tuple_new(values.data(), values.size(), &made), made, size);
    case 2:
      return put_if(byname_map_new(byte(), &made), made);
    case 3: {
      const int64_t dims[] = {byte(), byte(), -1};
      return put_if(byname_shape_new(dims, byte() % 4, &made), made);
    }
    default:
      return put_if(byname_complex_new(byte(), byte(), &made), made);
  }
}

void Machine::inspect() {
  Slot& a = slot();
  Slot& b = slot();
  byname_any made{};
  uint64_t hash = 0;
  switch (byte() % 6) {
    case 0:
      require(byname_any_equal(&a.value, &b.value) == byname_any_equal(&b.value, &a.value), "equality is one-sided");
      return;
    case 1:
      settle(byname_any_hash(&a.value, &hash));
      return;
    case 2:
      if (settle(byname_any_print(&a.value, &made))) byname_any_drop(&made);
      require(byname_any_type_name(&a.value).size > 0, "a type without a name");
      return;
    case 3: {
      uint64_t size = a.size;
      return put_if(byname_any_copy(&a.value, &made), made, size);
    }
    case 4: {
      uint64_t size = a.size;
      return put_if(byname_any_convert(&a.value, type_at(byte()), &made), made, size);
    }
    default:
      return put(a, {});
  }
}

// What a callback does is the program's to say, too.
int Machine::call_back(void* context, const byname_any* arguments, int32_t num_arguments, byname_any* result) {
  auto [machine, what] = *static_cast<Context*>(context);
  if (machine->depth_ >= kMaxDepth) return byname_error_raisef("RecursionError", "too deep");
  switch (what % 8) {
    case 0:
      return num_arguments > 0 ? byname_any_copy(&arguments[0], result) : 0;
    case 1:
      *result = {BYNAME_INT, 0, {num_arguments}};
      return 0;
    case 2:
      return -1;  // without an error
    case 3:
      throw 42;
    case 4:
      return byname_error_raisef("ValueError", "%d arguments", num_arguments);
    case 5:
      return byname_array_new(arguments, static_cast<size_t>(num_arguments), result);
    default:  // goes on with the program
      ++machine->depth_;
      machine->run();
      --machine->depth_;
      return 0;
  }
}

byname_definition Machine::definition(std::string& text) {
  auto* context = new Context{this, byte()};
  ++num_contexts;
  byname_definition made{};
  made.struct_size = sizeof made;
  made.flags = byte() % 2;
  made.text = to_c(text);
  made.callback = &call_back;
  made.context = context;
  made.context_deleter = [](void* dropped) {
    delete static_cast<Context*>(dropped);
    --num_contexts;
  };
  made.file = "fuzz";
  return made;
}

void Machine::define() {
  byname_str wanted = name();
  std::string& text = texts_.emplace_back(wanted.data == nullptr ? "" : std::string(wanted.data, wanted.size));
  uint8_t signature = byte();
  if (signature % 16 == 15) {
    text.append(bytes());
  } else {
    text += kSignatures[signature % std::size(kSignatures)];
  }
  byname_any made{};
  byname_definition described = definition(text);
  if (byte() % 2 == 0) return put_if(byname_function_new(&described, &made), made);
  byname_registration* registration = nullptr;
  if (settle(byname_register(&described, &registration))) registrations_.push_back(registration);
}

void Machine::call() {
  std::vector<Argument> given = arguments();
  std::vector<byname_any> values;
  std::vector<Slot> kept(given.size());  // a callback may drop what a slot holds
  for (size_t i = 0; i < given.size(); ++i) {
    values.push_back(given[i].value);
    for (const Slot& from : slots_) {
      if (from.value.type_index >= BYNAME_OBJECT &&
          (from.value.as_object == given[i].value.as_object || given[i].text.data != nullptr)) {
        byname_object_retain(from.value.as_object);
        kept.push_back(from);
      }
    }
  }
  auto count = static_cast<int32_t>(values.size());
  const byname_str names[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"", 0}, {"a", 1}, {"b", 1}};
  int32_t num_names = byte() % 3 == 0 ? static_cast<int32_t>(byte()) % (count + 2) - 1 : 0;
  byname_any result{};
  Slot& called = slot();
  int status;
  if (called.value.type_index == BYNAME_FUNCTION && byte() % 2 == 0) {
    byname_object* function = called.value.as_object;
    byname_object_retain(function);
    status = num_names == 0 ? byname_function_call(function, values.data(), count, &result)
                            : byname_function_call_named(function, values.data(), count, names, num_names, &result);
    byname_object_release(function);
  } else if (byname_entry* entry = byname_find(name())) {
    status = num_names == 0 ? byname_call(entry, values.data(), count, &result)
                            : byname_call_named(entry, values.data(), count, names, num_names, &result);
  } else {
    status = byname_error_raisef("NotFound", "nothing to call");
  }
  for (Slot& slot : kept) byname_any_drop(&slot.value);
  put_if(status, result, kMaxSize / 4);
}

void Machine::look_up() {
  byname_any made{};
  byname_str wanted = name();
  switch (byte() % 8) {
    case 0:
      settle(byname_get(wanted) != nullptr ? 0 : -1);
      return;
    case 1:
      settle(byname_remove(wanted));
      return;
    case 2:
      return put_if(byname_names(wanted, &made), made, kMaxSize / 4);
    case 3:
      if (byname_entry* entry = byname_find(wanted)) put_if(byname_entry_pin(entry, &made), made);
      return;
    case 4:
      if (!registrations_.empty()) {
        byname_registration* last = registrations_.back();
        registrations_.pop_back();  // first: a listener may get here
        byname_registration_remove(last);
      }
      return;
    case 5:
      byname_collect();
      return;
    case 6: {
      Slot& function = slot();
      if (function.value.type_index != BYNAME_FUNCTION) return;
      int (*const kAsk[])(const byname_object*, byname_any*) = {byname_function_schema, byname_function_doc,
                                                                byname_function_name, byname_function_describe};
      return put_if(kAsk[byte() % 4](function.value.as_object, &made), made, kMaxSize / 4);
    }
    default:
      if (byname_entry* entry = byname_find(wanted)) {
        byname_guard guard = byname_protect(entry);
        settle(byname_remove(wanted));
        byname_collect();
        if (guard.cell != nullptr) byname_unprotect(guard);
      }
  }
}

void Machine::listen() {
  if (byte() % 3 == 0 && !listeners_.empty()) {
    uint64_t last = listeners_.back();
    listeners_.pop_back();
    byname_listener_remove(last);
    return;
  }
  if (listeners_.size() > 4) return;
  uint64_t id = 0;
  byname_listener listener = {[](void* context, byname_str, int) {
                                auto* machine = static_cast<Machine*>(context);
                                if (machine->depth_ >= kMaxDepth) return;
                                ++machine->depth_;
                                if (machine->byte() % 4 == 0) machine->look_up();
                                --machine->depth_;
                              },
                              this};
  if (settle(byname_listener_register(listener, &id))) listeners_.push_back(id);
}

void Machine::fail() {
  byname_any made{};
  byname_str kind = text();
  byname_str message = text();
  Slot& cause = slot();
  bool has_cause = cause.value.type_index == BYNAME_ERROR;
  if (!settle(byname_error_new(kind, message, has_cause ? cause.value.as_object : nullptr, &made))) return;
  byname_error_pass(made.as_object, text(), byte() % 2 == 0 ? nullptr : "fuzz", byte());
  require(byname_error_kind(made.as_object).size == kind.size, "an error of another kind");
  byname_error_kind_is(kind, message);
  byname_any trace{};
  if (settle(byname_error_trace(made.as_object, &trace))) byname_any_drop(&trace);
  put(slot(), made);
}

void Machine::attach() {
  static Machine* running;
  static byname_library_node node;
  if (running != nullptr) return;
  running = this;
  node = {sizeof node, BYNAME_ABI_VERSION, name(), "fuzz", 1, 0, nullptr, nullptr, nullptr};
  node.run = [](byname_library* library) {
    for (int i = running->byte() % 4; i > 0; --i) {
      byname_str wanted = running->name();
      std::string& text = running->texts_.emplace_back(std::string_view(wanted.data, wanted.size));
      text += kSignatures[running->byte() % std::size(kSignatures)];
      byname_definition described = running->definition(text);
      if (!running->settle(byname_library_define(library, &described)) && running->byte() % 2 == 0) throw 42;
      if (running->byte() % 4 == 0)
        running->settle(byname_library_alias(library, running->name(), running->name(), {}, nullptr, 0));
      if (running->byte() % 8 == 0) running->look_up();
    }
  };
  byname_library_link(&node);
  settle(byname_attach());
  byname_library_unlink(&node);
  running = nullptr;
}

void Machine::run() {
  void (Machine::* const kSteps[])() = {&Machine::make_scalar, &Machine::make_container, &Machine::inspect,
                                        &Machine::define,      &Machine::call,           &Machine::look_up,
                                        &Machine::listen,      &Machine::fail,           &Machine::attach,
                                        &Machine::call,        &Machine::define};
  while (data_ != end_ && ++num_steps_ < kMaxSteps) {
    uint8_t step = byte();
    if (step == 0xff && depth_ > 0) return;
    (this->*kSteps[step % std::size(kSteps)])();
  }
}

Machine::~Machine() {
  data_ = end_;
  for (uint64_t id : listeners_) byname_listener_remove(id);
  for (byname_registration* registration : registrations_) byname_registration_remove(registration);
  byname_any names{};
  require(byname_names({nullptr, 0}, &names) == 0, "names cannot be listed");
  const auto* list = reinterpret_cast<const byname_array*>(names.as_object);
  for (int64_t i = 0; i < list->size; ++i) {
    byname_str left{};
    byname_any_text(&list->data[i], &left);
    if (byname_find(left) != nullptr) settle(byname_remove(left));
  }
  byname_any_drop(&names);
  for (Slot& slot : slots_) put(slot, {});
  byname_collect();
  require(num_contexts == 0, "a function was left");
}

}  // namespace byname::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool is_quiet = [] {
    byname_warning_handler_set({[](void*, byname_str, byname_str) {}, nullptr}, nullptr);
    return true;
  }();
  static_cast<void>(is_quiet);
  byname::fuzz::Machine(data, size).run();
  return 0;
}
