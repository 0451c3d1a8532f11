"""NumPy: arrays without copies both ways, scalars as their Python twins."""

import gc
import itertools
import weakref

import ml_dtypes
import numpy as np
import pytest
from conftest import run_python
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import byname

DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES += ["float16", "float32", "float64", "complex64", "complex128", "bool"]


# Fault: bool and bfloat16
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_every_type_share_their_memory(values, dtype):
    array = np.ones((3, 4), dtype)
    tensor = values.tensor(array)
    assert isinstance(tensor, byname.Tensor)
    assert (tensor.shape, tensor.strides, tensor.dtype, tensor.device) == ((3, 4), (4, 1), dtype, "cpu")
    assert tensor.ndim == 2
    assert len(tensor) == 3
    back = np.asarray(tensor)
    assert back.dtype == array.dtype
    assert np.shares_memory(back, array)
    array[1, 2] = 0
    assert back[1, 2] == 0
    assert back.sum() == array.sum()


# Fault: bool and bfloat16
@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_types_that_only_ml_dtypes_knows_pass_by_their_bits(values, name):
    dtype = getattr(ml_dtypes, name)
    array = np.array([1, 2, -3], dtype)
    for _ in range(2):  # the second time the dtype is known
        tensor = values.tensor(array)
        assert tensor.dtype == name
        for back in (tensor.numpy(), np.asarray(tensor)):
            assert back.dtype == array.dtype
            assert back.tolist() == [1, 2, -3]
    back[0] = 4
    assert array[0] == 4
    with pytest.raises(BufferError) as error:
        memoryview(tensor)
    assert str(error.value) == "the tensor's dtype has no buffer format (use DLPack)"


@given(hnp.arrays(st.sampled_from(DTYPES), hnp.array_shapes(min_dims=0, max_dims=5, min_side=0), fill=st.nothing()))
def test_arrays_of_all_shapes_come_back_equal(values, array):
    tensor = values.tensor(array)
    assert tensor.shape == array.shape
    np.testing.assert_array_equal(np.asarray(tensor), array)


# Fault: negative strides
@given(hnp.arrays("int32", (4, 5, 6), elements=st.integers(0, 99), fill=st.nothing()), hnp.basic_indices((4, 5, 6)))
def test_views_with_any_strides_show_the_same_elements(values, array, index):
    view = np.asarray(array[index])
    back = np.asarray(values.tensor(view))
    np.testing.assert_array_equal(back, view)
    if view.size and view.ndim:
        assert np.shares_memory(back, array)


# Fault: negative strides
def test_a_view_with_a_negative_stride(values):
    array = np.arange(6.0)
    tensor = values.tensor(array[::-2])
    assert tensor.strides == (-2,)
    assert np.asarray(tensor).tolist() == [5, 3, 1]
    assert values.sum(array[::-2]) == 9


# Fault: an offset in bytes
# Fault: a tensor outlives its owner
def test_an_offset_into_memory_that_another_tensor_holds(values):
    tensor = values.tail(np.arange(5.0), 2)
    gc.collect()
    assert np.asarray(tensor).tolist() == [2, 3, 4]
    assert tensor.numpy().tolist() == [2, 3, 4]
    assert np.from_dlpack(tensor).tolist() == [2, 3, 4]
    again = values.tail(tensor, 1)
    del tensor
    gc.collect()
    assert np.asarray(again).tolist() == [3, 4]


# Fault: no elements and no memory
def test_zero_sizes_without_memory(values):
    tensor = values.zero_sized()
    assert np.asarray(tensor).shape == (0, 3)
    assert memoryview(tensor).nbytes == 0
    assert np.from_dlpack(tensor).shape == (0, 3)
    assert np.asarray(values.tensor(np.zeros((2, 0, 3)))).shape == (2, 0, 3)


def test_no_dimensions(values):
    array = np.array(2.5)
    tensor = values.tensor(array)
    assert (tensor.shape, tensor.strides) == ((), ())
    assert np.asarray(tensor) == 2.5
    with pytest.raises(TypeError, match="a tensor without dimensions has no length"):
        len(tensor)


