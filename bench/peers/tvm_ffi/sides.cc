// The peer tvm-ffi, from C++.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "register.h"
#include "runner/companion.h"
#include "runner/names.h"
#include "runner/side.h"
#include "types.h"

namespace {

namespace ffi = tvm::ffi;

struct State {
  ffi::Function add, text, tensors;
  ffi::TypedFunction<int64_t(int64_t, int64_t)> typed_add;
  ffi::Tensor first, second;
  ffi::ObjectRef child;
  std::vector<std::string> queries;
};

State& state() {
  static State made;
  return made;
}

void open_plugin() {
  static const std::string path =
      bench::companion_path(reinterpret_cast<const void*>(&bench_sides), "peer_tvm_ffi_plugin.so");
  if (!dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) throw std::runtime_error(dlerror());
}

ffi::Function required(const std::string& name) {
  open_plugin();
  return ffi::Function::GetGlobalRequired(name);
}

struct CpuMemory {
  void AllocData(DLTensor* tensor) { tensor->data = ::operator new(ffi::GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) { ::operator delete(tensor->data); }
};

void prepare_add() {
  state().add = required("peer.add");
  state().typed_add = ffi::TypedFunction<int64_t(int64_t, int64_t)>(state().add);
  bench::require(state().typed_add(40, 2) == 42, "peer.add is wrong");
}

void run_packed(int64_t n) {
  const ffi::Function& add = state().add;
  for (int64_t i = 0; i < n; ++i) keep(add(i, 1).cast<int64_t>());
}

void run_typed(int64_t n) {
  const ffi::TypedFunction<int64_t(int64_t, int64_t)>& add = state().typed_add;
  for (int64_t i = 0; i < n; ++i) keep(add(i, 1));
}

void run_c_abi(int64_t n) {
  TVMFFIObjectHandle add = const_cast<void*>(static_cast<const void*>(state().add.get()));
  TVMFFIAny arguments[2] = {};
  arguments[0].type_index = arguments[1].type_index = kTVMFFIInt;
  arguments[1].v_int64 = 1;
  for (int64_t i = 0; i < n; ++i) {
    TVMFFIAny result = {};
    arguments[0].v_int64 = i;
    if (TVMFFIFunctionCall(add, arguments, 2, &result) != 0) throw std::runtime_error("the call failed");
    keep(result.v_int64);
  }
}

void prepare_text() {
  state().text = required("peer.text");
  bench::require(state().text("hello", 1).cast<int64_t>() == 5 + 'h' + 1, "peer.text is wrong");
}

void run_text(int64_t n) {
  const ffi::Function& text = state().text;
  ffi::String hello("hello");
  for (int64_t i = 0; i < n; ++i) keep(text(hello, i).cast<int64_t>());
}

void prepare_tensors() {
  state().tensors = required("peer.tensors");
  auto make = [] { return ffi::Tensor::FromNDAlloc(CpuMemory(), {3, 4}, {kDLFloat, 32, 1}, {kDLCPU, 0}); };
  state().first = make();
  state().second = make();
  bench::require(state().tensors(state().first, state().second).cast<int64_t>() == 4, "peer.tensors is wrong");
}

void run_tensors(int64_t n) {
  const State& s = state();
  for (int64_t i = 0; i < n; ++i) keep(s.tensors(s.first, s.second).cast<int64_t>());
}

void prepare_lookup() {
  peer::register_many(bench::names());
  state().queries = bench::shuffled_names();
  bench::require(ffi::Function::GetGlobalRequired(state().queries[7])(40, 2).cast<int64_t>() == 42,
                 "the table is wrong");
}

void run_lookup(int64_t n) {
  const std::vector<std::string>& queries = state().queries;
  size_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    ffi::Function found = ffi::Function::GetGlobalRequired(queries[at]);
    keep(found.get());
    if (++at == queries.size()) at = 0;
  }
}

void run_one_lookup(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    ffi::Function found = required("peer.add");
    keep(found.get());
  }
}

void run_call_by_lookup(int64_t n) {
  for (int64_t i = 0; i < n; ++i) keep(ffi::Function::GetGlobalRequired("peer.add")(i, 1).cast<int64_t>());
}

std::vector<std::string> fresh_names;

void prepare_register() {
  fresh_names.clear();
  for (const std::string& name : bench::names()) fresh_names.push_back("fresh." + name);
}

void run_register(int64_t) { peer::register_many(fresh_names); }

void check_register() {
  for (const std::string& name : fresh_names) {
    bench::require(ffi::Function::GetGlobalRequired(name)(40, 2).cast<int64_t>() == 42, "the table is wrong");
  }
}

void prepare_is_instance() {
  state().child = required("peer.last_child")().cast<ffi::ObjectRef>();
  bench::require(state().child->IsInstance<peer::Level4Obj>(), "the child is no instance of its parent");
  bench::require(!state().child->IsInstance<peer::PairObj>(), "the child is an instance of a stranger");
}

void run_is_instance(int64_t n) {
  const ffi::Object* object = state().child.get();
  for (int64_t i = 0; i < n; ++i) {
    asm volatile("" : "+r"(object));
    keep(object->IsInstance<peer::Level4Obj>());
  }
}

void run_make(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    ffi::ObjectPtr<peer::PairObj> pair = ffi::make_object<peer::PairObj>(i, 1);
    asm volatile("" : : "r"(pair.get()) : "memory");
  }
}

}  // namespace

const bench_side* bench_sides(size_t* count) {
  static const bench_side sides[] = {
      {"cpp.call.packed", prepare_add, nullptr, run_packed, nullptr, 0, BENCH_LOOP},
      {"cpp.call.typed", prepare_add, nullptr, run_typed, nullptr, 0, BENCH_LOOP},
      {"cpp.call.string", prepare_text, nullptr, run_text, nullptr, 0, BENCH_LOOP},
      {"cpp.call.tensors", prepare_tensors, nullptr, run_tensors, nullptr, 0, BENCH_LOOP},
      {"cpp.call.c_abi", prepare_add, nullptr, run_c_abi, nullptr, 0, BENCH_LOOP},
      {"cpp.lookup", prepare_lookup, nullptr, run_lookup, nullptr, 0, BENCH_LOOP},
      {"cpp.lookup.threads", prepare_add, nullptr, run_one_lookup, nullptr, 0, BENCH_THREADS},
      {"cpp.call.threads.handle", prepare_add, nullptr, run_packed, nullptr, 0, BENCH_THREADS},
      {"cpp.call.threads.name", prepare_add, nullptr, run_call_by_lookup, nullptr, 0, BENCH_THREADS},
      {"cpp.register", prepare_register, nullptr, run_register, check_register, bench::kNames, BENCH_FRESH},
      {"cpp.is_instance", prepare_is_instance, nullptr, run_is_instance, nullptr, 0, BENCH_LOOP},
      {"cpp.object.make", nullptr, nullptr, run_make, nullptr, 0, BENCH_LOOP},
  };
  *count = sizeof sides / sizeof *sides;
  return sides;
}
