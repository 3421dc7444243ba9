"""Pieces of the kit, against NumPy."""

import numpy as np
import pytest

import seawall
from seawall import kit

NUMBERS = [np.uint32, np.int32, np.float32, np.uint64, np.int64]
LENGTHS = [0, 1, 7, 5003]
OPS = {"sum": np.add, "min": np.minimum, "max": np.maximum}


@pytest.fixture(params=NUMBERS, ids=lambda dtype: dtype.__name__)
def dtype(request, runtime):
    if request.param in (np.uint64, np.int64) and not runtime.caps["int64"]:
        pytest.skip("no 64-bit integers")
    return request.param


def numbers(length, dtype, seed=1, most=50):
    """Whole numbers, so that sums of floats are exact in any order."""
    least = 0 if np.dtype(dtype).kind == "u" else -most
    return np.random.default_rng(seed).integers(least, most, length).astype(dtype)


def same(got, wanted):
    wanted = np.asarray(wanted)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape and np.array_equal(got, wanted)


@pytest.mark.parametrize("length", LENGTHS)
def test_combine(runtime, dtype, length):
    x = numbers(length, dtype)
    with runtime:
        for op, function in OPS.items():
            if length:
                total = kit.reduce(x, op)
                assert type(total) is dtype and total == function.reduce(x)
            same(kit.scan(x, op), function.accumulate(x, dtype=dtype))
        shifted = np.concatenate([np.zeros(1, dtype), np.cumsum(x, dtype=dtype)])[:-1]
        same(kit.scan(x, exclusive=True), shifted if length else x)
    assert kit.reduce(x[:0], runtime=runtime) == 0


@pytest.mark.parametrize("length", LENGTHS)
def test_choose(runtime, dtype, length):
    x = numbers(length, dtype, most=5)
    kept = x > 2
    where = "f32(value) > 2.0"
    with runtime:
        for chosen in ({"where": where}, {"flags": kept}, {"flags": kept.astype(np.int64) * 7}):
            same(kit.compact(x, **chosen), x[kept])
            parted = kit.partition(x, **chosen)
            assert parted.count == kept.sum()
            same(parted.elements, np.concatenate([x[kept], x[~kept]]))
        heads = np.concatenate([np.ones(min(length, 1), bool), x[1:] != x[:-1]])
        same(kit.unique(x), x[heads])
        starts = np.flatnonzero(heads)
        found = kit.runs(x)
        same(found.elements, x[heads])
        same(found.lengths, np.diff(np.append(starts, length)).astype(np.uint32))


@pytest.mark.parametrize("length", LENGTHS)
def test_order(runtime, dtype, length):
    keys = numbers(length, dtype, most=300)
    places = np.argsort(keys, kind="stable").astype(np.uint32)
    with runtime:
        same(kit.sort(keys), keys[places])
        same(kit.sort(keys, descending=True), keys[places][::-1])
        ordered = kit.sort(keys, np.arange(length, dtype=np.uint32))
        same(ordered.keys, keys[places])
        same(ordered.values, places)
        count = min(length, 5)
        least = kit.top(keys, count, least=True)
        same(least.keys, keys[places][:count])
        same(least.places, places[:count])
        greatest = kit.top(keys, count)
        same(greatest.keys, keys[places][::-1][:count])
        same(keys[greatest.places], greatest.keys)
        if np.dtype(dtype).kind == "u":
            same(kit.histogram(keys, 300), np.bincount(keys.astype(np.int64), minlength=300).astype(np.uint32))


