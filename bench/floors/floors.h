// The floors: the least that a good engineer would write by hand for each row. Nothing here includes a Byname header.
#pragma once

#include <cstdint>

namespace floors {

void prepare_add();
void run_add(int64_t n);
void prepare_text();
void run_text(int64_t n);
void prepare_tensors();
void run_tensors(int64_t n);

void prepare_lookup();
void run_lookup(int64_t n);

void prepare_register();
void run_register(int64_t n);
void check_register();

void prepare_tag_compare();
void run_tag_compare(int64_t n);
void run_make_unique(int64_t n);

void prepare_create();
void run_create(int64_t n);
void prepare_json();
void run_json(int64_t n);

}  // namespace floors
