"""The command `byname`: what it prints, its errors and exit statuses."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import plugin_path, run_python
from conftest import run_command as run

import byname
from byname import _build

CALLS = plugin_path("python_calls")
VALUES = plugin_path("python_values")
CALLBACKS = plugin_path("python_callbacks")
COMMANDS = plugin_path("python_commands")


def test_names_are_listed_with_schemas_and_documentation():
    lines = run("list", "calls.", "--module", CALLS).splitlines()
    assert lines[0].split() == ["name", "schema", "documentation"]
    listed = {line.split()[0]: line for line in lines[1:]}
    assert list(listed) == [name for name in byname.load(CALLS).names() if name.startswith("calls.")]
    assert " ".join(listed["calls.add"].split()) == "calls.add (int a, int b=1) -> int Add two integers."


def test_a_list_as_json_has_all_that_is_known():
    (row,) = json.loads(run("list", "calls.add", "-m", CALLS, "--json"))
    known = byname.load(CALLS).calls.add.describe()
    assert row == {key: known[key] for key in ("name", "schema", "doc", "module", "file", "line", "kind")}


def test_one_function_is_shown_with_its_place():
    known = byname.load(CALLS).calls.add.describe()
    assert run("show", "calls.add", "-m", CALLS) == (
        "calls.add(int a, int b=1) -> int\n\n"
        "    Add two integers.\n\n"
        f"{known['file']}:{known['line']}, {known['module']}\n"
    )


def test_modules_are_found_by_name():
    directory = os.path.dirname(CALLS)
    printed = run("call", "-m", "python_calls", "calls.add", "1", environment={"BYNAME_PATH": directory})
    assert printed == "2\n"


def test_calls_take_values_as_the_function_wants_them():
    def call(*arguments):
        return run("call", "-m", CALLS, "-m", VALUES, *arguments)

    assert call("calls.add", "1", "b=2") == "3\n"
    assert call("calls.add", "-5") == "-4\n"
    assert call("calls.join", "1", "2") == "12\n", "text stays text"
    assert call("calls.join", "a=x=y", "b=") == "x=y\n"
    assert call("values.list_of_int", "[1, 2]") == "[1, 2]\n"
    assert call("values.bool", "True") == "True\n"
    assert call("values.optional_int", "None") == ""
    assert call("calls.nothing") == ""


@pytest.fixture
def overloads(site):
    """Runs `byname call one.o`, of which no overload prints what another does."""
    site(
        "one",
        """
        import byname
        def library():
            byname.register("one::o.int", lambda a: a, schema="(int a) -> int")
            byname.register("one::o.text", lambda a, b: [a, b], schema="(str a, str b) -> str[]")
            byname.register("one::o.named", lambda x, *, text: [x, text], schema="(float x, *, str text) -> Any[]")
        """,
        one="library",
    )
    return lambda *words, status=0: run("call", "one.o", *words, status=status, environment=site.environment)


def test_overloads_take_keywords_that_any_of_them_has(overloads):
    assert overloads("a=1") == "1\n"
    assert overloads("a=x", "b=3") == "['x', '3']\n", "text where all that have the parameter want text"
    assert overloads("1", "text=3") == "[1.0, '3']\n"
    assert overloads('"1"', "2") == "['1', '2']\n"


def test_a_keyword_that_nothing_has_is_told_as_the_library_tells_it(overloads):
    assert overloads("1", "textt=3", status=1) == (
        "Error: one.o(): no overload takes (int, textt=int)\n"
        "  one::o.int(int a) -> int: unexpected keyword 'textt'\n"
        "  one::o.text(str a, str b) -> str[]: unexpected keyword 'textt'; "
        "argument 'b' (position 2) is missing\n"
        "  one::o.named(float x, *, str text) -> Any[]: unexpected keyword 'textt' (did you mean 'text'?); "
        "keyword argument 'text' is missing\n"
    )
    text = run("call", "-m", CALLS, "calls.keyword_only", "1", "bb=2", "cc=3", status=1)
    assert text == "Error: calls.keyword_only(): unexpected keyword 'bb'; unexpected keyword 'cc'\n"
    text = run("call", "-m", CALLS, "calls.sleep", "0", "second=1", status=1)
    assert text == "Error: calls.sleep(): unexpected keyword 'second' (did you mean 'seconds'?)\n"


def test_a_text_of_the_form_of_a_keyword_stands_behind_dashes_or_the_name(overloads):
    def call(*arguments):
        return run("call", "-m", CALLS, *arguments)

    assert call("calls.join", "--", "a=x", "b=y") == "a=xb=y\n"
    assert call("calls.join", "a=b=x", "b=y") == "b=xy\n"
    assert call("calls.join", "1=x", "=y") == "1=x=y\n", "no identifier stands before the ="
    assert call("calls.join", "b=y", "--", "--") == "--y\n"
    assert call("--", "calls.join", "a=x", "b=y") == "a=xb=y\n"
    assert overloads("b=y", "--", "a=x") == "['a=x', 'y']\n"


def test_calls_take_files_as_bytes_text_and_arrays(tmp_path):
    (tmp_path / "data").write_bytes(b"\0\xff")
    assert run("call", "-m", VALUES, "values.bytes", f"@{tmp_path}/data", binary=True) == b"\0\xff"
    (tmp_path / "text").write_text("ü")
    assert run("call", "-m", CALLS, "calls.join", f"@{tmp_path}/text", "1") == "ü1\n"
    np.save(tmp_path / "array.npy", np.ones(6))
    assert run("call", "-m", VALUES, "values.sum", f"@{tmp_path}/array.npy") == "6.0\n"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            ("call", "-m", CALLS, "calls.add", "x"),
            "Error: calls.add(): argument 'a' (position 1) expects int, got str\n",
        ),
        (
            ("call", "-m", CALLS, "calls.ad", "1"),
            "Error: nothing is registered under the name 'calls.ad' (did you mean 'calls.add'?)\n",
        ),
        (
            ("list", "-m", "/no/x.so"),
            "Error: cannot load '/no/x.so': /no/x.so: cannot open shared object file: No such file or directory ('/no' "
            "is no directory)\n",
        ),
        (("call", "-m", CALLS, "calls.add", "@/no/such"), "Error: [Errno 2] No such file or directory: '/no/such'\n"),
    ],
)
def test_errors_are_one_line_and_status_1(arguments, error):
    assert run(*arguments, status=1) == error


@pytest.mark.parametrize("written", ["", "no array", {}])
def test_a_file_that_is_no_array_is_told(written, tmp_path):
    path = tmp_path / "bad.npy"
    if isinstance(written, str):
        path.write_text(written)
    else:
        np.save(path, np.array(written, dtype=object))
    error = f"Error: '{path}' is no .npy file, or one of Python objects\n"
    assert run("call", "-m", VALUES, "values.sum", f"@{path}", status=1) == error
    missing = f"Error: [Errno 2] No such file or directory: '{tmp_path}/none.npy'\n"
    assert run("call", "-m", VALUES, "values.sum", f"@{tmp_path}/none.npy", status=1) == missing


def test_an_array_without_numpy_tells_what_to_install(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')")
    path = {"PYTHONPATH": f"{os.environ['PYTHONPATH']}:{tmp_path}"}
    error = "Error: numpy reads '@x.npy' and is not installed (pip install numpy)\n"
    assert run("call", "-m", VALUES, "values.sum", "@x.npy", status=1, environment=path) == error


def test_whatever_a_function_raises_is_one_entry(site):
    site(
        "one",
        """
        import byname
        def fail(how):
            exec(how)
        def library():
            byname.register("one.fail", fail)
        """,
        one="library",
    )

    def call(how):
        return run("call", "one.fail", how, status=1, environment=site.environment)

    assert call("import no_module") == "Error: No module named 'no_module'\n"
    assert call("how.no") == "Error: 'str' object has no attribute 'no'\n"
    assert call("assert False") == "Error: AssertionError\n"
    assert call(r"raise ValueError('\n \n')") == "Error: ValueError\n"
    assert call(r"raise ValueError('several\nlines\n\n  of it\n')") == "Error: several\n  lines\n    of it\n"
    assert call(r"raise ValueError('at\n    f(x\n      ^')") == "Error: at\n  f(x\n    ^\n"
    assert call(r"import warnings; warnings.warn('two\nlines'); how.no").startswith("Warning: two\n  lines\nError: ")


def test_wrong_usage_is_status_2():
    assert "No such command 'lst'" in run("lst", status=2)
    text = run("call", "-m", CALLS, "calls.add", "b=2", "1", status=2)
    assert text.splitlines()[-1] == "Error: value '1' follows a key=value pair"
    text = run("call", "-m", CALLS, "calls.add", "1", "b=2", "b=3", status=2)
    assert text.splitlines()[-1] == "Error: key 'b' is given twice"


def test_a_literal_that_is_no_value_is_text():
    for word in "{[]: 1}", "{[]}":
        text = run("call", "-m", CALLS, "calls.add", word, status=1)
        assert text == "Error: calls.add(): argument 'a' (position 1) expects int, got str\n"


def test_a_file_that_is_no_text_is_told(tmp_path):
    (tmp_path / "text").write_bytes(b"\xff")
    text = run("call", "-m", CALLS, "calls.join", f"@{tmp_path}/text", "1", status=1)
    assert text == f"Error: '{tmp_path}/text' is no text in UTF-8\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ("list", "-m", CALLS),
        ("list", "-m", CALLS, "--json"),
        ("call", "-m", CALLS, "calls.add", "1"),
        ("call", "-m", VALUES, "values.bytes", "b'x'"),
        ("command", "-m", CALLS),
        ("--help",),
    ],
)
def test_what_cannot_be_written_is_told_but_for_a_pipe_that_nobody_reads(words, unbuffered):
    reader, pipe = os.pipe()
    os.close(reader)
    tells = [
        (os.open("/dev/full", os.O_WRONLY), 1, "Error: cannot write to stdout: No space left on device\n"),
        (pipe, 1, ""),
        (None, 0, ""),
    ]
    for output, status, told in tells:
        done = subprocess.run(
            [sys.executable, "-m", "byname._command", *words],
            stdout=output,
            stderr=subprocess.PIPE,
            preexec_fn=(lambda: os.close(1)) if output is None else None,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
        assert (done.returncode, done.stderr) == (status, told)
        if output is not None:
            os.close(output)


@pytest.mark.parametrize(("words", "status"), [(("call", "nowhere.f"), 1), (("list", "--no-such-option"), 2)])
def test_errors_stay_untold_where_stderr_is_closed(words, status):
    done = subprocess.run(
        [sys.executable, "-m", "byname._command", *words],
        stdout=subprocess.PIPE,
        preexec_fn=lambda: os.close(2),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (status, b"")


def test_what_a_function_cannot_write_elsewhere_is_its_own_error(site):
    site(
        "one",
        """
        import byname, os
        def write():
            reader, pipe = os.pipe()
            os.close(reader)
            os.write(pipe, b"x")
        def library():
            byname.register("one.write", write)
            byname.register("one.say", lambda: print("said"))
        """,
        one="library",
    )
    assert run("call", "one.write", status=1, environment=site.environment) == "Error: [Errno 32] Broken pipe\n"
    assert run("call", "one.say", environment=site.environment) == "said\n"


def test_the_doctor_tells_what_is_here_and_what_failed():
    lines = run("doctor", "-m", CALLS).splitlines()
    header = (_build.include_directory() / "byname" / "c_types.h").read_text()
    interface = re.search(r"define BYNAME_ABI_VERSION (\d+)", header)[1]
    assert lines[0] == f"byname {byname.__version__} (interface {interface}), Python {sys.version.split()[0]}, linux"
    assert f"module: {CALLS}: {len(byname.load(CALLS).names())} names" in lines
    assert not any(line.startswith("failed") for line in lines)
    lines = run("doctor", "-m", "/no/x.so", "-m", CALLS, status=1, stream="stdout").splitlines()
    assert lines[-1] == (
        "failed: module '/no/x.so': cannot load '/no/x.so': /no/x.so: cannot open shared object file: No such file or "
        "directory ('/no' is no directory)"
    )


@pytest.mark.parametrize("opened", ["it", "its user"])
def test_the_doctor_tells_of_a_registration_that_fails_in_a_library_that_others_open(opened, site, tmp_path):
    broken, user = plugin_path("python_broken"), tmp_path / "libuser.so"
    (tmp_path / "user.c").touch()
    links = ["-Wl,--no-as-needed", broken]
    subprocess.run(["cc", "-shared", "-o", user, tmp_path / "user.c", *links], check=True)
    library = broken if opened == "it" else str(user)
    site("one", f"import ctypes\ndef library(): ctypes.CDLL({library!r})", one="library")

    def doctor(*arguments, stream="stdout"):
        return run("doctor", *arguments, status=1, stream=stream, environment=site.environment)

    (line,) = [line for line in doctor("-m", broken).splitlines() if line.startswith("failed: module")]
    reason = line.removeprefix(f"failed: module '{broken}': ")
    assert reason.endswith("python_broken.cc:6): the block went wrong")
    assert doctor().splitlines()[-1] == f"failed: registering 'broken': {reason}"
    assert doctor(stream="stderr") == ""
    assert json.loads(doctor("--json"))["failed"] == [f"registering 'broken': {reason}"]


def test_the_doctor_warns_of_what_is_no_failure(tmp_path):
    (tmp_path / "user.c").touch()
    library = tmp_path / "libuser.so"
    subprocess.run(["cc", "-shared", "-o", library, tmp_path / "user.c"], check=True)
    text = f"Warning: '{library}' registers nothing (it has no BYNAME_LIBRARY block)\n"
    assert run("doctor", "-m", str(library), stream="stderr") == text


def test_the_doctor_tells_which_compiler_would_build(tmp_path):
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\necho 'clang version 99.1'\necho more\n")
    compiler.chmod(0o755)
    lines = run("doctor", environment={"CXX": f"{compiler} -O3"}).splitlines()
    place = lines.index(f"compiler: {compiler} -O3")
    assert lines[place + 1] == "compiler version: clang version 99.1"
    report = json.loads(run("doctor", "--json", environment={"CXX": str(compiler)}))
    assert (report["compiler"], report["compiler version"]) == (str(compiler), "clang version 99.1")


def test_the_doctor_tells_where_plugins_come_from(site):
    site("one", f"library = {CALLS!r}", calls="library")
    assert "plugin: calls (one:library) of one 1.0" in run("doctor", environment=site.environment).splitlines()
    report = json.loads(run("doctor", "--json", environment=site.environment))
    assert report["plugins"] == [
        {"namespace": "calls", "entry point": "one:library", "distribution": "one", "version": "1.0"}
    ]


def test_flags_to_build_against_this_installation():
    includes, libraries = run("config", "--includes", "--libs").splitlines()
    assert os.path.isfile(includes.removeprefix("-I") + "/byname/byname.h")
    assert libraries.endswith(" -l:libbyname.so.0")
    none = f"no CMake package in '{_build.PACKAGE}': this is a build tree (install the wheel)"
    assert run("config", "--cmakedir", status=1) == f"Error: {none}\n"
    assert run("config") == f"cmakedir: {none}\nincludes: {includes}\nlibs: {libraries}\n"


def test_the_doctor_tells_who_holds_what(tmp_path):
    # Libraries that were loaded beside a program are held by what it keeps of them.
    script = f"""
        import gc, json, sys, byname
        from byname import _command
        module = byname.load({CALLBACKS!r})
        kept, values = module.callbacks.adder(1), [module.callbacks.hold([i]) for i in range(2)]
        sys.stdout.flush()
        def doctor(*arguments):
            try:
                _command.main(["doctor", *arguments], prog_name="byname")
            except SystemExit as end:
                assert end.code == 0
        doctor()
        module.unload()
        doctor("--json")
    """
    printed = run_python(script)
    text, json_text = printed[: printed.index("\n{")], printed[printed.index("\n{") :]
    lines = text.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith(f"module: {CALLBACKS}: "))
    assert lines[place].endswith(" names")
    holders = ["1 function value", "2 objects of type 'callbacks.Holder'"]
    assert lines[place + 1 : place + 3] == [f"  held by {holder}" for holder in holders]
    report = json.loads(json_text)
    assert report["modules"] == [{"path": CALLBACKS, "is_loaded": False, "names": 0, "holders": holders}]
    assert report["failed"] == []
    assert report["byname"] == byname.__version__


def complete(*words, environment=None):
    """What the shell is given for the last word, each as "type,text"."""
    done = subprocess.run(
        [sys.executable, "-c", "from byname._command import main; main(prog_name='byname')"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={
            **os.environ,
            "_BYNAME_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("byname", *words)),
            "COMP_CWORD": str(len(words)),
            **(environment or {}),
        },
    )
    assert done.stderr == ""
    return done.stdout.splitlines() if done.stdout.strip() else []


@pytest.mark.parametrize("command", ["list", "show", "call"])
def test_names_are_completed(command):
    assert complete(command, "-m", CALLS, "calls.ke") == ["plain,calls.keyword_only"]
    assert complete(command, "-m", "/no/x.so", "calls.ke") == []


def test_namespaces_of_plugins_and_names_in_them_are_completed(site):
    site("one", f"library = {CALLS!r}", calls="library")
    assert complete("show", "cal", environment=site.environment) == ["plain,calls."]
    assert complete("show", "calls.ke", environment=site.environment) == ["plain,calls.keyword_only"]
    assert run("list", "calls.ke", environment=site.environment).splitlines()[1].startswith("calls.keyword_only")


@pytest.mark.parametrize("command", ["list", "show", "call", "doctor", "command"])
def test_libraries_are_completed_by_their_names_and_as_files(command, tmp_path):
    (tmp_path / "libmath.so").touch()
    (tmp_path / "matrix.so").touch()
    path = {"BYNAME_PATH": f"/nowhere::{tmp_path}"}
    assert complete(command, "-m", "mat", environment=path) == ["plain,math", "plain,matrix"]
    assert complete(command, "-m", "./mat", environment=path) == ["file,./mat"]


def test_files_are_completed(tmp_path):
    assert complete("build", "ma") == ["file,ma"]
    assert complete("build", "a.cc", "-o", "lib") == ["file,lib"]
    (tmp_path / "data").mkdir()
    (tmp_path / "data.npy").touch()
    assert complete("call", "calls.add", f"@{tmp_path}/d") == [
        f"plain,@{tmp_path}/data/",
        f"plain,@{tmp_path}/data.npy",
    ]
    assert complete("call", "calls.add", "1") == []


def test_bash_completes_once_it_is_told_to(tmp_path):
    command = tmp_path / "byname"
    command.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "from byname._command import main; main(prog_name=\'byname\')" "$@"\n'
    )
    command.chmod(0o755)
    script = f"""
        eval "$(_BYNAME_COMPLETE=bash_source byname)"
        complete -p byname
        COMP_WORDS=(byname show -m {CALLS} calls.ke) COMP_CWORD=4
        _byname_completion byname calls.ke {CALLS}
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    assert done.stdout.splitlines() == ["complete -o nosort -F _byname_completion byname", "calls.keyword_only"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_told_how(shell):
    script = "\n".join(complete(environment={"_BYNAME_COMPLETE": f"{shell}_source"}))
    assert f"_BYNAME_COMPLETE={shell}_complete" in script


def test_commands_of_libraries_are_listed_with_the_first_line_of_their_documentation():
    printed = run("command", "-m", COMMANDS)
    listed = [line.split(maxsplit=1) for line in printed[printed.index("Commands:") :].splitlines()[1:]]
    assert listed == [
        ["commands.fail", "Fail."],
        ["commands.odd", "Take odd names."],
        ["commands.status", "End with a status."],
        ["commands.sum", "Add numbers up."],
        ["commands.train", "Train a model."],
        ["other.sum"],
    ]
    assert "No library that is loaded registers a command (-m loads one)." in run("command")


def test_a_command_takes_arguments_and_options_as_its_schema_says():
    assert run("command", "-m", COMMANDS, "commands.train", "lenet") == "lenet 100\n"
    assert run("command", "-m", COMMANDS, "train", "3", "--max-iterations", "7", "--verbose") == "3 7 verbosely\n"
    assert run("command", "-m", COMMANDS, "commands.command.train", "lenet", "--no-verbose") == "lenet 100\n"
    assert run("command", "-m", COMMANDS, "commands.sum", "1", "2", "3") == "6\n"
    assert run("command", "-m", COMMANDS, "commands.sum") == "0\n"


def test_a_command_tells_what_it_takes():
    printed = run("command", "-m", COMMANDS, "train", "--help")
    assert "train [OPTIONS] MODEL\n\n  Train a model.\n\n  Until it is good.\n" in printed
    assert "--max-iterations INT      [default: 100]\n  --verbose / --no-verbose  [default: False]\n" in printed


def test_a_command_ends_with_its_own_status_or_1_with_an_error():
    run("command", "-m", COMMANDS, "train", "lenet", "--max-iterations", "-1", status=3)
    assert run("command", "-m", COMMANDS, "fail", status=1) == "Error: no such device\n"
    assert "Missing argument 'MODEL'" in run("command", "-m", COMMANDS, "train", status=2)
    assert "'sum' is a command of several namespaces: commands.sum, other.sum" in run(
        "command", "-m", COMMANDS, "sum", status=2
    )


def test_a_status_that_the_system_cannot_keep_is_told_and_1():
    run("command", "-m", COMMANDS, "status", status=3)
    run("command", "-m", COMMANDS, "status", "--n", "255", status=255)
    for word, returned in ("256", 256), ("-2", -2), ("None", -1):
        assert run("command", "-m", COMMANDS, "status", "--n", word, status=1) == (
            f"Error: commands.command.status(): expected an exit status of 0 to 255, got {returned}\n"
        )


def test_a_command_may_have_odd_parameters():
    assert run("command", "-m", COMMANDS, "odd", "3", "[1]", "1", "2") == "3 1 2 00\n"
    assert run("command", "-m", COMMANDS, "odd", "3", "[1]", "--no-x", "--x", "True") == "3 1 0 11\n"
    assert run("command", "-m", COMMANDS, "commands.sum", "--", "-" * 90000 + "1", status=2).endswith(
        "Error: Invalid value for 'NUMBERS...': expects int, got str\n"
    )


@pytest.fixture
def nets(site):
    """Runs `byname command nets.train`, which prints what it is given."""
    schema = (
        '(str model, float[] sizes, int8 n=100, float[] rates=[0.5], str? out_file=None, bytes data="", '
        "bool verbose=False, *, Dict(str, int) d, bool shuffle, int[]? steps=None, int[2] shape=[3, 4]) -> int"
    )
    site(
        "nets",
        f"""
        import byname
        def train(model, sizes, n, rates, out_file, data, verbose, *, d, shuffle, steps, shape):
            print(model, sizes, n, rates, out_file, data, verbose, d, shuffle, steps, shape)
            return 0
        def library():
            byname.register("nets.command.train", train, doc="Train.", schema={schema!r})
            byname.register("nets.command.eval", lambda: 0, schema="() -> int")
            byname.register("other.command.evals", lambda: 0, schema="() -> int")
        """,
        nets="library",
    )
    needed = ("--d", "{'a': 1}", "--shuffle")

    def run_it(*words, required=needed, status=0):
        printed = run("command", "nets.train", *required, *words, status=status, environment=site.environment)
        return printed if status == 0 else printed.splitlines()[-1]

    return run_it


def test_a_command_of_every_kind_of_parameter_tells_what_it_takes(nets):
    assert nets("--help") == (
        "Usage: byname command nets.train [OPTIONS] MODEL SIZES...\n\n"
        "  Train.\n\n"
        "Options:\n"
        "  --n INT8                  [default: 100]\n"
        "  --rates FLOAT             May be given again.  [default: [0.5]]\n"
        "  --out-file STR?           [default: None]\n"
        "  --data BYTES              [default: b'']\n"
        "  --verbose / --no-verbose  [default: False]\n"
        "  --d DICT(STR, INT)        [required]\n"
        "  --shuffle / --no-shuffle  [required]\n"
        "  --steps INT               May be given again.  [default: None]\n"
        "  --shape INT[2]            [default: [3, 4]]\n"
        "  -h, --help                Show this message and exit.\n"
    )


def test_lists_are_the_words_at_the_end_and_options_that_are_given_again(nets):
    assert nets("a") == "a [] 100 [0.5] None b'' False {'a': 1} True None [3, 4]\n"
    assert nets("a", "1", "2") == "a [1.0, 2.0] 100 [0.5] None b'' False {'a': 1} True None [3, 4]\n"
    assert nets("a", "--rates", "0.1", "1", "--rates", "2", "--steps", "3", "--shape", "[5, 6]") == (
        "a [1.0] 100 [0.1, 2.0] None b'' False {'a': 1} True [3] [5, 6]\n"
    )


def test_options_are_flags_or_take_texts_files_and_none(nets, tmp_path):
    assert nets("a", "--verbose", "--no-shuffle", required=("--d", "{}")) == (
        "a [] 100 [0.5] None b'' True {} False None [3, 4]\n"
    )
    path = tmp_path / "data"
    path.write_text("ü")
    assert nets("a", "--data", f"@{path}", "--out-file", f"@{path}") == (
        f"a [] 100 [0.5] ü {'ü'.encode()} False {{'a': 1}} True None [3, 4]\n"
    )
    assert nets("None", "--data", "b'x'", "--out-file", "None") == (
        "None [] 100 [0.5] None b'x' False {'a': 1} True None [3, 4]\n"
    )


def test_negative_numbers_are_values_and_no_options(nets):
    assert nets("-5", "-5", "-0.5", "-.5e3", "-inf", "--n", "-5", "--rates", "-inf", "--rates=-.5") == (
        "-5 [-5.0, -0.5, -500.0, -inf] -5 [-inf, -0.5] None b'' False {'a': 1} True None [3, 4]\n"
    )
    assert nets("a", "nan", "inf") == "a [nan, inf] 100 [0.5] None b'' False {'a': 1} True None [3, 4]\n"
    assert nets("a", "--", "-5").startswith("a [-5.0] ")
    assert "No such option '--rate'" in nets("a", "--rate", "1", status=2)
    assert nets("a", "-x", status=2) == "Error: No such option '-x'."
    assert run("command", "-m", COMMANDS, "other.sum", "-5", status=2).splitlines()[-1] == (
        "Error: Got unexpected extra argument (-5)"
    )


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("a", "x"), "Invalid value for 'SIZES...': expects float, got str"),
        (("a", "--n", "1.5"), "Invalid value for '--n': expects int8, got float"),
        (("a", "--n", "300"), "Invalid value for '--n': expects int8, got 300 (out of range)"),
        (("a", "--rates", "[1]"), "Invalid value for '--rates': expects float, got list"),
        (("a", "--data", "x"), "Invalid value for '--data': expects bytes, got str"),
        (("a", "--d", "{'a': 1.5}"), "Invalid value for '--d': expects Dict(str, int), got dict (item 'a' is float)"),
        (("a", "--shape", "[1]"), "Invalid value for '--shape': expects int[2], got list (of 1 items)"),
        (("a", "--verbose=1"), "Option '--verbose' does not take a value."),
        ((), "Missing argument 'MODEL'."),
    ],
)
def test_a_value_of_another_type_is_wrong_usage(words, error, nets):
    assert nets(*words, status=2) == f"Error: {error}"


