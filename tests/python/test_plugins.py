"""Plugins of other distributions, found by the entry points `byname.plugins`."""

import textwrap

import pytest
from conftest import plugin_path, run_python


def run(site, script):
    return run_python(
        f"import sys; sys.path.insert(0, {str(site.path)!r})\nimport byname, warnings\n" + textwrap.dedent(script)
    ).splitlines()


def test_a_library_is_loaded_when_its_namespace_is_first_missed(site):
    site("one", f"print('imported')\nlibrary = {plugin_path('python_calls')!r}", calls="library")
    printed = run(
        site,
        """
        print(byname.names("calls"), hasattr(byname.ns, "callz"))
        print(byname.get("calls.add")(1, 2), byname.ns.calls.sub(3, 1))
        """,
    )
    assert printed == ["[] False", "imported", "3 2"]


def test_attributes_load_it_too_and_an_unknown_name_is_not_found(site):
    site("one", f"library = {plugin_path('python_calls')!r}", calls="library")
    printed = run(
        site,
        """
        print(byname.ns.calls.add(1, 2))
        try:
            byname.get("calls.ad")
        except byname.NotFound as error:
            print(error)
        """,
    )
    assert printed == ["3", "nothing is registered under the name 'calls.ad' (did you mean 'calls.add'?)"]


def test_a_function_may_give_the_path_or_load_by_itself(site):
    site(
        "two",
        f"""
        import byname
        def path():
            return {plugin_path("python_calls")!r}
        def register():
            byname.register("mine.deep.f", lambda: 5)
        """,
        calls="path",
        mine_deep="register",
    )
    assert run(site, 'print(byname.get("mine.deep.f")(), byname.ns.calls.add(1))') == ["5 2"]


def test_one_that_fails_is_warned_about_and_leaves_the_others(site):
    site("bad", "raise RuntimeError('out of order')", calls="library", other="library")
    site("good", f"library = {plugin_path('python_calls')!r}", calls="library")
    printed = run(
        site,
        """
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(byname.ns.calls.add(1, 2))
            print(hasattr(byname.ns, "other"), hasattr(byname.ns, "other"))
        for warning in caught:
            print(warning.category.__name__, warning.message)
        from byname import _plugins
        print(*_plugins.failures.items(), sep="\\n")
        """,
    )
    assert printed == [
        "3",
        "False False",
        "RuntimeWarning plugin 'calls' (bad:library of bad) failed: RuntimeError: out of order",
        "RuntimeWarning plugin 'other' (bad:library of bad) failed: RuntimeError: out of order",
        """("plugin 'calls' (bad:library of bad)", RuntimeError('out of order'))""",
        """("plugin 'other' (bad:library of bad)", RuntimeError('out of order'))""",
    ]


def test_threads_that_miss_at_once_load_it_once(site):
    site(
        "slow",
        f"import time\ntime.sleep(0.2)\nprint('imported')\nlibrary = {plugin_path('python_calls')!r}",
        calls="library",
    )
    printed = run(
        site,
        """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(8) as pool:
            print(list(pool.map(lambda i: byname.get("calls.add")(i, 1), range(8))))
        """,
    )
    assert printed == ["imported", "[1, 2, 3, 4, 5, 6, 7, 8]"]


def test_a_child_that_is_forked_while_a_plugin_is_loaded_can_load_others(site):
    slow = "import time\ntime.sleep(1)\nlibrary = " + repr(plugin_path("python_values"))
    site("slow", slow, values="library")
    site("one", f"library = {plugin_path('python_calls')!r}", calls="library")
    printed = run(
        site,
        """
        import os, threading, time
        loader = threading.Thread(target=lambda: byname.get("values.int"))
        loader.start()
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            os._exit(byname.get("calls.add")(1, 2))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        loader.join()
        """,
    )
    assert printed == ["3"]


def test_a_configuration_loads_the_plugin_of_its_factory(site):
    site("one", f"library = {plugin_path('python_commands')!r}", commands="library")
    printed = run(
        site,
        """
        step = byname.Factory("commands.step").create({"type": "Add", "n": 2})
        print(byname.ns.commands.Step.run(step, 40))
        """,
    )
    assert printed == ["42"]


def test_a_module_that_looks_up_names_while_a_thread_waits_for_it_to_load_its_plugin_goes_on(site):
    site(
        "one",
        f"""
        import byname, time
        time.sleep(0.5)  # the other thread waits for this module by now
        print(hasattr(byname.ns, "calls"))
        library = {plugin_path("python_calls")!r}
        """,
        calls="library",
    )
    printed = run(
        site,
        """
        import threading, time
        found = []
        timer = threading.Timer(0.2, lambda: found.append(byname.ns.calls.add(1, 2)))
        timer.start()
        import one
        timer.join()
        print(found, byname.ns.calls.sub(3, 1))
        """,
    )
    assert printed == ["False", "[3] 2"]


def test_threads_that_each_load_a_plugin_of_a_module_that_the_other_imports_both_go_on(site):
    for name, other in (("one", "two"), ("two", "one")):
        site(
            name,
            f"""
            import byname, time
            time.sleep(0.3)
            hasattr(byname.ns, "{other}")
            def library():
                byname.register("{name}.f", lambda: "{name}")
            """,
            **{name: "library"},
        )
    printed = run(
        site,
        """
        from concurrent.futures import ThreadPoolExecutor
        warnings.simplefilter("error")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(__import__, ["one", "two"]))
        print(byname.ns.one.f(), byname.ns.two.f())
        """,
    )
    assert printed == ["one two"]


