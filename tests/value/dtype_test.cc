// Element types and devices.
#include "byname/dtype.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "byname/byname.h"
#include "thrown.h"

namespace byname {
namespace {

static_assert(DType::of<float>().code() == DTypeCode::kFloat && DType::of<float>().bits() == 32);
static_assert(DType::of<const int8_t>() == DType(DTypeCode::kInt, 8));
static_assert(DType::of<std::byte>() == DType::of<uint8_t>());
static_assert(Device().type() == DeviceType::kCpu && Device(DeviceType::kCuda, 1).id() == 1);

std::vector<std::string> all_dtypes() {
  std::vector<std::string> names = {"bool",          "bfloat16",           "handle",         "float8_e3m4",
                                    "float8_e4m3",   "float8_e4m3b11fnuz", "float8_e4m3fn",  "float8_e4m3fnuz",
                                    "float8_e5m2",   "float8_e5m2fnuz",    "float8_e8m0fnu", "float6_e2m3fn",
                                    "float6_e3m2fn", "float4_e2m1fn",      "float16",        "float32",
                                    "float64",       "complex32",          "complex64",      "complex128"};
  for (const char* bits : {"1", "2", "4", "8", "16", "32", "64"}) {
    names.push_back(std::string("int") + bits);
    names.push_back(std::string("uint") + bits);
  }
  return names;
}

TEST(DType, every_name_reads_back_as_it_was_printed) {
  for (const std::string& name : all_dtypes()) {
    EXPECT_EQ(DType(name).print(), name);
    EXPECT_EQ(DType(name).lanes(), 1);
    EXPECT_EQ(DType(name + "x4").print(), name + "x4");
    EXPECT_EQ(DType(name + "x65535").lanes(), 65535);
  }
}

TEST(DType, has_dlpacks_codes) {
  EXPECT_EQ(DType("int8x4"), DType(DTypeCode::kInt, 8, 4));
  EXPECT_EQ(DType("uint1"), DType(DTypeCode::kUint, 1));
  EXPECT_EQ(DType("bool"), DType(DTypeCode::kBool, 8));
  EXPECT_EQ(DType("bfloat16"), DType(DTypeCode::kBfloat, 16));
  EXPECT_EQ(DType("complex64"), DType::of<std::complex<float>>());
  EXPECT_EQ(DType("float8_e4m3fn"), DType(DTypeCode::kFloat8E4m3fn, 8));
  EXPECT_EQ(DType("float4_e2m1fn"), DType(DTypeCode::kFloat4E2m1fn, 4));
}

TEST(DType, other_text_is_an_error) {
  for (std::string_view text : {"",
                                "int",
                                "int3",
                                "int08",
                                "int32x",
                                "int32x0",
                                "int32x1",
                                "int32x04",
                                "int32x65536",
                                "int32x4x4",
                                "int32 ",
                                " int32",
                                "Int32",
                                "float8",
                                "float31",
                                "float32y",
                                "bfloat32",
                                "boolx",
                                "bool8",
                                "complex16",
                                "float8_e4m3f",
                                "i4",
                                "<f4",
                                "int256",
                                "int99999999999999999999",
                                "int32x99999999999999999999",
                                "int-8"}) {
    EXPECT_EQ(thrown([&] { DType{text}; }),
              "ValueError: expected a dtype such as 'float32', 'int8x4' or 'bool', got '" + std::string(text) + "'");
  }
  EXPECT_EQ(thrown([] { DType(std::string_view("int8\0", 5)); }),
            R"(ValueError: expected a dtype such as 'float32', 'int8x4' or 'bool', got 'int8\x00')");
  EXPECT_EQ(
      thrown([] { DType(std::string(1000, 'x')); }),
      "ValueError: expected a dtype such as 'float32', 'int8x4' or 'bool', got '" + std::string(100, 'x') + "'...");
}

// Fault: every slice of a dtype's name
TEST(DType, every_slice_of_a_name_parses_or_errors_without_reading_past_its_end) {
  for (std::string_view whole : {"int32x4", "float8_e4m3fn", "bfloat16", "complex128x16"}) {
    for (size_t begin = 0; begin <= whole.size(); ++begin) {
      for (size_t size = 0; begin + size <= whole.size(); ++size) {
        // Memory that ends with the slice, for AddressSanitizer to see.
        auto slice = std::make_unique<char[]>(size);
        std::copy_n(whole.data() + begin, size, slice.get());
        byname_dtype dtype{};
        if (byname_dtype_parse({slice.get(), size}, &dtype) == 0) {
          EXPECT_EQ(DType(dtype).print(), whole.substr(begin, size));
        } else {
          EXPECT_NE(raised(), "nothing");
        }
      }
    }
  }
}

TEST(DType, without_a_name_is_shown_by_its_numbers) {
  EXPECT_EQ(DType(byname_dtype{99, 7, 2}).print(), "dtype(code=99, bits=7)x2");
  EXPECT_EQ(thrown([] { DType(DType(byname_dtype{99, 7, 1}).print()); }),
            "ValueError: expected a dtype such as 'float32', 'int8x4' or 'bool', got 'dtype(code=99, bits=7)'");
}

TEST(DType, is_a_value) {
  EXPECT_EQ(Any(DType::of<float>()).to<DType>(), DType::of<float>());
  EXPECT_FALSE(Any(1).is<DType>());
}

TEST(Device, reads_back_as_it_was_printed) {
  for (std::string name : {"cuda", "cuda_host", "opencl", "vulkan", "metal", "vpi", "rocm", "rocm_host", "ext_dev",
                           "cuda_managed", "oneapi", "webgpu", "hexagon", "maia", "trn"}) {
    EXPECT_EQ(Device(name).print(), name + ":0");
    EXPECT_EQ(Device(name + ":7").print(), name + ":7");
  }
  EXPECT_EQ(Device("cpu").print(), "cpu");
  EXPECT_EQ(Device("cpu:0").print(), "cpu");
  EXPECT_EQ(Device("cpu:1").print(), "cpu:1");
  EXPECT_EQ(Device("cuda:1"), Device(DeviceType::kCuda, 1));
  EXPECT_EQ(Device("opencl"), Device(DeviceType::kOpenCl));
  EXPECT_EQ(Device("cuda:2147483647").id(), INT32_MAX);
}

TEST(Device, other_text_is_an_error) {
  for (std::string_view text :
       {"", ":", ":0", "cpu:", "cpu:-1", "cpu:01", "cpu:1x", "cpu:2147483648", "CPU", "gpu", "cpu:0:0", "cuda 1"}) {
    EXPECT_EQ(thrown([&] { Device{text}; }),
              "ValueError: expected a device such as 'cpu' or 'cuda:1', got '" + std::string(text) + "'");
  }
}

TEST(Device, without_a_name_is_shown_by_its_number) { EXPECT_EQ(Device(byname_device{5, 2}).print(), "device(5):2"); }

TEST(Device, is_a_value) {
  EXPECT_EQ(Any(Device("cuda:1")).to<Device>(), Device("cuda:1"));
  EXPECT_FALSE(Any(1).is<Device>());
}

}  // namespace
}  // namespace byname