def test_an_option_without_a_default_is_required(nets):
    assert nets("a", required=("--shuffle",), status=2) == "Error: Missing option '--d'."
    assert nets("a", required=("--d", "{}"), status=2) == "Error: Missing option '--shuffle'."


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("evl", " Did you mean 'nets.eval'?"),
        ("nets.evl", " Did you mean 'nets.eval'?"),
        ("net.eval", " Did you mean 'nets.eval'?"),
        ("other.evl", " Did you mean 'other.evals'?"),
        ("sun", " Did you mean 'commands.sum' or 'other.sum'?"),
        ("list", ""),
    ],
)
def test_a_mistyped_command_is_told_with_the_nearest(name, hint, site, nets):
    text = run("command", "-m", COMMANDS, name, status=2, environment=site.environment)
    assert text == (
        "Usage: byname command [OPTIONS] [NAME [ARGS]...]\n"
        "Try 'byname command --help' for help.\n\n"
        f"Error: No such command '{name}'.{hint}\n"
    )


def test_installed_plugins_are_listed(site):
    site("one", f"library = {CALLS!r}", calls="library")

    def listed(*arguments):
        lines = run("list", *arguments, environment=site.environment).splitlines()[1:]
        return {line.split()[0] for line in lines}

    assert "calls.add" in listed()
    assert listed("cal") == listed("calls.") == set(byname.load(CALLS).names())
    assert listed("calls.ad") == {"calls.add"}
    assert listed("val") == set()


