"""What the tests share: the plugins of tests/plugins/python_*.cc, and processes of their own."""

import gc
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import byname

PLUGINS = Path(os.environ["BYNAME_TEST_PLUGIN_DIR"])


def plugin_path(name, compiler="gcc"):
    return str(PLUGINS / compiler / f"lib{name}.so")


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory):
    """What tests compile is kept with their other files."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session")
def values():
    return byname.load(plugin_path("python_values")).values


@pytest.fixture(scope="session")
def calls():
    return byname.load(plugin_path("python_calls")).calls


@pytest.fixture(scope="session")
def callbacks():
    return byname.load(plugin_path("python_callbacks")).callbacks


def run_python(script, *, status=0, environment=None, stream="stdout"):
    """Runs a script in an interpreter of its own, which must end with the status; returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == status, done.stderr
    return getattr(done, stream)


def run_command(*arguments, status=0, environment=None, binary=False, stream=None):
    """What the command `byname` prints: to stdout if it succeeds, to stderr if it is to fail, or to the stream that is
    named."""
    done = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning", "-m", "byname._command", *arguments],
        capture_output=True,
        text=not binary,
        timeout=60,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == status, done.stderr
    return getattr(done, stream or ("stderr" if status else "stdout"))


@pytest.fixture
def site(tmp_path):
    """A directory of installed distributions; gives a function that installs one with entry points."""

    def install(name, module, **entry_points):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(module))
        metadata = tmp_path / f"{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = [f"{space.replace('_', '.')} = {name}:{attribute}" for space, attribute in entry_points.items()]
        (metadata / "entry_points.txt").write_text("\n".join(["[byname.plugins]", *lines]) + "\n")

    install.path = tmp_path
    install.environment = {"PYTHONPATH": f"{os.environ['PYTHONPATH']}:{tmp_path}"}
    return install


@pytest.fixture
def new_name():
    """Makes names that are free, and removes what was registered under them."""
    made = []

    def make(part="f"):
        made.append(f"tests{len(made)}.{part}")
        return made[-1]

    yield make
    for name in made:
        if name in byname.names(name):
            byname.remove(name)


def resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def collect():
    gc.collect()
    byname.collect()


def assert_does_not_leak(body, *, times=20000, kb=1500):
    """Runs a body often: neither Python's blocks nor the process's memory may grow with it."""
    for _ in range(times // 10):
        body()
    collect()
    blocks, resident = sys.getallocatedblocks(), resident_kb()
    for _ in range(times):
        body()
    collect()
    assert sys.getallocatedblocks() - blocks < times // 100
    assert resident_kb() - resident < kb
