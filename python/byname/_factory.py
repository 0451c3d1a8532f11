import contextlib
from collections.abc import Mapping

import byname
from byname import _interface, _native, _register


class Factory:
    """The objects that can be made of one type, by the names of their types.

        layers = byname.Factory("caffe.layer")
        layers.create("Convolution", num_output=20)
        layers.create({"type": "Convolution", "num_output": 20, "weight_filler": {"type": "gaussian"}})

    A view on the names below a prefix: what is registered there is a type of the factory. It is iterated over by the
    types' names. `variant` says which one of several factories that share a prefix, as "float32".
    """

    def __init__(self, prefix, variant=""):
        self.prefix = prefix
        self.variant = variant

    def create(self, type, /, *arguments, **keywords):
        """Make an object: of a type by its name, with arguments; or from a configuration.

        A configuration is a mapping with "type" and the arguments by their names. A mapping where the creator takes an
        object of a type that has a factory is a configuration in turn, so are those in lists and mappings. What JSON
        gives is one.

        Raises NotFound for an unknown type, and what the creator raises; for a configuration ValueError that tells
        everything that is wrong with it, each with its place as in "$.layers[2]". Its cause is the first error that a
        creator raised. What no value can be, as an int of more than 64 bits, is told alone.
        """
        if isinstance(type, str):
            return self.creator(type)(*arguments, **keywords)
        if arguments or keywords:
            raise TypeError("a configuration has all the arguments in itself")
        if isinstance(type, Mapping) and isinstance(type.get("type"), str):
            with contextlib.suppress(byname.NotFound):  # which is told with its place
                self.creator(type["type"])  # a plugin may bring it
        try:
            return _native.factory_create(self.prefix, self.variant, type)
        except (OverflowError, UnicodeEncodeError) as error:
            place = _place_of_no_value(type)
            raise ValueError(f"cannot make an object of '{self.prefix}': {place}: {error}") from error

    def creator(self, type):
        """The Function that makes objects of a type. Raises NotFound, which tells the known ones."""
        return _native.factory_creator(self.prefix, self.variant, type)

    def product(self, name, creator=None, /, **options):
        """Register a Python callable, as a class, as a type of the factory; as a decorator if it is left out.

        If C++ has declared what the factory makes, a class derives from `base`. Options are those of byname.register.

        Raises TypeError for a class that does not, and what byname.register raises.
        """
        if not isinstance(name, str):
            raise TypeError(f"expected the type's name, as product('Blur'), got {name!r}")
        if "." in name or ":" in name:
            raise ValueError(f"expected a type's name without dots and colons, got {name!r}")
        if creator is None:
            return lambda creator: self.product(name, creator, **options)
        key = _native.factory_base(self.prefix, self.variant)
        if key and isinstance(creator, type) and getattr(creator, "__byname_key__", None) != key:
            raise TypeError(f"expected a class that derives from byname.interface('{key}'), got {creator.__name__}")
        full = f"{self.prefix}::{name}.{self.variant}" if self.variant else f"{self.prefix}.{name}"
        return _register.register(full, creator, **options, result=key or "Any")

    @property
    def base(self):
        """The class that products written in Python derive from: the byname.interface of what the factory makes.

        Raises TypeError if nobody has declared what it makes, or if that cannot be implemented in Python.
        """
        key = _native.factory_base(self.prefix, self.variant)
        if key is None:
            raise TypeError(f"{self!r} makes anything: no library has declared of which type its objects are")
        try:
            return byname.interface(key)
        except byname.NotFound:
            raise TypeError(
                f"'{key}' is not for implementing in Python: it has no constructor {_interface.HINT}"
            ) from None

    def types(self):
        """The names of all types, sorted."""
        return _native.factory_types(self.prefix, self.variant)

    def __iter__(self):
        return iter(self.types())

    def __len__(self):
        return len(self.types())

    def __contains__(self, type):
        return type in self.types()

    def __repr__(self):
        return f"byname.Factory({self.prefix!r}{f', {self.variant!r}' if self.variant else ''})"


def _place_of_no_value(value, place="$"):
    """Where in a configuration the first is that C++ has no value for."""
    if isinstance(value, Mapping):
        inside = {f".{key}" if str(key).isidentifier() else f"[{key!r}]": item for key, item in value.items()}
    elif isinstance(value, list | tuple):
        inside = {f"[{index}]": item for index, item in enumerate(value)}
    else:
        return place
    for step, item in inside.items():
        try:
            _native.factory_create("", "", item)
        except (OverflowError, UnicodeEncodeError):
            return _place_of_no_value(item, place + step)
        except ValueError:  # a value that is no configuration
            continue
    return place
