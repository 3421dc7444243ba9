"""One kernel, called on whatever people have."""

import gc
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import seawall
from conftest import SAXPY, SQUARE


def test_in_place(runtime, x):
    saxpy = seawall.kernel(SAXPY, runtime=runtime)
    y = np.ones(100, np.float32)
    address = y.ctypes.data
    assert saxpy(p={"a": 2.0, "n": 100}, x=x, y=y, threads=100) is None
    assert y.ctypes.data == address
    assert np.array_equal(y, 1 + 2 * x)


def test_values_of_a_struct(x):
    @dataclass
    class P:
        a: float
        n: int

    saxpy = seawall.kernel(SAXPY)
    scalar = np.array((3.0, 100), saxpy.dtype("p"))
    for p in [{"a": 3, "n": 100}, P(3.0, 100), scalar, scalar[()], {"a": np.float32(3), "n": np.int64(100)}]:
        y = np.zeros(100, np.float32)
        saxpy(p=p, x=x, y=y, threads=100)
        assert np.array_equal(y, 3 * x), p


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ({"a": 1.0}, "`p: P` needs member `n: u32`"),
        ({"a": 1.0, "n": 1, "m": 2}, "`p: P` has no member `m`; it has `a`, `n`"),
        ({"a": 1.0, "n": -1}, "`p.n: u32` cannot be -1, a `int`"),
        ({"a": 1.0, "n": 1.5}, "`p.n: u32` cannot be 1.5, a `float`"),
        ({"a": "one", "n": 1}, "`p.a: f32` cannot be 'one', a `str`"),
        (7, "`p: P` takes a dict, a dataclass or a structured scalar, not 7, a `int`"),
        (np.array((1, 2.0), [("n", "u4"), ("a", "f4")]), "member `a`: the host has `f32` at byte 4, WGSL has `f32` at byte 0"),
        (np.array((1.0, 2.0), [("a", "f4"), ("n", "f4")]), "member `n`: the host has `f32` at byte 4, WGSL has `u32` at byte 4"),
    ],
)
def test_wrong_values_of_a_struct(x, p, message):
    with pytest.raises(seawall.BindError) as raised:
        seawall.kernel(SAXPY)(p=p, x=x, y=x.copy(), threads=1)
    assert str(raised.value).endswith(message)


def test_vectors_and_matrices_as_values():
    kernel = seawall.kernel(
        """
        struct S { v: vec3<f32>, k: f32, m: mat2x3<f32>, a: array<vec4<i32>, 2> }
        @group(0) @binding(0) var<uniform> s: S;
        @group(0) @binding(1) var<storage, read_write> y: array<f32>;
        @compute @workgroup_size(1) fn main() {
            y[0] = s.v.x; y[1] = s.v.y; y[2] = s.v.z; y[3] = s.k;
            y[4] = s.m[0].z; y[5] = s.m[1].x; y[6] = f32(s.a[1].w);
        }"""
    )
    s = {"v": (1, 2, 3), "k": 4, "m": [[0, 0, 5], [6, 0, 0]], "a": [(0, 0, 0, 0), (0, 0, 0, 7)]}
    assert kernel(s=s, y=seawall.out(7), workgroups=1).tolist() == [1, 2, 3, 4, 5, 6, 7]
    made = np.zeros((), kernel.dtype("s"))
    made["v"][:3], made["k"], made["m"][0, 2], made["m"][1, 0], made["a"][1, 3] = (1, 2, 3), 4, 5, 6, 7
    assert kernel(s=made, y=seawall.out(7), workgroups=1).tolist() == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(seawall.BindError, match=r"`s.v: vec3<f32>` takes 3 values, not 2"):
        kernel(s={**s, "v": (1, 2)}, workgroups=1, y=seawall.out(7))


def test_immediates_are_values(runtime):
    kernel = seawall.kernel(
        """
        struct Line { step: u32, first: u32 }
        var<immediate> line: Line;
        @group(0) @binding(0) var<storage, read_write> y: array<u32>;
        @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            y[id.x] = line.first + id.x * line.step;
        }""",
        runtime=runtime,
    )
    assert "line: Line (immediate)" in repr(kernel)
    y = kernel(line={"step": 2, "first": 7}, y=seawall.out(4), threads=4)
    assert y.tolist() == [7, 9, 11, 13]
    with pytest.raises(seawall.BindError, match="line"):
        kernel(y=seawall.out(4), threads=4)


