"""Plugins of other distributions: the entry points `byname.plugins`.

An entry point's name is a namespace, as "math" or "a.b". What it refers to is the path of a library, or a function that
returns one or loads by itself. It is loaded when a name in the namespace is looked up that nothing is registered under.
"""

import os
import re
import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from itertools import accumulate

import byname

GROUP = "byname.plugins"

__path__ = []  # the modules below are _Importer's

failures = {}  # what went wrong, by what was done
_done = set()  # entry points that were loaded, or failed
_entry_of = {}  # by module, see _Importer


def load_for(name):
    """Load the plugins that stand for a namespace of a name. Whether there are any: then another look is worth it."""
    found = find()
    entries = [entry for space in _prefixes(name) for entry in found.get(space, ())]
    for entry in entries:
        if entry not in _done:
            _load(entry)
    return bool(entries)


def load_all(prefix=""):
    """Load the plugins that may have names that begin with a prefix, but for namespaces that have names already."""
    prefix = prefix.replace("::", ".")
    for space in [f"{space}." for space in waiting()]:
        if (space.startswith(prefix) or prefix.startswith(space)) and not byname.names(space):
            load_for(space[:-1])


def near(name):
    """The namespace of a plugin that has not been loaded which a name may mean to begin with, or None."""
    from difflib import get_close_matches

    return next((near for space in _prefixes(name) for near in get_close_matches(space, waiting(), 1)), None)


def _prefixes(name):
    return list(accumulate(name.replace("::", ".").split("."), "{}.{}".format))


def waiting():
    """The namespaces with plugins that have not been loaded."""
    return [space for space, entries in find().items() if not _done.issuperset(entries)]


@cache
def find():
    """The entry points, by namespace."""
    from importlib.metadata import entry_points

    try:
        entries = entry_points(group=GROUP)
    except Exception:  # the first one that is broken hides all others
        entries = _entries_by_distribution()
    found = {}
    for entry in entries:
        found.setdefault(entry.name, []).append(entry)
    return found


def _entries_by_distribution():
    """Those of the distributions that can be read; of a name's distributions the first one counts."""
    from importlib.metadata import distributions

    found, names = [], set()
    for distribution in distributions():
        try:
            if distribution.name is None:
                raise ValueError("the distribution has no name")
            name = re.sub("[-_.]+", "-", distribution.name).lower()
            if name not in names:
                names.add(name)
                found += distribution.entry_points.select(group=GROUP)
        except Exception as error:
            path = getattr(distribution, "_path", None) or distribution.locate_file("")
            _fail(f"reading the entry points of '{path}'", error, stacklevel=5)
    return found


class _Importer:
    """Imports modules that stand for entry points: importing one loads the plugin.

    So threads that want the same plugin wait by Python's locks of imports, as they do for what plugins import: Python
    lets no thread wait where that would be a deadlock.
    """

    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, _Importer) if name in _entry_of else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        entry = _entry_of[module.__name__]
        library = entry.load()
        if library is None:
            raise TypeError("expected a path or a function, got None")
        if callable(library):
            library = library()
        if library is not None:
            byname.load(os.fspath(library))
        _done.add(entry)


sys.meta_path.append(_Importer)


def _load(entry):
    # A child has modules of its own: it would wait for a thread of its parent.
    module = f"{__name__}." + f"{os.getpid()}:{entry.name}={entry.value}".replace(".", "/")
    _entry_of[module] = entry
    imported = [module]
    try:
        imported += _prefixes(entry.module)
        import_module(entry.module)  # first: who imports it may look up a name of the plugin, and so wait for it
        import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # as an exit, or what some libraries raise that nobody is to catch
        if any(map(_is_being_imported, imported)):
            return  # by this thread, or by one that waits for it: a later look-up tries again
        _done.add(entry)
        source = f" of {entry.dist.name}" if entry.dist is not None else ""
        _fail(f"plugin '{entry.name}' ({entry.value}{source})", error)


def _is_being_imported(module):
    return getattr(getattr(sys.modules.get(module), "__spec__", None), "_initializing", False)


def _fail(what, error, stacklevel=4):
    """Keep a failure, and warn of it once, at what looks up a name: so many calls further out."""
    if failures.setdefault(what, error) is error:
        warnings.warn(f"{what} failed: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=stacklevel)
