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


SQUARE_PAIRS = np.array([[0, 1], [1, 2], [2, 3], [3, 0], [4, 4], [1, 2]])


def distances(graph, source, weights):
    """Bellman and Ford's, on the host."""
    far = np.full(graph.vertices, np.inf)
    far[source] = 0
    offsets, edges = graph.offsets, graph.edges
    for _ in range(graph.vertices):
        for v in range(graph.vertices):
            for e in range(offsets[v], offsets[v + 1]):
                far[edges[e]] = min(far[edges[e]], far[v] + weights[e])
    return np.where(np.isinf(far), kit.FAR, far).astype(np.uint32)


def graphs(runtime):
    """Loops, edges that are there twice, vertices without any; directed and not; made up."""
    weights = np.array([4, 1, 1, 9, 2, 3])
    yield kit.Csr.from_edges(SQUARE_PAIRS, weights, runtime=runtime)
    yield kit.Csr.from_edges(SQUARE_PAIRS, weights, vertices=7, directed=True, runtime=runtime)
    yield kit.Csr.generate("kron:5:4", runtime=runtime)


def test_searches(runtime):
    for graph in graphs(runtime):
        ones = np.ones(graph.edges.size)
        same(kit.bfs(graph, 1), distances(graph, 1, ones))
        same(kit.sssp(graph, 1), distances(graph, 1, graph.weights))
        same(kit.sssp(graph, 1, delta=1), distances(graph, 1, graph.weights))


def test_what_graphs_are(runtime):
    for graph in graphs(runtime):
        component = kit.components(graph)
        for v in range(graph.vertices):
            row = graph.edges[graph.offsets[v] : graph.offsets[v + 1]]
            assert (component[row] == component[v]).all() and component[v] <= v
        ranks = kit.pagerank(graph, tolerance=1e-6)
        assert ranks.dtype == np.float32 and 0 < ranks.sum() <= 1.001
    whole = np.array([(a, b) for a in range(6) for b in range(a)])
    complete = kit.Csr.from_edges(whole, runtime=runtime)
    assert kit.triangles(complete) == 20
    path = kit.Csr.generate("grid:4x1", runtime=runtime)
    same(kit.betweenness(path), np.array([0, 4, 4, 0], np.float32))
    same(kit.betweenness(path, np.array([0])), np.array([0, 2, 1, 0], np.float32))


def test_graphs_from_files(runtime, tmp_path):
    mtx, text = tmp_path / "g.mtx", tmp_path / "g.el"
    mtx.write_text("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 7\n2 3 1\n3 3 5\n")
    text.write_text("0 1 7\n1 2 1\n")
    for path in (mtx, text):
        graph = kit.Csr.read(path, weights=True, runtime=runtime)
        same(kit.sssp(graph, 0), np.array([0, 7, 8], np.uint32))
        one_way = kit.Csr.read(str(path), directed=True, runtime=runtime)
        assert one_way.directed and one_way.runtime is runtime
        same(kit.bfs(one_way, 1), np.array([kit.FAR, 0, 1], np.uint32))
    with pytest.raises(FileNotFoundError):
        kit.Csr.read(tmp_path / "none.mtx")


def test_graphs_of_buffers_give_buffers(runtime):
    offsets, edges = np.array([0, 1, 3, 4], np.uint32), np.array([1, 0, 2, 1], np.uint32)
    graph = kit.Csr(*(seawall.Buffer(rows, runtime=runtime) for rows in (offsets, edges)), runtime=runtime)
    dist = kit.bfs(graph, 0)
    assert isinstance(dist, seawall.Buffer) and isinstance(graph.offsets, seawall.Buffer)
    same(dist.numpy(), np.array([0, 1, 2], np.uint32))
    same(kit.bfs(kit.Csr(offsets.astype(np.int64), edges, runtime=runtime), 0), dist.numpy())
    back = (np.array([0, 0, 1, 2]), np.array([0, 1]))
    one_way = kit.Csr(np.array([0, 1, 2, 2]), np.array([1, 2]), np.array([5, 6]), back=back, runtime=runtime)
    same(kit.sssp(one_way, 0), np.array([0, 5, 11], np.uint32))
    assert kit.Csr.from_edges(np.zeros((0, 2), np.uint32), runtime=runtime).vertices == 0


