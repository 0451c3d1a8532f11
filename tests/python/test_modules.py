"""Libraries: loading, what they registered, unloading."""

import inspect
import os
import pathlib
import pickle

import pytest
from conftest import plugin_path, run_python

import byname


def test_a_module_tells_what_it_is(calls):
    path = plugin_path("python_calls")
    module = byname.load(path)
    assert module.path == path
    assert module.is_loaded
    assert repr(module) == f"<byname.Module {path!r}>"
    assert {"calls.add", "calls.space", "calls.space.inner"} <= set(module.names())
    assert module.names() == sorted(module.names())
    assert module.calls.add(1, 2) == 3
    assert isinstance(module, byname.Object)


# Fault: importing and loading again
def test_loading_what_is_loaded_gives_the_same_module():
    path = plugin_path("python_calls")
    module = byname.load(path)
    assert byname.load(path) is module
    assert byname.load(pathlib.Path(path)) is module
    assert byname.load(path.encode()) is module
    assert pickle.loads(pickle.dumps(module)) is module


def test_all_modules_are_listed():
    module = byname.load(plugin_path("python_calls"))
    assert module in byname.modules()


def test_a_library_that_is_not_there():
    with pytest.raises(FileNotFoundError, match=r"/no/such/library\.so") as error:
        byname.load("/no/such/library.so")
    assert "cannot open shared object file" in str(error.value)
    with pytest.raises(TypeError):
        byname.load(3)


def test_a_name_is_searched_in_the_directories_of_the_call(calls):
    directory = pathlib.Path(plugin_path("python_calls")).parent
    module = byname.load(plugin_path("python_calls"))
    for search in ([directory], ["/nowhere", str(directory)], (os.fsencode(directory),), directory, str(directory)):
        assert byname.load("python_calls", search=search) is module
    with pytest.raises(FileNotFoundError, match="a name is searched on BYNAME_PATH"):
        byname.load("python_nowhere", search=["/nowhere"])
    with pytest.raises(TypeError):
        byname.load("python_calls", search=[1])
    assert inspect.signature(byname.load) == inspect.signature(lambda path, /, *, search=(): None)


def test_reloading_gives_functions_and_namespaces_the_new_code(tmp_path):
    printed = run_python(f"""
        import os, shutil, byname
        plugins = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/"
        path = {str(tmp_path)!r} + "/libreload.so"
        ended = []
        byname.register("test.reload.hear", lambda version: ended.append(version), schema="(int version) -> ()")
        def install(version):
            shutil.copy(plugins + f"libcore_reload{{version}}.so", path + ".new")
            os.rename(path + ".new", path)
        install(1)
        module = byname.load(path)
        version, space, own = byname.get("core.reload.version"), module.core.reload, module["core.reload.own"]
        thing = space.Thing()
        print(version(), own(), hasattr(space, "only_1"), hasattr(space, "only_2"))
        install(2)
        print(module.reload())
        print(version(), space.version(), own(), hasattr(space, "only_1"), hasattr(space, "only_2"), ended)
        install(3)
        try:
            module.reload()
        except TypeError as error:
            print(error)
        print(version(), module.is_loaded, hasattr(byname.ns.core.reload, "own"), space.own() == own())
        try:
            module["core.reload.owm"]
        except byname.NotFound as error:
            print(str(error).replace(path, "…"))
        del thing
        print(module.unload())
    """)
    assert printed.splitlines() == [
        "1 10 True False",
        "[\"1 object of type 'core.reload.Thing'\"]",
        "2 2 20 False True [1]",
        "type 'core.reload.Thing' is laid out otherwise than 1 object that lives: expected 32 bytes aligned to 8, got "
        "64 bytes aligned to 8 (drop them, or rebuild)",
        "2 True False True",
        "module '…' registered nothing under the name 'core.reload.owm' (did you mean 'core.reload.own'?)",
        "[]",
    ]


def test_threads_that_reload_a_module_at_once_take_turns():
    printed = run_python("""
        import os, threading, byname
        path = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libcore_math.so"
        module = byname.load(path)
        add = byname.get("core.math.add")
        failures = []
        def work():
            try:
                for _ in range(10):
                    module.reload()
                    assert add(1, 2) == 3
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(failures, module.is_loaded, byname.load(path) is module, byname.modules() == [module])
        print(module.holders(), module.unload())
    """)
    assert printed.splitlines() == ["[] True True True", "[] []"]


# Fault: an exception inside of a registration block
def test_an_exception_in_a_block_is_the_load_error_and_registers_nothing():
    for _ in range(2):
        with pytest.raises(RuntimeError) as error:
            byname.load(plugin_path("python_broken"))
        source = pathlib.Path(__file__).resolve().parent.parent / "plugins" / "python_broken.cc"
        assert str(error.value) == f"block 'broken' ({source}:6): the block went wrong"
        assert byname.names("broken") == []


