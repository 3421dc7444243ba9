"""Memory of other libraries, in place."""

import array

import numpy as np
import pytest

import seawall
from conftest import SQUARE


class Interface:
    """Has nothing but the array interface."""

    def __init__(self, x):
        self.x = x
        self.__array_interface__ = x.__array_interface__


class Dlpack:
    """Has nothing but DLPack, which says that it may be written."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class Old(Dlpack):
    """A tensor of a library whose DLPack cannot say whether it may be written."""

    def __dlpack__(self, **options):
        return self.x.__dlpack__()

    def __array__(self, dtype=None, copy=None):
        return self.x


@pytest.mark.parametrize("wrap", [Interface, Dlpack, Old, memoryview, lambda x: array.array("f", x)])
def test_memory_of_others(wrap, x):
    square = seawall.kernel(SQUARE)
    y = np.zeros(100, np.float32)
    square(x=wrap(x), y=y, threads=100)
    assert np.array_equal(y, x * x)


SAYS_WRITABLE = [Dlpack] if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else []


@pytest.mark.parametrize("wrap", [Interface, Old, memoryview, *SAYS_WRITABLE])
def test_written_in_place(wrap, x):
    y = np.zeros(100, np.float32)
    seawall.kernel(SQUARE)(x=x, y=wrap(y), threads=100)
    assert np.array_equal(y, x * x)


def test_read_only_tensors_are_not_written(x):
    """Also if what they give by another way is a copy that could be."""

    class Kept(Old):
        def __array__(self, dtype=None, copy=None):
            return self.x.copy()

    with pytest.raises(seawall.BindError, match="`y` is read-only"):
        seawall.kernel(SQUARE)(x=x, y=Kept(np.zeros(100, np.float32)), threads=100)


def test_dlpack_elsewhere(x):
    class Away(Dlpack):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(seawall.BindError, match="`x`: the memory of this Away cannot be used in place .* `.cpu\\(\\)`"):
        seawall.kernel(SQUARE)(x=Away(x), threads=100)


def test_bytes_are_of_no_type(x):
    with pytest.raises(seawall.BindError, match="`x` has elements of `uint8`"):
        seawall.kernel(SQUARE)(x=x.tobytes(), threads=100)


def addresses(x):
    """Where a kernel's input comes from, by what Seawall makes of it."""
    from seawall import _foreign

    return _foreign.array("x", x).ctypes.data


def test_pyarrow(x):
    pa = pytest.importorskip("pyarrow")
    square = seawall.kernel(SQUARE)
    column = pa.array(x)
    assert addresses(column) == column.buffers()[1].address
    assert np.array_equal(square(x=column, threads=100), x * x)
    part = column.slice(10, 20)
    assert addresses(part) == column.buffers()[1].address + 40
    assert np.array_equal(square(x=part, threads=20), x[10:30] ** 2)
    assert np.array_equal(square(x=pa.chunked_array([column]), threads=100), x * x)
    assert np.array_equal(square(x=pa.FixedSizeListArray.from_arrays(column, 4), threads=100), x * x)
    refused = {
        "`x` has nulls, which WGSL has not: fill them first": pa.array([1.0, None], pa.float32()),
        "`x` is in several chunks": pa.chunked_array([column, column]),
        "`x` is of Arrow's type `u`, which no buffer holds": pa.array(["a"]),
        "`x` is a table: bind a column of it": pa.record_batch({"a": column}),
        "`x: array<f32>` cannot be bound to elements of `int64`": pa.array([1, 2, 3]),
    }
    for message, given in refused.items():
        with pytest.raises(seawall.BindError) as raised:
            square(x=given, threads=1)
        assert message in str(raised.value)
    with pytest.raises(seawall.BindError, match="`y` is read-only"):
        square(x=x, y=column, threads=100)


def test_polars(x):
    pl = pytest.importorskip("polars")
    series = pl.Series("x", x)
    assert np.array_equal(seawall.kernel(SQUARE)(x=series, threads=100), x * x)


def test_torch(x):
    torch = pytest.importorskip("torch")
    square = seawall.kernel(SQUARE)
    y = torch.zeros(100)
    assert addresses(y) == y.data_ptr()
    square(x=torch.from_numpy(x), y=y, threads=100)
    assert np.array_equal(y.numpy(), x * x)
    assert torch.equal(torch.from_dlpack(square(x=y, threads=100)), y * y)
    buffer = seawall.Buffer(y)
    copy = torch.from_dlpack(buffer)
    copy += 1
    assert torch.equal(copy, y + 1) and np.array_equal(buffer.numpy(), x * x)
    with pytest.raises(seawall.BindError, match="`x`: the memory of this Tensor cannot be used in place .* detach it"):
        square(x=torch.zeros(100, requires_grad=True), threads=100)
    with pytest.raises(seawall.BindError, match="`x` is not contiguous"):
        square(x=torch.zeros(200)[::2], threads=100)
