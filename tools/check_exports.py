"""Fails if libbyname.so exports more than the C interface, holds a unique symbol or needs more than it should.

usage: check_exports.py LIBRARY
"""

import re
import subprocess
import sys

# A symbol of type 'u' (STB_GNU_UNIQUE) would keep the library mapped for ever.
VERSION_NODE = re.compile(r"BYNAME_\d+")
ALLOWED_LIBRARIES = {"libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main() -> int:
    library = sys.argv[1]
    faults = []
    exported = 0
    for line in output_of("nm", "--dynamic", "--defined-only", library).splitlines():
        kind, symbol = line.split()[-2:]
        name = symbol.split("@")[0]
        exported += name.startswith("byname_")
        if kind == "u":
            faults.append(f"unique symbol '{symbol}'")
        elif not name.startswith("byname_") and not VERSION_NODE.fullmatch(name):
            faults.append(f"exported symbol '{symbol}' is not of the C interface")
    if exported == 0:
        faults.append("exports no byname_ symbol")
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "--dynamic", "--wide", library))
    faults += [f"needs '{name}'" for name in needed if name not in ALLOWED_LIBRARIES]
    for fault in faults:
        print(f"{library}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
