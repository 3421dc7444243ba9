"""Graphs: what runs together, within a budget, as the device decides."""

import json
import pickle
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import seawall
from conftest import ENDLESS, SAXPY, SQUARE

HALVE = "@group(0) @binding(0) var<storage, read_write> x: u32; @compute @workgroup_size(1) fn main() { x /= 2u; }"


def fourth(n=100, budget=None):
    square = seawall.kernel(SQUARE)
    graph = seawall.Graph(budget=budget)
    graph.input("x", n, np.float32).transient("x2", n, np.float32).output("x4", n, np.float32)
    graph.wave("once", square, x="x", y="x2", over="y")
    graph.wave("twice", square, x="x2", y="x4", over="y")
    return graph


def test_a_graph(runtime, x):
    compiled = fourth().compile(runtime=runtime)
    finished = compiled(x=x)
    assert np.allclose(finished["x4"], x**4, rtol=1e-5)
    assert np.array_equal(compiled(x=x, x4=seawall.out())["x4"], finished["x4"])
    with pytest.raises(seawall.BindError, match="`x4` has the shape that the graph gives it: use `seawall.out\\(\\)`"):
        compiled(x=x, x4=seawall.out(50))
    x4 = np.empty(100, np.float32)
    address = x4.ctypes.data
    finished = compiled(x=x, x4=x4)
    assert finished.outputs == {} and x4.ctypes.data == address and np.allclose(x4, x**4, rtol=1e-5)
    assert finished.device == runtime.device and finished.elapsed > 0 and finished.stats["dispatches"] == 2


def test_resident_data(x):
    compiled = fourth().compile()
    a, b = seawall.Buffer(x), seawall.Buffer(100, np.float32)
    assert compiled(x=a, x4=b).stats["downloaded_bytes"] == 0
    assert np.allclose(b.numpy(), x**4, rtol=1e-5)


def test_plans(x):
    graph = fourth(1000, budget=8200)
    plan = graph.plan()
    assert plan.groups == [["once"], ["twice"]] and plan.budget_bytes == 8200 and plan.peak_bytes <= 8200
    assert any("x2" in reason for reason in plan.reasons)
    assert "once" in str(plan) and repr(plan).startswith("<seawall.Plan: 2 waves in 2 groups, at most ")
    assert xml.fromstring(plan._repr_svg_()).tag.endswith("svg")
    assert graph._repr_svg_() == plan.svg()
    big = np.ones(1000, np.float32)
    assert (graph.compile()(x=big)["x4"] == 1).all()
    with pytest.raises(seawall.GraphError, match="wave `once` needs 8000 bytes at once, over the budget of 100"):
        fourth(1000, budget=100).plan()


def test_values(x):
    saxpy = seawall.kernel(SAXPY)
    graph = seawall.Graph()
    graph.input("x", 100, np.float32).in_out("y", 100, np.float32).value("p", saxpy.dtype("p"))
    graph.wave("each", saxpy, p="p", x="x", y="y", over="y")
    graph.wave("fixed", saxpy, p={"a": 1.0, "n": 100}, x="x", y="y", over="y")
    compiled = graph.compile()
    y = np.zeros(100, np.float32)
    for a in [2.0, 3.0]:
        compiled(p={"a": a, "n": 100}, x=x, y=y)
    assert np.array_equal(y, 7 * x)
    for p, message in [({"a": 1.0}, "needs member `n: u32`"), (None, "`p: the dtype` takes a dict")]:
        with pytest.raises(seawall.BindError) as raised:
            compiled(p=p, x=x, y=y)
        assert message in str(raised.value)
    with pytest.raises(seawall.BindError, match="`p` is not bound"):
        compiled(x=x, y=y)


