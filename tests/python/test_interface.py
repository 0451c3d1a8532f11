"""Classes of C++ that Python classes implement: products, arguments, errors, life times."""

import gc
import weakref

import pytest
from conftest import plugin_path

import byname


@pytest.fixture(scope="module")
def commands():
    return byname.load(plugin_path("python_commands")).commands


@pytest.fixture
def steps(commands):
    yield byname.Factory("commands.step")
    for name in byname.names("commands.step."):
        if name.rpartition(".")[2] not in ("Add", "Chain"):
            byname.remove(name)


def test_products_written_in_python_are_made_and_called_by_cpp(commands, steps):
    @steps.product("Times")
    class Times(steps.base):
        """Multiplies."""

        def __init__(self, by: int = 2):
            self.by = by

        def run(self, x):
            return x * self.by

    assert commands.make_and_run("Times", 21) == 42
    assert steps.creator("Times").schema == "commands.step.Times(int by=2) -> commands.Step"
    chain = steps.create(
        {"type": "Chain", "steps": [{"type": "Times", "by": 3}, {"type": "Add"}, {"type": "Times", "by": 10}]}
    )
    assert commands.Step.run(chain, 1) == 40
    assert commands.Step.title(chain) == "[a step][a step][a step]", "C++'s own, as Python defines none"


def test_instances_are_objects_of_the_type_where_cpp_takes_them(commands, steps):
    class Titled(byname.interface("commands.Step")):
        def run(self, x):
            return -x

        def title(self):
            return "negate"

    one = Titled()
    assert commands.Step.run(one, 3) == -3
    assert commands.Step.title(steps.create("Chain", [one, one])) == "[negate][negate]"
    assert byname.interface("commands.Step") is steps.base
    assert isinstance(one, steps.base)


def test_cpp_keeps_an_instance_as_long_as_its_object(commands):
    class Counting(byname.interface("commands.Step")):
        def run(self, x):
            return x + 1

    one = Counting()
    alive = weakref.ref(one)
    commands.keep(one)
    del one
    gc.collect()
    assert commands.run_kept(1) == 2
    commands.drop_kept()
    gc.collect()
    assert alive() is None


def test_what_a_method_raises_comes_back_through_cpp(commands):
    problem = KeyError("no such step")

    class Failing(byname.interface("commands.Step")):
        def run(self, x):
            raise problem

    class Wrong(byname.interface("commands.Step")):
        def run(self, x):
            return "text"

    with pytest.raises(KeyError) as error:
        commands.Step.run(Failing(), 1)
    assert error.value is problem
    with pytest.raises(TypeError, match="the result expects int, got str"):
        commands.Step.run(Wrong(), 1)


def test_a_class_without_the_methods_is_abstract(commands):
    class Nothing(byname.interface("commands.Step")):
        pass

    with pytest.raises(TypeError, match=r"abstract (class|method).*run"):
        Nothing()
    assert byname.interface("commands.Step").run.__doc__ == (
        "commands.Step.run(commands.Step self, int x) -> int\n\nThe number that x becomes."
    )
    assert byname.interface("commands.Step").__doc__ == "To be derived from: what C++ knows as 'commands.Step'."


def test_an_attribute_that_fails_is_told_as_it_fails(commands):
    class Broken(byname.interface("commands.Step")):
        @property
        def run(self):
            raise AttributeError("no device")

    with pytest.raises(AttributeError, match="no device"):
        commands.Step.run(Broken(), 1)


def test_a_class_whose_instances_are_values_already_is_refused(commands):
    for kind in (list, dict, int, str, KeyError):
        with pytest.raises(TypeError) as error:
            type("Both", (byname.interface("commands.Step"), kind), {"run": lambda self, x: x})
        name = "BaseException" if kind is KeyError else kind.__name__
        assert str(error.value) == f"a class that implements 'commands.Step' cannot be a {name} as well"


def test_what_cannot_be_implemented_is_told(commands, steps):
    with pytest.raises(TypeError) as error:
        byname.interface("commands.step.Add")
    assert str(error.value) == (
        "'commands.step.Add' is not for implementing in Python: its constructor takes int n "
        "(one that can be takes the methods, as functions)"
    )
    with pytest.raises(byname.NotFound):
        byname.interface("commands.None")
    with pytest.raises(TypeError) as error:
        byname.Factory("commands.fixed").base  # noqa: B018
    assert str(error.value) == (
        "'commands.Fixed' is not for implementing in Python: it has no constructor "
        "(one that can be takes the methods, as functions)"
    )
    with pytest.raises(TypeError) as error:
        byname.Factory("commands.nothing").base  # noqa: B018
    assert str(error.value) == (
        "byname.Factory('commands.nothing') makes anything: no library has declared of which type its objects are"
    )
    with pytest.raises(TypeError) as error:
        steps.product("Foreign", int)
    assert str(error.value) == "expected a class that derives from byname.interface('commands.Step'), got int"


def test_a_function_may_make_products_and_its_result_is_checked(commands, steps):
    class Half(steps.base):
        def run(self, x):
            return x // 2

    @steps.product("Halves")
    def halves(times: int) -> steps.base:
        return steps.create("Chain", [Half()] * times)

    @steps.product("Broken")
    def broken():
        return 3

    assert commands.Step.run(steps.create("Halves", 3), 80) == 10
    with pytest.raises(TypeError) as error:
        steps.create("Broken")
    assert str(error.value) == "commands.step.Broken(): the result expects commands.Step, got int"


def test_any_object_can_say_which_value_it_stands_for(commands):
    class Answer:
        def __byname_value__(self):
            return 42

    class Endless:
        def __byname_value__(self):
            return self

    class Failing:
        def __byname_value__(self):
            raise LookupError("no value")

    def echo(x):
        return x

    byname.register("test.echo", echo)
    try:
        assert commands.Step.run(byname.Factory("commands.step").create("Add", Answer()), Answer()) == 84
        assert byname.get("test.echo")([Answer()]) == [42]
        assert byname.get("test.echo")(Answer) is Answer, "a class is none of its instances"
        with pytest.raises(RecursionError):
            byname.get("test.echo")(Endless())
        with pytest.raises(LookupError, match="no value"):
            byname.get("test.echo")(Failing())
    finally:
        byname.remove("test.echo")


def test_variants_are_told_apart_by_the_factory():
    floats = byname.Factory("test.numbers", "float32")
    doubles = byname.Factory("test.numbers", "float64")
    assert repr(floats) == "byname.Factory('test.numbers', 'float32')"
    floats.product("One", lambda x: ("float32", x))
    doubles.product("One", lambda x, y: ("float64", x, y))
    try:
        assert floats.create("One", 1) == ("float32", 1)
        assert doubles.create({"type": "One", "x": 1, "y": 2}) == ("float64", 1, 2)
        assert floats.types() == doubles.types() == ["One"]
    finally:
        byname.remove("test.numbers::One.float32")
        byname.remove("test.numbers::One.float64")
