// All orders in which overloads may stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "byname/function.h"
#include "conversion.h"
#include "function/overload.h"

namespace byname::core {
namespace {

template <class T>
FunctionRef takes(const char* which) {
  Function function([which](T) { return which; });
  byname_object_retain(function.raw());
  return FunctionRef(reinterpret_cast<byname_function*>(function.raw()));
}

// Fault: the width that fits wins in every order of registration
// Fault: a bool picks the bool overload, an int the int one
TEST(OverloadOrder, plays_no_part_in_the_choice) {
  const FunctionRef kFunctions[] = {takes<uint8_t>("u8"),   takes<uint16_t>("u16"),        takes<uint32_t>("u32"),
                                    takes<uint64_t>("u64"), takes<int64_t>("i64"),         takes<double>("double"),
                                    takes<bool>("bool"),    takes<std::string_view>("str")};
  const Scalar uint64_200(kUint64, int_value(200));
  const Any text("x");
  const byname_any kValues[] = {int_value(200),   uint_value(UINT64_MAX), int_value(-1),
                                float_value(1.5), bool_value(true),       text.raw(),
                                uint64_200.view()};
  std::vector<size_t> order(std::size(kFunctions));
  std::iota(order.begin(), order.end(), 0);
  int num_orders = 0;
  do {
    std::vector<FunctionRef> functions;
    for (size_t i : order) functions.push_back(kFunctions[i]);
    FunctionRef all = make_overloads(std::move(functions), function_class(nullptr));
    std::string chosen;
    for (const byname_any& value : kValues) {
      Any result;
      ASSERT_EQ(call_overloads(all.get(), {{&value, 1}, {}, {}}, result.out()), 0);
      chosen += result.to<std::string>() + " ";
    }
    ASSERT_EQ(chosen, "u8 u64 i64 double bool str u64 ") << testing::PrintToString(order);
    ++num_orders;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(num_orders, 40320);
}

}  // namespace
}  // namespace byname::core