@pytest.mark.parametrize("length", LENGTHS)
def test_move(runtime, dtype, length):
    x = numbers(length, dtype)
    indices = np.random.default_rng(2).permutation(length)
    with runtime:
        same(kit.gather(x, indices), x[indices])
        y = np.full(length, 9, dtype)
        wanted = y.copy()
        wanted[indices[: length // 2]] = x[: length // 2]
        same(kit.scatter(x[: length // 2], indices[: length // 2], y), wanted)
        assert (y == 9).all()
        matrix = numbers(length * 3, dtype).reshape(length, 3)
        same(kit.transpose(matrix), matrix.T)


@pytest.mark.parametrize("length", LENGTHS)
def test_segments(runtime, dtype, length):
    x = numbers(length, dtype)
    heads = np.random.default_rng(3).random(length) < 0.1
    parts = np.split(x, np.flatnonzero(heads))
    offsets = np.append(np.sort(np.random.default_rng(4).integers(0, length + 1, 5)), length)
    with runtime:
        for op, function in OPS.items():
            same(kit.segment_scan(x, heads, op), np.concatenate([function.accumulate(part, dtype=dtype) for part in parts]))
        sums = [x[start:end].sum() for start, end in zip(offsets, offsets[1:])]
        same(kit.segment_reduce(x, offsets), np.array(sums, dtype))


def test_matrices(runtime):
    random = np.random.default_rng(5)
    with runtime:
        for rows, inner, columns in [(1, 1, 1), (3, 5, 2), (65, 33, 17)]:
            a, b = (random.integers(-9, 9, shape).astype(np.float32) for shape in [(rows, inner), (inner, columns)])
            same(kit.matmul(a, b), a @ b)
        dense = (random.integers(-9, 9, (50, 40)) * (random.random((50, 40)) < 0.1)).astype(np.float32)
        offsets, columns = np.append(0, np.cumsum((dense != 0).sum(1))), np.nonzero(dense)[1]
        x = random.integers(-9, 9, 40).astype(np.float32)
        same(kit.spmv(offsets, columns, dense[dense != 0], x), dense @ x)


def test_transforms(runtime):
    random = np.random.default_rng(6)
    with runtime:
        for shape in [(1,), (8,), (3, 256)]:
            x = (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(np.complex64)
            y = kit.fft(x)
            assert y.dtype == np.complex64 and np.allclose(y, np.fft.fft(x), atol=1e-4)
            assert np.allclose(kit.fft(y, inverse=True), x, atol=1e-5)
        pairs = seawall.Buffer(np.array([[1, 0], [0, 0]], np.float32))
        assert kit.fft(pairs).numpy().tolist() == [[1, 0], [1, 0]]


def test_random_numbers(runtime):
    with runtime:
        some = kit.random((2, 500), np.float32, seed=7)
        assert some.shape == (2, 500) and some.min() >= 0 and some.max() < 1 and abs(some.mean() - 0.5) < 0.05
        # As the command line has them.
        same(kit.random(3, seed=7), np.array([4099963437, 3221879260, 490388034], np.uint32))
        assert not np.array_equal(kit.random(3, seed=7, stream=1), kit.random(3, seed=7))


def test_buffers_stay_on_the_device(runtime):
    with runtime:
        x = seawall.Buffer(numbers(1000, np.uint32))
        ordered = kit.sort(x)
        assert isinstance(ordered, seawall.Buffer)
        once = kit.unique(ordered)
        same(once.numpy(), np.unique(x.numpy()))
        assert all(isinstance(part, seawall.Buffer) for part in kit.runs(ordered))
        target = seawall.Buffer(10, np.uint32)
        assert kit.scatter(once[:2], np.array([1, 3]), target) is target
        assert np.count_nonzero(target.numpy()) == np.count_nonzero(once.numpy()[:2])
        assert kit.scatter(np.ones(1, np.uint32), np.array([7]), target) is target and target.numpy()[7] == 1
        assert kit.reduce(x) == x.numpy().sum()


def test_whatever_has_memory(runtime):
    with runtime:
        same(kit.sort(memoryview(np.array([2, 1], np.int32))), np.array([1, 2], np.int32))
        same(kit.sort(np.arange(10, dtype=np.int32)[::-2]), np.arange(1, 10, 2, dtype=np.int32))


F32, U32 = np.zeros(3, np.float32), np.zeros(3, np.uint32)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kit.sort(np.zeros(3)), "`keys` has elements of `float64`: it takes `uint32`, `int32`, `float32`, `uint64` or `int64`"),
        (lambda: kit.sort(U32, np.zeros(3, np.float16)), "`values` has elements of `float16`: it takes"),
        (lambda: kit.sort(U32, U32[:2]), "`values` has 2 elements, but 3 are needed"),
        (lambda: kit.sort([3, 1]), "`keys` is a `list`: it takes an array or a buffer"),
        (lambda: kit.sort(np.zeros((2, 2), np.uint32)), "`keys` has 2 dimensions: it takes 1"),
        (lambda: kit.scan(U32, "mean"), '`op` is "mean": it is "sum", "min" or "max"'),
        (lambda: kit.compact(U32), "either `where` or `flags` is needed"),
        (lambda: kit.compact(U32, "true", flags=U32), "either `where` or `flags` is needed"),
        (lambda: kit.compact(U32, flags=F32), "`flags` has elements of `float32`: it takes whole numbers"),
        (lambda: kit.compact(U32, flags=U32[:2]), "`flags` has 2 elements, but 3 are needed"),
        (lambda: kit.gather(U32, np.array([0, -1])), "`indices` has elements from -1 to 0: it takes 0 to 4294967295"),
        (lambda: kit.gather(U32, np.array([1, 1 << 32])), "`indices` has elements from 1 to 4294967296"),
        (lambda: kit.gather(U32, np.array([0, 3, 9])), "2 of the indices in `indices` are not below 3"),
        (lambda: kit.gather(U32, seawall.Buffer(F32)), "`indices` has elements of `float32`: it takes `uint32`"),
        (lambda: kit.scatter(U32, U32, F32), "`y` has elements of `float32`: it takes those of `x`, `uint32`"),
        (lambda: kit.transpose(U32), "`x` has 1 dimensions: it takes 2"),
        (lambda: kit.segment_reduce(U32, U32[:0]), "`offsets` is empty: it says where each begins and where the last one ends"),
        (lambda: kit.spmv(U32, U32, U32, F32), "`entries` has elements of `uint32`: it takes `float32`"),
        (lambda: kit.matmul(F32.reshape(1, 3), F32.reshape(1, 3)), "`a` has 3 columns, but `b` has 1 rows"),
        (lambda: kit.fft(F32), "`x` has elements of `float32` in 1 dimensions: it takes `complex64`"),
        (lambda: kit.fft(F32.astype(np.complex64)), "`x` has 3 elements, which are no transforms of 3: the length is a power of two"),
        (lambda: kit.fft(seawall.Buffer(F32)), "`x` has no complex numbers: as floats, its last dimension has 2"),
        (lambda: kit.top(U32, 4), "`x` has 3 elements, but 4 are needed"),
        (lambda: kit.top(U32, -1), "`count` is -1: it is from 0 to 4294967295"),
        (lambda: kit.random(3, np.int32), "`random` has elements of `int32`: it takes `uint32` or `float32`"),
        (lambda: kit.random(3, seed=-1), "`seed` is -1: it is from 0 to 18446744073709551615"),
    ],
)  # fmt: skip
def test_mistakes(call, message):
    with pytest.raises(seawall.BindError) as raised:
        call()
    assert message in str(raised.value)


def test_a_wrong_expression_is_shown():
    with pytest.raises(seawall.ProgramError, match="valu"):
        kit.compact(U32, "valu > 1u")


def test_buffers_of_another_device():
    other = seawall.Buffer(U32, runtime=seawall.Runtime("reference"))
    with pytest.raises(seawall.BindError, match="lives on another device"):
        kit.sort(other, runtime=seawall.Runtime("cpu"))
