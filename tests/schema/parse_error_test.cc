// Every error of the parser, whole.
#include <gtest/gtest.h>

#include <string>

#include "error_text.h"
#include "schema/schema.h"

namespace byname::core {
namespace {

TEST(ParseError, names) {
  EXPECT_EQ(parse_error(""), "1:1: expected a name, got the end\n\n^");
  EXPECT_PARSE_ERROR("  # nothing", 12, "expected a name, got the end");
  EXPECT_PARSE_ERROR("(int a) -> ()", 1, "expected a name, got '('");
  EXPECT_PARSE_ERROR("a::b::c() -> ()", 5, "a second '::' in a name");
  EXPECT_PARSE_ERROR("::a() -> ()", 1, "expected a name, got '::'");
  EXPECT_PARSE_ERROR("a::() -> ()", 4, "expected a name, got '('");
  EXPECT_PARSE_ERROR("foo.default(Tensor a) -> ()", 5, "overload name 'default' is reserved");
  EXPECT_PARSE_ERROR("foo.__x() -> ()", 5, "overload name '__x' is reserved");
  EXPECT_PARSE_ERROR("ns::foo.default", 9, "overload name 'default' is reserved");
  EXPECT_PARSE_ERROR("foo.(int a) -> ()", 5, "expected an overload name, got '('");
  EXPECT_PARSE_ERROR("a.b.c(int a) -> ()", 4, "expected '(', got '.'");
  EXPECT_PARSE_ERROR("a.::b", 3, "expected a name after the dot, got '::'");
  EXPECT_PARSE_ERROR("foo bar", 5, "expected '(', got 'bar'");
}

TEST(ParseError, the_frame_of_a_declaration) {
  EXPECT_PARSE_ERROR("foo()", 6, "expected '->', got the end");
  EXPECT_PARSE_ERROR("foo() -> ", 10, "expected a type, got the end");
  EXPECT_PARSE_ERROR("foo() -> () bar() -> ()", 13, "expected the end, got 'bar'");
  EXPECT_PARSE_ERROR("foo(", 5, "expected a type, got the end");
  EXPECT_PARSE_ERROR("foo(int a", 10, "expected ',' or ')', got the end");
  EXPECT_PARSE_ERROR("foo() -> (int", 14, "expected ',' or ')', got the end");
  EXPECT_PARSE_ERROR("foo() -> (int=1)", 14, "a return has no default");
  EXPECT_PARSE_ERROR("foo() -> (int, str) t", 21, "expected the end, got 't'");
}

TEST(ParseError, a_line_break_outside_brackets) {
  EXPECT_EQ(parse_error("foo\n(int a) -> ()"), "1:4: expected '(', got a line break\nfoo\n   ^");
  EXPECT_EQ(parse_error("foo(int\na) ->\n ()"), "2:6: expected a type, got a line break\na) ->\n     ^");
  EXPECT_EQ(parse_error("foo() -> int\n  [2]"),
            "1:13: expected the end, got a line break\nfoo() -> int\n            ^");
}

TEST(ParseError, arguments) {
  EXPECT_PARSE_ERROR("foo(Tensor) -> ()", 11, "expected an argument name, got ')'");
  EXPECT_PARSE_ERROR("foo(Tensor a,) -> ()", 14, "expected a type, got ')'");
  EXPECT_PARSE_ERROR("foo(int in) -> ()", 9, "'in' is a reserved word");
  EXPECT_PARSE_ERROR("foo(int a) -> (int None)", 20, "'None' is a reserved word");
  EXPECT_PARSE_ERROR("foo(int a, str a) -> ()", 16, "duplicate argument name 'a'");
  EXPECT_PARSE_ERROR("foo() -> (int a, str a)", 22, "duplicate return name 'a'");
  EXPECT_PARSE_ERROR("foo(int a=1, int[] b) -> ()", 20, "argument 'b' without a default follows 'a', which has one");
  EXPECT_PARSE_ERROR("foo(int a, *, int b, *, int c) -> ()", 22, "a second '*'");
  EXPECT_PARSE_ERROR("foo(int a, *) -> ()", 12, "'*' must be followed by an argument");
  EXPECT_PARSE_ERROR("foo(*, ...) -> ()", 5, "'*' must be followed by an argument");
  EXPECT_PARSE_ERROR("foo(..., Tensor a) -> ()", 5, "'...' must be last");
  EXPECT_PARSE_ERROR("foo() -> (..., int a)", 11, "'...' must be last");
  EXPECT_PARSE_ERROR("foo(int a=1, ...) -> ()", 14, "no argument may have a default beside '...', but 'a' has one");
}

TEST(ParseError, types) {
  EXPECT_PARSE_ERROR("foo(tensor a) -> ()", 5, "unknown type 'tensor' (did you mean 'Tensor'?)");
  EXPECT_PARSE_ERROR("foo(double a) -> ()", 5, "unknown type 'double' (did you mean 'float'?)");
  EXPECT_PARSE_ERROR("foo(List(int) a) -> ()", 5, "unknown type 'List' (did you mean 'T[]'?)");
  EXPECT_PARSE_ERROR("foo() -> void", 10, "unknown type 'void' (did you mean '()'?)");
  EXPECT_PARSE_ERROR("foo(Expression a) -> ()", 5,
                     "unknown type 'Expression' (an object type is named by its dotted key)");
  EXPECT_PARSE_ERROR("foo(a. b) -> ()", 9, "expected an argument name, got ')'");
  EXPECT_PARSE_ERROR("foo(a.[] b) -> ()", 7, "expected a name after the dot, got '['");
  EXPECT_PARSE_ERROR("foo(int[2][] a) -> ()", 11, "only the outermost list may have a size");
  EXPECT_PARSE_ERROR("foo(int[2]?[] a) -> ()", 12, "only the outermost list may have a size");
  EXPECT_PARSE_ERROR("foo((int[2], int) a) -> ()", 9, "only the outermost list may have a size");
  EXPECT_PARSE_ERROR("foo(int[x] a) -> ()", 9, "expected ']' or a size, got 'x'");
  EXPECT_PARSE_ERROR("foo(int[1.5] a) -> ()", 9, "the size of a list is a whole number up to 65536, got '1.5'");
  EXPECT_PARSE_ERROR("foo(int[65537] a) -> ()", 9, "the size of a list is a whole number up to 65536, got '65537'");
  EXPECT_PARSE_ERROR("foo(int[2 a) -> ()", 11, "expected ']', got 'a'");
  EXPECT_PARSE_ERROR("foo(Dict(str) d) -> ()", 9, "Dict expects 2 types, got 1");
  EXPECT_PARSE_ERROR("foo(Union() d) -> ()", 10, "Union expects at least 1 type, got 0");
  EXPECT_PARSE_ERROR("foo() -> Future(int, str)", 16, "Future expects 1 type, got 2");
  EXPECT_PARSE_ERROR("foo(Dict d) -> ()", 10, "expected '(', got 'd'");
  EXPECT_PARSE_ERROR("foo(Dict(int[], int) d) -> ()", 10, "the key of a Dict may not be 'int[]', which has no hash");
  EXPECT_PARSE_ERROR("foo(Dict((str, int[]), int) d) -> ()", 10,
                     "the key of a Dict may not be '(str, int[])', which has no hash");
}

TEST(ParseError, aliases) {
  EXPECT_PARSE_ERROR("foo(Tensor?(a!) x) -> ()", 12, "an alias may not follow '?'");
  EXPECT_PARSE_ERROR("foo(Tensor() x) -> ()", 12, "expected an alias name or '*', got ')'");
  EXPECT_PARSE_ERROR("foo(Tensor(a -> b!) x) -> ()", 18, "expected ')' after an alias, got '!'");
  EXPECT_PARSE_ERROR("foo(Tensor(a|*) x) -> ()", 14, "expected an alias name, got '*'");
  std::string many = "foo(Tensor(a";
  for (int i = 0; i < 63; ++i) many += "|a";
  EXPECT_EQ(parse_error(many + ") x) -> ()"), "no error");
  EXPECT_TRUE(parse_error(many + "|a) x) -> ()").starts_with("1:140: too many alias names: at most 64\n..."));
}

TEST(ParseError, defaults_of_the_wrong_type) {
  EXPECT_PARSE_ERROR("foo(int a=\"x\") -> ()", 11, "the default of 'a' expects int, got str");
  EXPECT_PARSE_ERROR("foo(int a=1.0) -> ()", 11, "the default of 'a' expects int, got float");
  EXPECT_PARSE_ERROR("foo(int a=None) -> ()", 11, "the default of 'a' expects int, got None");
  EXPECT_PARSE_ERROR("foo(float a=True) -> ()", 13, "the default of 'a' expects float, got bool");
  EXPECT_PARSE_ERROR("foo(bool a=1) -> ()", 12, "the default of 'a' expects bool, got int");
  EXPECT_PARSE_ERROR("foo(complex a='1') -> ()", 15, "the default of 'a' expects complex, got str");
  EXPECT_PARSE_ERROR("foo(float a=1j) -> ()", 13, "the default of 'a' expects float, got complex");
  EXPECT_PARSE_ERROR("foo(str a=1) -> ()", 11, "the default of 'a' expects str, got int");
  EXPECT_PARSE_ERROR("foo(Tensor a=1) -> ()", 14, "the default of 'a' expects None, got int");
  EXPECT_PARSE_ERROR("foo(Generator? a=1) -> ()", 18, "the default of 'a' expects None, got int");
  EXPECT_PARSE_ERROR("foo(int[] a=1) -> ()", 13, "the default of 'a' expects int[], got int");
  EXPECT_PARSE_ERROR("foo(int a=[1]) -> ()", 11, "the default of 'a' expects int, got list");
  EXPECT_PARSE_ERROR("foo(Shape a=1) -> ()", 13, "the default of 'a' expects Shape, got int");
  EXPECT_PARSE_ERROR("foo(Device a=1) -> ()", 14, "the default of 'a' expects Device, got int");
  EXPECT_PARSE_ERROR("foo(Union(int, str) a=1.5) -> ()", 23, "the default of 'a' expects Union(int, str), got float");
  EXPECT_PARSE_ERROR("foo(bool[2] a=[1, 2, 3]) -> ()", 16, "the default of 'a' at element 1 expects bool, got int");
  EXPECT_PARSE_ERROR("foo(int[] a=[1, '2']) -> ()", 17, "the default of 'a' at element 2 expects int, got str");
}

TEST(ParseError, types_that_take_no_default) {
  for (std::string type : {"Any", "(int, str)", "Dict(str, int)", "Function", "Object", "ast.Add", "Chain", "Pointer",
                           "Future(int)", "str[]", "Tensor[]", "int[][]"}) {
    for (std::string value : {"1", "[1]"}) {
      EXPECT_PARSE_ERROR("foo(" + type + " a=" + value + ") -> ()", type.size() + 8,
                         "the default of 'a' is refused: type '" + type + "' takes none (with '?' it takes None)");
    }
  }
}

TEST(ParseError, defaults_out_of_range) {
  std::string range = "the default of 'a' is out of range: expects ";
  std::string of_int = range + "int (-9223372036854775808 to 9223372036854775807), got ";
  EXPECT_PARSE_ERROR("foo(int a=9223372036854775808) -> ()", 11, of_int + "9223372036854775808");
  EXPECT_PARSE_ERROR("foo(int a=-9223372036854775809) -> ()", 11, of_int + "-9223372036854775809");
  EXPECT_PARSE_ERROR("foo(int8 a=200) -> ()", 12, range + "int8 (-128 to 127), got 200");
  EXPECT_PARSE_ERROR("foo(uint8 a=-1) -> ()", 13, range + "uint8 (0 to 255), got -1");
  EXPECT_PARSE_ERROR("foo(uint64 a=18446744073709551616) -> ()", 14,
                     range + "uint64 (0 to 18446744073709551615), got 18446744073709551616");
  EXPECT_PARSE_ERROR("foo(Scalar a=18446744073709551616) -> ()", 14,
                     range + "Scalar (64 bits), got 18446744073709551616");
  EXPECT_PARSE_ERROR("foo(float32 a=1e39) -> ()", 15, range + "float32, got 1e+39");
  EXPECT_PARSE_ERROR("foo(float a=1e999) -> ()", 13, "the number '1e999' is out of range");
  std::string digits(400, '9');
  EXPECT_TRUE(parse_error("foo(float a=" + digits + ") -> ()")
                  .starts_with("1:13: " + range + "float, got " + digits.substr(0, 40) + "...\n"));
  EXPECT_TRUE(parse_error("foo(complex a=" + digits + "+1j) -> ()").starts_with("1:15: the number '9999"));
}

TEST(ParseError, constants) {
  EXPECT_PARSE_ERROR("foo(int a=x) -> ()", 11, "unknown constant 'x'");
  EXPECT_PARSE_ERROR("foo(bool a=true) -> ()", 12, "unknown constant 'true' (did you mean 'True'?)");
  EXPECT_PARSE_ERROR("foo(int a=+1) -> ()", 11, "expected a constant, got '+'");
  EXPECT_PARSE_ERROR("foo(int a=) -> ()", 11, "expected a constant, got ')'");
  EXPECT_PARSE_ERROR("foo(int a=-) -> ()", 12, "expected a number, got ')'");
  EXPECT_PARSE_ERROR("foo(int a=-x) -> ()", 12, "expected a number, got 'x'");
  EXPECT_PARSE_ERROR("foo(int[] a=[[1]]) -> ()", 14, "expected a constant, got '['");
  EXPECT_PARSE_ERROR("foo(int[] a=[1, ]) -> ()", 17, "expected a constant, got ']'");
  EXPECT_PARSE_ERROR("foo(int[] a=[1) -> ()", 15, "expected ',' or ']', got ')'");
  EXPECT_PARSE_ERROR("foo(complex a=1+2) -> ()", 17, "expected an imaginary number (as in '1+2j')");
  EXPECT_PARSE_ERROR("foo(Device d='xyz') -> ()", 14,
                     "the default of 'd' expects a device such as 'cpu' or 'cuda:1', got 'xyz'");
  EXPECT_PARSE_ERROR("foo(ScalarType d=xyz) -> ()", 18,
                     "the default of 'd' expects a dtype such as float32, got 'xyz'");
  EXPECT_PARSE_ERROR("foo(MemoryFormat m=x) -> ()", 20,
                     "the default of 'm' expects one of contiguous_format, preserve_format, channels_last, "
                     "channels_last_3d; got 'x'");
}

TEST(ParseError, words) {
  EXPECT_PARSE_ERROR("foo(int a{) -> ()", 10, "unexpected character '{'");
  EXPECT_PARSE_ERROR("foo(int a) : ()", 12, "unexpected character ':'");
  EXPECT_PARSE_ERROR("foo(int a=1x) -> ()", 11, "malformed number '1x'");
  EXPECT_PARSE_ERROR("foo(int a=0x10) -> ()", 11, "malformed number '0x10'");
  EXPECT_PARSE_ERROR("foo(int a=1e) -> ()", 11, "malformed number '1e'");
  EXPECT_PARSE_ERROR("foo(int a=1.2.3) -> ()", 11, "malformed number '1.2.3'");
  EXPECT_PARSE_ERROR("foo(str a=\"x) -> ()", 11, "the string does not end in its line");
  EXPECT_PARSE_ERROR("foo(str a=\"\\d\") -> ()", 12, "unknown escape '\\d' in a string");
  EXPECT_PARSE_ERROR("foo(str a=\"\\01\") -> ()", 12, "unknown escape '\\0' in a string");
  EXPECT_PARSE_ERROR("foo(str a=\"\\x1\") -> ()", 12, "unknown escape '\\x' in a string");
  EXPECT_EQ(parse_error("foo(str a='x\n') -> ()"),
            "1:11: the string does not end in its line\nfoo(str a='x\n          ^");
}

TEST(ParseError, what_can_not_be_shown_is_shown_as_something_else) {
  EXPECT_EQ(parse_error(std::string("foo(\0) -> ()", 12)), "1:5: unexpected character '\\x00'\nfoo(?) -> ()\n    ^");
  EXPECT_EQ(parse_error("foo(\xff) -> ()"), "1:5: unexpected character '\\xff'\nfoo(?) -> ()\n    ^");
  EXPECT_EQ(parse_error("foo(str ä) -> ()"), "1:9: unexpected character 'ä'\nfoo(str ä) -> ()\n        ^");
  EXPECT_EQ(parse_error("\tfoo(\tint)\r\n"), "1:10: expected an argument name, got ')'\n\tfoo(\tint) \n\t    \t   ^");
  EXPECT_EQ(parse_error("foo(str a='ä', in b)"),
            "1:17: unknown type 'in' (did you mean 'int'?)\nfoo(str a='ä', in b)\n               ^");
}

TEST(ParseError, of_a_long_line_the_part_around_the_error_is_shown) {
  std::string spaces(1000, ' ');
  EXPECT_EQ(parse_error("foo(" + spaces + "Foo a" + spaces + ") -> ()"),
            "1:1005: unknown type 'Foo' (an object type is named by its dotted key)\n..." + std::string(80, ' ') +
                "Foo a" + std::string(35, ' ') + "...\n" + std::string(83, ' ') + "^");
  std::string name(10'000, 'x');
  EXPECT_EQ(parse_error(name + "() -> (" + name + ")"),
            "1:10008: unknown type '" + name.substr(0, 60) + "...' (an object type is named by its dotted key)\n..." +
                name.substr(0, 73) + "() -> (" + name.substr(0, 40) + "...\n" + std::string(83, ' ') + "^");
}

TEST(ParseError, hostile_sizes) {
  std::string deep = "foo(" + std::string(100'000, '(') + "int";
  EXPECT_TRUE(parse_error(deep).starts_with("1:37: the type is nested too deeply: at most 32 levels\n"));
  std::string lists = "foo(int";
  for (int i = 0; i < 31; ++i) lists += "[]";
  EXPECT_EQ(parse_error(lists + " a) -> ()"), "no error");
  EXPECT_TRUE(
      parse_error(lists + "[] a) -> ()").starts_with("1:70: the type is nested too deeply: at most 32 levels\n"));
  EXPECT_TRUE(
      parse_error(lists + "? a) -> ()").starts_with("1:70: the type is nested too deeply: at most 32 levels\n"));

  std::string arguments = "foo(int a0";
  std::string returns = "foo() -> (int";
  for (int i = 1; i < 256; ++i) {
    arguments += ", int a" + std::to_string(i);
    returns += ", int";
  }
  EXPECT_EQ(parse_error(arguments + ") -> ()"), "no error");
  EXPECT_EQ(parse_error(returns + ")"), "no error");
  EXPECT_NE(parse_error(arguments + ", int b) -> ()").find("too many arguments: at most 256\n"), std::string::npos);
  EXPECT_NE(parse_error(returns + ", int)").find("too many returns: at most 256\n"), std::string::npos);

  std::string longest(size_t{1} << 20, 'n');
  EXPECT_EQ(parse_error(longest), "no error");
  EXPECT_TRUE(parse_error(longest + "n").starts_with("1:1: the schema is longer than 1048576 bytes\n"));
}

}  // namespace
}  // namespace byname::core
