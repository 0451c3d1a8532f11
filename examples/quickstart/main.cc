// Loads the plugin that is named on the command line and calls what it registered.
#include <byname/byname.h>

#include <iostream>

using namespace byname::literals;

int main(int, char** argv) {
  byname::load(argv[1]);
  byname::Handle add = byname::get("math.add");  // follows the name; never dangles
  std::cout << add.schema() << ": " << add.doc() << "\n";

  auto three = add(1, 2).to<int64_t>();
  std::cout << three << ", " << add(1) << ", " << add(1, "b"_a = 10) << "\n";

  auto typed = byname::get<int64_t(int64_t, int64_t)>("math.add");  // no packing while the signatures agree
  std::cout << typed(2, 2) << "\n";

  try {
    add(1, "2");
  } catch (const byname::Error& error) {
    std::cout << error.kind() << ": " << error.what() << "\n";
  }
}
