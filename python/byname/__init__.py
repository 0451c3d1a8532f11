"""Call C++ by name.

    import byname
    math = byname.load("libmath_plugin.so").math  # also byname.ns.math
    math.add(1, b=2)                              # 3

    @byname.register("text.shout")
    def shout(text: str) -> str:
        return text.upper()

What is registered in C++ or Python has a name, a checked signature and documentation, and is called by that name.
"""

import os as _os

try:
    import byname._native as _native
except ModuleNotFoundError as error:
    if error.name != "byname._native":
        raise
    from byname import _missing

    raise ImportError(_missing.reason(), name="byname._native") from None
from byname._native import (
    Error,
    Function,
    Module,
    Namespace,
    NotFound,
    Object,
    Tensor,
    collect,
    get,
    modules,
    names,
    ns,
    remove,
)

__all__ = [
    "Error",
    "Factory",
    "Function",
    "Module",
    "Namespace",
    "NotFound",
    "Object",
    "Tensor",
    "collect",
    "errors",
    "get",
    "interface",
    "load",
    "load_source",
    "modules",
    "names",
    "ns",
    "register",
    "remove",
]
__version__ = _native.version


def load(path, /, *, search=()):
    """Load a library and register what it defines; returns its Module. Loading what is loaded gives the same Module.

    `path` is a path if it has a slash; else a name, of which "lib" and ".so" may be left out: it is searched in the
    directories `search`, on BYNAME_PATH, beside Byname's own library, then as the system's loader does.

    Raises OSError with the loader's reason, FileNotFoundError if nothing is there, or what the library's blocks raise;
    nothing of it is left then.
    """
    if isinstance(search, (str, bytes, _os.PathLike)):
        search = (search,)
    return _native.load(path, b":".join(map(_os.fsencode, search)))


def load_source(source, /, *, flags=()):
    """Compile C++ and load the library; returns its Module. `source` is a path, or a text of more than one line.

    `flags` is a list of further ones for the compiler ($CXX, else g++ or clang++). What was compiled once is kept in a
    cache ($XDG_CACHE_HOME/byname, else ~/.cache/byname), and taken from there while the source, the headers it
    includes, the flags, the compiler's version and Byname are the same.

    Raises RuntimeError with the compiler's messages if it does not compile, FileNotFoundError without a compiler,
    TypeError for flags in one text, and what load raises.
    """
    from byname import _build

    return _build.load_source(source, flags=flags)


def register(name, function=None, /, *, doc=None, schema=None, replace=False):
    """Register a Python callable under a full name; as a decorator if the callable is left out. Returns the callable.

    The parameters' names, types and defaults are those of the callable. A default that no schema can write, as `{}`,
    stays the callable's: the parameter takes None then, for which that default is passed. `schema`, as
    "(int a, int b=1) -> int", says all of this otherwise; what is keyword-only in it is passed by keyword, if the
    callable takes it so. `doc` is the callable's own docstring unless given. With `replace`, what is registered under
    the name is removed first; handles of the name call the new one.

    Raises ValueError for a name that is taken, telling both places, for a bad schema, for one that the callable takes
    no call of, and for a callable whose parameters no schema can write, as `**options`.
    """
    from byname import _register  # costs nothing until the first registration

    if function is None and isinstance(name, (str, bytes)):
        return lambda function: _register.register(name, function, doc, schema, replace)
    return _register.register(name, function, doc, schema, replace)


# What is imported when it is first asked for: from a module of that attribute, or the module itself.
_LATE = {"Factory": "byname._factory", "errors": "byname.errors", "interface": "byname._interface"}


def __getattr__(name):
    if name not in _LATE:
        raise AttributeError(f"module 'byname' has no attribute {name!r}")
    import importlib

    module = importlib.import_module(_LATE[name])
    return globals().setdefault(name, getattr(module, name, module))


def __dir__():
    return sorted({*globals(), *__all__})


def _restore_error(kind, *arguments):
    """Unpickle an error, whose kind may be one of a library that is not loaded here."""
    return _native.error_class(kind)(*arguments)


def _reduce_error(error):
    function, arguments, *state = super(Error, error).__reduce__()
    if type(error).__module__ != "byname.errors":
        return (function, arguments, *state)
    return (_restore_error, (type(error).kind, *arguments), *state)


Error.__reduce__ = _reduce_error


def _restore(name, module, is_local):
    """Unpickle a function: by its name, after loading the module that registers it if need be; of that module alone if
    the name is its own."""
    if is_local and module:
        return load(module)[name]
    try:
        return get(name)
    except NotFound:
        if not module:
            raise
    load(module)
    return get(name)