def test_textures_are_refused():
    text = """
        @group(0) @binding(0) var to: texture_storage_1d<r32uint, write>;
        @compute @workgroup_size(1) fn main() { textureStore(to, 0, vec4(1)); }
    """
    with pytest.raises(seawall.BindError, match="`to` is a texture, and Python can bind arrays and buffers only"):
        seawall.kernel(text)


def test_a_kernel_says_what_it_needs():
    kernel = seawall.kernel(
        """enable f16;
        @group(0) @binding(0) var<storage, read_write> y: array<u32>;
        @compute @workgroup_size(1) fn main() { y[0] = u32(f16(y[1])); y[1] = u32(i64(y[2])); }"""
    )
    assert kernel.needs == ["f16", "int64"]


TYPES = {"f32": np.float32, "u32": np.uint32, "i32": np.int32, "f16": np.float16, "f64": np.float64, "i64": np.int64, "u64": np.uint64}


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("shape", [(60,), (6, 10), (2, 3, 10), (60, 1)])
def test_every_dtype_and_shape(runtime, name, shape):
    has = {"f16": "f16", "f64": "f64", "i64": "int64", "u64": "int64"}
    if name in has and not runtime.caps[has[name]]:
        pytest.skip(f"{runtime.device} has no {name}")
    enable = "enable f16;" if name == "f16" else ""
    kernel = seawall.kernel(
        f"""{enable}
        @group(0) @binding(0) var<storage, read> x: array<{name}>;
        @group(0) @binding(1) var<storage, read_write> y: array<{name}>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
            if id.x < arrayLength(&y) {{ y[id.x] = x[id.x] + x[id.x]; }}
        }}""",
        runtime=runtime,
    )
    x = np.arange(60, dtype=TYPES[name]).reshape(shape)
    y = np.zeros(shape, TYPES[name])
    kernel(x=x, y=y, over="y")
    assert np.array_equal(y, 2 * x)
    assert kernel(x=x, threads=60).dtype == TYPES[name]
    for other in TYPES.values():
        if other is not TYPES[name]:
            with pytest.raises(seawall.BindError, match=f"it holds `{name}`"):
                kernel(x=x.astype(other), y=y, over="y")


def test_rows_are_vectors():
    kernel = seawall.kernel(
        """
        @group(0) @binding(0) var<storage, read> x: array<vec3<f32>>;
        @group(0) @binding(1) var<storage, read_write> y: array<vec3<f32>>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&y) { y[id.x] = x[id.x].zyx; }
        }"""
    )
    x = np.arange(40, dtype=np.float32).reshape(10, 4)
    y = kernel(x=x, threads=10)
    assert y.shape == (10, 4)
    assert np.array_equal(y[:, :3], x[:, 2::-1])
    with pytest.raises(seawall.BindError, match=r"16 bytes apart, the host's are 12; .* pad it to `\[f32; 4\]`"):
        kernel(x=np.ascontiguousarray(x[:, :3]), threads=10)


def test_structs():
    kernel = seawall.kernel(
        """
        struct Body { at: vec3<f32>, mass: f32, id: u32 }
        @group(0) @binding(0) var<storage, read_write> bodies: array<Body>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < arrayLength(&bodies) { bodies[id.x].at *= bodies[id.x].mass; bodies[id.x].id += 1u; }
        }"""
    )
    dtype = kernel.dtype("bodies")
    assert dtype.itemsize == 32 and dtype.names == ("at", "mass", "id")
    bodies = np.zeros(5, dtype)
    bodies["at"] = [1, 2, 3]
    bodies["mass"] = np.arange(5)
    address = bodies.ctypes.data
    kernel(bodies=bodies, over="bodies")
    assert bodies.ctypes.data == address
    assert np.array_equal(bodies["at"], np.outer(np.arange(5), [1, 2, 3]))
    assert (bodies["id"] == 1).all()
    packed = np.zeros(5, [("at", "f4", 3), ("mass", "f4"), ("id", "u4")])
    with pytest.raises(seawall.BindError, match="of 20 bytes, WGSL has `Body` of 32 bytes"):
        kernel(bodies=packed, over="bodies")
    swapped = np.zeros(5, {"names": ["at", "id", "mass"], "formats": [("f4", 3), "u4", "f4"], "offsets": [0, 12, 16], "itemsize": 32})
    with pytest.raises(seawall.BindError, match="member `mass`: the host has `f32` at byte 16, WGSL has `f32` at byte 12"):
        kernel(bodies=swapped, over="bodies")