# Fault: a read-only array
def test_read_only_arrays_stay_read_only(values):
    array = np.arange(3.0)
    array.setflags(write=False)
    tensor = values.tensor(array)
    assert tensor.read_only
    assert not np.asarray(tensor).flags.writeable
    assert memoryview(tensor).readonly
    with pytest.raises(TypeError) as error:
        values.writable(array)
    assert str(error.value) == (
        "values.writable(): argument 'x' (position 1) expects contiguous writable float64 Tensor of 1 dimension on the "
        "cpu, got read-only float64 Tensor of shape (3,) and strides (1,)"
    )
    array = np.arange(3.0)
    values.writable(array)
    assert array[0] == 42


def test_bytes_are_a_read_only_tensor_where_one_is_wanted(values):
    import array

    tensor = values.tensor(array.array("d", [1, 2]))
    assert not tensor.read_only
    assert np.asarray(tensor).tolist() == [1, 2]
    tensor = values.tensor(memoryview(np.arange(6, dtype="int16").reshape(2, 3)))
    assert tensor.shape == (2, 3)
    with pytest.raises(TypeError) as error:
        values.tensor("text")
    assert str(error.value) == "values.tensor(): argument 'x' (position 1) expects Tensor, got str"


def test_declared_element_types_and_dimensions_are_checked(values):
    assert values.floats2(np.zeros((2, 3), "float32")) == 6
    with pytest.raises(TypeError):
        values.floats2(np.zeros((2, 3), "float64"))
    with pytest.raises(TypeError):
        values.floats2(np.zeros(6, "float32"))


def test_arrays_that_are_no_tensors_pass_as_they_are(values):
    class Array(np.ndarray):
        pass

    for array, words in (
        (np.array([object()]), "numpy.ndarray of dtype 'object'"),
        (np.array(["text"]), "numpy.ndarray of dtype '<U4'"),
        (np.zeros(2, "M8[s]"), "numpy.ndarray of dtype 'datetime64[s]'"),
        (np.zeros(2, "f8,i4"), "numpy.ndarray of dtype '[('f0', '<f8'), ('f1', '<i4')]'"),
        (np.zeros(2, ">f4"), "numpy.ndarray of dtype '>f4'"),
        (np.zeros(2, ">f4").view(Array), "Array of dtype '>f4'"),
        # A stride that is no multiple of the element's size.
        (np.zeros(4, "i4,f8")["f1"], "numpy.ndarray of dtype 'float64' and strides of (12,) bytes"),
    ):
        assert values.echo(array) is array
        with pytest.raises(TypeError) as error:
            values.tensor(array)
        assert str(error.value) == f"values.tensor(): argument 'x' (position 1) expects Tensor, got {words}"


# Fault: an array never decays to a scalar where an overload takes arrays
def test_an_array_never_decays_to_a_scalar(values):
    assert values.decay(np.zeros(1)) == "tensor"
    assert values.decay(np.array(5)) == "tensor"
    assert values.decay(np.int32(4)) == "scalar"
    assert values.decay(4) == "scalar"
    for array in (np.zeros(1, "int64"), np.array(5)):
        with pytest.raises(TypeError) as error:
            values.int64(array)
        assert str(error.value) == "values.int64(): argument 'x' (position 1) expects int, got Tensor"


# Fault: the width that fits wins in every order of registration
def test_the_width_that_fits_wins_among_overloads(values):
    for name in ("uint8", "uint16", "uint32", "uint64"):
        assert values.width(getattr(np, name)(200)) == name
    assert values.width(200) == "uint8"
    assert values.width(2**16) == "uint32"
    assert values.width(2**40) == "uint64"


def naming(width):
    return lambda x: width


# Fault: the width that fits wins in every order of registration
# Fault: a bool picks the bool overload, an int the int one
def test_the_choice_among_overloads_is_the_same_in_every_order_of_registration():
    numbers = [
        200,
        300,
        2**16,
        2**64 - 1,
        np.uint8(200),
        np.uint16(200),
        np.uint32(200),
        np.uint64(200),
        True,
        np.True_,
    ]
    expected = ["uint8", "uint16", "uint32", "uint64", "uint8", "uint16", "uint32", "uint64", "bool", "bool"]
    orders = list(itertools.permutations(["uint8", "uint16", "uint32", "uint64", "bool"]))
    for order in orders:
        for width in order:
            byname.register(f"tests_orders::f.{width}", naming(width), schema=f"({width} x) -> str")
        function = byname.get("tests_orders.f")
        assert [function(number) for number in numbers] == expected, order
        byname.remove("tests_orders.f")
    assert len(orders) == 120


