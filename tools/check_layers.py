"""Fails if a layer includes one that comes after it, or anything that is neither a layer nor a public header.

usage: check_layers.py SRC LAYER...

The layers are named in order. An include in quotes is `layer/file.h`, `byname/file.h` or a file of the same
directory.
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def faults_of(path: Path, src: Path, layers: list[str]) -> list[str]:
    layer = path.relative_to(src).parts[0]
    allowed = ["byname", *layers[: layers.index(layer) + 1]]
    faults = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        include = INCLUDE.match(line)
        if include is None or (path.parent / include[1]).exists():
            continue
        if include[1].split("/")[0] not in allowed:
            faults.append(f"{path}:{number}: layer '{layer}' may include {', '.join(allowed)}, got \"{include[1]}\"")
    return faults


def main() -> int:
    src, layers = Path(sys.argv[1]), sys.argv[2:]
    files = sorted(path for path in src.rglob("*") if path.suffix in (".h", ".cc"))
    if not files:
        print(f"{src}: no sources")
        return 1
    faults = [f"{path}: not in a layer" for path in files if path.relative_to(src).parts[0] not in layers]
    faults += [
        fault for path in files if path.relative_to(src).parts[0] in layers for fault in faults_of(path, src, layers)
    ]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
