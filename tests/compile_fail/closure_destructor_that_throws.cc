// expect: byname: the destructor of a closure must be noexcept
#include <byname/byname.h>

struct Thrower {
  ~Thrower() noexcept(false);
};

byname::Function make(Thrower thrower) {
  return byname::Function([thrower] {});
}
