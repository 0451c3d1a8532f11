"""Fails if a layer's objects use a symbol that only a later layer defines.

usage: check_layer_symbols.py (--layer NAME OBJECT...)...

The layers are named in order. The C interface is exempt: the public headers, which every layer may include, are inline
over it.
"""

import subprocess
import sys


def symbols(objects: list[str], option: str) -> dict[str, str]:
    """The object of each symbol that is defined (or undefined) in the objects."""
    command = ["nm", "--extern-only", "--print-file-name", "--format=posix", option, *objects]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    # object.o: name type value size
    return {line.split(": ")[1].split()[0]: line.split(": ")[0] for line in lines}


def layers_of(arguments: list[str]) -> dict[str, list[str]]:
    layers: dict[str, list[str]] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument == "--layer":
            objects = layers.setdefault(next(rest), [])
        else:
            objects.append(argument)
    return layers


def main() -> int:
    layers = layers_of(sys.argv[1:])
    if not layers:
        print("no layer has objects")
        return 1
    names = list(layers)
    defined = {name: symbols(layers[name], "--defined-only") for name in names}
    faults = []
    for position, name in enumerate(names):
        known = {symbol for earlier in names[: position + 1] for symbol in defined[earlier]}
        for symbol, path in symbols(layers[name], "--undefined-only").items():
            later = [other for other in names[position + 1 :] if symbol in defined[other]]
            if later and symbol not in known and not symbol.startswith("byname_"):
                faults.append(f"{path}: layer '{name}' uses '{symbol}' of layer '{later[0]}'")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
