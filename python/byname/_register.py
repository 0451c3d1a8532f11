"""From a Python callable to a registered function."""

import os
import types

from byname import _native, _types

_NO_DEFAULT = object()


class _Parameter:
    def __init__(self, name, annotation, default, keyword_only):
        self.name = name
        self.type = (annotation is not _NO_DEFAULT and _types.schema_type(annotation)) or None
        self.default = default
        self.keyword_only = keyword_only

    def has_default(self):
        return self.default is not _NO_DEFAULT


def _of_function(function):
    """The parameters of a function written in Python, without importing inspect; None if it takes others, too."""
    code = function.__code__
    if code.co_flags & 0x0C:  # *args, **kwargs
        return None
    positional, keyword_only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames[: positional + keyword_only]
    defaults = dict(zip(names[:positional][::-1], (function.__defaults__ or ())[::-1], strict=False))
    defaults.update(function.__kwdefaults__ or {})
    annotations = function.__annotations__
    return [
        _Parameter(
            name,
            _types.evaluated(annotations[name], function) if name in annotations else _NO_DEFAULT,
            defaults.get(name, _NO_DEFAULT),
            i >= positional,
        )
        for i, name in enumerate(names)
    ]


def _of_callable(function):
    """The parameters of any callable."""
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    kinds = inspect.Parameter
    if any(p.kind in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD) for p in parameters):
        return None
    return [
        _Parameter(
            p.name,
            _NO_DEFAULT if p.annotation is kinds.empty else _types.evaluated(p.annotation, function),
            _NO_DEFAULT if p.default is kinds.empty else p.default,
            p.kind is kinds.KEYWORD_ONLY,
        )
        for p in parameters
    ]


def _quoted(text):
    """A str as a schema writes it, or None."""
    if text.isprintable() and text.isascii():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return None


def _literal(value):
    """A default as a schema writes it, and the type that it has by itself; (None, None) if a schema can't."""
    if value is None:
        return "None", None
    if type(value) is bool:
        return str(value), "bool"
    if type(value) is int and -(2**63) <= value < 2**63:
        return str(value), "Scalar"
    if type(value) is float and value - value == 0:
        return repr(value), "Scalar"
    if type(value) is str:
        return _quoted(value), "str"
    return None, None


def _written(parameter):
    """A parameter as a schema writes it; None if it can't."""
    if not parameter.has_default():
        return f"{parameter.type or 'Any'} {parameter.name}"
    literal, own_type = _literal(parameter.default)
    chosen = parameter.type or own_type
    if literal == "None" and chosen in (None, "Any"):
        chosen = "Any?"
    if literal is None or chosen is None or chosen == "Any" or (literal == "None" and not chosen.endswith("?")):
        return None
    return f"{chosen} {parameter.name}={literal}"


def _schema(parameters, result):
    """The schema of a Python function and which of its parameters are keyword-only.

    If a default is one that no schema can write, parameters with defaults are left to Python: they are given by
    position.
    """
    items = []
    for parameter in parameters:
        if parameter.keyword_only and "*" not in items:
            items.append("*")
        items.append(_written(parameter))
    if None in items:
        required = [p for p in parameters if not p.has_default() and not p.keyword_only]
        return f"({', '.join([*map(_written, required), '...'])}) -> {result}", ()
    return f"({', '.join(items)}) -> {result}", _keyword_only(parameters)


def _keyword_only(parameters):
    return tuple(parameter.name for parameter in parameters or () if parameter.keyword_only)


def _can_begin_schema(name):
    """Whether a schema can begin with the name; others (names are any bytes) are registered bare."""
    return isinstance(name, str) and name.isascii() and all(map(str.isidentifier, name.replace("::", ".").split(".")))


def _result_type(function):
    annotations = getattr(function, "__annotations__", {})
    if "return" not in annotations:
        return "Any"
    found = _types.schema_type(_types.evaluated(annotations["return"], function))
    return "()" if found == "None" else found or "Any"


def _site(function):
    code = getattr(function, "__code__", None)
    if code is None:
        return b"", 0
    return os.fsencode(code.co_filename), code.co_firstlineno


def register(name, function, doc, schema):
    """See byname.register."""
    if not callable(function):
        raise TypeError(f"expected a callable, got {type(function).__name__}")
    parameters = _of_function(function) if type(function) is types.FunctionType else _of_callable(function)
    text, keyword_only = name, ()
    if schema is not None:
        text, keyword_only = (name + schema if schema.startswith("(") else schema), _keyword_only(parameters)
    elif parameters is not None and _can_begin_schema(name):
        written, keyword_only = _schema(parameters, _result_type(function))
        text = name + written
    if doc is None:
        doc = getattr(function, "__doc__", None)
    file, line = _site(function)
    _native.register(text, function, keyword_only or None, doc if isinstance(doc, str) else "", file, line)
    return function
