/* The count protocol: what retain, release and promote do to the counts, and with which flags they call the deleter. */
#include "byname/c_api.h"
#include "check.h"

/* An object of somebody else's making, whose deleter writes down how it is called. */
typedef struct foreign {
  byname_object header;
  int num_calls;
  int flags[4];
  uint64_t counts[4]; /* at each call */
} foreign;

static void record(void* self, int flags) {
  foreign* object = (foreign*)self;
  CHECK(object->num_calls < 4);
  object->flags[object->num_calls] = flags;
  object->counts[object->num_calls] = object->header.counts;
  ++object->num_calls;
}

static foreign new_foreign(void) {
  foreign object = {{UINT64_C(0x100000001), 500, 0, record}, 0, {0}, {0}};
  return object;
}

static void check_strong_alone(void) {
  foreign object = new_foreign();
  byname_object_retain(&object.header);
  CHECK(object.header.counts == UINT64_C(0x100000002));
  byname_object_release(&object.header);
  CHECK(object.header.counts == UINT64_C(0x100000001));
  CHECK(object.num_calls == 0);
  byname_object_release(&object.header);
  CHECK(object.num_calls == 1);
  CHECK(object.flags[0] == 3);
  byname_object_release(NULL);
  byname_object_release_weak(NULL);
}

static void check_weak_that_outlives(void) {
  foreign object = new_foreign();
  byname_object_retain_weak(&object.header);
  byname_object_retain_weak(&object.header);
  CHECK(object.header.counts == UINT64_C(0x300000001));
  byname_object_release(&object.header);
  CHECK(object.num_calls == 1);
  CHECK(object.flags[0] == 1);
  /* All strong references together held one weak one until the destructor had run. */
  CHECK(object.counts[0] == UINT64_C(0x300000000));
  CHECK(object.header.counts == UINT64_C(0x200000000));
  CHECK(byname_object_promote(&object.header) == 0);
  CHECK(object.header.counts == UINT64_C(0x200000000));
  byname_object_release_weak(&object.header);
  CHECK(object.num_calls == 1);
  byname_object_release_weak(&object.header);
  CHECK(object.num_calls == 2);
  CHECK(object.flags[1] == 2);
}

static void check_weak_that_goes_first(void) {
  foreign object = new_foreign();
  byname_object_retain_weak(&object.header);
  CHECK(byname_object_promote(&object.header) == 1);
  CHECK(object.header.counts == UINT64_C(0x200000002));
  byname_object_release(&object.header);
  byname_object_release_weak(&object.header);
  CHECK(object.header.counts == UINT64_C(0x100000001));
  CHECK(object.num_calls == 0);
  byname_object_release(&object.header);
  CHECK(object.num_calls == 1);
  CHECK(object.flags[0] == 3);
}

static int num_destroyed;

static void count_destroyed(void* object) {
  (void)object;
  ++num_destroyed;
}

static byname_object* new_own(void) {
  static struct byname_class* owner;
  static int32_t type_index;
  void* object;
  if (owner == NULL) {
    byname_type_decl type = {sizeof(type), BYNAME_OBJECT, {"test.counts.Own", 15}, 0, NULL};
    byname_class_decl decl = {sizeof(decl), 0, 40, 8, count_destroyed, NULL};
    CHECK(byname_type_register(&type, &type_index) == 0);
    decl.type_index = type_index;
    CHECK(byname_class_register(&decl, &owner) == 0);
  }
  object = byname_object_allocate(owner, 0);
  CHECK(object != NULL);
  byname_object_init(object, type_index);
  num_destroyed = 0;
  return (byname_object*)object;
}

/* A fence; ThreadSanitizer, which knows none, gets a load of what was released. */
static void acquire(byname_object* object) {
#ifdef BYNAME_TSAN
  (void)__atomic_load_n(&object->counts, __ATOMIC_ACQUIRE);
#else
  (void)object;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

/* What a foreign runtime does to drop a strong reference to any object, ours too. */
static void release_as_foreign(byname_object* object) {
  uint64_t counts = __atomic_fetch_sub(&object->counts, 1, __ATOMIC_RELEASE);
  if (counts == UINT64_C(0x100000001)) {
    acquire(object);
    object->deleter(object, 3);
  } else if ((uint32_t)counts == 1) {
    acquire(object);
    object->deleter(object, 1);
    counts = __atomic_fetch_sub(&object->counts, UINT64_C(1) << 32, __ATOMIC_RELEASE);
    if (counts >> 32 == 1) {
      acquire(object);
      object->deleter(object, 2);
    }
  }
}

static void check_own(void (*release)(byname_object* object)) {
  byname_object* object = new_own();
  CHECK(object->counts == UINT64_C(0x100000001));
  CHECK(object->padding == 0);
  CHECK(byname_is_own(object));
  CHECK(byname_object_prefix(object)->owner != NULL);
  CHECK(byname_object_prefix(object)->twin == NULL);
  byname_object_retain(object);
  release(object);
  CHECK(num_destroyed == 0);
  release(object);
  CHECK(num_destroyed == 1);

  object = new_own();
  byname_object_retain_weak(object);
  release(object);
  CHECK(num_destroyed == 1);
  CHECK(object->counts == UINT64_C(0x100000000));
  CHECK(byname_object_promote(object) == 0);
  byname_object_release_weak(object);
  CHECK(num_destroyed == 1);
}

static void release_own(byname_object* object) { byname_object_release(object); }

int main(void) {
  foreign object = new_foreign();
  CHECK(!byname_is_own(&object.header));
  check_strong_alone();
  check_weak_that_outlives();
  check_weak_that_goes_first();
  check_own(release_own);
  check_own(release_as_foreign);
  return 0;
}
