// Has a symbol that the loader never lets go. A compiler that makes none of its own gets one by hand.
#include <byname/byname.h>

__asm__(
    ".pushsection .bss.unique, \"aw\", %nobits\n"
    ".globl _ZN4core6uniqueE\n"
    ".type _ZN4core6uniqueE, %gnu_unique_object\n"
    ".size _ZN4core6uniqueE, 8\n"
    "_ZN4core6uniqueE: .zero 8\n"
    ".popsection\n");

namespace core {
extern int64_t unique;
}

BYNAME_LIBRARY("core.unique", lib) {
  lib.def("count", [] { return ++core::unique; });
}
