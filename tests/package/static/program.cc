#include <byname/byname.h>

#include <cstdio>

#ifdef ATTACHED
BYNAME_ATTACH(shapes);
#endif

int main() {
  try {
    std::printf("area %d\n", byname::get("shapes.area")(2, 3).to<int>());
  } catch (const byname::Error& error) {
    std::puts(error.what());
  }
  return 0;
}
