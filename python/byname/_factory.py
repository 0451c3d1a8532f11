import byname


class Factory:
    """The objects that can be made of one type, by the names of their types.

        layers = byname.Factory("caffe.layer")
        layers.create("Convolution", num_output=20)
        layers.create({"type": "Convolution", "num_output": 20, "weight_filler": {"type": "gaussian"}})

    A view on the names below a prefix: what is registered there is a type of the factory. It is iterated over by the
    types' names.
    """

    def __init__(self, prefix):
        self.prefix = prefix

    def create(self, type, /, *arguments, **keywords):
        """Make an object: of a type by its name, with arguments; or from a configuration.

        A configuration is a mapping with "type" and the arguments by their names. A mapping where the creator takes an
        object of a type that has a factory is a configuration in turn, so are those in lists and mappings. What JSON
        gives is one.

        Raises NotFound for an unknown type, ValueError that tells everything that is wrong with a configuration, each
        with its place as in "$.layers[2]", and what the creator raises.
        """
        if isinstance(type, str):
            return self.creator(type)(*arguments, **keywords)
        if arguments or keywords:
            raise TypeError("a configuration has all the arguments in itself")
        return byname._native.factory_create(self.prefix, type)

    def creator(self, type):
        """The Function that makes objects of a type."""
        return byname.get(f"{self.prefix}{'::' if '.' in type else '.'}{type}")

    def product(self, name, creator=None, /, **options):
        """Register a Python callable, as a class, as a type of the factory; as a decorator if it is left out.

        Options are those of byname.register.
        """
        return byname.register(f"{self.prefix}.{name}", creator, **options)

    def types(self):
        """The names of all types, sorted."""
        begin = len(self.prefix) + 1
        return [name[begin:] for name in byname.names(self.prefix + ".") if "." not in name[begin:]]

    def __iter__(self):
        return iter(self.types())

    def __len__(self):
        return len(self.types())

    def __contains__(self, type):
        return type in self.types()

    def __repr__(self):
        return f"byname.Factory({self.prefix!r})"
