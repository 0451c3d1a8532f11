"""A module that is linked with another one, as the loader brings both."""

import shutil

import pytest
from conftest import run_command, run_python

# The code of both defines `shared`, which the loader binds to the user's in either: so each keeps the other mapped.
DEPENDENCY = """#include <byname/byname.h>

#define VISIBLE __attribute__((visibility("default")))
extern "C" VISIBLE __attribute__((weak, noinline)) int64_t shared() { return 1; }
extern "C" VISIBLE int64_t of_dependency() { return shared() + 1; }

BYNAME_LIBRARY("linked.dependency", lib) { lib.def("two", of_dependency); }
"""
USER = """#include <byname/byname.h>

extern "C" __attribute__((visibility("default"), weak, noinline)) int64_t shared() { return 1; }
extern "C" int64_t of_dependency();

BYNAME_LIBRARY("linked.user", lib) {
  int64_t two = byname::get("linked.dependency.two")().to<int64_t>();
  lib.def("five", [two] { return two + of_dependency() + shared(); });
}
"""
KEPT = "whoever else opened it, links it or uses its symbols, or a thread with thread_local objects of it"


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    directory = tmp_path_factory.mktemp("linked")
    (directory / "dependency.cc").write_text(DEPENDENCY)
    (directory / "user.cc").write_text(USER)
    run_command("build", f"{directory}/dependency.cc", "-o", f"{directory}/libdependency.so")
    flags = [f"-L{directory}", "-ldependency", "-Wl,-rpath,$ORIGIN"]
    run_command("build", f"{directory}/user.cc", *flags, "-o", f"{directory}/libuser.so")
    return directory


def run(libraries, script):
    before = f"""
import byname, os, shutil
path, other = "{libraries}/libuser.so", "{libraries}/libdependency.so"
def mapped():
    lines = open("/proc/self/maps").read().splitlines()
    return sorted({{os.path.basename(line.split()[5]) for line in lines if "{libraries}" in line}})
"""
    return run_python(before + script).splitlines()


def test_is_attached_after_the_one_that_it_needs(libraries):
    printed = run(
        libraries,
        """
user = byname.load(path)
print(byname.ns.linked.user.five(), user.names())
print([module.path == file for module, file in zip(byname.modules(), [path, other])])
""",
    )
    assert printed == ["5 ['linked.user.five']", "[True, True]"]


def test_is_unmapped_together_with_the_one_that_it_needs(libraries):
    printed = run(
        libraries,
        """
user, dependency = byname.load(path), byname.load(other)
print(user.unload(), byname.names(), mapped())
print(dependency.unload(), byname.names(), mapped(), byname.modules())
print(byname.load(path).linked.user.five())
""",
    )
    assert printed == [
        f"['{KEPT}'] ['linked.dependency.two'] ['libdependency.so', 'libuser.so']",
        "[] [] [] []",
        "5",
    ]


def test_finds_it_when_its_file_is_replaced_and_reloaded(libraries):
    printed = run(
        libraries,
        """
user = byname.load(path)
shutil.copy(path, path + ".new")
os.rename(path + ".new", path)
five = byname.get("linked.user.five")
print(user.reload(), five())
print(len(byname.modules()), byname.load(other).unload(), user.unload(), mapped())
""",
    )
    assert printed == [f"['{KEPT}'] 5", f"3 ['{KEPT}'] [] []"]


def test_is_attached_in_the_state_that_its_user_brings(libraries, tmp_path):
    for name in ("libdependency.so", "libuser.so"):
        shutil.copy(libraries / name, tmp_path)
    printed = run(
        tmp_path,
        """
import warnings
warnings.showwarning = lambda message, *_: print(str(message).split(":")[0])
dependency = byname.load(other)
shutil.copy(other, other + ".new")
os.rename(other + ".new", other)  # the loader takes this for another library, by the same path
user = byname.load(path)
print(dependency.is_loaded, byname.ns.linked.user.five(), byname.ns.linked.dependency.two())
print(dependency.unload(), user.unload(), mapped())
print(byname.load(path).linked.user.five())
""",
    )
    assert printed == ["registering 'linked.dependency' failed", "True 5 2", "[] [] []", "5"]