def test_loops_and_branches():
    graph = seawall.Graph()
    graph.in_out("x", 1, np.uint32)
    with graph.repeat("halvings", while_nonzero="x"):
        graph.wave("halve", seawall.kernel(HALVE), x="x", workgroups=1)
    x = np.array([1000], np.uint32)
    finished = graph.compile()(x=x)
    assert (x[0], finished.turns("halvings")) == (0, 10)
    limited = seawall.Graph()
    limited.in_out("x", 1, np.uint32)
    with limited.when("any", nonzero=("x", 0)):
        with limited.repeat("halvings", while_nonzero="x", limit=3, must_end=True):
            limited.wave("halve", seawall.kernel(HALVE), x="x", workgroups=1)
    with pytest.raises(seawall.LimitError, match="`halvings` ran 3 times, its limit, and was to go on"):
        limited.compile()(x=np.array([1000], np.uint32))


ORTHOGONAL = """
@group(0) @binding(0) var<storage, read> m: array<mat3x3<f32>>;
@group(0) @binding(1) var<storage, read_write> y: array<vec3<f32>>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&m) { y[id.x] = m[id.x] * vec3(1.0, 2.0, 3.0); }
}
"""


@pytest.mark.parametrize("shape", [(6, 3, 4), (2, 3, 3, 4), (1, 2, 3, 3, 4)])
def test_matrices_and_vectors_with_padding(runtime, shape):
    kernel = seawall.kernel(ORTHOGONAL, runtime=runtime)
    m = np.random.default_rng(1).random(shape, np.float32)
    rows = (*shape[:-2], 4)
    expected = np.einsum("...cr,c->...r", m[..., :3], np.array([1, 2, 3]))
    y = kernel(m=m, y=seawall.out(rows[:-1]), over="m")
    assert y.shape == rows and np.allclose(y[..., :3], expected, rtol=1e-5)
    graph = seawall.Graph()
    graph.input("m", shape, np.float32).output("y", rows, np.float32)
    graph.wave("all", kernel, m="m", y="y", over="m")
    y = graph.compile(runtime=runtime)(m=m)["y"]
    assert y.shape == rows and np.allclose(y[..., :3], expected, rtol=1e-5)
    kept = seawall.Buffer(rows, np.float32, runtime=runtime)
    kernel(m=seawall.Buffer(m, runtime=runtime), y=kept, over="m")
    assert np.array_equal(kept.numpy(), y)
    unpadded = np.ascontiguousarray(m[..., :3])
    for call in (lambda: kernel(m=unpadded, y=kept, over="m"), lambda: kernel(m=seawall.Buffer(unpadded, runtime=runtime), y=kept, over="m")):
        with pytest.raises(seawall.BindError, match=r"48 bytes apart, the host's are 12"):
            call()


def test_swap(x):
    graph = seawall.Graph()
    graph.in_out("a", 100, np.float32).transient("b", 100, np.float32)
    with graph.repeat("steps", times=3):
        graph.wave("step", seawall.kernel(SQUARE), x="a", y="b", over="y")
        graph.swap("a", "b")
    a = x / 100
    graph.compile()(a=a)
    assert np.allclose(a, (x / 100) ** 8, rtol=1e-4)


def test_queues_and_counts():
    visit = seawall.kernel(
        """
        @group(0) @binding(0) var<storage, read_write> seen: atomic<u32>;
        @compute @workgroup_size(64)
        fn visit(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x >= work_len() { return; }
            atomicAdd(&seen, 1u);
            let number = work_item(id.x);
            for (var power = 1u; power <= number; power *= 2u) { work_push(number - power); }
        }""",
        queues={"work": "u32"},
    )
    graph = seawall.Graph()
    graph.output("seen", 1, np.uint32).queue("numbers", 1000, np.uint32, initial=1)
    with graph.drain("visits", "numbers"):
        graph.wave("visit", visit, queues={"work": "numbers"}, seen="seen", items="numbers")
    finished = graph.compile()(numbers=np.array([5], np.uint32))
    assert finished["seen"].tolist() == [23] and finished.queue("numbers")["items"] == 23
    small = seawall.Graph()
    small.output("seen", 1, np.uint32).queue("numbers", 4, np.uint32, initial=1)
    with small.drain("visits", ["numbers"]):
        small.wave("visit", visit, queues={"work": "numbers"}, seen="seen", items="numbers")
    with pytest.raises(seawall.LimitError, match="items did not fit into queue `numbers`, which holds 4"):
        small.compile()(numbers=np.array([9], np.uint32))


