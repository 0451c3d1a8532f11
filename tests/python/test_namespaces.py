"""Names as attributes: byname.ns, a module's namespaces, functions that are namespaces, too."""

import copy
import pickle

import pytest
from conftest import plugin_path

import byname


def test_attributes_are_names(calls):
    assert byname.ns.calls.add(1, 2) == 3
    assert byname.ns.calls != calls  # which is a module's, not everybody's
    assert repr(byname.ns) == "<byname.Namespace>"
    assert repr(byname.ns.calls) == "<byname.Namespace calls>"
    assert byname.ns.calls.add == calls.add
    assert isinstance(byname.ns.calls, byname.Namespace)
    assert not callable(byname.ns.calls)


def test_hasattr_works(calls):
    assert hasattr(byname.ns, "calls")
    assert hasattr(byname.ns.calls, "add")
    assert not hasattr(byname.ns.calls, "ad")
    assert not hasattr(byname.ns, "no_such_namespace")
    assert not hasattr(byname.ns.calls, "__wrapped__")
    assert getattr(byname.ns.calls, "ad", None) is None


def test_a_lone_surrogate_is_no_attribute(calls):
    for holder in (byname.ns, byname.ns.calls, calls, calls.add):
        assert not hasattr(holder, "\ud800")
    with pytest.raises(AttributeError) as error:
        getattr(byname.ns, "\ud800")
    assert str(error.value) == "expected a name in UTF-8, got '\\ud800'"


def test_a_missing_name_tells_near_ones(calls):
    with pytest.raises(byname.NotFound) as error:
        byname.ns.calls.ad  # noqa: B018
    assert str(error.value) == "nothing is registered under the name 'calls.ad' (did you mean 'calls.add'?)"
    module = byname.load(plugin_path("python_calls"))
    with pytest.raises(byname.NotFound) as error:
        module.calls.ad  # noqa: B018
    assert str(error.value) == (
        f"module '{module.path}' registered nothing under the name 'calls.ad' (did you mean 'calls.add'?)"
    )


def test_a_name_that_is_also_a_prefix_is_a_callable_namespace(calls):
    assert calls.space() == "function"
    assert calls.space.inner(3) == 3
    assert byname.ns.calls.space.inner(4) == 4
    assert "inner" in dir(calls.space)
    assert hasattr(calls.space, "inner")
    assert not hasattr(calls.space, "outer")


def test_attributes_are_neither_set_nor_deleted(calls):
    module = byname.load(plugin_path("python_calls"))
    for object_, type_, name in (
        (byname.ns, "Namespace", "new"),
        (byname.ns.calls, "Namespace", "add"),
        (module, "Module", "path"),
        (calls.add, "Function", "name"),
        (calls.add, "Function", "__doc__"),
    ):
        for act in (lambda o, n: setattr(o, n, 1), delattr):
            with pytest.raises(AttributeError) as error:
                act(object_, name)
            assert str(error.value) == (
                f"'byname.{type_}' object attribute '{name}' is read-only "
                "(names come and go by byname.register and byname.remove)"
            )
    assert calls.add(1, 2) == 3


def test_dir_lists_what_is_below(calls):
    assert {"add", "half", "space", "throw"} <= set(dir(byname.ns.calls))
    assert "inner" not in dir(byname.ns.calls)
    assert dir(byname.ns.calls.space) != []
    assert "calls" in dir(byname.ns)
    module = byname.load(plugin_path("python_calls"))
    assert {"calls", "names", "path", "unload", "is_loaded"} <= set(dir(module))
    assert {"width", "kind"} <= set(dir(byname.load(plugin_path("python_values")).values))


def test_overloads_are_one_function(values):
    assert values.width(3) == "uint8"
    assert byname.ns.values.width == values.width


def test_what_comes_and_goes_is_seen_at_once(new_name):
    name = new_name("inner.f")
    space, inner, _ = name.split(".")
    assert not hasattr(byname.ns, space)
    byname.register(name, lambda: 1)
    namespace = getattr(byname.ns, space)
    function = namespace.inner.f
    assert function() == 1
    assert namespace.inner.f is function
    byname.register(f"{space}.{inner}", lambda: "inner")
    try:
        assert namespace.inner() == "inner"
        assert namespace.inner.f() == 1
    finally:
        byname.remove(f"{space}.{inner}")
    assert not callable(namespace.inner)
    byname.remove(name)
    assert not hasattr(namespace, "inner")
    assert not hasattr(byname.ns, space)
    byname.register(name, lambda: 2)
    assert namespace.inner.f() == 2
    assert function() == 2


def test_namespaces_are_copied_pickled_and_compared(calls):
    assert byname.ns.calls == byname.ns.calls
    assert hash(byname.ns.calls) == hash(byname.ns.calls)
    assert byname.ns.calls != byname.ns
    assert byname.ns != 3
    for again in (
        pickle.loads(pickle.dumps(byname.ns.calls)),
        copy.copy(byname.ns.calls),
        copy.deepcopy(byname.ns.calls),
    ):
        assert again == byname.ns.calls
    assert pickle.loads(pickle.dumps(calls)) == calls
    with pytest.raises(AttributeError):
        byname.ns.calls = 3
