"""Where headers and library are, and plugins compiled from source files."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import byname

PACKAGE = Path(byname._native.__file__).parent
FLAGS = ("-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden")


def include_directory():
    """Of an installed wheel, or of the tree that the package was built in."""
    for directory in (PACKAGE / "include", Path(__file__).resolve().parents[2] / "include"):
        if (directory / "byname" / "byname.h").is_file():
            return directory
    raise FileNotFoundError(f"byname's headers are not where '{PACKAGE}' would have them (install the wheel)")


def library_directory():
    installed = PACKAGE / "lib"
    return installed if installed.is_dir() else PACKAGE


def cmake_directory():
    directory = PACKAGE / "lib" / "cmake" / "Byname"
    if not directory.is_dir():
        raise FileNotFoundError(f"no CMake package in '{PACKAGE}': this is a build tree (install the wheel)")
    return directory


def compile_flags():
    return [f"-I{include_directory()}"]


def link_flags():
    return [f"-L{library_directory()}", "-l:libbyname.so.0"]


def compiler_command():
    """$CXX, else g++, else clang++, with what that one alone needs."""
    name = os.environ.get("CXX") or next((n for n in ("g++", "clang++") if shutil.which(n)), None)
    if name is None:
        raise FileNotFoundError("no C++ compiler: neither g++ nor clang++ is on the PATH (CXX may name another)")
    command = name.split()
    is_clang = "clang" in subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
    return command if is_clang else [*command, "-fno-gnu-unique"]


def build(source, output=None, *, flags=()):
    """Compile a C++ file to a library that byname.load takes; returns its path.

    Without an output it goes to the cache ($XDG_CACHE_HOME/byname), where it is found again while the file, the flags,
    the compiler's name and Byname are the same. (Headers that the file includes are not compared.)

    Raises FileNotFoundError for a missing file, compiler or header, CompileError with the compiler's messages,
    TypeError for flags in one text.
    """
    if isinstance(flags, (str, bytes)):  # whose items are letters
        raise TypeError(f"expected a list of flags, as ['-DSIDES=4'], got {flags!r}")
    source = Path(source)
    command = [*compiler_command(), *FLAGS, *compile_flags(), *flags]
    if output is None:
        key = "\0".join([*command, byname.__version__, source.stem, source.read_text()])
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "byname"
        output = cache / f"lib{source.stem}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.so"
        if output.exists():
            return output
        cache.mkdir(parents=True, exist_ok=True)
    output = Path(output)
    # Elsewhere first: nobody loads half a library, nor overwrites one that is mapped.
    with tempfile.TemporaryDirectory(dir=output.absolute().parent, prefix=".byname-") as directory:
        made = Path(directory) / output.name
        done = subprocess.run(
            [*command, str(source), "-o", str(made), *link_flags()], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise CompileError(f"'{source}' does not compile:\n{done.stderr.rstrip()}")
        made.replace(output)
    return output


class CompileError(RuntimeError):
    """A source file that does not compile; the compiler's messages are in its text."""


def load_source(source, *, flags=()):
    text = os.fspath(source)
    if "\n" not in text:
        return byname.load(build(text, flags=flags))
    with tempfile.TemporaryDirectory(prefix="byname-") as directory:
        file = Path(directory) / f"source_{hashlib.sha256(text.encode()).hexdigest()[:12]}.cc"
        file.write_text(text)
        return byname.load(build(file, flags=flags))