def test_outputs_are_made(runtime, x):
    square = seawall.kernel(SQUARE, runtime=runtime)
    assert np.array_equal(square(x=x, threads=100), x * x)
    assert np.array_equal(square(x=x, y=seawall.out((4, 25)), over="x"), (x * x).reshape(4, 25))
    with pytest.raises(seawall.BindError, match=r"how long is `y: array<f32>` to be\? Bind it, or `seawall.out\(shape\)`"):
        square(x=x, workgroups=2)
    grid = seawall.kernel(
        """
        @group(0) @binding(0) var<storage, read_write> at: array<vec2<u32>>;
        @group(0) @binding(1) var<storage, read_write> hits: atomic<u32>;
        @compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            if id.x < 5u && id.y < 3u { at[id.y * 5u + id.x] = id.xy; atomicAdd(&hits, 1u); }
        }""",
        runtime=runtime,
    )
    results = grid(threads=(5, 3))
    assert results._fields == ("at", "hits")
    assert results.at.shape == (3, 5, 2) and results.at[2, 4].tolist() == [4, 2]
    assert int(results.hits) == 15


def test_what_is_read_is_not_made(x):
    with pytest.raises(seawall.BindError, match="`main` uses `y: array<f32>`, which is not bound"):
        seawall.kernel(SAXPY)(p={"a": 2, "n": 100}, x=x, threads=100)
    assert np.array_equal(seawall.kernel(SAXPY)(p={"a": 2, "n": 100}, x=x, y=seawall.out(), threads=100), 2 * x)


def read_only(x):
    x.flags.writeable = False
    return x


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (lambda: read_only(np.zeros(100, np.float32)), "`y` is read-only, and the kernel writes it: bind a copy"),
        (lambda: np.zeros(200, np.float32)[::2], "`y` is not contiguous: bind a copy by `numpy.ascontiguousarray`, and take the results from that"),
        (lambda: np.zeros((10, 10), np.float32, "F"), "`y` has its columns side by side: bind a copy by `numpy.ascontiguousarray`, and take the results from that"),
        (lambda: np.zeros(401, np.uint8)[1:].view(np.float32), "`y` does not start at a multiple of its elements' size: bind a copy of it"),
        (lambda: np.zeros(100, ">f4"), "its bytes are in another order than this machine's"),
        (lambda: np.zeros(100, bool), "WGSL has no `bool` in buffers: use `.astype(numpy.uint32)`"),
        (lambda: np.zeros(100, np.uint8), "WGSL has no integers of 8 or 16 bits"),
        (lambda: np.zeros(100, np.complex64), "use `.view(numpy.float32)` for pairs of them"),
        (lambda: np.zeros(100, object), "Python's objects cannot be bound"),
        (lambda: np.zeros(0, np.float32), "`y: array<f32>` needs a positive multiple of 4 bytes, but 0 bytes are bound"),
        (lambda: [0.0] * 100, "`y: array<f32>` takes an array or a buffer"),
        (lambda: None, "`y: array<f32>` takes an array or a buffer"),
    ],
)
def test_refused_by_name(x, y, message):
    with pytest.raises(seawall.BindError) as raised:
        seawall.kernel(SQUARE)(x=x, y=y(), over="x")
    assert message in str(raised.value)
    assert isinstance(raised.value, ValueError)


def test_aliases_are_refused(x):
    square = seawall.kernel(SQUARE)
    for y in [x, x[:], x.reshape(10, 10), x.view(np.float32)]:
        with pytest.raises(seawall.BindError, match="`y` is in use: what is written must not share memory"):
            square(x=x, y=y, over="x")
    both = np.zeros(200, np.float32)
    both[:100] = x
    square(x=both[:100], y=both[100:], over="x")
    assert np.array_equal(both[100:], x * x)


