#include "base/near.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace byname::core {
namespace {

using Names = std::vector<std::string>;

TEST(Near, a_name_with_one_letter_too_few_is_suggested) {
  EXPECT_EQ(near_hint("math.ad", Names{"math.add", "math.sub"}), " (did you mean 'math.add'?)");
}

TEST(Near, letter_case_does_not_count) { EXPECT_EQ(near_hint("tensor", Names{"Tensor"}), " (did you mean 'Tensor'?)"); }

TEST(Near, swapped_neighbours_are_one_mistake) {
  EXPECT_EQ(near_hint("sacle", Names{"scale"}), " (did you mean 'scale'?)");
}

TEST(Near, names_with_nothing_in_common_are_not_suggested) {
  EXPECT_EQ(near_hint("ab", Names{"xy", "x", "", "abcdef"}), "");
  EXPECT_EQ(near_hint("Foo", Names{"Tensor", "int"}), "");
  EXPECT_EQ(near_hint("", Names{"a"}), "");
  EXPECT_EQ(near_hint("a", Names{}), "");
}

TEST(Near, only_the_nearest_are_suggested_three_at_most_in_the_order_of_the_alphabet) {
  EXPECT_EQ(near_hint("weight", Names{"heights", "weigh", "eight", "weights", "weight_", "xweightx"}),
            " (did you mean 'eight', 'weigh' or 'weight_'?)");
  EXPECT_EQ(near_hint("weight", Names{"heights", "eight"}), " (did you mean 'eight'?)");
  EXPECT_EQ(near_hint("weight", Names{"heights", "weighed"}), " (did you mean 'heights' or 'weighed'?)");
}

TEST(Near, a_namespace_that_both_share_is_no_likeness) {
  EXPECT_EQ(near_hint("math.xyz", Names{"math.add", "math.sub"}), "");
  EXPECT_EQ(near_hint("math.abs", Names{"math.add"}), "");
  EXPECT_EQ(near_hint("mth.abs", Names{"math.abs", "math.add"}), " (did you mean 'math.abs'?)");
}

TEST(Near, the_order_of_the_candidates_does_not_count) {
  Names names{"eight", "heights", "weigh", "weight_", "weights"};
  std::string first = near_hint("weight", names);
  int permutations = 0;
  do {
    ++permutations;
    ASSERT_EQ(near_hint("weight", names), first);
  } while (std::next_permutation(names.begin(), names.end()));
  EXPECT_EQ(permutations, 120);
}

TEST(Near, a_candidate_seen_twice_is_suggested_once) {
  EXPECT_EQ(near_hint("scal", Names{"scale", "scale"}), " (did you mean 'scale'?)");
}

TEST(Near, a_name_without_its_namespace_finds_it) {
  EXPECT_EQ(near_hint("compress", Names{"zstd.compress", "zstd.decompress"}), " (did you mean 'zstd.compress'?)");
  EXPECT_EQ(near_hint("compress", Names{"zstd.decompress"}), "");
}

TEST(Near, what_is_suggested_is_at_most_three_mistakes_away) {
  EXPECT_EQ(near_hint("a_rather_long_name", Names{"a_rxxher_long_nxme"}), " (did you mean 'a_rxxher_long_nxme'?)");
  EXPECT_EQ(near_hint("a_rather_long_name", Names{"a_rxxxer_long_nxme"}), "");
}

TEST(Near, past_its_bound_of_work_nothing_is_considered) {
  std::string wanted(64, 'x');
  std::string far(64, 'y');
  std::string near_one = wanted + "x";
  NearNames few(wanted);
  NearNames many(wanted);
  for (int i = 0; i < 1'000'000; ++i) {
    far[0] = static_cast<char>('a' + i % 26);
    if (i < 10) few.consider(far);
    many.consider(far);
  }
  few.consider(near_one);
  many.consider(near_one);
  EXPECT_EQ(few.hint(), " (did you mean '" + near_one + "'?)");
  EXPECT_EQ(many.hint(), "");
}

TEST(Near, names_too_long_to_be_shown_are_not_considered) {
  std::string wanted(10'000, 'a');
  NearNames near(wanted);
  near.consider(wanted + "b");
  EXPECT_EQ(near.hint(), "");
}

}  // namespace
}  // namespace byname::core