def test_counted_outputs():
    even = seawall.kernel(
        """
        @group(0) @binding(0) var<storage, read> x: array<u32>;
        @group(0) @binding(1) var<storage, read_write> n: atomic<u32>;
        @group(0) @binding(2) var<storage, read_write> y: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&x) && x[id.x] % 2u == 0u { y[atomicAdd(&n, 1u)] = x[id.x]; }
        }"""
    )
    graph = seawall.Graph()
    graph.input("x", 100, np.uint32).transient("n", 1, np.uint32).output("y", 100, np.uint32, count="n")
    graph.wave("even", even, x="x", n="n", y="y", over="x")
    finished = graph.compile()(x=np.arange(100, dtype=np.uint32))
    assert finished.count("y") == 50
    assert sorted(finished["y"].tolist()) == list(range(0, 100, 2))


PICK = """
struct Pair { at: u32, value: f32 }
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> n: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<TYPE>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&x) || x[id.x] % 3u != 0u { return; }
    let at = 6u * atomicAdd(&n, 1u);
    for (var i = 0u; i < 6u; i++) { y[at + i] = VALUE; }
}
"""


@pytest.mark.parametrize(
    ("ty", "value", "dtype", "shape", "of"),
    [
        ("u32", "x[id.x]", np.uint32, (100, 6), lambda y: y[:, 0]),
        ("u32", "x[id.x]", np.uint32, (100, 2, 3), lambda y: y[:, 1, 2]),
        ("u32", "x[id.x]", np.uint32, (100, 1, 3, 2), lambda y: y[:, 0, 2, 1]),
        ("vec4<u32>", "vec4(x[id.x])", np.uint32, (100, 2, 3, 4), lambda y: y[:, 1, 2, 3]),
        ("Pair", "Pair(x[id.x], 0.5)", [("at", "u4"), ("value", "f4")], (100, 6), lambda y: y["at"][:, 5]),
        ("Pair", "Pair(x[id.x], 0.5)", [("at", "u4"), ("value", "f4")], (100, 2, 3), lambda y: y["at"][:, 1, 2]),
    ],
)
def test_counts_are_of_the_first_dimension(runtime, ty, value, dtype, shape, of):
    pick = seawall.kernel(PICK.replace("TYPE", ty).replace("VALUE", value), runtime=runtime)
    graph = seawall.Graph()
    graph.input("x", 100, np.uint32).transient("n", 1, np.uint32).output("y", shape, dtype, count="n")
    graph.wave("pick", pick, x="x", n="n", y="y", over="x")
    compiled = graph.compile(runtime=runtime)
    x = np.arange(100, dtype=np.uint32)
    finished = compiled(x=x)
    y = finished["y"]
    assert finished.count("y") == 34 and y.shape == (34, *shape[1:])
    assert sorted(of(y).tolist()) == list(range(0, 100, 3))
    # Into an array of the caller's, no more than that is written.
    given = np.zeros(shape, dtype)
    given.view(np.uint8)[:] = 0xA5
    compiled(x=x, y=given)
    assert sorted(of(given[:34]).tolist()) == list(range(0, 100, 3))
    assert (given[34:].view(np.uint8) == 0xA5).all()


def test_persistent_data():
    add = seawall.kernel(
        """@group(0) @binding(0) var<storage, read_write> sum: array<f32>;
           @compute @workgroup_size(1) fn main() { sum[0] += 1.0; }"""
    )
    graph = seawall.Graph()
    graph.persistent("sum", 4, np.float32)
    graph.wave("add", add, sum="sum", workgroups=1)
    compiled = graph.compile()
    for _ in range(3):
        compiled()
    assert compiled.persistent("sum").numpy().tolist() == [3, 0, 0, 0]
    with pytest.raises(seawall.BindError, match="the graph has no data `total` here; it has sum"):
        compiled.persistent("total")