def test_a_library_that_is_named_stands_for_an_installed_plugin_of_its_namespace(site):
    site("one", "raise RuntimeError('imported')", calls="library")
    assert "calls.add" in run("list", "-m", CALLS, environment=site.environment)


def test_commands_of_installed_plugins_are_run_by_their_names(site):
    site("one", f"library = {COMMANDS!r}", commands="library")
    assert "  commands.train   Train a model.\n" in run("command", environment=site.environment)
    assert run("command", "train", "lenet", environment=site.environment) == "lenet 100\n"
    assert run("command", "commands.train", "lenet", environment=site.environment) == "lenet 100\n"
    assert complete("command", "tra", environment=site.environment) == []
    assert complete("command", "commands.tra", environment=site.environment) == ["plain,commands.train"]


def test_an_installed_plugin_that_fails_is_warned_about_in_one_line(site):
    site("bad", "raise RuntimeError('out of order')", other="library")
    site("one", f"library = {COMMANDS!r}", commands="library")
    told = "Warning: plugin 'other' (bad:library of bad) failed: RuntimeError: out of order\n"
    assert run("call", "other.f", status=1, environment=site.environment).startswith(told + "Error: nothing is ")
    assert run("command", "fail", status=1, environment=site.environment) == told + "Error: no such device\n"
    assert complete("command", "commands.tra", environment=site.environment) == ["plain,commands.train"]
    lines = run("doctor", status=1, environment=site.environment, stream="stdout").splitlines()
    assert lines[-1] == "failed: plugin 'other' (bad:library of bad): out of order"
    (site.path / "bad.py").write_text(r"raise RuntimeError('out\nof order')")
    lines = run("doctor", status=1, environment=site.environment, stream="stdout").splitlines()
    assert lines[-2:] == ["failed: plugin 'other' (bad:library of bad): out", "  of order"]


