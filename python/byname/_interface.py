"""Classes of C++ that Python classes implement."""

import abc
from functools import cache

import byname

HINT = "(one that can be takes the methods, as functions)"
_OPTIONAL = "Function?"
# Whose instances are values already, whatever else they are.
_VALUES = frozenset({int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, BaseException})


class Interface:
    """The base of what byname.interface gives. Its instances are objects of the C++ type where C++ takes them."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        other = next((base for base in cls.__mro__ if base in _VALUES), None)
        if other:
            raise TypeError(f"a class that implements '{cls.__byname_key__}' cannot be a {other.__name__} as well")

    def __byname_value__(self):
        methods = {
            name: getattr(self, name)
            for name in self.__byname_methods__
            if hasattr(type(self), name) or name in getattr(self, "__dict__", ())
        }
        return byname.get(self.__byname_key__)(**methods)


def interface(key):
    """The class to derive from, to write in Python what is a C++ class's in C++; `key` is the key of its type.

        class Invert(byname.interface("image.Filter")):
            def apply(self, image):
                return 255 - image

    The type's constructor takes functions alone, by the names of the methods that they implement. A method without a
    default is abstract; one that may be None is C++'s own unless the class defines it. Wherever C++ takes an object of
    the type it takes an instance, which it keeps; each time it is another object of C++ that calls the same instance.

    Raises NotFound if the type has no constructor, TypeError if that takes anything but functions.
    """
    parameters = byname.get(key).describe()["parameters"]
    others = [f"{p['type']} {p['name']}" for p in parameters if p["type"] not in ("Function", _OPTIONAL)]
    if others or not parameters:
        raise TypeError(
            f"'{key}' is not for implementing in Python: its constructor takes {', '.join(others) or 'nothing'} {HINT}"
        )
    return _interface_of(key, tuple((p["name"], p["type"] == _OPTIONAL) for p in parameters))


@cache
def _interface_of(key, methods):
    content = {name: _abstract(key, name) for name, is_optional in methods if not is_optional}
    content.update(
        __byname_key__=key,
        __byname_methods__=tuple(name for name, _ in methods),
        __doc__=f"To be derived from: what C++ knows as '{key}'.",
        __module__="byname.interfaces",
    )
    return abc.ABCMeta(key.rpartition(".")[2], (Interface,), content)


def _abstract(key, name):
    def method(self, *arguments, **keywords):
        raise NotImplementedError(f"{type(self).__name__}.{name}")

    method.__name__ = name
    method.__qualname__ = f"{key}.{name}"
    method.__doc__ = _documentation(f"{key}.{name}")
    return abc.abstractmethod(method)


def _documentation(name):
    """Of the method as others call it, if it is registered."""
    try:
        described = byname.get(name).describe()
    except byname.NotFound:
        return None
    return f"{described['schema']}\n\n{described['doc']}".rstrip()
