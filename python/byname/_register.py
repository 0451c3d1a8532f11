"""From a Python callable to a registered function."""

import os
import types

from byname import _native, _types

_NO_DEFAULT = object()
# Kinds of parameters.
_POSITIONAL, _REST, _KEYWORD_ONLY, _KEYWORDS = range(4)


class _Parameter:
    def __init__(self, name, annotation, default, kind):
        self.name = name
        self.type = None if annotation is _NO_DEFAULT else _types.schema_type(annotation) or "Any"
        self.default = default
        self.kind = kind

    def has_default(self):
        return self.default is not _NO_DEFAULT


def _of_function(function):
    """The parameters of a function written in Python, without importing inspect."""
    code = function.__code__
    num_positional, num_named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames)
    kinds = [_POSITIONAL] * num_positional + [_KEYWORD_ONLY] * code.co_kwonlyargcount
    if code.co_flags & 0x04:  # *args
        names.insert(num_positional, names.pop(num_named))
        kinds.insert(num_positional, _REST)
    if code.co_flags & 0x08:  # **kwargs
        kinds.append(_KEYWORDS)
    defaults = dict(zip(names[:num_positional][::-1], (function.__defaults__ or ())[::-1], strict=False))
    defaults.update(function.__kwdefaults__ or {})
    annotations = function.__annotations__
    return [
        _Parameter(
            name,
            _types.evaluated(annotations[name], function) if name in annotations else _NO_DEFAULT,
            defaults.get(name, _NO_DEFAULT),
            kind,
        )
        for name, kind in zip(names, kinds, strict=False)
    ]


def _of_callable(function):
    """The parameters of any callable; None if it does not tell them."""
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    own = inspect.Parameter
    kinds = {own.VAR_POSITIONAL: _REST, own.KEYWORD_ONLY: _KEYWORD_ONLY, own.VAR_KEYWORD: _KEYWORDS}
    return [
        _Parameter(
            p.name,
            _NO_DEFAULT if p.annotation is own.empty else _types.evaluated(p.annotation, function),
            _NO_DEFAULT if p.default is own.empty else p.default,
            kinds.get(p.kind, _POSITIONAL),
        )
        for p in parameters
    ]


def _parameters(function):
    if type(function) is types.FunctionType and not hasattr(function, "__wrapped__"):
        return _of_function(function)
    return _of_callable(function)


# ---- the schema of a callable ----


def _quoted(data):
    characters = (chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in data)
    return f'"{"".join(characters)}"'


def _literal(value):
    """A value as a schema may write it; None if none does."""
    if type(value) in (bool, int, float):
        return repr(value)
    if type(value) is complex:
        return repr(value).strip("()")
    if type(value) is bytes:
        return _quoted(value)
    if type(value) is str:
        try:
            return _quoted(value.encode())
        except UnicodeEncodeError:
            return None
    if type(value) is list:
        items = [_literal(item) for item in value]
        return None if None in items else f"[{', '.join(items)}]"
    return None


_TYPES_OF_DEFAULTS = {bool: "bool", int: "Scalar", float: "Scalar", complex: "complex", str: "str", bytes: "bytes"}


def _with_default(schema_type, name, value):
    """A parameter with a default; None if a schema can't write it, or would make another value of it."""
    literal = _literal(value)
    if literal is None:
        return None
    written = f"{schema_type} {name}={literal}"
    try:
        default = _native.describe(f"f({written}) -> Any")["parameters"][0]["default"]
    except ValueError:
        return None
    is_same = default == value or (default != default and value != value)  # nan
    return written if is_same else None


def _optional(schema_type):
    return schema_type if schema_type.endswith("?") or schema_type == "None" else schema_type + "?"


def _write(parameter):
    """A parameter as a schema writes it, and the default that the callable has for None, or _NO_DEFAULT."""
    name, schema_type, default = parameter.name, parameter.type or "Any", parameter.default
    if not parameter.has_default():
        return f"{schema_type} {name}", _NO_DEFAULT
    if default is None:
        return f"{_optional(schema_type)} {name}=None", _NO_DEFAULT
    own_type = parameter.type or _TYPES_OF_DEFAULTS.get(type(default), "Any")
    written = _with_default(own_type, name, default)
    return (written, _NO_DEFAULT) if written else (f"{_optional(schema_type)} {name}=None", default)


def _unwritable(parameter, rest):
    """What of a parameter no schema can write, in words; None if one can write all."""
    if parameter.kind == _KEYWORDS:
        return f"parameter '**{parameter.name}'"
    if not parameter.name.isascii():
        return f"parameter name '{parameter.name}'"
    if rest and parameter.kind == _KEYWORD_ONLY:
        return f"keyword-only parameter '{parameter.name}' behind '*{rest.name}'"
    if rest and parameter.has_default():
        return f"default of parameter '{parameter.name}' before '*{rest.name}'"
    return None


