"""What the documents show is so: each page's examples are compiled, run, and compared with what they say. So are those
of the comments that the reference is made of, by the page comments.md."""

import ast
import inspect
import os
import re
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from page import blocks_of
from run_page import precompile

from byname import _build, _native

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "bench/*.md", "docs/**/*.md", "examples/*.md", "tests/docs/*.md")
    for path in ROOT.glob(pattern)
)

# As the site finds them.
sys.path.insert(0, str(ROOT / "docs/site"))
from doxygen_filter import filtered  # noqa: E402

EXAMPLE_IN_MARKDOWN = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE_IN_DOCSTRING = re.compile(r"\n\n((?: +\S.*\n|\n(?= ))+)")

FAULTS = [
    ("```python\n1 + 1  # 3\n```\n", ":2: expected '3', got '2'"),
    ("```python\nprint('a')  # b\n```\n", ":2: expected 'b', got 'a'"),
    ("```python\n{}[1]  # 1\n```\n", ":2: expected '1', got 'KeyError: 1'"),
    ("```python\nif False:\n    1  # 1\n```\n", ":3: expected '1', but the line was not reached"),
    ("```python\nraise KeyError(1)\n```\n", ":0: the example before raised KeyError: 1"),
    ("```python\nprint('a')\n```\n\n```text\nb\n```\n", ":6: expected 'b', got 'a'"),
    ("```text\nb\n```\n", ":2: nothing before this text prints anything"),
    ("```cpp\nint f() { return; }\n```\n", ":2: CompileError: 'page.cc' does not compile:"),
    ("<!-- example: body -->\n```cpp\nbyname::Any(1).to<int>();  // 2\n```\n", ":3: expected '2', got '1'"),
    ("```cpp\nint main() { return 3; }\n```\n", ":2: RuntimeError: status 3"),
    ("```c\nint main(void) { return 3; }\n```\n", ":2: RuntimeError: status 3"),
    ("```sh\nfalse\n```\n", ":2: RuntimeError: status 1"),
    ("```console\n$ echo a\nb\n```\n", ":2: expected 'b', got 'a'"),
    ("```json\n{]\n```\n", ":2: JSONDecodeError: "),
    ("```cmake\nproject(X)\n```\n", ":2: nothing says what to do with this block of 'cmake'"),
    ("<!-- example: none -->\n```sh\n```\n", ": line 3: 'none ' says nothing of an example"),
    ("<!-- example: from README.md -->\n```sh\nno\n```\n", ":3: 'README.md' has no such lines"),
    ("<!-- example: named, slow -->\n```sh\n./run nothing\n```\n", ":3: RuntimeError: './run nothing' is no task"),
    ("text\n\n    code\n", ": neither an example nor text: 'code'"),
]


@pytest.fixture(scope="session")
def precompiled(tmp_path_factory):
    return precompile(tmp_path_factory.mktemp("precompiled"))


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """What the reader has: an installation, and the command."""
    directory = tmp_path_factory.mktemp("installed")
    build = _build.PACKAGE.parents[1]
    subprocess.run(["cmake", "--install", build, "--prefix", directory], check=True, stdout=subprocess.DEVNULL)
    (directory / "bin").mkdir(exist_ok=True)
    for name, arguments in ("byname", "-m byname._command"), ("pip", "-m pip"), ("python3", ""):
        command = directory / "bin" / name
        command.write_text(f'#!/bin/sh\nexec {sys.executable} {arguments} "$@"\n')
        command.chmod(0o755)
    return {
        **os.environ,
        "CMAKE_PREFIX_PATH": str(directory),
        "PATH": f"{directory}/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(_build.PACKAGE.parent),
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
    }


def run_page(page, precompiled, environment, directory):
    """Runs a page's examples in a directory; returns what is wrong with them."""
    work = directory / "work"
    work.mkdir()
    done = subprocess.run(
        [sys.executable, HERE / "run_page.py", page, precompiled],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stderr if done.returncode else ""


@pytest.fixture(scope="session")
def outcomes(request, precompiled, environment, tmp_path_factory):
    """What run_page says of each page that is asked for; they run side by side."""
    pages = {item.callspec.params["page"] for item in request.session.items if "outcomes" in item.fixturenames}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {
            page: pool.submit(run_page, ROOT / page, precompiled, environment, tmp_path_factory.mktemp(page.stem))
            for page in sorted(pages)
        }


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_examples_of_a_page_are_so(page, outcomes):
    assert outcomes[page].result() == ""


@pytest.mark.parametrize(("text", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_an_example_that_is_not_so_is_told(text, fault, precompiled, environment, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(text)
    assert run_page(page, precompiled, environment, tmp_path).startswith(f"{page}{fault}")


def docstrings():
    """Of the package: of all that is written in Python, and of all that the extension has."""
    for file in (ROOT / "python/byname").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield file.name, ast.get_docstring(node)
    for name, thing in vars(_native).items():
        for member in (thing, *vars(thing).values()) if isinstance(thing, type) else (thing,):
            yield name, inspect.getdoc(member)


def examples_of_comments():
    for header in (ROOT / "include/byname").glob("*.h"):
        for match in EXAMPLE_IN_MARKDOWN.finditer("\n".join(filtered(header))):
            yield header.name, match[1]
    for place, text in docstrings():
        for match in EXAMPLE_IN_DOCSTRING.finditer(f"{text}\n"):
            yield place, textwrap.dedent(match[1])


def test_the_examples_of_comments_are_on_their_page():
    shown = {block.text for block in blocks_of(HERE / "comments.md")}
    examples = list(examples_of_comments())
    assert {"factory.h", "_factory.py"} <= {place for place, _ in examples}
    assert [(place, text) for place, text in examples if text not in shown] == []