def test_wrong_graphs(x):
    square = seawall.kernel(SQUARE)
    cases = [
        (lambda g: g.wave("w", square, x="x", y="z", over="y"), seawall.GraphError, "z"),
        (lambda g: g.input("d", 3, np.float64).wave("w", square, x="d", y="y", over="y"), seawall.GraphError, "wave `w`: `x: array<f32>` cannot be bound to elements of `float64`: it holds `f32`"),
        (lambda g: g.swap("x", "y"), seawall.GraphError, "are swapped outside of a loop"),
        (lambda g: g.wave("w", square, x="x", y="y", threads=1, over="y"), seawall.GraphError, "wave `w` has several grids: threads, over"),
        (lambda g: g.wave("w", square, {"x": "x"}, x="x", y="y", over="y"), seawall.GraphError, "wave `w` binds `x` twice"),
        (lambda g: g.input("b", 3, np.bool_), seawall.BindError, "no buffer holds elements of `bool`"),
    ]
    for describe, error, message in cases:
        graph = seawall.Graph()
        graph.input("x", 100, np.float32).output("y", 100, np.float32)
        with pytest.raises(error) as raised:
            describe(graph)
            graph.compile()
        assert message in str(raised.value)
    compiled = fourth().compile()
    for data, message in [
        ({}, "`x` is not bound"),
        ({"x": x, "z": x}, "the graph has no data `z` here; it has x, x4"),
        ({"x": x[:50].copy()}, "`x` has 400 bytes, but 200 are bound"),
        ({"x": x.astype(np.int32)}, "`x` holds `float32`, but elements of `int32` are bound"),
        ({"x": x, "x4": x}, "`x4` is in use"),
    ]:
        with pytest.raises(seawall.BindError) as raised:
            compiled(**data)
        assert message in str(raised.value)


def test_an_open_block_is_no_graph():
    graph = seawall.Graph()
    with graph.repeat("loop", times=1):
        with pytest.raises(seawall.GraphError, match="still being described"):
            graph.compile()
    with pytest.raises(ZeroDivisionError):
        with graph.repeat("other", times=1):
            raise ZeroDivisionError
    assert len(graph._steps) == 1


def test_traces(tmp_path, x):
    path = tmp_path / "trace.json"
    fourth().compile()(x=x, trace=path)
    names = {event["name"] for event in json.loads(path.read_text())["traceEvents"]}
    assert {"once", "twice"} <= names
    seawall.kernel(SQUARE)(x=x, threads=100, trace=str(tmp_path / "call.json"))
    assert json.loads((tmp_path / "call.json").read_text())["traceEvents"]


def test_pickled_graphs(x):
    graph = pickle.loads(pickle.dumps(fourth(budget=5000)))
    assert repr(graph) == "<seawall.Graph: 2 waves over 3 data, within 5000 bytes>"
    compiled = pickle.loads(pickle.dumps(graph.compile()))
    assert np.allclose(compiled(x=x)["x4"], x**4, rtol=1e-5)


def test_jobs(x):
    compiled = fourth().compile()
    tickets = [compiled.submit(x=x * factor) for factor in range(20)]
    for factor, ticket in enumerate(tickets):
        assert np.allclose(ticket.result(60)["x4"], (factor * x) ** 4, rtol=1e-5)
    graph = seawall.Graph()
    graph.in_out("v", 2, np.uint32)
    graph.wave("endless", seawall.kernel(ENDLESS), v="v", workgroups=1)
    with pytest.raises(seawall.DeadlineError):
        graph.compile()(v=np.zeros(2, np.uint32), deadline=0.05)
