"""Compiling C++ files, and the cache of what was compiled."""

import contextlib
import ctypes
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import run_command as run

import byname
from byname import _build

SOURCE = """#include <byname/byname.h>

BYNAME_LIBRARY("test.build", lib) {
  lib.def("answer", [] { return int64_t{ANSWER}; });
}
"""


def test_a_file_is_built_and_called(tmp_path):
    source = tmp_path / "answer.cc"
    source.write_text(SOURCE)
    library = str(tmp_path / "libanswer.so")
    assert run("build", str(source), "-DANSWER=42", "-o", library) == library + "\n"
    assert run("call", "-m", library, "test.build.answer") == "42\n"
    text = run("build", str(source), "-o", library, status=1)
    assert text.startswith(f"Error: '{source}' does not compile:\n{source}: In lambda function:\n{source}:4:")
    assert "'ANSWER' was not declared in this scope" in text.replace("\u2018", "'").replace("\u2019", "'")
    assert sorted(os.listdir(tmp_path)) == [
        "answer.cc",
        "libanswer.so",
    ]


def test_text_is_compiled_loaded_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = SOURCE.replace("test.build", "test.source")
    module = byname.load_source(text, flags=["-DANSWER=1"])
    assert byname.ns.test.source.answer() == 1
    assert byname.load_source(text, flags=["-DANSWER=1"]) is module
    (library,) = (tmp_path / "byname").glob("*.so")
    assert str(library) == module.path
    assert module.unload() == []
    with pytest.raises(RuntimeError, match="does not compile"):
        byname.load_source(text + "no")
    with pytest.raises(FileNotFoundError):
        byname.load_source(tmp_path / "none.cc")
    monkeypatch.setenv("CXX", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="no C\\+\\+ compiler: neither g\\+\\+ nor clang\\+\\+ is on the PATH"):
        byname.load_source(text, flags=["-DANSWER=2"])
    byname.collect()


@pytest.mark.parametrize("flags", ["-DANSWER=1", b"-DANSWER=1"])
def test_flags_in_one_text_are_refused(flags):
    with pytest.raises(TypeError) as raised:
        byname.load_source(SOURCE, flags=flags)
    assert str(raised.value) == f"expected a list of flags, as ['-DSIDES=4'], got {flags!r}"


def test_a_text_of_one_line_is_told_to_be_taken_for_a_path():
    text = 'BYNAME_LIBRARY("x", lib) {}'
    with pytest.raises(FileNotFoundError) as raised:
        byname.load_source(text)
    assert str(raised.value) == f"[Errno 2] a text of one line is a path, but there is no such file: {text!r}"


@pytest.mark.parametrize(
    ("output", "error"),
    [("", "[Errno 21] is a directory: '.'"), ("/no/x.so", "[Errno 2] no such directory: '/no'")],
)
def test_an_output_that_cannot_be_is_told(tmp_path, output, error):
    source = tmp_path / "answer.cc"
    source.write_text(SOURCE)
    assert run("build", str(source), "-DANSWER=42", "-o", output, status=1) == f"Error: {error}\n"


VALUE = 'extern "C" __attribute__((visibility("default"))) int value() { return VALUE; }\n'


def value_of(library):
    return ctypes.CDLL(os.path.abspath(library)).value()


