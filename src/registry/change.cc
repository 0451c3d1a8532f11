#include "registry/change.h"

#include <utility>

#include "function/overload.h"

namespace byname::core {
namespace {

std::string_view overload_name(const Entry* entry, const Entry* packet) {
  return packet == nullptr ? std::string_view() : entry->name().substr(entry->name().rfind('.') + 1);
}

}  // namespace

byname_function* own_function_of(const Entry* entry) {
  if (entry->packet == nullptr) return entry->cell();
  for (const Overload& overload : entry->packet->overloads) {
    if (overload.name.empty()) return overload.function.get();
  }
  return nullptr;
}

Change::Name* Change::find(const Entry* name) {
  auto place = by_name_.find(name);
  return place == by_name_.end() ? nullptr : &names_[place->second];
}

void Change::set_cell(Entry* entry, FunctionRef function) {
  const byname_function* old = entry->cell();
  if ((old == nullptr) != (function.get() == nullptr)) events_.note(entry, old == nullptr, noted_);
  if (old == nullptr) {
    fresh_.push_back({&entry->shared, std::move(function)});
  } else {
    cells_.push_back({&entry->shared, std::move(function)});
  }
}

void Change::expect_overloads(Entry* name) {
  if (!by_name_.try_emplace(name, names_.size()).second) return;
  Name& made = names_.emplace_back(Name{name, {}});
  if (name->packet != nullptr) {
    made.overloads = name->packet->overloads;
  } else if (byname_function* plain = name->cell()) {
    byname_object_retain(&plain->header);
    made.overloads.push_back({"", FunctionRef(plain)});
  }
}

void Change::remove(Entry* entry, Entry* packet, bool is_replaced) {
  if (packet != nullptr || entry->packet != nullptr) expect_overloads(packet != nullptr ? packet : entry);
  Name* name = find(packet != nullptr ? packet : entry);
  if (name != nullptr) {
    std::erase_if(name->overloads, [&](const Overload& one) { return one.name == overload_name(entry, packet); });
  }
  if (!is_replaced && (packet != nullptr || name == nullptr)) set_cell(entry, {});
}

void Change::add(Entry* entry, Entry* packet, const FunctionRef& function) {
  if (own_function_of(entry) != nullptr) {  // which was removed
    events_.note(entry, false, noted_);
    events_.note(entry, true, noted_);
  }
  if (packet == nullptr && entry->packet != nullptr) expect_overloads(entry);
  Name* name = find(packet != nullptr ? packet : entry);
  if (name != nullptr) name->overloads.push_back({std::string(overload_name(entry, packet)), function});
  if (packet != nullptr || name == nullptr) set_cell(entry, function);
}

void Change::finish(byname_class* owner) {
  for (Name& name : names_) {
    FunctionRef function;
    if (name.overloads.size() == 1 && name.overloads[0].name.empty()) {
      function = name.overloads[0].function;
    } else if (!name.overloads.empty()) {
      std::vector<FunctionRef> functions;
      for (const Overload& overload : name.overloads) functions.push_back(overload.function);
      function = make_overloads(std::move(functions), owner);
      function->entry = &name.entry->shared;
      name.packet = std::make_unique<Packet>(Packet{std::move(name.overloads)});
    }
    set_cell(name.entry, std::move(function));
  }
}

void Change::make(Retired& retired) noexcept {
  for (CellOfName& cell : fresh_) __atomic_store_n(&cell.name->cell, cell.function.leak(), __ATOMIC_SEQ_CST);
  for (CellOfName& cell : cells_) {
    cell.function = FunctionRef(__atomic_exchange_n(&cell.name->cell, cell.function.leak(), __ATOMIC_SEQ_CST));
  }
  cells_.remove_if([](const CellOfName& cell) { return !cell.function; });
  // The functions of a packet that goes are those of a cell that is retired: none of them ends here.
  for (Name& name : names_) delete std::exchange(name.entry->packet, name.packet.release());
  retired.push(std::move(cells_));
  events_.push(std::move(noted_));
}

}  // namespace byname::core
