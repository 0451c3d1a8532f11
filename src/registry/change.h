// A change of the table of names: planned first, which may fail and which nobody sees, then made, which cannot fail.
#ifndef BYNAME_REGISTRY_CHANGE_H_
#define BYNAME_REGISTRY_CHANGE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "function/cell.h"
#include "registry/events.h"
#include "registry/name_table.h"
#include "registry/reclaim.h"

namespace byname::core {

// The functions of one name that has overloads. The one without an overload name is what the plain name alone would be.
struct Overload {
  std::string name;
  FunctionRef function;
};
struct Packet {
  std::vector<Overload> overloads;
};

// The function that a registration of the very name put there; not the set of overloads that may stand for it.
byname_function* own_function_of(const Entry* entry);

// Everything under the registry's mutex. A name whose overloads change is called in its old or its new state.
class Change {
 public:
  explicit Change(Events& events) : events_(events) {}
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  // A name gets overloads. To be told before what is removed and added.
  void expect_overloads(Entry* name);
  // Takes away what a registration put under a name, before anything is added; `packet` is the name whose overload that
  // is, or NULL. `is_replaced`: something else is added under it.
  void remove(Entry* entry, Entry* packet, bool is_replaced);
  void add(Entry* entry, Entry* packet, const FunctionRef& function);
  // Ends the plan. `owner` is the class of the functions that choose among overloads.
  void finish(byname_class* owner);

  void make(Retired& retired) noexcept;

 private:
  struct Name {
    Entry* entry;
    std::vector<Overload> overloads;
    std::unique_ptr<Packet> packet = nullptr;
  };
  Name* find(const Entry* name);
  void set_cell(Entry* entry, FunctionRef function);

  Events& events_;
  Events::Noted noted_;
  std::vector<CellOfName> fresh_;  // names that have nothing yet, as most: nothing to retire
  Retired::Cells cells_;
  std::vector<Name> names_;                 // that have overloads, now or then
  std::map<const Entry*, size_t> by_name_;  // places in names_
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_CHANGE_H_
