"""DLPack: any producer in, byname.Tensor out, without copies."""

import ctypes

import numpy as np
import pytest

import byname

READ_ONLY, COPIED = 1, 2


class Producer:
    """A producer from before DLPack 1.0, whose capsules have no version."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Versioned(Producer):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.array.__dlpack__(max_version=max_version)


@pytest.mark.parametrize("producer", [Producer, Versioned])
def test_any_producer_is_a_tensor(values, producer):
    array = np.arange(6.0).reshape(2, 3)
    tensor = values.tensor(producer(array))
    assert tensor.shape == (2, 3)
    back = np.asarray(tensor)
    assert np.shares_memory(back, array)
    del array, tensor
    assert back.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert isinstance(values.echo(producer(back)), byname.Tensor)


def test_a_read_only_producer_gives_a_read_only_tensor(values):
    array = np.arange(3.0)
    array.setflags(write=False)
    tensor = values.tensor(Versioned(array))
    assert tensor.read_only
    assert not np.from_dlpack(tensor).flags.writeable


def test_what_a_producer_raises_arrives(values):
    class Refusing(Producer):
        def __dlpack__(self, **options):
            raise BufferError("not for you")

    with pytest.raises(BufferError, match="not for you"):
        values.tensor(Refusing(None))

    class Wrong(Producer):
        def __dlpack__(self, **options):
            return 42

    with pytest.raises(BufferError) as error:
        values.tensor(Wrong(None))
    assert str(error.value) == (
        "expected __dlpack__ to give a capsule named 'dltensor' or 'dltensor_versioned', got 42"
    )


def test_a_tensor_is_a_producer(values):
    array = np.arange(4, dtype="int16")
    tensor = values.tensor(array)
    assert tensor.__dlpack_device__() == (1, 0)
    assert np.shares_memory(np.from_dlpack(tensor), array)
    assert "dltensor_versioned" in repr(tensor.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(tensor.__dlpack__())
    assert '"dltensor"' in repr(tensor.__dlpack__(max_version=(0, 8)))
    assert np.shares_memory(np.asarray(values.tensor(Producer(tensor))), array)


def test_capsules_nobody_takes_let_go(values):
    tensor = values.tensor(np.zeros(3))
    for _ in range(3):
        tensor.__dlpack__()
        tensor.__dlpack__(max_version=(1, 1))


def test_options_of_dlpack(values):
    array = np.arange(6.0)[::2]
    tensor = values.tensor(array)
    copied = np.from_dlpack(values.tensor(Versioned(tensor)))
    assert np.shares_memory(copied, array)
    copied = values.tensor(Capsule(tensor.__dlpack__(copy=True, max_version=(1, 0))))
    assert copied.strides == (1,)
    assert np.asarray(copied).tolist() == [0, 2, 4]
    assert not np.shares_memory(np.asarray(copied), array)
    for call, text in (
        (lambda: tensor.__dlpack__(dl_device=(2, 0)), "expected device (1, 0), on which the tensor is, got (2, 0)"),
        (lambda: tensor.__dlpack__(stream=1), "a tensor on the cpu has no stream, expected stream=None"),
    ):
        with pytest.raises(BufferError) as error:
            call()
        assert str(error.value) == text
    with pytest.raises(TypeError) as error:
        tensor.__dlpack__(colour=1)
    assert str(error.value) == "Tensor.__dlpack__(): unexpected keyword 'colour'"
    assert tensor.__dlpack__(dl_device=(1, 0), copy=False, stream=None) is not None


class Capsule:
    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self):
        return (1, 0)


def test_a_read_only_tensor_needs_a_version(values):
    array = np.arange(3.0)
    array.setflags(write=False)
    tensor = values.tensor(array)
    with pytest.raises(BufferError) as error:
        tensor.__dlpack__()
    assert str(error.value) == "a read-only tensor needs DLPack 1.0 (pass max_version=(1, 0) or copy=True)"
    assert not np.from_dlpack(tensor).flags.writeable
    writable = values.tensor(Capsule(tensor.__dlpack__(copy=True)))
    assert not writable.read_only


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Managed(ctypes.Structure):
    """A DLManagedTensor of one dimension on the CPU."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


