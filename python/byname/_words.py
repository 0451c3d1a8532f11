"""What the words of a command line stand for."""

import ast
import re
from pathlib import Path

import byname

_FLOATS = {"float", "float32", "float64", "Scalar", "complex"}


def to_value(text, wanted):
    """The value of a word where a parameter of the schema's type `wanted` is: text where that is text, else as in
    Python; @FILE is a file's bytes or text, @FILE.npy an array."""
    is_text = wanted.removesuffix("?") == "str"
    if text.startswith("@"):
        path = text[1:]
        if path.endswith(".npy"):
            return _array(path)
        return _text(path) if is_text else Path(path).read_bytes()
    if is_text and not (wanted.endswith("?") and text == "None"):
        return text
    if wanted.removesuffix("?") in _FLOATS and re.fullmatch("-?(inf|nan)", text):
        return float(text)
    try:
        return ast.literal_eval(text)
    except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError):
        return text


def _text(path):
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"'{path}' is no text in UTF-8") from error


def _array(path):
    try:
        from numpy.lib import format as npy
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise ImportError(f"numpy reads '@{path}' and is not installed (pip install numpy)") from None
    with open(path, "rb") as file:
        try:
            return npy.read_array(file, allow_pickle=False)
        except ValueError as error:
            raise ValueError(f"'{path}' is no .npy file, or one of Python objects") from error


def mismatch(value, wanted):
    """Why no parameter of the schema's type `wanted` takes a value, as "expects int, got str"; None if one does."""
    name = "byname.word"
    byname.register(name, lambda value: None, schema=f"({wanted} value) -> ()")
    try:
        byname.get(name)(value)
    except (TypeError, ValueError, OverflowError) as error:
        return str(error).removeprefix(f"{name}(): argument 'value' (position 1) ")
    finally:
        byname.remove(name)
    return None
