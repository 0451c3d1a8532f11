// The values: what Byname does for each row.
#pragma once

#include <byname/byname.h>

#include <cstdint>
#include <string>

namespace values {

// Loads a plugin that was built beside this object; a second time gives the same module.
byname::Module load_plugin(const char* file);
// The handle of a function of the bench's plugin, which is loaded.
byname::Handle plugin_function(const char* name);

void prepare_add();
void run_packed(int64_t n);
void run_typed(int64_t n);
void run_c_abi(int64_t n);
void prepare_text();
void run_text(int64_t n);
void prepare_tensors();
void run_tensors(int64_t n);

void prepare_lookup();
void run_lookup(int64_t n);
void run_one_lookup(int64_t n);
void run_call_by_lookup(int64_t n);

void prepare_register();
void run_register(int64_t n);
void check_register();

void prepare_is_instance();
void run_is_instance(int64_t n);
void run_make(int64_t n);

void prepare_create();
void run_create(int64_t n);
void prepare_json();
void run_json(int64_t n);

}  // namespace values
