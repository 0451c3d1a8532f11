"""Fails if a fault of tests/faults.txt has no test that names it, or a test names one that is not there.

usage: check_faults.py TESTS
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"^(?://|#|/\*) Fault: (.+?)(?: \*/)?$")


def main() -> int:
    tests = Path(sys.argv[1])
    lines = (tests / "faults.txt").read_text(encoding="utf-8").splitlines()
    missing = {line for line in lines if line and not line.startswith("#")}
    known = set(missing)
    faults = []
    for path in sorted(path for path in tests.rglob("*") if path.suffix in (".cc", ".c", ".py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            named = COMMENT.match(line)
            if named is None:
                continue
            missing.discard(named[1])
            if named[1] not in known:
                faults.append(f"{path}:{number}: '{named[1]}' is not in {tests}/faults.txt")
    faults += [f"{tests}/faults.txt: no test names '{fault}'" for fault in sorted(missing)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
