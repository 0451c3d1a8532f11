// The registry: what is registered under which name, by which module. One for the process.
#ifndef BYNAME_REGISTRY_REGISTRY_H_
#define BYNAME_REGISTRY_REGISTRY_H_

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "function/cell.h"
#include "registry/change.h"

struct byname_module;

namespace byname::core {

// One registration: the name is its own as long as the entry's serial is this one.
struct Registered {
  Entry* entry;
  uint32_t serial;
};

// A function that is registered: what counts it, and whether more than its name keeps it.
struct FunctionUse {
  uint32_t class_id;
  std::string name;
  bool is_held;  // somebody refers to it, or a call is inside of it
};

// A function that waits for its batch to be committed. Its entries are there already, and empty as far as it goes.
struct Pending {
  FunctionRef function;
  Entry* entry;   // of its full name: "a.b", or of an overload "a::b.o"
  Entry* packet;  // of an overload "a.b", else nullptr

  std::string_view name() const { return entry->name(); }
  std::string_view plain_name() const { return packet != nullptr ? packet->name() : entry->name(); }
};
// Not a vector: a block may have thousands.
using Batch = std::deque<Pending>;

// A namespace that a batch claims for its module.
struct Claim {
  std::string prefix;
  const char* file;  // static in the module
  int line;
};

// "a.b" of an overload's registered name, "a::b.o"; empty for another's.
std::string packet_of(std::string_view name);

class Registry {
 public:
  // Never destroyed.
  static Registry& instance();

  const NameTable& table() const { return table_; }
  // The entry of a name under which something is, was or may yet be registered.
  Entry* entry(std::string_view name);
  // A function with its full names in a namespace (which may be empty); among a module's own names if `own` is not
  // NULL.
  Pending make_pending(std::string_view space, const NameParts& parts, FunctionRef function, NameTable* own = nullptr);

  // What changes names leaves events to be delivered and cells to be freed; whoever holds no lock any more settles
  // that.
  //
  // Registers and claims all or, if one can't be (it throws), none. `module` may be NULL. If it takes the place of
  // another one, that one's names and claims end with it, without a moment in which a name of both is not there;
  // `removed` gets its functions.
  std::vector<Registered> commit(const Batch& batch, const byname_module* module, const std::vector<Claim>& claims = {},
                                 const byname_module* replaced = nullptr, std::vector<FunctionRef>* removed = nullptr);
  // Removes those that are still registered; `removed`, if not NULL, gets a reference to each one's function.
  void remove(const std::vector<Registered>& registrations, std::vector<FunctionRef>* removed = nullptr);
  // What is registered with code of a module, by name.
  std::vector<Registered> registrations_of(const byname_module* module);
  std::vector<FunctionUse> function_uses(const byname_module* module);
  // Removes the function under a full name with all its overloads. Throws NotFound.
  void remove(std::string_view name);
  // Calls listeners and destructors: no lock may be held.
  void settle();
  // Frees removed functions that no call is inside of (`force`: at once, else when it is worth it). Runs destructors.
  void reclaim(bool force) { retired_.reclaim(force); }

  // Ends all claims of a module.
  void disown(const byname_module* module);

  uint64_t register_listener(byname_listener listener);
  // Whose functions lie from `begin` to `end`.
  size_t num_listeners_in(uintptr_t begin, uintptr_t end) { return events_.num_listeners_in(begin, end); }
  void remove_listener(uint64_t id) { events_.remove_listener(id); }

 private:
  std::vector<Registered> find_registrations(const byname_module* module) const;  // under the mutex
  void disown_locked(const byname_module* module);
  struct Owner {
    const byname_module* module;
    const char* file;  // static in the module
    int line;
  };
  using Owners = std::map<std::string, Owner, std::less<>>;
  Registry();
  // Whose batch it is: a module, and the one whose place it takes; either may be NULL.
  struct Side {
    const byname_module* module;
    const byname_module* replaced;
    // Whether it is a function of the one that goes.
    bool replaces(const byname_function* function) const;
    bool is(const byname_module* other) const { return other == module || (other != nullptr && other == replaced); }
  };
  void check(const Batch& batch, const Side& side, const std::vector<Claim>& claims);
  void check_owner(const Pending& pending, const Side& side) const;
  void check_claim(const Claim& claim, const Side& side) const;
  void check_overload(const Pending& pending, const Side& side) const;
  NameTable& table_of(const Entry* entry);  // of one that has a function
  Entry* packet_with(const Entry* entry);   // whose overload the entry's function is; NULL: it is none

  std::mutex mutex_;  // guards writing to the table, entries, owners_
  NameTable table_;
  Events events_;
  Retired retired_;
  Owners owners_;
  uint32_t num_batches_ = 0;
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_REGISTRY_H_
