"""Memory that stays on the device."""

import pickle

import numpy as np
import pytest

import seawall
from conftest import SQUARE


def test_stays(runtime, x):
    square = seawall.kernel(SQUARE, runtime=runtime)
    a, b = seawall.Buffer(x / 100, runtime=runtime), seawall.Buffer(100, np.float32, runtime=runtime)
    square(x=a, y=b, over="y")
    square(x=b, y=a, over="y")
    assert np.allclose(a.numpy(), (x / 100) ** 4, rtol=1e-5)
    out = np.empty(100, np.float32)
    assert b.numpy(out=out) is out and np.allclose(out, (x / 100) ** 2, rtol=1e-5)


def test_is_like_an_array():
    buffer = seawall.Buffer((4, 64), np.float32)
    assert (buffer.shape, buffer.dtype, buffer.ndim, buffer.size, buffer.nbytes, len(buffer)) == (
        (4, 64), np.dtype("f4"), 2, 256, 1024, 4,
    )  # fmt: skip
    assert repr(buffer) == "<seawall.Buffer: (4, 64) of float32>"
    buffer.fill(7)
    assert (np.asarray(buffer) == 7).all()
    buffer[1] = np.arange(64)
    buffer[2:4] = 1
    assert buffer[1].numpy().tolist() == list(range(64))
    assert buffer[2:].shape == (2, 64) and (buffer[-1].numpy() == 1).all()
    buffer[0].copy_from(buffer[1])
    assert buffer.numpy()[0].tolist() == list(range(64))
    assert buffer.reshape(256).shape == (256,) == buffer.reshape(-1).shape
    assert buffer.reshape((2, -1, 4)).shape == (2, 32, 4)
    assert buffer.view(np.uint32).numpy()[64] == 0 and buffer.view(np.uint32).numpy()[65] == 0x3F800000
    buffer.copy_from(memoryview(np.ones((4, 64), np.float32)))
    assert (buffer.numpy() == 1).all()
    buffer.clear()
    assert not buffer.numpy().any()


def test_parts_are_bound(x):
    all = seawall.Buffer(128, np.float32)
    all[:64] = x[:64]
    seawall.kernel(SQUARE)(x=all[:64], y=all[64:], over="y")
    assert np.array_equal(all.numpy()[64:], x[:64] ** 2)
    with pytest.raises(seawall.DeviceError, match="`x` and `y` are bound to memory that overlaps"):
        seawall.kernel(SQUARE)(x=all, y=all[64:], over="y")


def test_given_to_others(x):
    buffer = seawall.Buffer(x)
    assert buffer.__dlpack_device__() == (1, 0)
    copy = np.from_dlpack(buffer)
    assert np.array_equal(copy, x)
    with pytest.raises(BufferError, match="only be had as a copy"):
        buffer.__dlpack__(copy=False)
    with pytest.raises(TypeError, match="send `buffer.numpy\\(\\)` instead"):
        pickle.dumps(buffer)


def test_structs_and_rows():
    dtype = np.dtype([("a", "f4"), ("b", "u4", 3)])
    made = np.zeros(3, dtype)
    made["b"] = [1, 2, 3]
    buffer = seawall.Buffer(made)
    assert np.array_equal(buffer.numpy(), made)
    assert seawall.Buffer(5, ("f4", (4,))).shape == (5, 4)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: seawall.Buffer(10), seawall.BindError, "a buffer of zeros needs a `dtype`"),
        (lambda: seawall.Buffer(10, np.uint8), seawall.BindError, "no buffer holds elements of `uint8`"),
        (lambda: seawall.Buffer(np.zeros(3), np.float32), seawall.BindError, "elements of `float64`: use `.astype`"),
        (lambda: seawall.Buffer((1 << 40, 1 << 40), np.float32), seawall.BindError, "more than can be addressed"),
        (lambda: seawall.Buffer((1 << 44,), np.float32), seawall.DeviceError, "70368744177664 bytes"),
        (lambda: seawall.Buffer("text"), seawall.BindError, "a buffer is made of a shape or an array, not of 'text', a `str`"),
        (lambda: seawall.Buffer(100, "f4")[3:9], seawall.BindError, "elements 3 to 9 are bytes 12 to 36: a part of a buffer starts at a multiple of 256"),
        (lambda: seawall.Buffer(100, "f4")[::2], IndexError, "only a step of 1"),
        (lambda: seawall.Buffer(100, "f4")[100], IndexError, "index 100 is out of range for a buffer of 100"),
        (lambda: seawall.Buffer(100, "f4")["a"], TypeError, "indexed by a number or a slice"),
        (lambda: seawall.Buffer(100, "f4").reshape(7), seawall.BindError, "100 elements are none of shape 7"),
        (lambda: seawall.Buffer(100, "f4").reshape((7, -1)), seawall.BindError, "100 elements are none of shape (7, -1)"),
        (lambda: seawall.Buffer(100, "f4").reshape((-1, -1)), seawall.BindError, "100 elements are none of shape (-1, -1)"),
        (lambda: seawall.Buffer(100, "f4").reshape((-2, -50)), seawall.BindError, "100 elements are none of shape (-2, -50)"),
        (lambda: seawall.Buffer(100, "f4").reshape((0, -1)), seawall.BindError, "100 elements are none of shape (0, -1)"),
        (lambda: seawall.Buffer((2, -3), "f4"), seawall.BindError, "the shape [2, -3] has less than nothing"),
        (lambda: seawall.Buffer(3, "f4").copy_from([1.0]), seawall.BindError, "cannot copy from [1.0], a `list`"),
        (lambda: seawall.Buffer(3, "f4").view("f8"), seawall.BindError, "12 bytes are not whole elements of `float64`"),
        (lambda: seawall.Buffer(3, "f4").copy_from(np.zeros(4, "f4")), seawall.BindError, "shape [4] of float32 cannot be copied to shape [3] of float32"),
        (lambda: seawall.Buffer(3, "f4").numpy(out=np.zeros(3, "f8")), seawall.BindError, "cannot be read into shape [3] of float64"),
    ],
)
def test_wrong_buffers(make, error, message):
    with pytest.raises(error) as raised:
        make()
    assert message in str(raised.value)


def test_buffers_of_another_device(x):
    other = seawall.Buffer(x, runtime=seawall.Runtime("reference"))
    with pytest.raises(seawall.BindError, match="`x` lives on another device than `cpu`"):
        seawall.kernel(SQUARE, runtime=seawall.Runtime("cpu"))(x=other, y=x.copy(), threads=100)
