// The registry: what is registered under which name, by which module. One for the process.
#ifndef BYNAME_REGISTRY_REGISTRY_H_
#define BYNAME_REGISTRY_REGISTRY_H_

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "function/cell.h"
#include "registry/events.h"
#include "registry/name_table.h"
#include "registry/reclaim.h"

struct byname_module;

namespace byname::core {

// The functions of one name that has overloads. The one without an overload name is what the plain name alone would be.
struct Overload {
  std::string name;
  FunctionRef function;
};
struct Packet {
  std::vector<Overload> overloads;
};

// One registration: the name is its own as long as the entry's serial is this one.
struct Registered {
  Entry* entry;
  uint32_t serial;
};

// A function that waits for its batch to be committed.
struct Pending {
  std::string name;      // full: "a.b", or of an overload "a::b.o"
  std::string packet;    // of an overload "a.b", else empty
  std::string overload;  // "o"
  FunctionRef function;
  Entry* entry = nullptr;
};

// Full names of a function in a namespace (which may be empty).
Pending make_pending(std::string_view space, const NameParts& parts, FunctionRef function);

class Registry {
 public:
  // Never destroyed.
  static Registry& instance();

  const NameTable& table() const { return table_; }
  // The entry of a name under which something is, was or may yet be registered.
  Entry* entry(std::string_view name);

  // Registers all or, if one can't be (it throws), none. `module` may be NULL.
  std::vector<Registered> commit(std::vector<Pending>& batch, const byname_module* module);
  // Removes those that are still registered; `removed`, if not NULL, gets a reference to each one's function.
  void remove(const std::vector<Registered>& registrations, std::vector<FunctionRef>* removed = nullptr);
  // What is registered with code of a module, by name.
  std::vector<Registered> registrations_of(const byname_module* module);
  // Removes the function under a full name with all its overloads. Throws NotFound.
  void remove(std::string_view name);
  // Frees removed functions that no call is inside of (`force`: at once, else when it is worth it). Runs destructors.
  void reclaim(bool force) { retired_.reclaim(force); }

  // Claims a namespace for a module; throws if another one has it or something below it.
  void own(std::string_view prefix, const byname_module* module, const char* file, int line);
  void disown(const byname_module* module);

  uint64_t register_listener(byname_listener listener);
  void remove_listener(uint64_t id) { events_.remove_listener(id); }

 private:
  struct Owner {
    const byname_module* module;
    const char* file;  // static in the module
    int line;
  };
  Registry();
  void check(std::vector<Pending>& batch, const byname_module* module);
  void check_owner(const Pending& pending, const byname_module* module) const;
  void check_overload(const Pending& pending, const std::vector<Pending>& batch) const;
  Registered publish(const Pending& pending);
  void set_cell(Entry* entry, FunctionRef function);
  void clear_cell(Entry* entry);
  void join(Entry* packet, std::string_view overload, const FunctionRef& function);
  void leave(Entry* packet, std::string_view overload);
  void update_packet(Entry* entry);
  void withdraw(Entry* entry);

  std::mutex mutex_;  // guards writing to the table, entries, owners_
  NameTable table_;
  Events events_;
  Retired retired_;
  std::map<std::string, Owner, std::less<>> owners_;
  uint32_t num_batches_ = 0;
};

}  // namespace byname::core

#endif  // BYNAME_REGISTRY_REGISTRY_H_