def _schema(parameters, result):
    """The schema of a callable, and the default of each parameter for None. Raises ValueError if there is no schema."""
    rest = next((parameter for parameter in parameters if parameter.kind == _REST), None)
    items, defaults = [], []
    for parameter in parameters:
        unwritable = _unwritable(parameter, rest)
        if unwritable:
            raise ValueError(f"no schema can write the {unwritable} (pass schema=, as schema='(...) -> ...')")
        if parameter is rest:
            continue
        if parameter.kind == _KEYWORD_ONLY and "*" not in items:
            items.append("*")
        written, default = _write(parameter)
        items.append(written)
        defaults.append(default)
    if rest:
        items.append("...")
    return f"({', '.join(items)}) -> {result}", defaults


def _result_type(function, otherwise):
    if isinstance(function, type):
        return getattr(function, "__byname_key__", otherwise)
    annotations = getattr(function, "__annotations__", {})
    if "return" not in annotations:
        return otherwise
    found = _types.schema_type(_types.evaluated(annotations["return"], function))
    return "()" if found == "None" else found or "Any"


def _keeping_defaults(function, defaults, keywords):
    """A callable that passes the function its own defaults for None, and the last arguments by keyword."""
    num_positional = len(defaults) - len(keywords)

    def call(*arguments):
        given = [
            default if argument is None and default is not _NO_DEFAULT else argument
            for argument, default in zip(arguments, defaults, strict=True)
        ]
        return function(*given[:num_positional], **dict(zip(keywords, given[num_positional:], strict=True)))

    return call


# ---- a schema that was given ----


def _keywords_of(schema, described, function):
    """The parameters of a given schema that the function takes by keyword, which are the last ones. Raises ValueError
    if it takes no call of the schema."""
    import inspect

    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ()
    kinds = inspect.Parameter
    own_kinds = {p.name: p.kind for p in signature.parameters.values()}
    takes_all = kinds.VAR_KEYWORD in own_kinds.values()

    def is_keyword(parameter):
        kind = own_kinds.get(parameter["name"])
        if kind is kinds.KEYWORD_ONLY:
            return True
        return parameter["keyword_only"] and (kind is kinds.POSITIONAL_OR_KEYWORD or (kind is None and takes_all))

    names = [parameter["name"] for parameter in described["parameters"]]
    keywords = [parameter["name"] for parameter in described["parameters"] if is_keyword(parameter)]
    num_positional = len(names) - len(keywords)
    reason = None
    if keywords and (described["variadic"] or names[num_positional:] != keywords):
        reason = f"keyword-only parameter {keywords[0]!r} must come last"
    else:
        try:
            bind = signature.bind_partial if described["variadic"] else signature.bind
            bind(*names[:num_positional], **dict.fromkeys(keywords))
        except TypeError as error:
            reason = str(error)
    if reason:
        raise ValueError(f"the function takes no call of the schema {schema!r}: {reason}")
    return tuple(keywords)


# ---- registering ----


def _can_begin_schema(name):
    """Whether a schema can begin with the name; others (names are any bytes) are registered bare."""
    return isinstance(name, str) and name.isascii() and all(map(str.isidentifier, name.replace("::", ".").split(".")))


def _site(function):
    code = getattr(vars(function).get("__init__") if isinstance(function, type) else function, "__code__", None)
    if code is None:
        return b"", 0
    return os.fsencode(code.co_filename), code.co_firstlineno


def _prepared(name, function, schema, result):
    """The text to register, what to call, and the names of the parameters that it takes by keyword."""
    if schema is not None:
        text = name + schema if schema.lstrip().startswith("(") else schema
        if text.partition("(")[0].strip() != name:
            raise ValueError(f"the schema {schema!r} is of another name")
        return text, function, _keywords_of(schema, _native.describe(text), function)
    parameters = _parameters(function)
    if parameters is None or not _can_begin_schema(name):
        return name, function, ()
    written, defaults = _schema(parameters, _result_type(function, result))
    keywords = tuple(parameter.name for parameter in parameters if parameter.kind == _KEYWORD_ONLY)
    if all(default is _NO_DEFAULT for default in defaults):
        return name + written, function, keywords
    return name + written, _keeping_defaults(function, defaults, keywords), ()


def _is_registered(name):
    try:
        _native.get(name)
    except _native.NotFound:
        return False
    return True


def register(name, function, doc=None, schema=None, replace=False, result="Any"):
    """See byname.register. `result` is the type of the result where the callable does not say it."""
    if not isinstance(name, (str, bytes)):
        raise TypeError(f"expected a full name, as register('text.shout'), got {name!r}")
    if not callable(function):
        raise TypeError(f"expected a callable, got {type(function).__name__}")
    if doc is None:
        doc = getattr(function, "__doc__", None)
    file, line = _site(function)
    try:
        text, called, keywords = _prepared(name, function, schema, result)
        if replace:
            _native.describe(text)  # what is there stays, unless this can take its place
    except ValueError as error:
        at = f" ({os.fsdecode(file)}:{line})" if file else ""
        raise ValueError(f"cannot register {name!r}{at}: {error}") from None
    if replace and _is_registered(name):
        _native.remove(name)
    try:
        _native.register(text, called, keywords or None, doc if isinstance(doc, str) else "", file, line)
    except ValueError as error:
        if not replace and _is_registered(name):
            error.args = (f"{error} (replace=True removes the old one first)",)
        raise
    return function
