"""What Python's own tools see of functions."""

import copy
import functools
import inspect
import pickle
import pydoc

import pytest
from conftest import plugin_path, run_python

import byname


def test_names_documentation_and_schema(calls):
    add = calls.add
    assert (add.__name__, add.__qualname__, add.__module__, add.__doc__) == (
        "add",
        "add",
        "byname.ns.calls",
        "Add two integers.",
    )
    assert add.name == "calls.add"
    assert add.schema == "calls.add(int a, int b=1) -> int"
    assert repr(add) == "<byname.Function calls.add(int a, int b=1) -> int>"
    assert calls.half.__doc__ is None
    assert byname.Function.__name__ == "Function"
    assert byname.Function.__doc__.startswith("A function of Byname.")


def test_the_signature(calls):
    assert str(inspect.signature(calls.add)) == "(a: int, b: int = 1) -> int"
    assert str(inspect.signature(calls.keyword_only)) == "(a: int, *, b: int = 2, c: str = 'x') -> str"
    assert calls.add.__text_signature__ == "(a, b=1)"
    assert inspect.signature(calls.add).bind(1, b=2).arguments == {"a": 1, "b": 2}
    assert str(inspect.signature(calls.count)) == "(*arguments) -> int"
    assert str(inspect.signature(calls.nothing)) == "() -> None"


def test_the_signature_of_conversions(values):
    expected = {
        "optional_int": "(x: int | None) -> int | None",
        "list_of_int": "(x: list[int]) -> list[int]",
        "list_of_list": "(x: list[list[str]]) -> list[list[str]]",
        "dict": "(x: dict[str, int]) -> dict[str, int]",
        "tuple": "(x: tuple[int, str]) -> tuple[int, str]",
        "tensor": "(x: 'Tensor') -> 'Tensor'",
        "bytes": "(x: bytes) -> bytes",
        "uint8": "(x: int) -> int",
        "float32": "(x: float) -> float",
    }
    for name, signature in expected.items():
        assert str(inspect.signature(getattr(values, name))) == signature


def test_overloads_have_no_one_signature(values):
    with pytest.raises(ValueError, match="has overloads") as error:
        inspect.signature(values.kind)
    assert str(error.value).startswith("'values.kind' has overloads, so no one signature: ")
    assert values.kind.__text_signature__ is None
    assert len(values.kind.describe()["overloads"]) == 3


def test_help_shows_signature_and_documentation(calls):
    text = pydoc.plain(pydoc.render_doc(calls.add))
    assert "add(a: int, b: int = 1) -> int\n    Add two integers." in text
    assert "load(path, /, *, search=())" in pydoc.plain(pydoc.render_doc(byname.load))
    for thing in (
        byname.Function,
        byname.Tensor,
        byname.Module,
        byname.Object,
        byname.Namespace,
        byname.errors,
        byname,
    ):
        assert pydoc.render_doc(thing)


def test_everything_public_is_documented():
    for name in byname.__all__:
        assert getattr(byname, name).__doc__, name
    for type_ in (byname.Function, byname.Tensor, byname.Module, byname.Object):
        for name, attribute in vars(type_).items():
            if not name.startswith("_"):
                assert attribute.__doc__, f"{type_.__name__}.{name}"


def test_functions_describe_themselves(calls):
    described = calls.add.describe()
    assert described["name"] == "calls.add"
    assert described["kind"] == "function"
    assert described["doc"] == "Add two integers."
    assert described["parameters"] == [
        {"name": "a", "type": "int", "keyword_only": False},
        {"name": "b", "type": "int", "keyword_only": False, "default": 1},
    ]
    assert calls.sleep.describe()["flags"] == ["blocking"]


def test_a_function_can_be_wrapped_and_used_as_a_class_attribute(calls):
    @functools.wraps(calls.add)
    def wrapper(*arguments):
        return calls.add(*arguments)

    assert wrapper.__name__ == "add"
    assert str(inspect.signature(wrapper)) == "(a: int, b: int = 1) -> int"

    class Class:
        add = calls.add

    assert Class().add(1, 2) == 3
    assert functools.partial(calls.add, 1)(2) == 3


def test_functions_are_equal_by_what_they_stand_for(calls, callbacks):
    assert calls.add == byname.get("calls.add")
    assert hash(calls.add) == hash(byname.get("calls.add"))
    assert calls.add != calls.half
    assert calls.add != 3
    assert calls.add in {byname.get("calls.add"): 1}
    assert callbacks.adder(1) != callbacks.adder(1)


def test_functions_are_pickled_and_copied_by_name(calls, callbacks):
    for again in (pickle.loads(pickle.dumps(calls.add)), copy.copy(calls.add), copy.deepcopy(calls.add)):
        assert again == calls.add
        assert again(1, 2) == 3
    with pytest.raises(TypeError) as error:
        pickle.dumps(callbacks.adder(1))
    assert str(error.value) == "a function without a name cannot be pickled (register it)"


def test_a_pickled_function_loads_its_module_elsewhere(calls, tmp_path):
    (tmp_path / "add").write_bytes(pickle.dumps(calls.add))
    printed = run_python(f"""
        import pickle
        print(pickle.load(open({str(tmp_path / "add")!r}, "rb"))(1, 2))
    """)
    assert printed.strip() == "3"


def test_a_pickle_of_overloads_knows_their_module(values):
    overloads = values.kind
    assert overloads.describe()["module"] == values.echo.describe()["module"] != ""


def test_a_name_of_a_module_alone_is_pickled_as_such():
    module = byname.load(plugin_path("core_reload1"))
    byname.register("test.reload.hear", lambda version: None)
    try:
        for own in (module["core.reload.own"], module["core.reload.both"], module["core.reload.pick"]):
            assert pickle.loads(pickle.dumps(own)) == own
        assert module["core.reload.both"]() == 10
        assert pickle.loads(pickle.dumps(byname.get("core.reload.both")))() == 1
    finally:
        del own
        module.unload()
        byname.remove("test.reload.hear")


def test_a_function_passes_a_process_pool(calls):
    printed = run_python("""
        import os, multiprocessing, byname
        if __name__ == "__main__":
            path = os.environ["BYNAME_TEST_PLUGIN_DIR"] + "/gcc/libpython_calls.so"
            add = byname.load(path).calls.add
            for method in ("fork", "forkserver"):
                with multiprocessing.get_context(method).Pool(2) as pool:
                    print(pool.map(add, range(5)))
    """)
    assert printed.splitlines() == ["[1, 2, 3, 4, 5]"] * 2


def test_what_the_package_shows_says_that_it_is_its_own():
    for function, text in (
        (byname.load, "load() missing 1 required positional argument: 'path'"),
        (byname.get, "byname.get() takes exactly one argument (0 given)"),
        (byname.remove, "byname.remove() takes exactly one argument (0 given)"),
    ):
        assert function.__module__ == "byname"
        assert pickle.loads(pickle.dumps(function)) is function
        with pytest.raises(TypeError) as error:
            function()
        assert str(error.value) == text
    with pytest.raises(TypeError) as error:
        byname.collect(1)
    assert str(error.value) == "byname.collect() takes no arguments (1 given)"


def test_dir_lists_all_of_the_package():
    assert set(byname.__all__) <= set(dir(byname))
    assert {"__name__", "__version__"} <= set(dir(byname))
