"""The exception classes of error kinds: `byname.errors.zstd.Error` is the class of the kind "zstd.Error".

A kind that is the name of an exception of Python is that exception. All other classes derive from byname.Error and from
the class of the kind's parent. Parts of a kind that begin with a lower-case letter are namespaces here; `get` takes any
kind.
"""

from byname._native import Error, NotFound
from byname._native import error_class as get

__all__ = ["Error", "NotFound", "get"]


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
    return get(kind) if name[0].isupper() else _Kinds(kind)


def __getattr__(name):
    return _look_up(name, name)
