/* Tensors from C: own memory, wrapped memory, views, DLPack. */
#include "check.h"

static int num_released = 0;
static void count_release(void* context) {
  ++num_released;
  ++*(int*)context;
}
static void count_managed(byname_dl_managed* self) { count_release(self->context); }
static void count_versioned(byname_dl_managed_versioned* self) { count_release(self->context); }

static const byname_dtype kFloat32 = {2, 32, 1};
static const byname_device kCpu = {1, 0};

static const byname_tensor* tensor_in(const byname_any* value) {
  CHECK(value->type_index == BYNAME_TENSOR);
  return (const byname_tensor*)(void*)value->as_object;
}

static void new_ones_are_aligned_and_row_major(void) {
  int64_t shape[] = {2, 3};
  byname_any value = none_value();
  const byname_tensor* tensor;
  CHECK(byname_tensor_new(shape, 2, kFloat32, kCpu, &value) == 0);
  tensor = tensor_in(&value);
  CHECK((uintptr_t)tensor->dl.data % 64 == 0);
  CHECK(tensor->dl.strides[0] == 3 && tensor->dl.strides[1] == 1);
  CHECK(byname_tensor_flags(value.as_object) == 0);
  byname_any_drop(&value);
  shape[0] = -1;
  CHECK(byname_tensor_new(shape, 2, kFloat32, kCpu, &value) == -1);
  byname_object_release(byname_error_take());
}

static void wrapped_memory_is_given_back_once(void) {
  float elements[4] = {1, 2, 3, 4};
  int64_t shape[] = {4};
  int64_t half[] = {2};
  int64_t stride[] = {2};
  int context = 0;
  byname_tensor_view view;
  byname_dl_tensor description;
  byname_any value = none_value();
  byname_any alias = none_value();
  memset(&view, 0, sizeof view);
  view.tensor.data = elements;
  view.tensor.device = kCpu;
  view.tensor.ndim = 1;
  view.tensor.dtype = kFloat32;
  view.tensor.shape = shape;
  view.flags = BYNAME_DL_READ_ONLY;
  view.context = &context;
  view.release = count_release;
  CHECK(byname_tensor_wrap(&view, &value) == 0);
  CHECK(byname_tensor_flags(value.as_object) == BYNAME_DL_READ_ONLY);
  description = tensor_in(&value)->dl;
  description.shape = half;
  description.strides = stride;
  description.byte_offset = 4;
  CHECK(byname_tensor_alias(value.as_object, &description, &alias) == 0);
  byname_any_drop(&value);
  CHECK(context == 0);
  CHECK(byname_tensor_flags(alias.as_object) == BYNAME_DL_READ_ONLY);
  description.byte_offset = 12;
  value = none_value();
  CHECK(byname_tensor_alias(alias.as_object, &description, &value) == -1);
  byname_object_release(byname_error_take());
  byname_any_drop(&alias);
  CHECK(context == 1);
}

static void dlpack_comes_in_and_goes_out(void) {
  float elements[4] = {1, 2, 3, 4};
  int64_t shape[] = {4};
  int context = 0;
  byname_dl_managed managed;
  byname_dl_managed_versioned versioned;
  byname_dl_managed* out = NULL;
  byname_dl_managed_versioned* versioned_out = NULL;
  byname_any value = none_value();
  memset(&managed, 0, sizeof managed);
  managed.tensor.data = elements;
  managed.tensor.device = kCpu;
  managed.tensor.ndim = 1;
  managed.tensor.dtype = kFloat32;
  managed.tensor.shape = shape;
  managed.context = &context;
  managed.deleter = count_managed;
  CHECK(byname_tensor_from_dlpack(&managed, NULL, &value) == 0);
  CHECK(tensor_in(&value)->dl.data == elements && tensor_in(&value)->dl.strides[0] == 1);
  CHECK(byname_tensor_to_dlpack(value.as_object, &out) == 0);
  byname_any_drop(&value);
  CHECK(context == 0 && out->tensor.data == elements);
  out->deleter(out);
  CHECK(context == 1);

  memset(&versioned, 0, sizeof versioned);
  versioned.major = 1;
  versioned.tensor = managed.tensor;
  versioned.context = &context;
  versioned.deleter = count_versioned;
  versioned.flags = BYNAME_DL_READ_ONLY;
  value = none_value();
  CHECK(byname_tensor_from_dlpack_versioned(&versioned, NULL, &value) == 0);
  CHECK(byname_tensor_to_dlpack(value.as_object, &out) == -1);
  byname_object_release(byname_error_take());
  CHECK(byname_tensor_to_dlpack_versioned(value.as_object, &versioned_out) == 0);
  CHECK((versioned_out->flags & BYNAME_DL_READ_ONLY) != 0);
  versioned_out->deleter(versioned_out);
  byname_any_drop(&value);
  CHECK(context == 2);

  versioned.major = 99;
  value = none_value();
  CHECK(byname_tensor_from_dlpack_versioned(&versioned, NULL, &value) == -1);
  CHECK(context == 3); /* taken on failure, too */
  byname_object_release(byname_error_take());
}

int main(void) {
  new_ones_are_aligned_and_row_major();
  wrapped_memory_is_given_back_once();
  dlpack_comes_in_and_goes_out();
  CHECK(num_released == 4);
  CHECK(byname_error_take() == NULL);
  return 0;
}
