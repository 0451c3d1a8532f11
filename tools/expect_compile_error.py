"""Fails unless a C++ source is refused with the message it announces.

usage: expect_compile_error.py SOURCE COMPILER FLAG...

The first line of the source is `// expect: REGEX`, which some error message of the compiler must match.
"""

import re
import subprocess
import sys


def main() -> int:
    source, *command = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        first_line = file.readline().strip()
    announced = re.fullmatch(r"// expect: (.+)", first_line)
    if announced is None:
        print(f"{source}:1: expected '// expect: REGEX', got '{first_line}'")
        return 1
    result = subprocess.run([*command, source], capture_output=True, text=True, check=False)
    if result.returncode == 0:
        print(f"{source}: compiles, but must be refused with '{announced[1]}'")
        return 1
    errors = [line for line in result.stderr.splitlines() if "error: " in line]
    if not any(re.search(announced[1], line) for line in errors):
        print(f"{source}: no error matches '{announced[1]}'; the compiler said:\n{result.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
