"""Where headers and library are, and plugins compiled from source files."""

import contextlib
import errno
import filecmp
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import byname

PACKAGE = Path(byname._native.__file__).parent
FLAGS = ("-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden")


def interface_version():
    """Of the binary interface that the library has, which is asked as a plugin would."""
    import ctypes

    return ctypes.CDLL(byname._native.__file__).byname_abi_version()


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


def compiler():
    """$CXX, else g++, else clang++, with what that one alone needs, and what it says of its version."""
    name = os.environ.get("CXX", "").strip() or next((n for n in ("g++", "clang++") if shutil.which(n)), None)
    if name is None:
        raise FileNotFoundError("no C++ compiler: neither g++ nor clang++ is on the PATH (CXX may name another)")
    try:
        command = shlex.split(name)
        asked = run([*command, "--version"])
        reason = f"'--version' ends with status {asked.returncode}" if asked.returncode != 0 else None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    if reason is not None:
        raise FileNotFoundError(f"'{name}' is no C++ compiler: {reason} (CXX may name another)")
    return (command if "clang" in asked.stdout else [*command, "-fno-gnu-unique"]), asked.stdout


def run(command):
    """Run a compiler. What it says may quote bytes of any encoding."""
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)


def compiler_command():
    return compiler()[0]


def build(source, output=None, *, flags=()):
    """Compile a C++ file to a library that byname.load takes; returns its path.

    Without an output that is in the cache. What was compiled once is found there again, see Compilation.

    Raises FileNotFoundError for a missing file, compiler or header, CompileError with the compiler's messages,
    TypeError for flags in one text; without an output OSError where no cache can be.
    """
    if output is None:
        compilation = Compilation(source, flags, made_cache())
        return compilation.found() or compilation.run()
    with any_cache() as cache:
        compilation = Compilation(source, flags, cache)
        put(compilation.found() or compilation.run(), output)
    return Path(output)


class CompileError(RuntimeError):
    """A source file that does not compile; the compiler's messages are in its text."""


# ---- the cache ----

# What compilers and linkers read of the environment.
VARIABLES = ("CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LD_RUN_PATH")


def made_cache():
    """The directory $XDG_CACHE_HOME/byname, else ~/.cache/byname, which may be removed at any time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "byname"
    cache.mkdir(parents=True, exist_ok=True)
    return cache


@contextlib.contextmanager
def any_cache():
    """The cache; where there can be none, as without a home, a directory for this one time."""
    try:
        cache = made_cache()
        is_usable = os.access(cache, os.W_OK)
    except (OSError, RuntimeError):  # pathlib's, for no home
        is_usable = False
    if is_usable:
        yield cache
        return
    with tempfile.TemporaryDirectory(prefix="byname-") as directory:
        yield Path(directory)


def put(library, output):
    """Copy a library of the cache to where it is wanted, unless it is there."""
    output = Path(output)
    with contextlib.suppress(FileNotFoundError):
        if filecmp.cmp(library, output, shallow=False):
            return
    with replaced(output) as made:
        shutil.copy(library, made)


@contextlib.contextmanager
def replaced(path):
    """Where to make a file first: nobody reads half of one, nor overwrites a library that is mapped."""
    parent = path.absolute().parent
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a directory", str(path))
    if not parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such directory", str(parent))
    with tempfile.TemporaryDirectory(dir=parent, prefix=".byname-") as directory:
        made = Path(directory, path.name)
        yield made
        made.replace(path)


def digest(paths):
    """Of the files' contents."""
    whole = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()[:16]