# Fault: a NumPy scalar is taken where its Python twin is
def test_every_numpy_scalar_is_taken_where_its_python_twin_is(values):
    for name in DTYPES[:8]:
        number = getattr(np, name)(100)
        assert values.int64(number) == 100
        assert values.float64(number) == 100.0
        assert values.echo(number) == 100
        assert type(values.echo(number)) is int
        assert values.list_of_int([number]) == [100]
    for name in ("float16", "float32", "float64", "longdouble"):
        number = getattr(np, name)(1.5)
        assert values.float64(number) == 1.5
        assert values.float32(number) == 1.5
        with pytest.raises(TypeError):
            values.int64(number)
    for name in ("complex64", "complex128"):
        assert values.complex(getattr(np, name)(1 + 2j)) == 1 + 2j
    assert values.bool(np.bool_(True)) is True
    assert values.kind(np.bool_(True)) == "bool"
    assert values.str(np.str_("text")) == "text"
    assert values.bytes(np.bytes_(b"data")) == b"data"
    assert values.float64(ml_dtypes.bfloat16(1.5)) == 1.5
    with pytest.raises(OverflowError):
        values.int8(np.int64(200))
    with pytest.raises(OverflowError):
        values.int64(np.uint64(2**63))
    date = np.datetime64("2020-01-01")
    assert values.echo(date) is date


@given(hnp.from_dtype(np.dtype("float16")))
def test_half_floats_are_exact(values, number):
    back = values.float64(number)
    assert back == float(number) or (np.isnan(number) and np.isnan(back))


def test_dtype_objects_and_classes_of_scalars_are_dtypes(values):
    assert values.dtype(np.dtype("int16")) == "int16"
    assert values.dtype(np.int16) == "int16"
    assert values.dtype(np.bool_) == "bool"
    assert values.dtype(ml_dtypes.bfloat16) == "bfloat16"
    swapped = np.dtype(">f4")
    swapped_class = f"{type(swapped).__module__}.{type(swapped).__name__}"
    for dtype, got in ((np.floating, "type"), (np.str_, "type"), (swapped, swapped_class)):
        with pytest.raises(TypeError) as error:
            values.dtype(dtype)
        assert str(error.value) == (
            "values.dtype(): argument 'x' (position 1) expects ScalarType, "
            f"got {got} (such as 'float32', 'int8x4' or 'bool')"
        )


def test_a_class_of_scalars_is_a_function_and_itself_too(values, callbacks):
    assert callbacks.apply(np.int16, [3]) == 3
    assert values.echo(np.int16) is np.int16


# Fault: a tensor outlives its owner
def test_an_array_lives_as_long_as_its_tensor(values):
    class Array(np.ndarray):
        pass

    array = np.zeros(3).view(Array)
    gone = weakref.ref(array)
    tensor = values.tensor(array)
    view = np.asarray(tensor)
    del array, tensor
    gc.collect()
    assert gone() is not None
    view[0] = 1
    del view
    gc.collect()
    assert gone() is None


def test_numpy_array_takes_dtype_and_copy(values):
    array = np.arange(3.0)
    tensor = values.tensor(array)
    assert np.array(tensor, dtype="int8").dtype == "int8"
    assert not np.shares_memory(np.array(tensor, copy=True), array)
    bits = values.tensor(np.array([1, 2], ml_dtypes.bfloat16))
    assert np.asarray(bits, dtype="float32").tolist() == [1, 2]


def test_nothing_here_imports_numpy():
    printed = run_python("""
        import sys, byname
        byname.register("t.f", lambda x: x)
        class Thing: pass
        byname.get("t.f")([1, 1.5, "x", Thing(), print])
        print("numpy" in sys.modules, "inspect" in sys.modules, "typing" in sys.modules)
    """)
    assert printed.split()[0] == "False"
