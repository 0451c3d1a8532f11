#include "schema/name.h"

#include <algorithm>
#include <array>
#include <string>

#include "byname/error.h"
#include "schema/diagnostic.h"

namespace byname::core {

namespace {

// Up to eight characters as one number.
constexpr uint64_t packed(std::string_view text) {
  uint64_t number = 0;
  for (char c : text) number = number << 8 | static_cast<uint8_t>(c);
  return number;
}

constexpr std::array<uint64_t, 35> kReservedWords = {
    packed("False"),  packed("None"),     packed("True"),  packed("and"),    packed("as"),       packed("assert"),
    packed("async"),  packed("await"),    packed("break"), packed("class"),  packed("continue"), packed("def"),
    packed("del"),    packed("elif"),     packed("else"),  packed("except"), packed("finally"),  packed("for"),
    packed("from"),   packed("global"),   packed("if"),    packed("import"), packed("in"),       packed("is"),
    packed("lambda"), packed("nonlocal"), packed("not"),   packed("or"),     packed("pass"),     packed("raise"),
    packed("return"), packed("try"),      packed("while"), packed("with"),   packed("yield")};

// Where a word stands if it is one of them. The factor was sought so that no two words have one slot.
constexpr size_t kSlotBits = 6;
constexpr size_t slot_of(uint64_t word) { return word * 0xbab0c3f3d3bc07bf >> (64 - kSlotBits); }
constexpr auto kReservedSlots = [] {
  std::array<uint64_t, size_t{1} << kSlotBits> slots{};
  for (uint64_t word : kReservedWords) slots[slot_of(word)] = word;
  return slots;
}();
static_assert(std::ranges::all_of(kReservedWords, [](uint64_t word) { return kReservedSlots[slot_of(word)] == word; }));

[[noreturn]] void fail(std::string_view text, std::string_view what) {
  throw Error("ValueError", "name " + quoted(text) + " " + std::string(what));
}

}  // namespace

bool is_reserved_word(std::string_view text) {
  if (text.size() < 2 || text.size() > 8) return false;
  uint64_t word = packed(text);
  return kReservedSlots[slot_of(word)] == word;
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_identifier_start(text[0]) && std::ranges::all_of(text, is_identifier_part);
}

bool is_reserved_overload(std::string_view name) { return name == "default" || name.starts_with("__"); }

NameParts split_name(std::string_view text, NameForm form) {
  NameParts parts;
  std::string_view rest = text;
  size_t colons = text.find("::");
  if (colons != std::string_view::npos) {
    parts.space = text.substr(0, colons);
    rest = text.substr(colons + 2);
    if (parts.space.empty()) fail(text, "has no namespace before '::'");
    if (rest.find("::") != std::string_view::npos) fail(text, "has more than one '::'");
  }
  bool has_overload = colons != std::string_view::npos || form == NameForm::kBlock;
  size_t dot = has_overload ? rest.find('.') : rest.rfind('.');
  parts.base = rest;
  if (dot != std::string_view::npos) {
    std::string_view before = rest.substr(0, dot);
    std::string_view after = rest.substr(dot + 1);
    parts.base = has_overload ? before : after;
    (has_overload ? parts.overload : parts.space) = has_overload ? after : before;
    if (before.empty() || after.empty()) fail(text, "has nothing beside a dot");
    if (has_overload && after.find('.') != std::string_view::npos) {
      fail(text, "has more than one dot (in a block a name is 'name' or 'name.overload')");
    }
  }
  if (parts.base.empty()) fail(text, "is empty");
  if (is_reserved_overload(parts.overload)) fail(text, "has a reserved overload name");
  return parts;
}

}  // namespace byname::core