def test_the_doctor_tells_of_distributions_whose_metadata_is_broken(site):
    site("bad", "", other="library")
    path = site.path / "bad-1.0.dist-info"
    (path / "entry_points.txt").write_text("[byname.plugins]\nother\n")
    site("one", f"library = {CALLS!r}", calls="library")
    lines = run("doctor", status=1, environment=site.environment, stream="stdout").splitlines()
    assert lines[-2:] == [
        "plugin: calls (one:library) of one 1.0",
        f"failed: reading the entry points of '{path}': Pair.__new__() missing 1 required positional argument: 'value'",
    ]
    assert run("doctor", status=1, environment=site.environment, stream="stderr") == ""


@pytest.mark.parametrize("command", ["show", "call"])
def test_a_misspelled_namespace_of_an_installed_plugin_is_told(command, site):
    site("one", f"library = {CALLS!r}", calls="library")
    assert run(command, "cals.add", status=1, environment=site.environment) == (
        "Error: nothing is registered under the name 'cals.add' (did you mean 'calls', the namespace of a plugin?)\n"
    )
    assert run(command, "values.f", status=1, environment=site.environment) == (
        "Error: nothing is registered under the name 'values.f' "
        "(nothing is registered under 'values.'; is its library loaded, and linked whole?)\n"
    )
