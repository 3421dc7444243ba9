"""Ready programs over arrays: scans, sorts, compaction and others.

>>> import numpy as np
>>> from seawall import kit
>>> kit.sort(np.array([3.0, -1.0, 2.0], np.float32))
array([-1.,  2.,  3.], dtype=float32)

Each takes NumPy's arrays, or whatever else has memory on the host, and returns new arrays. Given a
:class:`seawall.Buffer` first, it returns buffers: what goes from one to the next stays on the device then.
``docs/kit.md`` says what is promised.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from seawall._errors import BindError
from seawall._foreign import array as _in_place
from seawall._seawall import Buffer, Kit, Runtime
from seawall._types import Array

__all__ = [
    "Parted",
    "Runs",
    "Sorted",
    "Top",
    "compact",
    "fft",
    "gather",
    "histogram",
    "matmul",
    "partition",
    "random",
    "reduce",
    "runs",
    "scan",
    "scatter",
    "segment_reduce",
    "segment_scan",
    "sort",
    "spmv",
    "top",
    "transpose",
    "unique",
]

_WORDS = 1 << 32


class Sorted(NamedTuple):
    """Keys in order, and the value of each."""

    keys: Any
    values: Any


class Parted(NamedTuple):
    """All elements, and how many of them come first."""

    elements: Any
    count: int


class Runs(NamedTuple):
    """An element of each run, and how long it is."""

    elements: Any
    lengths: Any


class Top(NamedTuple):
    """The first keys in order, and where each was."""

    keys: Any
    places: Any


class _Call:
    """One call of a piece: what it is given onto the device, and what it gives as what it was given."""

    def __init__(self, first: Any, runtime: Runtime | None) -> None:
        self.stays = isinstance(first, Buffer)
        self.runtime = runtime
        self.kit = Kit(runtime)

    def take(self, name: str, given: Any, dims: int | None = 1) -> Buffer:
        """Elements, in so many dimensions."""
        if isinstance(given, Buffer):
            buffer = given
        else:
            buffer = Buffer(np.ascontiguousarray(_array(name, given)), runtime=self.runtime)
        if dims is not None and buffer.ndim != dims:
            raise BindError(f"`{name}` has {buffer.ndim} dimensions: it takes {dims}")
        return buffer

    def words(self, name: str, given: Any) -> Buffer:
        """Counts, indices or flags, of any type that holds whole numbers."""
        if isinstance(given, Buffer):
            return self.take(name, given)
        array = _array(name, given)
        if array.dtype.kind not in "bui":
            raise BindError(f"`{name}` has elements of `{array.dtype}`: it takes whole numbers")
        if array.dtype != np.uint32 and array.size and not 0 <= int(array.min()) <= int(array.max()) < _WORDS:
            raise BindError(f"`{name}` has elements from {array.min()} to {array.max()}: it takes 0 to {_WORDS - 1}")
        return self.take(name, array.astype(np.uint32, copy=False))

    def give(self, buffer: Buffer) -> Any:
        return buffer if self.stays else buffer.numpy()


def _array(name: str, given: Any) -> npt.NDArray[Any]:
    found = _in_place(name, given)
    if found is None:
        raise BindError(f"`{name}` is a `{type(given).__name__}`: it takes an array or a buffer")
    return np.asarray(found)


def _whole(name: str, given: int, limit: int) -> int:
    if not 0 <= given < limit:
        raise BindError(f"`{name}` is {given}: it is from 0 to {limit - 1}")
    return given


def reduce(x: Array | Buffer, op: str = "sum", *, runtime: Runtime | None = None) -> Any:
    """All elements combined: their ``"sum"``, the ``"min"`` or the ``"max"``."""
    call = _Call(x, runtime)
    elements = call.take("x", x, None)
    return elements.dtype.type(call.kit.reduce(elements, op))


def scan(x: Array | Buffer, op: str = "sum", *, exclusive: bool = False, runtime: Runtime | None = None) -> Any:
    """Each element combined with all before it, and with itself unless ``exclusive``."""
    call = _Call(x, runtime)
    return call.give(call.kit.scan(call.take("x", x), op, exclusive))


def compact(
    x: Array | Buffer,
    where: str | None = None,
    *,
    flags: Array | Buffer | None = None,
    runtime: Runtime | None = None,
) -> Any:
    """Elements for which an expression of WGSL over ``value`` is true, or whose flag is not 0, in order."""
    call = _Call(x, runtime)
    chosen = None if flags is None else call.words("flags", flags)
    return call.give(call.kit.compact(call.take("x", x), where, chosen))


def partition(
    x: Array | Buffer,
    where: str | None = None,
    *,
    flags: Array | Buffer | None = None,
    runtime: Runtime | None = None,
) -> Parted:
    """What :func:`compact` keeps, then all the rest, each in order."""
    call = _Call(x, runtime)
    chosen = None if flags is None else call.words("flags", flags)
    elements, count = call.kit.partition(call.take("x", x), where, chosen)
    return Parted(call.give(elements), count)


def unique(x: Array | Buffer, *, runtime: Runtime | None = None) -> Any:
    """The first of equal elements in a row. What is sorted has each element once then."""
    call = _Call(x, runtime)
    return call.give(call.kit.unique(call.take("x", x)))


def runs(x: Array | Buffer, *, runtime: Runtime | None = None) -> Runs:
    """The elements of runs, and how long each run is."""
    call = _Call(x, runtime)
    elements, lengths = call.kit.runs(call.take("x", x))
    return Runs(call.give(elements), call.give(lengths))


def sort(
    keys: Array | Buffer,
    values: Array | Buffer | None = None,
    *,
    descending: bool = False,
    runtime: Runtime | None = None,
) -> Any:
    """Keys in order, alone or, as :class:`Sorted`, each with its value; what is equal keeps its order."""
    call = _Call(keys, runtime)
    moving = None if values is None else call.take("values", values)
    ordered, moved = call.kit.sort(call.take("keys", keys), moving, descending)
    return call.give(ordered) if moved is None else Sorted(call.give(ordered), call.give(moved))


def top(x: Array | Buffer, count: int, *, least: bool = False, runtime: Runtime | None = None) -> Top:
    """The greatest or the ``least`` keys, in order, and where each was."""
    call = _Call(x, runtime)
    keys, places = call.kit.top(call.take("x", x), _whole("count", count, _WORDS), least)
    return Top(call.give(keys), call.give(places))


def histogram(
    x: Array | Buffer, bins: int, bin: str = "u32(value)", *, runtime: Runtime | None = None
) -> Any:
    """How many elements are of each bin, which an expression of WGSL over ``value`` says."""
    call = _Call(x, runtime)
    return call.give(call.kit.histogram(call.take("x", x, None), _whole("bins", bins, _WORDS), bin))


def transpose(x: Array | Buffer, *, runtime: Runtime | None = None) -> Any:
    """A matrix with its rows as columns."""
    call = _Call(x, runtime)
    return call.give(call.kit.transpose(call.take("x", x, 2)))


def gather(x: Array | Buffer, indices: Array | Buffer, *, runtime: Runtime | None = None) -> Any:
    """The elements at these places."""
    call = _Call(x, runtime)
    return call.give(call.kit.gather(call.take("x", x), call.words("indices", indices)))


def scatter(
    x: Array | Buffer, indices: Array | Buffer, y: Array | Buffer, *, runtime: Runtime | None = None
) -> Any:
    """``y`` with the elements of ``x`` at these places: the buffer itself, or a copy of an array."""
    call = _Call(y, runtime)
    target = call.take("y", y)
    call.kit.scatter(call.take("x", x), call.words("indices", indices), target)
    return call.give(target)


def segment_scan(
    x: Array | Buffer,
    heads: Array | Buffer,
    op: str = "sum",
    *,
    exclusive: bool = False,
    runtime: Runtime | None = None,
) -> Any:
    """A scan that begins anew at each element whose head is not 0."""
    call = _Call(x, runtime)
    return call.give(call.kit.segment_scan(call.take("x", x), call.words("heads", heads), op, exclusive))


def segment_reduce(
    x: Array | Buffer, offsets: Array | Buffer, op: str = "sum", *, runtime: Runtime | None = None
) -> Any:
    """Elements combined from each offset up to the next."""
    call = _Call(x, runtime)
    return call.give(call.kit.segment_reduce(call.take("x", x), call.words("offsets", offsets), op))


def spmv(
    offsets: Array | Buffer,
    columns: Array | Buffer,
    entries: Array | Buffer,
    x: Array | Buffer,
    *,
    runtime: Runtime | None = None,
) -> Any:
    """A matrix in compressed rows, as SciPy has it, times ``x``; an array, or a buffer if ``x`` is one."""
    call = _Call(x, runtime)
    rows = (call.words("offsets", offsets), call.words("columns", columns))
    return call.give(call.kit.spmv(*rows, call.take("entries", entries), call.take("x", x)))


def matmul(a: Array | Buffer, b: Array | Buffer, *, runtime: Runtime | None = None) -> Any:
    """The product of two matrices."""
    call = _Call(a, runtime)
    return call.give(call.kit.matmul(call.take("a", a, 2), call.take("b", b, 2)))


def fft(x: Array | Buffer, *, inverse: bool = False, runtime: Runtime | None = None) -> Any:
    """Fourier transforms of the last dimension of ``complex64``, whose length is a power of two.

    A buffer has no complex numbers: it has pairs of ``float32`` in one dimension more.
    """
    call = _Call(x, runtime)
    if call.stays:
        return call.kit.fft(call.take("x", x, None), inverse)
    array = np.ascontiguousarray(_array("x", x))
    if array.dtype != np.complex64 or array.ndim == 0:
        raise BindError(f"`x` has elements of `{array.dtype}` in {array.ndim} dimensions: it takes `complex64`")
    pairs = call.take("x", array.view(np.float32).reshape(*array.shape, 2), None)
    return call.kit.fft(pairs, inverse).numpy().view(np.complex64).reshape(array.shape)


def random(
    shape: int | tuple[int, ...],
    dtype: npt.DTypeLike = np.uint32,
    *,
    seed: int = 0,
    stream: int = 0,
    runtime: Runtime | None = None,
) -> npt.NDArray[Any]:
    """Random ``uint32``, or ``float32`` from 0 up to 1: the same on every device. Streams of a seed are independent."""
    call = _Call(None, runtime)
    numbers = Buffer(shape, dtype, runtime=runtime)
    call.kit.random(numbers, _whole("seed", seed, 1 << 64), _whole("stream", stream, _WORDS))
    return numbers.numpy()
