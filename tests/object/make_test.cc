// Making objects.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../error_of.h"
#include "byname/ref.h"
#include "families.h"

namespace {

using byname::Derive;
using byname::error_of;
using byname::make;
using byname::Object;

struct alignas(16) Aligned16 : Derive<Aligned16, Object, "test.make.Aligned16"> {
  double values[2] = {1, 2};
};
struct alignas(64) Aligned64 : Derive<Aligned64, Object, "test.make.Aligned64"> {
  double values[3] = {1, 2, 3};
  ~Aligned64() { values[0] = 0; }
};
struct alignas(4096) Page : Derive<Page, Object, "test.make.Page"> {
  char bytes[4096 - 24] = {};
};
struct Big : Derive<Big, Object, "test.make.Big"> {
  char bytes[100'000] = {};
};

TEST(Make, a_fresh_object_has_one_reference_and_its_type) {
  auto object = make<Aligned16>();
  EXPECT_EQ(object->raw()->counts, BYNAME_COUNT_UNIQUE);
  EXPECT_EQ(object->raw()->type_index, byname::type_index<Aligned16>());
  EXPECT_EQ(object->raw()->padding, 0u);
  EXPECT_TRUE(byname_is_own(object->raw()));
  EXPECT_EQ(byname_object_prefix(object->raw())->twin, nullptr);
}

template <class T>
void expect_aligned() {
  std::vector<byname::Ref<T>> objects;
  for (int i = 0; i < 50; ++i) {
    objects.push_back(make<T>());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(objects.back().get()) % alignof(T), 0u);
    EXPECT_TRUE(byname_is_own(objects.back()->raw()));
    EXPECT_NE(byname_object_prefix(objects.back()->raw())->owner, nullptr);
  }
}

TEST(Make, objects_are_aligned_as_their_type_asks) {
  expect_aligned<Aligned16>();
  expect_aligned<Aligned64>();
  expect_aligned<Page>();
  expect_aligned<Big>();
}

TEST(Make, an_over_aligned_object_outlives_its_death_in_weak_references) {
  byname::ObjectPtr<Aligned64> object = make<Aligned64>();
  byname::WeakRef<Aligned64> weak = object;
  object = nullptr;
  EXPECT_EQ(weak.lock(), nullptr);
}

struct Picky : Derive<Picky, Object, "test.make.Picky"> {
  explicit Picky(bool fails) {
    if (fails) throw std::out_of_range("picky");
  }
  std::string text = std::string(100, 'x');
};

TEST(Make, what_a_constructor_throws_passes_through) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_THROW(make<Picky>(true), std::out_of_range);
    EXPECT_EQ(make<Picky>(false)->text.size(), 100u);
  }
}

byname_class* class_of(const byname_class_decl& decl) {
  byname_class* owner = nullptr;
  byname::detail::check(byname_class_register(&decl, &owner));
  return owner;
}

byname_class_decl decl_of(int32_t type_index, uint32_t size = 24, uint32_t alignment = 8) {
  return {sizeof(byname_class_decl), type_index, size, alignment, nullptr, nullptr};
}

TEST(Allocate, extra_bytes_lie_behind_the_object) {
  byname_class* owner = class_of(decl_of(new_type("test.make.Extra")));
  for (size_t extra : {1, 7, 100, 471, 472, 473, 5000}) {
    std::vector<byname_object*> made;
    for (int i = 0; i < 10; ++i) {
      auto* object = static_cast<byname_object*>(byname_object_allocate(owner, extra));
      ASSERT_NE(object, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(object) % 16, 0u);
      std::fill_n(reinterpret_cast<char*>(object + 1), extra, static_cast<char>(i));
      byname_object_init(object, new_type("test.make.Extra"));
      made.push_back(object);
    }
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(reinterpret_cast<char*>(made[i] + 1)[0], static_cast<char>(i));
      EXPECT_EQ(reinterpret_cast<char*>(made[i] + 1)[extra - 1], static_cast<char>(i));
      byname_object_release(made[i]);
    }
  }
}

TEST(Allocate, too_much_is_a_memory_error) {
  byname_class* owner = class_of(decl_of(new_type("test.make.TooBig"), 32));
  auto allocate = [&](size_t extra) {
    if (byname_object_allocate(owner, extra) == nullptr) byname::detail::throw_raised();
  };
  EXPECT_EQ(error_of([&] { allocate(PTRDIFF_MAX); }),
            "MemoryError: no memory for an object of type 'test.make.TooBig' of 9223372036854775839 bytes");
  EXPECT_EQ(error_of([&] { allocate(SIZE_MAX); }),
            "MemoryError: no memory for an object of type 'test.make.TooBig' of 18446744073709551615 bytes");
  byname_class* aligned = class_of(decl_of(new_type("test.make.TooBigAligned"), 64, 64));
  EXPECT_EQ(byname_object_allocate(aligned, PTRDIFF_MAX - 64), nullptr);
  byname_object_release(byname_error_take());
}

TEST(Class, one_decl_is_one_class) {
  int32_t type = new_type("test.make.OneClass");
  EXPECT_EQ(class_of(decl_of(type)), class_of(decl_of(type)));
  EXPECT_NE(class_of(decl_of(type)), class_of(decl_of(type, 32)));
  byname_dso dso = {sizeof(byname_dso), BYNAME_ABI_VERSION, nullptr};
  byname_class_decl of_dso = decl_of(type);
  of_dso.dso = &dso;
  EXPECT_NE(class_of(decl_of(type)), class_of(of_dso));
}

TEST(ClassErrors, each_says_what_was_expected) {
  int32_t type = new_type("test.make.BadClass");
  EXPECT_EQ(error_of([] { class_of(decl_of(BYNAME_INT)); }),
            "ValueError: expected the index of an object type for a class, got 1");
  EXPECT_EQ(error_of([&] { class_of(decl_of(type, 23)); }),
            "ValueError: class of type 'test.make.BadClass': expected a size of 24 bytes or more, got 23");
  EXPECT_EQ(error_of([&] { class_of(decl_of(type, 24, 0)); }),
            "ValueError: class of type 'test.make.BadClass': expected an alignment that is a power of two up to 65536, "
            "got 0");
  EXPECT_EQ(error_of([&] { class_of(decl_of(type, 24, 24)); }),
            "ValueError: class of type 'test.make.BadClass': expected an alignment that is a power of two up to 65536, "
            "got 24");
  EXPECT_EQ(error_of([&] { class_of(decl_of(type, 24, 1 << 17)); }),
            "ValueError: class of type 'test.make.BadClass': expected an alignment that is a power of two up to 65536, "
            "got 131072");
}

}  // namespace
