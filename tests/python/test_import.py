"""Importing the package where its extension is not the interpreter's."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import byname


@pytest.fixture
def import_with(tmp_path):
    """What an import says, in words, of a package whose extension has another name."""

    def import_(extension):
        package = tmp_path / "byname"
        package.mkdir()
        for file in Path(byname.__file__).parent.iterdir():
            is_extension = file.name.startswith("_native.")
            if file.name != "__pycache__" and (extension or not is_extension):
                (package / (extension if is_extension else file.name)).symlink_to(file.resolve())
        done = subprocess.run(
            [sys.executable, "-c", "import byname"],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.stderr.splitlines()[-1] if done.returncode else "imported"

    return import_


def test_the_extension_is_named_for_its_interpreter(import_with):
    name = "_native" + sysconfig.get_config_var("EXT_SUFFIX")
    assert Path(byname._native.__file__).name == name
    assert import_with(name) == "imported"


def test_an_extension_of_another_interpreter_is_not_loaded(import_with):
    own = sysconfig.get_config_var("EXT_SUFFIX").split(".")[1]
    assert import_with("_native.cpython-399-x86_64-linux-gnu.so") == (
        f"ImportError: byname was built for cpython-399-x86_64-linux-gnu, this Python is {own} "
        f"(cmake -D Python3_EXECUTABLE={sys.executable} builds it for this one)"
    )


def test_a_package_without_an_extension_says_how_to_build_it(import_with):
    assert import_with(None) == (
        "ImportError: byname's extension is missing (the CMake target byname_native builds it)"
    )
