"""Why there is no extension to import."""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES


def reason():
    """What to say: the extension is there, for another interpreter, or it is not."""
    files = [name.split(".") for name in sorted(os.listdir(os.path.dirname(__file__)))]
    built_for = [parts[1] for parts in files if parts[0] == "_native" and parts[-1] == "so" and len(parts) == 3]
    if not built_for:
        return "byname's extension is missing (the CMake target byname_native builds it)"
    own = EXTENSION_SUFFIXES[0].split(".")[1]
    hint = f"cmake -D Python3_EXECUTABLE={sys.executable} builds it for this one"
    return f"byname was built for {', '.join(built_for)}, this Python is {own} ({hint})"