# Fault: what is registered after a removal
def test_unloading_removes_names_and_tells_who_holds_the_code():
    printed = run_python("""
        import gc, os, byname
        path = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so"
        module = byname.load(path)
        handle = module.callbacks.adder
        plus3 = handle(3)
        print(module.unload() != [], module.is_loaded, byname.names("callbacks"), module.names())
        print(plus3(4))
        print(hasattr(module, "callbacks"), hasattr(byname.ns, "callbacks"))
        try:
            handle(1)
        except byname.NotFound as error:
            print(error)
        print(repr(handle), "(unloaded)" in repr(module))
        del plus3
        gc.collect()
        byname.collect()
        module = byname.load(path)
        print(handle(2)(2), module.is_loaded)
    """)
    assert printed.splitlines() == [
        "True False [] []",
        "7",
        "False False",
        "'callbacks.adder' is not registered any more (it was removed, or its module unloaded)",
        "<byname.Function callbacks.adder (removed)> True",
        "4 True",
    ]


# Fault: a hundred loads and unloads
def test_a_hundred_loads_and_unloads_end_where_they_began():
    printed = run_python("""
        import gc, os, byname
        path = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so"
        def mapped():
            with open("/proc/self/maps") as file:
                return any("libpython_callbacks" in line for line in file)
        for i in range(100):
            module = byname.load(path)
            assert module.callbacks.call(lambda: i) == i
            holder = module.callbacks.hold([i])
            assert module.callbacks.held(holder) == [i]
            del holder
            gc.collect()
            holders = module.unload()
            del module
            gc.collect()
            byname.collect()
        print(holders, byname.names("callbacks"), mapped())
    """)
    assert printed.strip() == "[] [] False"


def test_an_extension_module_registers_when_it_is_imported_and_stays_when_it_is_unloaded():
    printed = run_python("""
        import os, sys, byname
        sys.path.append(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/python")
        print(byname.names("extension"), byname.modules())
        import extension
        print(byname.ns.extension.twice(21), extension.answer())
        (module,) = byname.modules()
        print(module.path == extension.__file__, module.names())
        print(module.unload(), byname.names("extension"), extension.answer())
        print(byname.load(extension.__file__).extension.twice(21))
    """)
    assert printed.splitlines() == [
        "[] []",
        "42 42",
        "True ['extension.twice']",
        "['whoever else opened it, links it or uses its symbols, or a thread with thread_local objects of it'] [] 42",
        "42",
    ]


# Fault: a returned array outlives its module
def test_an_object_outlives_its_module():
    printed = run_python("""
        import gc, os, byname, numpy
        values = byname.load(os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_values.so")
        tensor = values.values.bfloat16()
        print(any("Tensor" in holder for holder in values.unload()), numpy.asarray(tensor).tolist())
        del tensor
        gc.collect()
        byname.collect()
    """)
    assert printed.strip() == "True [16256, 16384, 49216]"


# Fault: a worker that called into a module ends after its unload
def test_a_thread_that_called_into_a_module_may_end_after_its_unload():
    printed = run_python("""
        import os, threading, byname
        path = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_callbacks.so"
        module = byname.load(path)
        called, unloaded = threading.Event(), threading.Event()
        def work():
            assert module.callbacks.held(module.callbacks.hold(7)) == 7
            called.set()
            unloaded.wait()
        thread = threading.Thread(target=work)
        thread.start()
        called.wait()
        print(module.unload())
        with open("/proc/self/maps") as file:
            print(any("libpython_callbacks" in line for line in file))
        unloaded.set()
        thread.join()
    """)
    assert printed.splitlines() == ["[]", "False"]


@pytest.mark.parametrize("order", [("gcc", "clang"), ("clang", "gcc")])
def test_plugins_of_both_compilers_work_together(order):
    """Plugins built with gcc and clang mix."""
    if not pathlib.Path(plugin_path("python_calls", "clang")).exists():
        pytest.skip("no plugins of the other compiler")
    printed = run_python(f"""
        import os, byname
        plugins = os.environ["BYNAME_TEST_PLUGIN_DIR"]
        calls = byname.load(f"{{plugins}}/{order[0]}/libpython_calls.so").calls
        callbacks = byname.load(f"{{plugins}}/{order[1]}/libpython_callbacks.so").callbacks
        print(callbacks.call(calls.nothing), callbacks.apply(calls.add, [1, 2]))
        print(callbacks.caught(lambda: calls.throw("own")))
        try:
            callbacks.call(lambda: calls.throw("runtime_error"))
        except RuntimeError as error:
            print(error)
        print(calls.half("x") if False else calls.half(3))
    """)
    assert printed.splitlines() == ["None 3", "calls.Error: our own (a ValueError)", "went wrong", "1.5"]
