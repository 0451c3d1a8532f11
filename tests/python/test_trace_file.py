"""The file that BYNAME_TRACE names: whole whatever happens, and shared by the processes that are alive."""

import os
import signal
import socket
import subprocess
import sys

import pytest
from conftest import run_python
from traces import CALLS, read_calls, trace, trace_calls

# Each call is written at once, and warnings are printed.
CHILD = (
    CALLS
    + """
import warnings
warnings.showwarning = lambda message, category, *_: print(f"{category.__name__}: {message}", flush=True)
byname.register("test.trace.fails", lambda: 1 / 0)
child = os.fork()
if child != 0:
    sys.exit(os.waitpid(child, 0)[1])
"""
)


def test_children_of_a_fork_add_their_own_events(tmp_path):
    events, _ = trace_calls(
        tmp_path,
        """
        calls.add(1, 2)
        child = os.fork()
        calls.add(1, 2)
        if child != 0:
            os.waitpid(child, 0)
        """,
    )
    assert len(events) == 3
    assert len({event["pid"] for event in events}) == 2


def test_a_child_that_outlives_its_parent_adds_its_events(tmp_path):
    events, _ = trace_calls(
        tmp_path,
        """
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(writer)
            os.read(reader, 1)  # until the parent has ended
            calls.add(1, 2)
            os._exit(0)
        calls.add(1, 2)
        """,
    )
    assert len({event["pid"] for event in events}) == len(events) == 2


def test_workers_add_their_events(tmp_path):
    events, _ = trace_calls(
        tmp_path,
        """
        import multiprocessing
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.starmap(calls.add, [(i, 1) for i in range(10)]) == list(range(1, 11))
        """,
    )
    assert len(events) == 10


def test_a_process_that_a_traced_one_starts_adds_its_events(tmp_path):
    code = CALLS + "calls.add(1, 2)\n"
    events, _ = trace_calls(
        tmp_path,
        f"""
        calls.add(1, 2)
        started = [subprocess.Popen([sys.executable, "-c", {code!r}]) for _ in range(3)]
        assert [each.wait() for each in started] == [0, 0, 0]
        calls.add(1, 2)
        """,
    )
    assert len(events) == 5
    assert len({event["pid"] for event in events}) == 4


def test_processes_that_start_and_end_at_any_time_leave_a_whole_trace(tmp_path):
    path = tmp_path / "trace.json"
    environment = {**os.environ, "BYNAME_TRACE": str(path)}
    command = [sys.executable, "-c", CALLS + "for i in range(500): calls.add(1, 2)\n"]
    started = [subprocess.Popen(command, env=environment) for _ in range(8)]
    assert [each.wait(60) for each in started] == [0] * 8
    events = read_calls(path)
    assert len(events) % 500 == 0 < len(events)


def test_a_process_that_is_killed_leaves_a_whole_trace(tmp_path):
    events, _ = trace_calls(
        tmp_path,
        """
        for i in range(2000):
            calls.add(1, 2)
        os.kill(os.getpid(), signal.SIGKILL)
        """,
        status=-signal.SIGKILL,
    )
    assert 0 < len(events) <= 2000


def test_a_trace_that_nobody_writes_to_is_begun_anew(tmp_path):
    path = tmp_path / "trace.json"
    trace_calls(tmp_path, "calls.add(1, 2)")
    whole = path.read_text()
    for before in (whole, whole[:-2], whole[:20], ""):  # as a process leaves it that ended in the middle
        path.write_text(before)
        assert [len(trace_calls(tmp_path, "calls.add(1, 2)")[0]) for _ in range(2)] == [1, 1]


def refusal(path):
    """Why a process does not write to the path."""
    script = "import byname; assert byname.names('nothing') == []"
    warned = run_python(script, environment={"BYNAME_TRACE": str(path)}, stream="stderr")
    begin = f"byname: RuntimeWarning: cannot write the trace '{path}' that BYNAME_TRACE names: "
    assert warned.startswith(begin)
    return warned.removeprefix(begin)


def test_a_file_that_cannot_be_written_is_warned_about(tmp_path):
    assert refusal(tmp_path / "no" / "such" / "directory") == "No such file or directory\n"


def test_what_is_no_regular_file_is_warned_about(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "fifo", tmp_path / "socket", tmp_path, "/dev/null"):
            assert refusal(path) == "not a regular file\n"


def incomplete(path, why):
    return f"RuntimeWarning: the trace '{path}' is incomplete: {why}\n"


def test_a_trace_ends_whole_at_the_limit_of_its_size_which_is_warned_about_once(tmp_path):
    events, printed = trace(
        tmp_path,
        CHILD
        + """
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
for i in range(100):
    assert calls.add(1, 2) == 3
""",
    )
    assert 0 < len(events) < 100
    assert printed == incomplete(tmp_path / "trace.json", "File too large")


def test_a_warning_leaves_the_error_of_the_call_as_it_is(tmp_path):
    events, printed = trace(
        tmp_path,
        CHILD
        + """
resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
warned = warnings.showwarning
def calls_and_fails(*arguments):
    warned(*arguments)
    calls.add(1, 2)
    try:
        calls.add("")
    except TypeError:
        pass
warnings.showwarning = calls_and_fails
try:
    byname.get("test.trace.fails")()
except ZeroDivisionError as error:
    print(error)
""",
    )
    assert events == []
    assert printed == incomplete(tmp_path / "trace.json", "File too large") + "division by zero\n"