def test_wrong_calls(x):
    square = seawall.kernel(SQUARE)
    cases = [
        ({}, "no grid for `main`: say how many `threads` or `workgroups`, or `over` which buffer"),
        ({"threads": 1, "over": "x"}, "say one of `threads`, `workgroups`, `over`, and `indirect` with `limit`"),
        ({"threads": -1}, "a grid of [-1] has less than nothing"),
        ({"threads": 1 << 40}, "a grid of 1099511627776 x 1 x 1 does not fit"),
        ({"threads": "many"}, "`threads` is a number or a tuple of up to three, not 'many', a `str`"),
        ({"threads": (1, 1, 1, 1)}, "`threads` is a number or a tuple of up to three"),
        ({"over": "z"}, "`main` has no runtime-sized array `z` to run over"),
        ({"threads": 1, "z": x}, "`main` uses no buffer `z`; it uses x, y"),
        ({"threads": 1, "deadline": -1.0}, "`deadline` is -1 seconds, which is no time to wait for"),
    ]
    for options, message in cases:
        with pytest.raises(seawall.BindError) as raised:
            square(x=x, y=x.copy(), **options)
        assert message in str(raised.value)


def test_names_that_are_keywords(x):
    kernel = seawall.kernel(SQUARE.replace("x:", "threads:").replace("x[", "threads["))
    assert np.array_equal(kernel({"threads": x}, threads=100), x * x)
    with pytest.raises(seawall.BindError, match="`y` is bound twice"):
        kernel({"threads": x, "y": x.copy()}, y=x.copy(), threads=100)


def test_entries_overrides_and_files(tmp_path):
    text = """
    override scale: f32 = 2.0;
    @id(7) override add: u32;
    @group(0) @binding(0) var<storage, read_write> v: array<f32>;
    @compute @workgroup_size(1) fn mul() { v[0] *= scale; }
    @compute @workgroup_size(1) fn inc() { v[0] += f32(add); }
    """
    path = tmp_path / "two.wgsl"
    path.write_text(text)
    for source in [text, path]:
        program = seawall.program(source)
        assert program.entries == ["mul", "inc"]
        v = np.ones(1, np.float32)
        program.kernel("mul", overrides={"scale": 5, "7": 0})(v=v, workgroups=1)
        seawall.kernel(source, "inc", overrides={"7": 3})(v=v, workgroups=1)
        assert v[0] == 8
    with pytest.raises(seawall.BindError, match="several entry points: mul, inc; say which by `entry=`"):
        seawall.kernel(text)
    with pytest.raises(seawall.ProgramError) as raised:
        seawall.kernel(text, "mull", overrides={"7": 1})
    assert raised.value.code == "unknown-entry"


def test_program_errors():
    with pytest.raises(seawall.ProgramError) as raised:
        seawall.kernel("@compute @workgroup_size(1) fn main() {\n    let x: u32 = 1.5;\n}")
    error = raised.value
    assert str(error).startswith(f"error[{error.code}]: ")
    assert " <wgsl>:2:" in str(error)
    [span] = [span for span in error.spans if span.primary]
    assert span.line == 2 and error.diagnostics[0].severity == "error"
    assert isinstance(error, (seawall.Error, ValueError))


def test_indirect():
    count = seawall.kernel(
        """@group(0) @binding(0) var<storage, read_write> n: atomic<u32>;
           @compute @workgroup_size(1) fn main() { atomicAdd(&n, 1u); }"""
    )
    grid = seawall.Buffer(np.array([3, 2, 1], np.uint32))
    assert int(count(indirect=grid, limit=(8, 8, 1))) == 6
    with pytest.raises(seawall.LimitError, match=r"`main` found a grid of \[3, 2, 1\] workgroups, where \[2, 2, 1\] is the most"):
        count(indirect=grid, limit=(2, 2, 1))


def test_nothing_leaks(x):
    square = seawall.kernel(SQUARE)
    y = np.zeros(100, np.float32)
    wrong = np.zeros(3, np.float64)
    p = {"a": 1.0, "n": 100}
    saxpy = seawall.kernel(SAXPY)

    def work(times):
        for _ in range(times):
            square(x=x, y=y, threads=100)
        for _ in range(times // 10):
            square(x=x, threads=100)
            saxpy(p=p, x=x, y=y, threads=100)
            try:
                square(x=wrong, y=y, threads=100)
            except seawall.BindError:
                pass

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    work(1000)
    gc.collect()
    counts = [sys.getrefcount(each) for each in (x, y, wrong, p, square, None)][:5]
    before = resident() if sys.platform == "linux" else 0
    work(100_000)
    gc.collect()
    assert [sys.getrefcount(each) for each in (x, y, wrong, p, square, None)][:5] == counts
    if sys.platform == "linux":
        assert resident() - before < 8 << 20