class Compiler:
    """A compiler that keeps count, and a cache and a directory of the test's own."""

    def __init__(self, directory):
        self.log = directory / "log"
        self.path = directory / "compiler"
        self.cache = directory / "cache" / "byname"
        self.write()

    def write(self, *, version="", then=""):
        self.path.write_text(
            "#!/bin/sh\n"
            f'if [ "$1" = --version ]; then echo "{version}"; exec g++ --version; fi\n'
            f'echo >>"{self.log}"\n'
            f'g++ "$@"\nstatus=$?\n{then}\nexit $status\n'
        )
        self.path.chmod(0o755)

    def runs(self):
        """How often it compiled since it was last asked."""
        count = self.log.read_text().count("\n") if self.log.exists() else 0
        self.log.write_text("")
        return count


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    made = Compiler(tmp_path)
    monkeypatch.setenv("CXX", str(made.path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return made


def test_equal_builds_take_one_run_of_the_compiler(compiler):
    Path("m.cc").write_text(VALUE)
    library = _build.build("m.cc", flags=["-DVALUE=3"])
    assert (library.parent, value_of(library)) == (compiler.cache, 3)
    assert _build.build("m.cc", flags=["-DVALUE=3"]) == library
    for output in "a.so", "b.so", "a.so":
        assert run("build", "m.cc", "-DVALUE=3", "-o", output) == output + "\n"
        assert Path(output).read_bytes() == library.read_bytes()
        assert Path(output).stat().st_mode == library.stat().st_mode
    assert compiler.runs() == 1


def state_of(path):
    """Everything but when it was read."""
    state = os.stat(path)
    return {name: getattr(state, name) for name in dir(state) if name.startswith("st_") and "atime" not in name}


def test_an_output_that_is_up_to_date_is_left_as_it_is_and_another_replaced(compiler):
    Path("m.cc").write_text(VALUE)
    _build.build("m.cc", "m.so", flags=["-DVALUE=3"])
    before = state_of("m.so")
    _build.build("m.cc", "m.so", flags=["-DVALUE=3"])
    assert state_of("m.so") == before
    with open("m.so", "rb") as mapped:
        old = mapped.read()
        _build.build("m.cc", "m.so", flags=["-DVALUE=4"])
        mapped.seek(0)
        assert mapped.read() == old, "nobody's file is written over"
    assert value_of("m.so") == 4
    assert sorted(os.listdir()) == ["m.cc", "m.so"]


def test_files_of_one_name_in_two_directories_have_libraries_of_their_own(compiler, monkeypatch):
    for i, directory in enumerate(("one", "two")):
        Path(directory).mkdir()
        Path(directory, "m.cc").write_text('#include "x.h"\n' + VALUE)
        Path(directory, "x.h").write_text(f"#define VALUE {i}\n")
    assert [value_of(_build.build(f"{directory}/m.cc")) for directory in ("one", "two")] == [0, 1]
    for i, directory in enumerate(("one", "two")):
        with monkeypatch.context() as context:
            context.chdir(directory)
            assert value_of(_build.build("m.cc", flags=["-I."])) == i
    assert compiler.runs() == 4


def test_whatever_decides_is_compared(compiler, monkeypatch):
    Path("m.cc").write_text(VALUE)

    def is_compiled():
        _build.build("m.cc", flags=["-DVALUE=3"])
        return compiler.runs() == 1

    assert [is_compiled(), is_compiled()] == [True, False]
    compiler.write(version="another one")
    assert [is_compiled(), is_compiled()] == [True, False]
    monkeypatch.setenv("CPATH", "/nowhere")
    assert [is_compiled(), is_compiled()] == [True, False]
    monkeypatch.setattr(byname, "__version__", "99")
    assert [is_compiled(), is_compiled()] == [True, False]
    Path("m.cc").write_text(VALUE + "int another;\n")
    assert [is_compiled(), is_compiled()] == [True, False]
    Path("m.cc").write_text(VALUE)
    assert not is_compiled(), "it was compiled like this before"


def test_a_header_that_changed_compiles_anew(compiler):
    Path("my headers").mkdir()
    header = Path("my headers/x.h")
    Path("m.cc").write_text('#include "x.h"\n' + VALUE)
    for i in range(3):
        header.write_text(f"#define VALUE {i}\n")
        os.utime(header, (1, 1))
        assert [value_of(_build.build("m.cc", flags=["-Imy headers"])) for _ in range(2)] == [i, i]
        assert compiler.runs() == 1
    os.utime(header)
    assert value_of(_build.build("m.cc", flags=["-Imy headers"])) == 2
    assert compiler.runs() == 0, "its time alone is none of what decides"
    header.unlink()
    with pytest.raises(_build.CompileError, match="No such file"):
        _build.build("m.cc", flags=["-Imy headers"])


def test_a_header_that_changed_while_it_was_compiled_is_compiled_again(compiler):
    Path("x.h").write_text("#define VALUE 1\n")
    Path("m.cc").write_text('#include "x.h"\n' + VALUE)
    compiler.write(then="sleep 0.1; echo '#define VALUE 2' >x.h")
    assert value_of(_build.build("m.cc")) == 1
    compiler.write()
    assert value_of(_build.build("m.cc")) == 2
    assert compiler.runs() == 2


def test_objects_and_archives_are_compared_too(compiler):
    Path("m.cc").write_text("extern int number();\n" + VALUE)
    for i in range(2):
        Path("number.cc").write_text(f"int number() {{ return {i}; }}\n")
        subprocess.run(
            "g++ -fPIC -c number.cc -o 'a number.o' && ar rc libnumber.a 'a number.o'", shell=True, check=True
        )
        for flags in (["a number.o"], ["-L.", "-Wl,--push-state,--whole-archive,-lnumber,--pop-state"]):
            for _ in range(2):
                assert value_of(_build.build("m.cc", flags=["-DVALUE=number()", *flags])) == i
            assert compiler.runs() == 1


@pytest.mark.parametrize("flags", [["number.cc"], ["@flags"]])
def test_what_reads_files_that_nobody_tells_of_is_always_compiled(flags, compiler):
    Path("m.cc").write_text("extern int number();\n" + VALUE)
    Path("flags").write_text("number.cc")
    for i in range(2):
        Path("number.cc").write_text(f"int number() {{ return {i}; }}\n")
        assert value_of(_build.build("m.cc", flags=["-DVALUE=number()", *flags])) == i
    assert compiler.runs() == 2


def test_a_cache_that_was_damaged_is_made_anew(compiler):
    Path("m.cc").write_text(VALUE)
    library = _build.build("m.cc", flags=["-DVALUE=3"])
    (record,) = compiler.cache.glob("*.json")
    whole = library.read_bytes()

    def truncate(path):
        content = path.read_bytes()
        path.unlink()  # the library is mapped, perhaps
        path.write_bytes(content[: len(content) // 2])

    for damage in (truncate, Path.unlink):
        for path in (library, record):
            damage(path)
            assert _build.build("m.cc", flags=["-DVALUE=3"]) == library
            assert library.read_bytes() == whole
    assert compiler.runs() == 5


def test_processes_and_threads_may_build_at_once(compiler):
    Path("m.cc").write_text(VALUE)
    command = [sys.executable, "-m", "byname._command", "build", "m.cc", "-DVALUE=3", "-o", "m.so"]
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        (library,) = set(pool.map(lambda _: _build.build("m.cc", flags=["-DVALUE=3"]), range(4)))
    assert [process.wait() for process in processes] == [0] * 4
    assert value_of("m.so") == value_of(library) == 3
    assert sorted(path.suffix for path in compiler.cache.iterdir()) == [".json", ".so"]
    assert sorted(os.listdir()) == ["m.cc", "m.so"]


def shown_on_a_terminal(*arguments):
    """What the command writes to stderr, if that is a terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "byname._command", *arguments]
    subprocess.run(command, stderr=slave, stdout=subprocess.DEVNULL, check=True, env={**os.environ, "TERM": "xterm"})
    os.close(slave)
    shown = b""
    with contextlib.suppress(OSError):  # the end
        while part := os.read(master, 4096):
            shown += part
    os.close(master)
    return shown.decode()


def test_progress_is_shown_on_a_terminal_alone(compiler):
    Path("[m].cc").write_text(VALUE)
    assert "compiling [m].cc" in shown_on_a_terminal("build", "[m].cc", "-DVALUE=3")
    assert shown_on_a_terminal("build", "[m].cc", "-DVALUE=3") == "[m].cc is up to date\r\n"
    assert run("build", "[m].cc", "-DVALUE=4", stream="stderr") == ""
    assert run("build", "[m].cc", "-DVALUE=4", stream="stderr") == ""


def test_an_output_needs_no_cache(compiler, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    Path("m.cc").write_text(VALUE)
    assert value_of(_build.build("m.cc", "m.so", flags=["-DVALUE=3"])) == 3
    with pytest.raises(NotADirectoryError):
        _build.build("m.cc", flags=["-DVALUE=3"])


def test_a_header_of_a_source_that_changed_is_another_library(tmp_path, monkeypatch):
    source = tmp_path / "m.cc"
    source.write_text('#include "answer.h"\n' + SOURCE.replace("test.build", "test.header"))
    (tmp_path / "answer.h").write_text("#define ANSWER 41\n")
    module = byname.load_source(source)
    assert byname.ns.test.header.answer() == 41
    assert byname.load_source(source) is module
    assert module.unload() == []
    (tmp_path / "answer.h").write_text("#define ANSWER 42\n")
    module = byname.load_source(source)
    assert byname.ns.test.header.answer() == 42
    assert module.unload() == []
    byname.collect()


def test_flags_of_the_compiler_are_no_options_whatever_letters_they_have(compiler):
    Path("m.cc").write_text(VALUE)
    assert run("build", "m.cc", "-fno-rtti", "-Wno-pedantic", "-DVALUE=3", "-o", "-x.so") == "-x.so\n"
    assert value_of("-x.so") == 3
    assert run("build", "-ox.so", "m.cc", "-DVALUE=4") == "x.so\n"
    assert sorted(os.listdir()) == ["-x.so", "m.cc", "x.so"]
    text = run("build", "-fno-rtti", "m.cc", status=2)
    assert text.endswith("Error: Invalid value for 'SOURCE': File '-fno-rtti' does not exist.\n")


@pytest.mark.parametrize("name", ["-dash.cc", "@at.cc", b"na\xffme.cc"])
def test_a_file_of_any_name_is_built(name, compiler):
    name = os.fsdecode(name)
    Path(name).write_text(VALUE)
    for _ in range(2):
        printed = run("build", "--", name, "-DVALUE=3", binary=True)
        library = f"lib{Path(name).stem}.so"
        assert printed == os.fsencode(library) + b"\n"
        assert value_of(library) == 3
    assert compiler.runs() == 1


def test_messages_quote_source_that_is_no_utf_8(compiler):
    Path("m.cc").write_bytes(b'int x = "\xff";\n')
    text = run("build", "m.cc", status=1)
    assert text.startswith("Error: 'm.cc' does not compile:\nm.cc:1:9: error: ")
    assert '\n    1 | int x = "\ufffd";\n' in text


@pytest.mark.parametrize("flag", ["-fsyntax-only", "-c", "-E", "-S", "-M", "-MM", "-###"])
def test_a_flag_that_leaves_out_the_library_is_told(flag, compiler):
    Path("m.cc").write_text(VALUE)
    text = run("build", "m.cc", flag, "-DVALUE=3", status=1)
    assert text == "Error: 'm.cc' was compiled to no library (flags as -c leave it out)\n"
    assert os.listdir() == ["m.cc"]
    assert list(compiler.cache.iterdir()) == []


def test_the_compiler_is_named_as_to_a_shell(compiler, monkeypatch):
    Path("m.cc").write_text(VALUE)
    (compiler.path.parent / "my compilers").mkdir()
    compiler.path.rename(compiler.path.parent / "my compilers" / "compiler")
    monkeypatch.setenv("CXX", f"env '{compiler.path.parent}/my compilers/compiler'")
    assert value_of(_build.build("m.cc", flags=["-DVALUE=3"])) == 3
    assert compiler.runs() == 1
    lines = run("doctor").splitlines()
    assert f"compiler: env '{compiler.path.parent}/my compilers/compiler' -fno-gnu-unique" in lines


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("false", "'--version' ends with status 1"),
        ("/no/compiler -O3", "No such file or directory"),
        ("/tmp", "Permission denied"),
        ("'g++", "No closing quotation"),
    ],
)
def test_what_is_no_compiler_is_told(name, reason, compiler):
    Path("m.cc").write_text(VALUE)
    error = f"'{name}' is no C++ compiler: {reason} (CXX may name another)"
    assert run("build", "m.cc", status=1, environment={"CXX": name}) == f"Error: {error}\n"
    assert f"not for building plugins: {error}" in run("doctor", environment={"CXX": name}).splitlines()


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_name_of_the_compiler_is_none(name):
    assert any(line.startswith("compiler: g++ ") for line in run("doctor", environment={"CXX": name}).splitlines())
