// expect: byname: the destructor of a closure must be noexcept
// Fault: a destructor that fails while an exception is in flight
#include <byname/byname.h>

struct Thrower {
  ~Thrower() noexcept(false);
};

byname::Function make(Thrower thrower) {
  return byname::Function([thrower] {});
}
