"""The exception classes of error kinds: `byname.errors.zstd.Error` is the class of the kind "zstd.Error".

    try:
        byname.ns.zstd.decompress(data)
    except byname.errors.zstd.Error: ...

A kind that is the name of an exception of Python is that exception. All other classes derive from byname.Error and from
the class of the kind's parent. The kinds of a library are known as soon as it is loaded. Parts of a kind that begin
with a lower-case letter are namespaces here; `get` takes any kind that is known.
"""

from byname import _native
from byname._native import Error, NotFound

__all__ = ["Error", "NotFound", "get"]


def get(kind):
    """The exception class of a kind. Raises NotFound, which tells near names, for one that is not known."""
    if _native.is_error_kind(kind):
        return _native.error_class(kind)
    import difflib

    near = difflib.get_close_matches(kind, [other for other in _kinds() if ("." in other) == ("." in kind)], n=1)
    hint = f"did you mean {near[0]!r}?" if near else "those of a library are known when it is loaded"
    raise NotFound(f"{kind!r} is no kind of error ({hint})")


def _kinds():
    """Python's kinds and those that classes were made for."""
    import builtins

    own = (
        name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
    )
    return [*own, "NotFound", *_native.error_kinds()]


class _Kinds:
    """The kinds that begin alike."""

    def __init__(self, prefix):
        self.__prefix = prefix

    def __getattr__(self, name):
        return _look_up(f"{self.__prefix}.{name}", name)

    def __repr__(self):
        return f"<byname.errors.{self.__prefix}>"


def _look_up(kind, name):
    if name.startswith("_"):
        raise AttributeError(f"module 'byname.errors' has no attribute {name!r}")
    return get(kind) if name[0].isupper() or _native.is_error_kind(kind) else _Kinds(kind)


def __getattr__(name):
    return _look_up(name, name)