class Compilation:
    """One run of the compiler, whose library is kept in a cache.

    The library's name tells its content. A record has that name, and what was read for it, by paths and contents:
    headers, objects and archives. The record's own name tells the rest that decides: source, flags, where they are,
    compiler, Byname. A header that is new in front of one that was found is not noticed.
    """

    def __init__(self, source, flags, cache):
        if isinstance(flags, (str, bytes)):  # whose items are letters
            raise TypeError(f"expected a list of flags, as ['-DSIDES=4'], got {flags!r}")
        self.begin = time.time_ns()
        self.source, self.flags, self.cache = Path(source), flags, cache
        command, version = compiler()
        # Libraries among the flags come behind what needs them.
        self.command = [*command, *FLAGS, *compile_flags(), re.sub("^[-@]", r"./\g<0>", str(source)), *flags]
        variables = [f"{name}={os.environ.get(name)!r}" for name in VARIABLES]
        where = [os.getcwd(), shutil.which(command[0]) or command[0]]
        words = [*self.command, *link_flags(), *where, version, *variables, byname.__version__]
        key = hashlib.sha256(b"\0".join([*map(os.fsencode, words), self.source.read_bytes()])).hexdigest()[:16]
        self.record = cache / f"{self.source.stem}-{key}.json"

    def found(self):
        """The library, if it was made before, is whole, and all that was read for it is as it was; else None."""
        try:
            record = json.loads(self.record.read_text())
            library = self.cache / record["library"]
            return library if self._is_whole(library) and digest(record["read"]) == record["digest"] else None
        except (OSError, ValueError):  # what is not there, or cut off
            return None

    def run(self):
        """Compiles; returns the library."""
        with tempfile.TemporaryDirectory(dir=self.cache, prefix=".byname-") as directory:
            made, headers, linked = (Path(directory, name) for name in ("made", "headers", "linked"))
            notes = ["-MD", "-MT", "made", "-MF", headers, "-Xlinker", f"--dependency-file={linked}"]
            done = run([*self.command, *notes, "-o", made, *link_flags()])
            if done.returncode != 0:
                raise CompileError(f"'{self.source}' does not compile:\n{done.stderr.rstrip()}")
            if not _is_shared_object(made):
                raise CompileError(f"'{self.source}' was compiled to no library (flags as -c leave it out)")
            library = self.cache / f"lib{self.source.stem}-{digest([made])}.so"
            if not self._is_whole(library):
                made.replace(library)
            read = [*_headers(os.fsdecode(headers.read_bytes())), *_linked(os.fsdecode(linked.read_bytes()))]
        if self._is_all(read):
            with replaced(self.record) as record:
                record.write_text(json.dumps({"library": library.name, "read": read, "digest": digest(read)}))
        return library

    def _is_whole(self, library):
        with contextlib.suppress(OSError):
            return library.stem.endswith(digest([library]))
        return False

    def _is_all(self, read):
        """Whether nothing else was read, as by a second source among the flags, and all is still what it was."""
        named = [flag.removeprefix("@") for flag in map(str, self.flags) if os.path.isfile(flag.removeprefix("@"))]
        return all(any(map(functools.partial(os.path.samefile, name), read)) for name in named) and all(
            os.stat(path).st_mtime_ns < self.begin for path in read
        )


def _is_shared_object(path):
    with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
        begin = file.read(18)
        return begin[:4] == b"\x7fELF" and int.from_bytes(begin[16:], sys.byteorder) == 3  # ET_DYN
    return False


def _headers(text):
    """The files that a compiler says it has read, the source among them: a rule for make."""
    words = re.findall(r"(?:\\.|[^\s\\])+", text.partition(":")[2].replace("\\\n", " "))
    return [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


def _linked(text):
    """The files that a linker says it has read, each as a rule for make of its own, but for the compiler's temporary
    ones and shared objects, of which a library has but the names."""
    files = dict.fromkeys(re.sub(r"\\(.)", r"\1", name) for name in re.findall(r"^(.+):$", text, re.MULTILINE))
    return [file for file in files if not re.search(r"\.so(\.|$)", file) and os.path.exists(file)]


def load_source(source, *, flags=()):
    text = os.fspath(source)
    if "\n" not in text:
        if "{" in text and not os.path.exists(text):
            raise FileNotFoundError(errno.ENOENT, "a text of one line is a path, but there is no such file", text)
        return byname.load(build(text, flags=flags))
    content = text.encode()
    file = made_cache() / f"source_{hashlib.sha256(content).hexdigest()[:12]}.cc"
    if not file.exists() or file.read_bytes() != content:
        with replaced(file) as made:
            made.write_bytes(content)
    return byname.load(build(file, flags=flags))
