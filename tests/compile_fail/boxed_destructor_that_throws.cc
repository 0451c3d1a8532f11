// expect: byname: the destructor of a boxed class must be noexcept
// Fault: a destructor that fails while an exception is in flight
#include <byname/byname.h>

struct Thrower {
  ~Thrower() noexcept(false);
};

void store(byname_any* out, std::unique_ptr<Thrower> thrower) {
  byname::Convert<std::unique_ptr<Thrower>>::store(out, std::move(thrower));
}
