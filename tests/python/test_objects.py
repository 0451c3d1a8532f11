"""Objects of C++ as opaque ones of Python."""

import collections.abc
import gc
import pickle
import threading
import weakref

import pytest

import byname


def test_an_object_prints_its_type_and_address(callbacks):
    holder = callbacks.hold(1)
    assert isinstance(holder, byname.Object)
    assert holder.type_key == "callbacks.Holder"
    assert repr(holder).startswith("<callbacks.Holder object at 0x")


def test_the_same_object_of_cpp_is_the_same_object_here(callbacks, values):
    holder = callbacks.hold([1, 2])
    around = callbacks.hold(holder)
    assert callbacks.held(around) is holder
    assert values.echo([holder, holder]) == [holder, holder]
    assert hash(values.echo(holder)) == hash(holder)
    assert {holder: 1}[callbacks.held(around)] == 1
    assert callbacks.hold(1) != callbacks.hold(1)


def test_an_object_lives_while_cpp_holds_it(callbacks):
    around = callbacks.hold(callbacks.hold("inner"))
    gc.collect()
    inner = callbacks.held(around)
    assert callbacks.held(inner) == "inner"
    gone = weakref.ref(inner)
    del inner
    assert gone() is None
    assert callbacks.held(callbacks.held(around)) == "inner"


def test_an_object_is_passed_only_as_what_it_is(callbacks, values):
    holder = callbacks.hold(1)
    with pytest.raises(TypeError) as error:
        values.int64(holder)
    assert str(error.value) == "values.int64(): argument 'x' (position 1) expects int, got callbacks.Holder"
    with pytest.raises(TypeError) as error:
        callbacks.held(3)
    assert str(error.value) == "callbacks.held(): argument '_0' (position 1) expects callbacks.Holder, got int"


def test_objects_cannot_be_made_or_pickled_or_given_attributes(callbacks):
    holder = callbacks.hold(1)
    with pytest.raises(TypeError):
        byname.Object()
    with pytest.raises(TypeError) as error:
        pickle.dumps(holder)
    assert str(error.value) == "a callbacks.Holder object cannot be pickled"
    with pytest.raises(AttributeError):
        holder.attribute = 1


def test_an_object_of_python_keeps_the_name_that_its_class_had(values):
    class Thing:
        pass

    for renamed in ("Renamed", "Größer", "D" * 1000):
        thing = Thing()
        name = Thing.__name__
        values.keep(thing)
        Thing.__name__ = renamed
        assert values.type_name(thing) == renamed
        assert values.type_name_of_kept() == name
        del thing
    Other = type("Other", (), {"__slots__": ()})
    other = type("Gone", (), {"__slots__": ()})()
    values.keep(other)
    other.__class__ = Other
    gc.collect()
    assert values.type_name_of_kept() == "Gone"
    values.keep(None)


def test_a_class_that_is_renamed_while_its_object_is_converted(values):
    class Items(collections.abc.Sequence):
        def __len__(self):
            return 1

        def __getitem__(self, i):
            type(self).__name__ = "D" * 1000
            return ["no number"][i]

    with pytest.raises(TypeError) as error:
        values.list_of_int(Items())
    assert (
        str(error.value) == "values.list_of_int(): argument 'x' (position 1) expects int[], got Items (item 0 is str)"
    )


def test_a_tensor_and_a_module_are_objects(values):
    import numpy as np

    tensor = values.tensor(np.zeros(3))
    assert isinstance(tensor, byname.Object)
    assert tensor.type_key == "Tensor"
    assert repr(tensor) == "<byname.Tensor of shape (3,), float64, on cpu>"
    assert values.echo(tensor) is tensor


# Fault: a tree that is a million deep
def test_a_million_objects_that_hold_each_other_go_on_a_small_stack(callbacks):
    def build_and_drop():
        holder = None
        for _ in range(1_000_000):
            holder = callbacks.hold(holder)
        depths.append(repr(holder)[:18])

    depths = []
    size = threading.stack_size(512 << 10)
    try:
        thread = threading.Thread(target=build_and_drop)
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    assert depths == ["<callbacks.Holder "]


def test_a_destructor_runs_when_the_last_reference_goes(callbacks):
    seen = []
    guard = callbacks.guard(lambda: seen.append(1))
    around = callbacks.hold(guard)
    del guard
    gc.collect()
    assert seen == []
    del around
    assert seen == [1]
