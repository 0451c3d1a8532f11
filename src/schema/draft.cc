#include "schema/draft.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "schema/alias.h"
#include "schema/diagnostic.h"
#include "schema/type.h"

namespace byname::core {

namespace {

// Copies a draft's parts one behind the other. Runs twice: without memory, to find the size, then for good. What could
// change in between, the keys of C++ classes that another thread registers, the first run keeps for the second.
class Packer {
 public:
  Packer(char* memory, bool with_sizes, std::pmr::vector<std::string_view>& keys)
      : memory_(memory), with_sizes_(with_sizes), keys_(keys) {}

  size_t size() const { return size_; }

  template <class T>
  T* allocate(size_t count = 1) {
    size_ = (size_ + alignof(T) - 1) / alignof(T) * alignof(T);
    char* place = memory_ == nullptr ? nullptr : memory_ + size_;
    size_ += count * sizeof(T);
    return reinterpret_cast<T*>(place);
  }

  std::string_view pack(std::string_view text) {
    char* copy = allocate<char>(text.size());
    if (copy == nullptr || text.empty()) return {};
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  const byname_type* pack(const byname_type& type) {
    if (const byname_type* shared = find_shared_type(type)) return shared;
    auto* copy = allocate<byname_type>();
    auto* elements = allocate<const byname_type*>(elements_of(type).size());
    for (size_t i = 0; i < elements_of(type).size(); ++i) {
      const byname_type* element = pack(*type.elements[i]);
      if (elements != nullptr) elements[i] = element;
    }
    std::string_view key = pack(key_of(type));
    const byname_alias* alias = pack(type.alias);
    auto* tensor = type.tensor == nullptr ? nullptr : allocate<byname_tensor_spec>();
    if (copy == nullptr) return nullptr;
    if (tensor != nullptr) *tensor = *type.tensor;
    *copy = {.kind = type.kind,
             .bits = type.bits,
             .is_unsigned = type.is_unsigned,
             .flags = type.flags,
             .num_elements = type.num_elements,
             .fixed_size = with_sizes_ ? type.fixed_size : -1,
             .elements = elements,
             .key = {key.data(), key.size()},
             .alias = alias,
             .tensor = tensor,
             .cpp_type = type.cpp_type};
    return copy;
  }

  const Argument* pack(const std::pmr::vector<Argument>& arguments) {
    auto* copies = allocate<Argument>(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      Argument copy = arguments[i];
      copy.name = pack(copy.name);
      copy.type = pack(*copy.type);
      if (copies != nullptr) copies[i] = copy;
    }
    return copies;
  }

  const Return* pack(const std::pmr::vector<Return>& returns) {
    auto* copies = allocate<Return>(returns.size());
    for (size_t i = 0; i < returns.size(); ++i) {
      Return copy{pack(returns[i].name), pack(*returns[i].type)};
      if (copies != nullptr) copies[i] = copy;
    }
    return copies;
  }

  const char* pack(const NameParts& name, size_t size) {
    char* copy = allocate<char>(size);
    if (copy == nullptr) return nullptr;
    char* end = copy;
    if (!name.space.empty()) end = std::copy_n("::", 2, std::ranges::copy(name.space, end).out);
    end = std::ranges::copy(name.base, end).out;
    if (!name.overload.empty()) {
      *end++ = '.';
      std::ranges::copy(name.overload, end);
    }
    return copy;
  }

 private:
  std::string_view key_of(const byname_type& type) {
    if (type.kind != BYNAME_KIND_OBJECT) return {};
    if (memory_ == nullptr) keys_.push_back(object_key(type));
    return memory_ == nullptr ? keys_.back() : keys_[next_key_++];
  }

  AliasSets pack(const AliasSets& sets) {
    auto* names = allocate<std::string_view>(sets.names.size());
    for (size_t i = 0; i < sets.names.size(); ++i) {
      std::string_view name = pack(sets.names[i]);
      if (names != nullptr) names[i] = name;
    }
    if (names == nullptr) return {};
    return {{names, sets.names.size()}, sets.is_wildcard};
  }

  const byname_alias* pack(const byname_alias* alias) {
    if (alias == nullptr) return nullptr;
    auto* copy = allocate<byname_alias>();
    AliasSets before = pack(alias->before);
    AliasSets after = pack(alias->after);
    if (copy != nullptr) *copy = {before, after, alias->is_write};
    return copy;
  }

  char* memory_;
  size_t size_ = 0;
  bool with_sizes_;
  std::pmr::vector<std::string_view>& keys_;
  size_t next_key_ = 0;
};

}  // namespace

SchemaDraft::SchemaDraft() : memory(inline_memory_, sizeof inline_memory_), arguments(&memory), returns(&memory) {}

SchemaDraft::~SchemaDraft() {
  for (Argument& argument : arguments) byname_any_drop(&argument.default_value);
}

std::string SchemaDraft::append(const Argument& argument) {
  if (is_reserved_word(argument.name)) return quoted(argument.name) + " is a reserved word";
  if (arguments.size() == kMaxArguments) return "too many arguments: at most " + std::to_string(kMaxArguments);
  for (const Argument& other : arguments) {
    if (other.name == argument.name) return "duplicate argument name " + quoted(argument.name);
  }
  if (!arguments.empty() && !argument.keyword_only) {
    const Argument& last = arguments.back();
    if (last.keyword_only) {
      return "positional argument " + quoted(argument.name) + " follows keyword-only " + quoted(last.name);
    }
    if (last.has_default && !argument.has_default) {
      return "argument " + quoted(argument.name) + " without a default follows " + quoted(last.name) +
             ", which has one";
    }
  }
  if (arguments.empty()) arguments.reserve(8);
  arguments.push_back(argument);
  return {};
}

std::string SchemaDraft::append(const Return& ret) {
  if (is_reserved_word(ret.name)) return quoted(ret.name) + " is a reserved word";
  if (returns.size() == kMaxArguments) return "too many returns: at most " + std::to_string(kMaxArguments);
  for (const Return& other : returns) {
    if (!ret.name.empty() && other.name == ret.name) return "duplicate return name " + quoted(ret.name);
  }
  if (returns.empty()) returns.reserve(4);
  returns.push_back(ret);
  return {};
}

Schema SchemaDraft::finish(bool with_sizes) {
  size_t name_size = name.base.size();
  if (!name.space.empty()) name_size += name.space.size() + 2;
  if (!name.overload.empty()) name_size += name.overload.size() + 1;

  std::pmr::vector<std::string_view> keys(&memory);
  auto pack_all = [&](char* place) {
    Packer packer(place, with_sizes, keys);
    auto* block = packer.allocate<Schema::Block>();
    const Argument* packed_arguments = packer.pack(arguments);
    const Return* packed_returns = packer.pack(returns);
    const char* packed_name = packer.pack(name, name_size);
    if (block != nullptr) {
      *block = {packed_arguments,
                packed_returns,
                packed_name,
                static_cast<uint32_t>(arguments.size()),
                static_cast<uint32_t>(returns.size()),
                static_cast<uint32_t>(name_size),
                static_cast<uint32_t>(name.space.size()),
                static_cast<uint32_t>(name.base.size()),
                is_vararg,
                is_varret,
                is_bare};
    }
    return packer.size();
  };
  auto* block = static_cast<char*>(::operator new(pack_all(nullptr)));
  pack_all(block);
  arguments.clear();  // the defaults are the schema's now
  return Schema(reinterpret_cast<Schema::Block*>(block));
}

}  // namespace byname::core
