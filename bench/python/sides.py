"""The modules that are measured: each offers nothing, add, add_named, sum4, text, size, call_many and throw."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

FUNCTIONS = ("nothing", "add", "add_named", "sum4", "text", "size", "call_many", "throw")


class Module:
    """The functions of one side, as attributes."""

    def __init__(self, get: Callable[[str], Any], *, takes_keywords: bool = True, is_floor: bool = False):
        self.takes_keywords = takes_keywords
        self.is_floor = is_floor
        for name in FUNCTIONS:
            setattr(self, name, get(name))


def extension(name: str, **features: bool) -> Module:
    return Module(lambda function: getattr(importlib.import_module(name), function), **features)


def byname_side(directory: Path) -> Module:
    byname = importlib.import_module("byname")
    plugin = byname.load(str(directory / "libbench_plugin.so"))
    return Module(lambda name: getattr(plugin.bench, name))


def tvm_ffi_side(directory: Path) -> Module:
    tvm_ffi = importlib.import_module("tvm_ffi")
    ctypes.CDLL(str(directory / "peer_tvm_ffi_plugin.so"))
    return Module(lambda name: tvm_ffi.get_global_func(f"peer.{name}"), takes_keywords=False)


OPENERS: dict[str, Callable[[Path], Module]] = {
    "byname": byname_side,
    "floor": lambda _: extension("bench_floors_python", takes_keywords=False, is_floor=True),
    "nanobind": lambda _: extension("peer_nanobind"),
    "pybind11": lambda _: extension("peer_pybind11"),
    "tvm-ffi": tvm_ffi_side,
}


def open_sides(directory: Path, with_peers: bool) -> tuple[dict[str, Module], dict[str, str]]:
    """The sides that could be opened, and why the others could not."""
    opened, failed = {}, {}
    for label, opener in OPENERS.items():
        if label not in ("byname", "floor") and not with_peers:
            continue
        try:
            opened[label] = opener(directory)
        except Exception as error:  # reported by the caller
            failed[label] = f"{type(error).__name__}: {error}"
    return opened, failed