def test_a_module_may_look_up_names_of_its_own_plugin_when_it_is_imported(site):
    site(
        "one",
        f"""
        import byname
        print(hasattr(byname.ns, "calls"))
        library = {plugin_path("python_calls")!r}
        print(hasattr(byname.ns, "calls"))
        """,
        calls="library",
    )
    assert run(site, "import one\nprint(byname.ns.calls.add(1, 2))") == ["False", "True", "3"]


def test_a_thread_waits_for_what_another_one_loads_and_registers_late(site):
    site(
        "slow",
        """
        import byname, time
        def register():
            print("called")
            hasattr(byname.ns, "slow")
            time.sleep(0.3)
            byname.register("slow.f", lambda: 5)
        """,
        slow="register",
    )
    printed = run(
        site,
        """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(4) as pool:
            print(list(pool.map(lambda _: byname.get("slow.f")(), range(4))))
        """,
    )
    assert printed == ["called", "[5, 5, 5, 5]"]


def test_a_child_loads_what_a_thread_of_its_parent_was_loading(site):
    site(
        "slow",
        """
        import byname, time
        def register():
            time.sleep(1)
            byname.register("slow.f", lambda: 5)
        """,
        slow="register",
    )
    site("one", "import byname\ndef register(): byname.register('one.f', lambda: 1)", one="register")
    printed = run(
        site,
        """
        import os, threading, time
        warnings.simplefilter("error")
        assert byname.ns.one.f() == 1
        loader = threading.Thread(target=lambda: byname.get("slow.f"))
        loader.start()
        time.sleep(0.3)
        child = os.fork()
        if child == 0:
            os._exit(byname.get("slow.f")() + hasattr(byname.ns.one, "none"))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        loader.join()
        """,
    )
    assert printed == ["5"]


def test_an_interrupt_reaches_who_looks_up_a_name_and_the_plugin_is_tried_again(site):
    site(
        "one",
        f"""
        import signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # who ran this may ignore it
        tries = []
        def library():
            tries.append(1)
            if len(tries) < 3:
                signal.raise_signal(signal.SIGINT)
            return {plugin_path("python_calls")!r}
        """,
        calls="library",
    )
    printed = run(
        site,
        """
        for look_up in (lambda: byname.get("calls.add"), lambda: byname.ns.calls, lambda: byname.ns.calls.add(1, 2)):
            try:
                print(look_up())
            except KeyboardInterrupt:
                print("interrupted")
        """,
    )
    assert printed == ["interrupted", "interrupted", "3"]


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("import sys\nsys.exit('no license')", "SystemExit: no license"),
        ("class Panic(BaseException): pass\nraise Panic('at once')", "Panic: at once"),
        ("library = None", "TypeError: expected a path or a function, got None"),
    ],
)
def test_whatever_a_plugin_raises_but_an_interrupt_is_its_failure(site, code, failure):
    site("bad", code, calls="library")
    printed = run(
        site,
        """
        with warnings.catch_warnings(record=True) as caught:
            print(hasattr(byname.ns, "calls"))
        print(*[warning.message for warning in caught])
        """,
    )
    assert printed == ["False", f"plugin 'calls' (bad:library of bad) failed: {failure}"]


def test_warnings_that_are_errors_reach_who_looks_up_a_name(site):
    site("bad", "raise RuntimeError('out of order')", calls="library")
    printed = run(
        site,
        """
        warnings.simplefilter("error")
        try:
            byname.get("calls.add")
        except RuntimeWarning as error:
            print(error)
        """,
    )
    assert printed == ["plugin 'calls' (bad:library of bad) failed: RuntimeError: out of order"]


def test_distributions_whose_metadata_is_broken_are_warned_about_and_leave_the_others(site):
    site("a", "", other="library")
    (site.path / "a-1.0.dist-info" / "entry_points.txt").write_bytes(b"\xff")
    site("words", "", other="library")
    (site.path / "words-1.0.dist-info" / "entry_points.txt").write_text("[byname.plugins]\nother\n")
    (site.path / ".egg-info").mkdir()
    site("one", f"library = {plugin_path('python_calls')!r}", calls="library")
    printed = run(
        site,
        """
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(byname.ns.calls.add(1, 2), hasattr(byname.ns, "other"))
        print(*sorted(f"{w.category.__name__} {w.message} at {w.filename}:{w.lineno}" for w in caught), sep="\\n")
        """,
    )
    reasons = {
        ".egg-info": "ValueError: the distribution has no name",
        "a-1.0.dist-info": "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        "words-1.0.dist-info": "TypeError: Pair.__new__() missing 1 required positional argument: 'value'",
    }
    assert printed == ["3 False"] + [
        f"RuntimeWarning reading the entry points of '{site.path}/{name}' failed: {reason} at <string>:6"
        for name, reason in reasons.items()
    ]


def test_of_two_distributions_of_one_name_the_first_counts_beside_a_broken_one_too(site):
    (site.path / ".egg-info").mkdir()
    site("one", "raise RuntimeError('the second')", calls="library")
    first = site.path / "first"
    (first / "One-0.9.dist-info").mkdir(parents=True)
    (first / "One-0.9.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: One\nVersion: 0.9\n")
    printed = run(
        site,
        f"""
        sys.path.insert(0, {str(first)!r})
        print(hasattr(byname.ns, "calls"))
        """,
    )
    assert printed == ["False"]