def capsule_of(managed):
    """A capsule without a deleter: the struct must stay as long as any tensor, so it stays for good."""
    kept.append(managed)
    return Capsule(new_capsule(ctypes.addressof(managed), b"dltensor", None))


kept = []


# Fault: NULL strides
# Fault: an offset in bytes
def test_a_producer_may_leave_the_strides_out_and_begin_at_an_offset(values):
    array = np.arange(10, dtype="int16")
    size = ctypes.c_int64(3)
    managed = Managed(data=array.ctypes.data, device=(1, 0), ndim=1, dtype=(0, 16, 1, 0), byte_offset=4)
    managed.shape = ctypes.pointer(size)
    tensor = values.tensor(capsule_of(managed))
    assert (tensor.shape, tensor.strides) == ((3,), (1,))
    for back in (np.asarray(tensor), np.from_dlpack(tensor), np.asarray(memoryview(tensor))):
        assert back.tolist() == [2, 3, 4]
        assert np.shares_memory(back, array)


# Fault: no elements and no memory
def test_a_producer_without_elements_needs_no_memory(values):
    size = ctypes.c_int64(0)
    managed = Managed(data=None, device=(1, 0), ndim=1, dtype=(2, 32, 1, 0))
    managed.shape = ctypes.pointer(size)
    tensor = values.tensor(capsule_of(managed))
    assert np.asarray(tensor).shape == (0,)
    assert np.asarray(tensor).dtype == "float32"


# ---- the exchange interface in C ----

OF_OBJECT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))


class ExchangeApi(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("managed_of_object", OF_OBJECT),
        ("object_of_managed", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))),
        ("view_of_object", ctypes.c_void_p),
        ("current_stream", ctypes.c_void_p),
    )


pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype = ctypes.c_void_p
pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def own_api():
    capsule = byname.Tensor.__dlpack_c_exchange_api__
    return ExchangeApi.from_address(pointer_of(capsule, b"dlpack_exchange_api"))


def test_a_producer_with_the_exchange_interface_is_asked_by_it(values):
    asked = []

    @OF_OBJECT
    def managed_of_object(thing, out):
        asked.append(thing)
        return own_api().managed_of_object(thing.tensor, out)

    api = ExchangeApi(major=1, minor=1, managed_of_object=managed_of_object)
    newer = ExchangeApi(major=2, minor=0, previous=ctypes.addressof(api))

    class Exchanging:
        __dlpack_c_exchange_api__ = new_capsule(ctypes.addressof(newer), b"dlpack_exchange_api", None)

        def __init__(self, tensor):
            self.tensor = tensor

        def __dlpack__(self, **options):
            raise AssertionError("the interface in C comes first")

    array = np.arange(3.0)
    thing = Exchanging(values.tensor(array))
    assert np.shares_memory(np.asarray(values.tensor(thing)), array)
    assert asked == [thing]


def test_a_tensor_offers_the_exchange_interface(values):
    api = own_api()
    assert (api.major, api.minor) == (1, 1)
    array = np.arange(3.0)
    managed = ctypes.c_void_p()
    assert api.managed_of_object(values.tensor(array), managed) == 0
    back = ctypes.py_object()
    assert api.object_of_managed(managed, back) == 0
    tensor = back.value
    assert np.shares_memory(np.asarray(tensor), array)
    view = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(api.view_of_object)
    room = (ctypes.c_char * 64)()
    assert view(tensor, room) == 0
    assert ctypes.c_void_p.from_buffer(room).value == array.ctypes.data
    stream = ctypes.c_void_p(1)
    assert (
        ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)(api.current_stream)(
            1, 0, ctypes.addressof(stream)
        )
        == 0
    )
    assert stream.value is None
