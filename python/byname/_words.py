"""What the words of a command line stand for."""

import ast
from pathlib import Path


def to_value(text, wanted):
    """The value of a word where a parameter of the schema's type `wanted` is: text where that is text, else as in
    Python; @FILE is a file's bytes, @FILE.npy an array."""
    if text.startswith("@"):
        if text.endswith(".npy"):
            import numpy

            return numpy.load(text[1:], allow_pickle=False)
        return Path(text[1:]).read_bytes()
    if wanted.removesuffix("?") == "str" and not (wanted.endswith("?") and text == "None"):
        return text
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return text
