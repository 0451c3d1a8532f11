// Properties of the language over random schemas, right ones and damaged ones.
#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <random>
#include <string>

#include "byname/error.h"
#include "schema/schema.h"
#include "schema_generator.h"

namespace byname::core {
namespace {

constexpr int kSchemas = 20'000;

// Fault: parsing what was printed
TEST(Property, parse_after_print_is_the_identity) {
  SchemaGenerator generator(1);
  size_t arguments = 0;
  for (int i = 0; i < kSchemas; ++i) {
    SchemaGenerator::Texts texts = generator.next();
    try {
      Schema schema = parse_schema(texts.canonical);
      ASSERT_EQ(print_schema(schema), texts.canonical);
      Schema again = parse_schema(print_schema(schema));
      ASSERT_TRUE(again == schema) << texts.canonical;
      Schema other = parse_schema(texts.other);
      ASSERT_TRUE(other == schema) << texts.other;
      ASSERT_EQ(print_schema(other), texts.canonical);
      arguments += schema.arguments().size();
    } catch (const Error& error) {
      FAIL() << error.message() << "\nin\n" << texts.canonical << "\nor\n" << texts.other;
    }
  }
  EXPECT_GT(arguments, 2U * kSchemas);  // the generator does its work
}

TEST(Property, full_names_and_block_names_print_alike) {
  SchemaGenerator generator(2);
  for (int i = 0; i < kSchemas / 10; ++i) {
    Schema schema = parse_schema(generator.next().canonical);
    if (!schema.name_parts().overload.empty() && schema.name_parts().space.empty()) continue;
    ASSERT_TRUE(parse_schema(print_schema(schema), NameForm::kFull) == schema) << print_schema(schema);
  }
}

TEST(Property, random_doubles_survive_as_defaults) {
  std::mt19937_64 random(3);
  for (int i = 0; i < kSchemas; ++i) {
    uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    char text[64];
    std::snprintf(text, sizeof text, "f(float a=%.17g) -> ()", number);
    if (std::strstr(text, "nan") != nullptr) continue;
    Schema schema = parse_schema(text);
    ASSERT_EQ(schema.arguments()[0].default_value.as_float, number) << text;
    ASSERT_TRUE(parse_schema(print_schema(schema)) == schema) << text;
  }
}

// Parses whatever it is. True if it is a schema, and then one that survives print; else the error is a located one.
bool parses(std::string_view text) {
  try {
    Schema schema = parse_schema(text);
    EXPECT_TRUE(parse_schema(print_schema(schema)) == schema) << text;
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "ValueError");
    std::string_view message = error.message();
    size_t line = 0;
    EXPECT_EQ(std::sscanf(error.what(), "%zu:", &line), 1) << message;
    EXPECT_TRUE(message.ends_with('^')) << message;
    return false;
  }
}

TEST(Property, every_part_of_a_schema_parses_or_is_an_error) {
  SchemaGenerator generator(4);
  for (int i = 0; i < 100; ++i) {
    std::string text = generator.next().other;
    for (size_t begin = 0; begin < text.size(); begin += 1 + generator.below(9)) {
      // A copy of exactly that size, so that a sanitizer sees a read past its end.
      std::string part(text, begin, generator.below(text.size() - begin + 1));
      part.shrink_to_fit();
      parses(part);
    }
    for (size_t size = 0; size <= text.size(); ++size) parses(std::string(text, 0, size));
  }
}

std::string damaged(std::string text, SchemaGenerator& generator) {
  constexpr std::string_view kLikely = "()[]{}<>-=*.,:|!?#\"'\\ \n\t019aeTj_+\0\xff\xc3";
  for (size_t edits = 1 + generator.below(6); edits > 0; --edits) {
    size_t place = generator.below(text.size() + 1);
    char c = generator.chance(5) ? static_cast<char>(generator.below(256)) : kLikely[generator.below(kLikely.size())];
    switch (generator.below(5)) {
      case 0:
        text.insert(place, 1, c);
        break;
      case 1:
        if (place < text.size()) text[place] = c;
        break;
      case 2:
        text.erase(place, generator.below(4));
        break;
      case 3:
        text.insert(place, text, generator.below(text.size() + 1), generator.below(20));
        break;
      default:
        text.insert(place, generator.next().other, 0, generator.below(20));
    }
  }
  return text;
}

TEST(Property, a_damaged_schema_parses_or_is_an_error) {
  SchemaGenerator generator(5);
  int right = 0;
  for (int i = 0; i < kSchemas; ++i) right += parses(damaged(generator.next().other, generator)) ? 1 : 0;
  EXPECT_GT(right, kSchemas / 100);  // some edits do no harm
  EXPECT_LT(right, kSchemas / 2);
}

}  // namespace
}  // namespace byname::core
