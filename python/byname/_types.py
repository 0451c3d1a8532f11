"""Types of the schema language and annotations of Python, one as the other."""

import builtins
import sys
import types

SIMPLE = {
    "int": int,
    "float": float,
    "bool": bool,
    "complex": complex,
    "str": str,
    "bytes": bytes,
    "None": None,
}
_NUMBERS = {"Scalar", "SymInt"}
_WIDTHS = {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


# ---- from a schema's type ----


def _split(text):
    """The parts between the commas of a list of types."""
    parts, depth, begin = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "([" and 1) or (character in ")]" and -1) or 0
        if character == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    parts.append(text[begin:])
    return [part.strip() for part in parts if part.strip()]


def annotation_of(text):
    """What stands for a schema's type in a Python signature; the type's own text where Python has no word for it."""
    text = text.strip()
    if text.endswith("?"):
        inner = annotation_of(text[:-1])
        return inner | None if isinstance(inner, type | types.UnionType | types.GenericAlias) else text
    if text.endswith("]"):
        return list[annotation_of(text[: text.rindex("[")])]
    if text.startswith("Dict(") and text.endswith(")"):
        return dict[tuple(annotation_of(part) for part in _split(text[5:-1]))]
    if text.startswith("(") and text.endswith(")"):
        return tuple[tuple(annotation_of(part) for part in _split(text[1:-1]))]
    if text in SIMPLE:
        return SIMPLE[text]
    if text in _WIDTHS:
        return int
    if text in ("float32", "float64"):
        return float
    return text


# ---- to a schema's type ----


def _union_type(arguments):
    others = [argument for argument in arguments if argument not in (None, type(None))]
    inner = [schema_type(argument) for argument in others]
    if any(part is None for part in inner):
        return None
    if len(inner) == 1:
        return inner[0] if len(others) == len(arguments) or inner[0] == "Any" else inner[0] + "?"
    union = f"Union({', '.join(inner)})"
    return union if len(others) == len(arguments) else union + "?"


def _generic_type(origin, arguments):
    if origin in (list, set, frozenset, _abc("Sequence"), _abc("Set")) and len(arguments) == 1:
        inner = schema_type(arguments[0])
        return inner and inner + "[]"
    if origin in (dict, _abc("Mapping")) and len(arguments) == 2:
        inner = [schema_type(argument) for argument in arguments]
        return f"Dict({inner[0]}, {inner[1]})" if all(inner) else None
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        inner = [schema_type(argument) for argument in arguments]
        return f"({', '.join(inner)})" if all(inner) else None
    return "Function" if origin is _abc("Callable") else None


def _abc(name):
    """An abstract class, if anybody has imported them."""
    module = sys.modules.get("collections.abc")
    return module and getattr(module, name)


def _class_type(annotation):
    from byname import _native

    if annotation.__module__ == "builtins" and annotation.__name__ in SIMPLE:
        return annotation.__name__
    if issubclass(annotation, _native.Tensor) or (annotation.__module__, annotation.__name__) == ("numpy", "ndarray"):
        return "Tensor"
    if issubclass(annotation, _native.Function) or annotation is _abc("Callable"):
        return "Function"
    return getattr(annotation, "__byname_key__", None)


def schema_type(annotation):
    """The schema's type for an annotation; None if there is none but Any."""
    if annotation is None or annotation is type(None):
        return "None"
    typing = sys.modules.get("typing")
    if typing and annotation is typing.Any:
        return "Any"
    origin = getattr(annotation, "__origin__", None)
    if isinstance(annotation, types.UnionType) or (typing and origin is typing.Union):
        return _union_type(annotation.__args__)
    if typing and origin is typing.Literal:
        return _union_type(tuple(dict.fromkeys(map(type, annotation.__args__))))
    if isinstance(origin, type):
        return _generic_type(origin, annotation.__args__)
    return _class_type(annotation) if isinstance(annotation, type) else None


def evaluated(annotation, function):
    """An annotation that was written as a string, or kept as one, as what it says; None if that can't be told."""
    if not isinstance(annotation, str):
        return annotation
    scope = {**vars(builtins), **getattr(function, "__globals__", {})}
    try:
        return eval(annotation, scope)  # the function's own source
    except Exception:
        return object  # nothing that a schema knows
