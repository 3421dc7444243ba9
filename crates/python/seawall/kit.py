"""Ready programs over arrays: scans, sorts, compaction, algorithms on graphs and others.

>>> import numpy as np
>>> from seawall import kit
>>> kit.sort(np.array([3.0, -1.0, 2.0], np.float32))
array([-1.,  2.,  3.], dtype=float32)

Each takes NumPy's arrays, or whatever else has memory on the host, and returns new arrays. Given a
:class:`seawall.Buffer` first, it returns buffers: what goes from one to the next stays on the device then.
``docs/kit.md`` says what is promised.

Algorithms on graphs take a :class:`Csr`:

>>> graph = kit.Csr.generate("grid:3x2")
>>> kit.bfs(graph, 0)
array([0, 1, 2, 1, 2, 3], dtype=uint32)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from seawall._errors import BindError
from seawall._foreign import array as _in_place
from seawall._seawall import Buffer, Kit, Plan, Runtime
from seawall._seawall import Csr as _Csr
from seawall._types import Array

__all__ = [
    "FAR",
    "Csr",
    "Parted",
    "Runs",
    "Sorted",
    "Top",
    "betweenness",
    "bfs",
    "compact",
    "components",
    "fft",
    "gather",
    "histogram",
    "matmul",
    "pagerank",
    "partition",
    "plans",
    "random",
    "reduce",
    "runs",
    "scan",
    "scatter",
    "segment_reduce",
    "segment_scan",
    "sort",
    "spmv",
    "sssp",
    "top",
    "transpose",
    "triangles",
    "unique",
]

_WORDS = 1 << 32

FAR = _WORDS - 1
"""The distance of vertices that cannot be reached."""


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
    """The product of two matrices: in ``float32`` of ``float32`` and ``float16``, in ``int32`` of arrays of ``int8``."""
    call = _Call(a, runtime)
    if call.stays or _array("a", a).dtype != np.int8:
        return call.give(call.kit.matmul(call.take("a", a, 2), call.take("b", b, 2)))
    left, right = _array("a", a), _array("b", b)
    if right.dtype != np.int8:
        raise BindError(f"`b` has elements of `{right.dtype}`: it takes those of `a`, `int8`")
    for name, matrix in (("a", left), ("b", right)):
        if matrix.ndim != 2:
            raise BindError(f"`{name}` has {matrix.ndim} dimensions: it takes 2")
    if left.shape[1] != right.shape[0]:
        raise BindError(f"`a` has {left.shape[1]} columns, but `b` has {right.shape[0]} rows")
    # Four bytes are a word, and zeros add nothing.
    words = [
        np.ascontiguousarray(np.pad(side, ((0, 0), (0, -side.shape[1] % 4)))).view(np.uint32)
        for side in (left, right.T)
    ]
    return call.give(call.kit.matmul_bytes(call.take("a", words[0], 2), call.take("b", words[1], 2)))


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


class Csr:
    """A graph of vertices and edges on a device, in compressed rows.

    The edges of vertex ``v`` lead to ``edges[offsets[v]:offsets[v + 1]]``, as a matrix of SciPy's has its columns:
    ``Csr(m.indptr, m.indices)``. An undirected graph has each edge in both rows. A directed one is given ``back`` too,
    the offsets and edges of rows of those that enter each vertex. Rows are checked on the device. Of buffers it is a
    graph whose algorithms give buffers.

    >>> import numpy as np
    >>> path = Csr.from_edges(np.array([[0, 1], [1, 2]]), weights=np.array([5, 7]))
    >>> path, path.offsets, path.edges, path.weights
    (<seawall.kit.Csr: 3 vertices, 4 places, undirected>, array([0, 1, 3, 4], dtype=uint32), \
array([1, 0, 2, 1], dtype=uint32), array([5, 5, 7, 7], dtype=uint32))
    """

    _inner: _Csr
    _stays: bool

    def __init__(
        self,
        offsets: Array | Buffer,
        edges: Array | Buffer,
        weights: Array | Buffer | None = None,
        *,
        back: tuple[Array | Buffer, Array | Buffer] | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        call = _Call(offsets, runtime)
        rows = [call.words("offsets", offsets), call.words("edges", edges)]
        lengths = None if weights is None else call.words("weights", weights)
        around = () if back is None else (call.words("back_offsets", back[0]), call.words("back_edges", back[1]))
        self._inner = _Csr.from_rows(*rows, lengths, *around, runtime=runtime)
        self._stays = call.stays

    @classmethod
    def _of(cls, inner: _Csr) -> Csr:
        graph = cls.__new__(cls)
        graph._inner, graph._stays = inner, False
        return graph

    @classmethod
    def from_edges(
        cls,
        pairs: Array,
        weights: Array | None = None,
        *,
        vertices: int | None = None,
        directed: bool = False,
        runtime: Runtime | None = None,
    ) -> Csr:
        """Of an array with the two ends of each edge. There are as many vertices as are named, or as are said."""
        call = _Call(None, runtime)
        ends = _array("pairs", pairs)
        if ends.ndim != 2 or ends.shape[1] != 2:
            raise BindError(f"`pairs` has the shape {ends.shape}: it takes two vertices for each edge")
        lengths = None
        if weights is not None:
            lengths = call.words("weights", weights)
            if lengths.size != len(ends):
                raise BindError(f"`weights` has {lengths.size} elements, but {len(ends)} are needed")
        count = (int(ends.max()) + 1 if ends.size else 0) if vertices is None else _whole("vertices", vertices, _WORDS)
        words = call.words("pairs", ends.reshape(-1))
        return cls._of(_Csr.from_pairs(count, words, lengths, directed, runtime))

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        directed: bool = False,
        weights: bool = False,
        runtime: Runtime | None = None,
    ) -> Csr:
        """Of a Matrix Market file or a list of edges, whose third numbers are ``weights`` if they are asked for.

        Loops and edges that are there twice are left out.
        """
        return cls._of(_Csr.parsed(Path(path).read_text(encoding="utf-8"), directed, weights, runtime))

    @classmethod
    def generate(cls, text: str, *, runtime: Runtime | None = None) -> Csr:
        """``kron:SCALE[:DEGREE[:SEED]]``, ``urand:SCALE[:DEGREE[:SEED]]`` or ``grid:COLUMNSxROWS``, with weights."""
        return cls._of(_Csr.generated(text, runtime))

    @property
    def vertices(self) -> int:
        """How many there are."""
        return self._inner.vertices

    @property
    def directed(self) -> bool:
        """Whether edges lead one way."""
        return self._inner.directed

    @property
    def runtime(self) -> Runtime:
        """Where it is."""
        return self._inner.runtime

    @property
    def offsets(self) -> Any:
        """Where rows begin; one more than there are vertices."""
        return self._give(self._inner.offsets())

    @property
    def edges(self) -> Any:
        """Where edges lead, row after row; one that leads both ways is there twice."""
        return self._give(self._inner.edges())

    @property
    def weights(self) -> Any:
        """How long edges are; an error if they have no weights."""
        return self._give(self._inner.weights())

    def _give(self, buffer: Buffer) -> Any:
        return buffer if self._stays else buffer.numpy()

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<seawall.kit.Csr: {self.vertices} vertices, {self._inner.places} places, {kind}>"


def _graph(given: Csr) -> tuple[Csr, Kit]:
    if not isinstance(given, Csr):
        raise BindError(f"`graph` is a `{type(given).__name__}`: it takes a `seawall.kit.Csr`")
    return given, Kit(given.runtime)


def bfs(graph: Csr, source: int) -> Any:
    """How many edges each vertex is away from ``source``; :data:`FAR` if it cannot be reached."""
    graph, kit = _graph(graph)
    return graph._give(kit.bfs(graph._inner, _whole("source", source, _WORDS)))


def sssp(graph: Csr, source: int, *, delta: int | None = None) -> Any:
    """How far each vertex is from ``source`` by weights, or :data:`FAR`; ``delta`` says how wide buckets are."""
    graph, kit = _graph(graph)
    wide = None if delta is None else _whole("delta", delta, _WORDS)
    return graph._give(kit.sssp(graph._inner, _whole("source", source, _WORDS), wide))


def components(graph: Csr) -> Any:
    """The lowest vertex that each hangs together with, whichever way edges lead."""
    graph, kit = _graph(graph)
    return graph._give(kit.components(graph._inner))


def pagerank(graph: Csr, *, damping: float = 0.85, tolerance: float = 1e-4) -> Any:
    """How often each vertex is visited by somebody who follows edges at random, until ranks hardly move."""
    graph, kit = _graph(graph)
    return graph._give(kit.pagerank(graph._inner, damping, tolerance))


def triangles(graph: Csr) -> int:
    """How many threes of vertices are neighbours of each other, in an undirected graph."""
    graph, kit = _graph(graph)
    return kit.triangles(graph._inner)


def betweenness(graph: Csr, sources: Array | Buffer | None = None) -> Any:
    """Which share of shortest paths leads through each vertex: of those from ``sources``, or of all."""
    graph, kit = _graph(graph)
    some = None if sources is None else _Call(None, graph.runtime).words("sources", sources)
    return graph._give(kit.betweenness(graph._inner, some))


def plans(runtime: Runtime | None = None) -> list[Plan]:
    """The plans of the last calls on a runtime, the last one last: what ran together, what was chosen, and why."""
    return Kit(runtime).plans()