GRID = kit.Csr.generate("grid:2x2")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kit.bfs(GRID, 4), "there is no vertex 4: the graph has 4"),
        (lambda: kit.bfs(GRID, -1), "`source` is -1: it is from 0 to 4294967295"),
        (lambda: kit.bfs(U32, 0), "`graph` is a `ndarray`: it takes a `seawall.kit.Csr`"),
        (lambda: kit.sssp(kit.Csr.from_edges(SQUARE_PAIRS), 0), "the edges of the graph have no weights"),
        (lambda: kit.Csr.from_edges(SQUARE_PAIRS).weights, "the edges of the graph have no weights"),
        (lambda: kit.triangles(kit.Csr.from_edges(SQUARE_PAIRS, directed=True)), "the edges of the graph lead one way"),
        (lambda: kit.Csr.from_edges(U32), "`pairs` has the shape (3,): it takes two vertices for each edge"),
        (lambda: kit.Csr.from_edges(SQUARE_PAIRS - 1), "`pairs` has elements from -1 to 3"),
        (lambda: kit.Csr.from_edges(SQUARE_PAIRS, vertices=3), "edge 2 leads from 2 to 3, and there are 3 vertices"),
        (lambda: kit.Csr.from_edges(SQUARE_PAIRS, U32), "`weights` has 3 elements, but 6 are needed"),
        (lambda: kit.Csr(np.array([0, 9]), np.array([0])), "1 of the rows in `offsets` begin before"),
        (lambda: kit.Csr.generate("tree:3"), "`tree:3` is no graph: there is kron:SCALE"),
        (lambda: kit.betweenness(GRID, np.array([0, 5])), "there is no vertex 5: the graph has 4"),
        (lambda: kit.matmul(np.ones((1, 2), np.int8), np.ones((1, 2), np.int8)), "`a` has 2 columns, but `b` has 1 rows"),
        (lambda: kit.matmul(np.ones((1, 2), np.int8), F32), "`b` has elements of `float32`: it takes those of `a`, `int8`"),
        (lambda: kit.matmul(F32.reshape(1, 3), U32.reshape(3, 1)), "`b` has elements of `uint32`: it takes those of `a`, `float32`"),
        (lambda: kit.matmul(U32.reshape(1, 3), U32.reshape(3, 1)), "`a` has elements of `uint32`: it takes `float32`, `float16`"),
    ],
)  # fmt: skip
def test_mistakes_in_graphs(call, message):
    with pytest.raises(seawall.BindError) as raised:
        call()
    assert message in str(raised.value)


def test_a_negative_weight_is_told(tmp_path):
    (tmp_path / "g.el").write_text("0 1 -4\n")
    with pytest.raises(seawall.BindError, match="line 1: the weight -4 is negative"):
        kit.Csr.read(tmp_path / "g.el", weights=True)


def test_halves_and_bytes(runtime):
    random = np.random.default_rng(9)
    for rows, inner, columns in [(1, 1, 1), (3, 5, 2), (33, 64, 17)]:
        a, b = (random.integers(-128, 128, shape).astype(np.int8) for shape in [(rows, inner), (inner, columns)])
        same(kit.matmul(a, b, runtime=runtime), a.astype(np.int32) @ b.astype(np.int32))
        # A GPU binds whole words.
        words = all(matrix.size % 2 == 0 for matrix in (a, b)) or not runtime.device.startswith("gpu")
        if runtime.caps["f16"] and words:
            a, b = ((matrix // 16).astype(np.float16) for matrix in (a, b))
            same(kit.matmul(a, b, runtime=runtime), a.astype(np.float32) @ b.astype(np.float32))


def test_choices_are_in_plans():
    runtime = seawall.Runtime("cpu")
    kit.sort(U32, runtime=runtime)
    (plan,) = kit.plans(runtime)
    assert any(choice.startswith("chosen for `sort`: digits of ") for choice in plan.choices)
    assert plan.choices[0] in str(plan)