def test_a_trace_ends_whole_on_a_full_disk(tmp_path):
    path = tmp_path / "trace.json"
    mounted = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=8k none {tmp_path} && exec "$@"', "sh"]
    if subprocess.run([*mounted, "true"], capture_output=True, timeout=60, check=False).returncode != 0:
        pytest.skip("a disk cannot be mounted")
    script = (
        CHILD
        + f"""
for i in range(100):
    assert calls.add(1, 2) == 3
sys.stdout.write(open({str(path)!r}).read())
"""
    )
    done = subprocess.run(
        [*mounted, sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "BYNAME_TRACE": str(path)},
    )
    warning = incomplete(path, "No space left on device")
    assert done.stdout.startswith(warning)
    path.write_text(done.stdout.removeprefix(warning))
    assert 20 < len(read_calls(path)) < 100
    assert path.stat().st_size > 2 * 4096 - 300


def test_what_is_left_when_a_process_ends_is_warned_about_as_well(tmp_path):
    events, printed = trace_calls(
        tmp_path,
        """
        calls.add(1, 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        os.dup2(1, 2)
        """,
    )
    assert events == []
    assert printed == "byname: " + incomplete(tmp_path / "trace.json", "File too large")


def test_files_that_a_program_opens_in_place_of_the_trace_have_none_of_it(tmp_path):
    events, printed = trace(
        tmp_path,
        CHILD
        + f"""
calls.add(1, 2)
os.closerange(3, 256)
files = [open({str(tmp_path)!r} + f"/file{{i}}", "w") for i in range(20)]
calls.add(1, 2)
calls.add(1, 2)
""",
    )
    assert len(events) == 1
    assert printed == incomplete(tmp_path / "trace.json", "its descriptor was closed")
    assert {path.stat().st_size for path in tmp_path.glob("file*")} == {0}


def test_what_another_program_writes_to_a_trace_stays_there(tmp_path):
    path = tmp_path / "trace.json"
    started = CALLS + "calls.add(1, 2)\n"
    printed = run_python(
        CHILD
        + f"""
with open({str(path)!r}, "a") as file:
    file.write("mine")
calls.add(1, 2)
subprocess.run([sys.executable, "-c", {started!r}], stderr=sys.stdout, check=True)
""",
        environment={"BYNAME_TRACE": str(path)},
    )
    why = "it is no trace any more"
    assert printed.splitlines() == [
        f"RuntimeWarning: the trace '{path}' is incomplete: {why}",
        f"byname: RuntimeWarning: cannot write the trace '{path}' that BYNAME_TRACE names: {why}",
    ]
    assert path.read_text().endswith("\n]\nmine")


def test_a_closed_standard_stream_is_not_the_trace(tmp_path):
    started = CALLS + "calls.add(1, 2); print(os.path.exists('/proc/self/fd/0'))"
    printed = run_python(
        f"import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, '-c', {started!r}])",
        environment={"BYNAME_TRACE": str(tmp_path / "trace.json")},
    )
    assert printed == "False\n"
    assert len(read_calls(tmp_path / "trace.json")) == 1


def test_without_locks_a_process_traces_as_if_alone(tmp_path):
    # As a file system without locks does: fcntl with F_GETLK to F_SETLKW, which is 5 to 7, fails with ENOLCK, 37.
    refuses = f"""
import ctypes, fcntl, os, platform, struct, sys
number = {{"x86_64": 72, "aarch64": 25}}[platform.machine()]
steps = [(0x20, 0, 0, 0), (0x15, 0, 4, number), (0x20, 0, 0, 24), (0x35, 0, 2, 5), (0x25, 1, 0, 7),
         (0x06, 0, 0, 0x50000 + 37), (0x06, 0, 0, 0x7FFF0000)]
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
prctl = ctypes.CDLL(None, use_errno=True).prctl
header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(program)))
assert prctl(38, 1, 0, 0, 0) == 0
assert prctl(22, 2, header, 0, 0) == 0
try:
    fcntl.lockf(open(os.devnull), fcntl.LOCK_SH)
except OSError as error:
    print(error)
sys.stdout.flush()
os.execv(sys.executable, [sys.executable, "-c", {(CALLS + "calls.add(1, 2)")!r}])
"""
    for _ in range(2):
        printed = run_python(refuses, environment={"BYNAME_TRACE": str(tmp_path / "trace.json")})
        assert printed == "[Errno 37] No locks available\n"
        assert len(read_calls(tmp_path / "trace.json")) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="nobody else may run a program with another user's rights")
def test_a_program_that_runs_with_another_users_rights_is_not_traced(tmp_path):
    def make(real_user):
        path = tmp_path / f"{real_user}.json"
        subprocess.run(
            [sys.executable, "-c", "import byname; byname.register('f', lambda: 1); byname.get('f')()"],
            env={**os.environ, "BYNAME_TRACE": str(path)},
            preexec_fn=lambda: os.setresuid(real_user, 0, 0),
            timeout=60,
            check=False,  # a sanitizer's runtime is not preloaded then
        )
        return path

    assert len(read_calls(make(0))) == 1
    assert not make(65534).exists()


@pytest.mark.parametrize(
    ("change", "reason"),
    [("os.truncate(path, 0)", "it is no trace any more"), ("os.remove(path)", "it was removed")],
)
def test_a_trace_that_somebody_else_changes_is_given_up_with_a_warning(tmp_path, change, reason):
    path = tmp_path / "trace.json"
    printed = run_python(
        CHILD.replace("child = os.fork()", f"path = {str(path)!r}\nchild = os.fork()") + f"{change}\ncalls.add(1, 2)",
        environment={"BYNAME_TRACE": str(path)},
    )
    assert printed == f"RuntimeWarning: the trace '{path}' is incomplete: {reason}\n"


@pytest.mark.parametrize("text", ["notes\n", "[\n1\n]\n"])
def test_a_file_that_is_no_trace_is_left_alone(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    assert refusal(path) == "it is no trace\n"
    assert path.read_text() == text
