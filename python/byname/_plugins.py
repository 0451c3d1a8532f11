"""Plugins of other distributions: the entry points `byname.plugins`.

An entry point's name is a namespace, as "math" or "a.b". What it refers to is the path of a library, or a function that
returns one or loads by itself. It is loaded when a name in the namespace is looked up that nothing is registered under.
"""

import os
import threading
import warnings
from functools import cache
from itertools import accumulate

import byname

GROUP = "byname.plugins"

failures = {}  # what went wrong, by entry point

_lock = threading.RLock()  # guards what find() gives, too, and that plugins are loaded once
_tried = set()  # namespaces whose entry points were loaded, or failed


# A child would wait for a thread that it does not have.
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def load_for(name):
    """Load the plugins that stand for a namespace of a name. Whether there are any: then another look is worth it."""
    spaces = _spaces(name)
    with _lock:
        waiting = find()
        for space in spaces:
            for entry in waiting.pop(space, ()):
                _tried.add(space)
                _load(entry)
    return any(space in _tried for space in spaces)


def load_all(prefix=""):
    """Load the plugins that may have names that begin with a prefix, but for namespaces that have names already."""
    prefix = prefix.replace("::", ".")
    with _lock:
        for space in [f"{space}." for space in find()]:
            if (space.startswith(prefix) or prefix.startswith(space)) and not byname.names(space):
                load_for(space[:-1])


def near(name):
    """The namespace of a plugin that has not been loaded which a name may mean to begin with, or None."""
    from difflib import get_close_matches

    with _lock:
        return next((near for space in _spaces(name) for near in get_close_matches(space, find(), 1)), None)


def _spaces(name):
    return list(accumulate(name.replace("::", ".").split("."), "{}.{}".format))


def entries():
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


@cache
def find():
    """The entry points that have not been loaded, by namespace. Needs the lock."""
    waiting = {}
    for entry in entries():
        waiting.setdefault(entry.name, []).append(entry)
    return waiting


def _load(entry):
    try:
        library = entry.load()
        if callable(library):
            library = library()
        if library is not None:
            byname.load(os.fspath(library))
    except Exception as error:
        failures[entry] = error
        source = f" of {entry.dist.name}" if entry.dist is not None else ""
        warnings.warn(
            f"plugin '{entry.name}' ({entry.value}{source}) failed: {type(error).__name__}: {error}",
            RuntimeWarning,
            stacklevel=3,
        )
