//! Random kernels in forms that people write again and again: tiles in workgroup memory, strides
//! over a buffer that end in a tree, sums over what a workgroup has fetched, elements of several
//! words, values of thousands, ramps that lanes leave. The others have a bit of everything, and so seldom what a compiler looks for in these.

use super::large::large;
use super::parts::{kernel, setting, some, words};
use super::ramps::ramps;
use super::rng::Rng;
use super::types::Scalar;
use super::walks::walks;
use super::{Buffer, Kernel};

impl Kernel {
    /// The kernel of a seed, in one of these forms.
    pub fn habit(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        match rng.below(14) {
            0 | 1 => tiles(&mut rng),
            2 | 3 => strides(&mut rng),
            4 | 5 => sums(&mut rng),
            6 | 7 => elements(&mut rng),
            8 => large(&mut rng),
            9 => ramps(&mut rng),
            _ => walks(&mut rng),
        }
    }
}

/// Products of matrices, or nearly.
fn tiles(rng: &mut Rng) -> Kernel {
    let scalar = rng.pick(&[Scalar::F32, Scalar::F32, Scalar::U32, Scalar::I32]);
    let [x, y] = rng.pick(&[[8, 8], [16, 16], [16, 4], [8, 4], [16, 2], [4, 4], [32, 4], [24, 2], [8, 6], [16, 3]]);
    let (depth, grid) = (rng.pick(&[4, 8, 16, 16, 32, 5]), [1 + rng.below(3), 1 + rng.below(2), 1]);
    let n = 1 + rng.below(3 * depth);
    let ty = scalar.name();
    let turn = some(
        rng,
        3,
        &[
            "sum += left[local.y][k] * right[k][local.x];",
            "sum += left[local.y][k] * right[k][local.x];",
            "sum = sum * right[k][local.x] + left[local.y][k];",
            "other += right[k][local.x];",
            "other = right[k][local.x] - other;",
            "sum += right[k][(local.x + 1u) % X];",
            "sum -= left[k % Y][k];",
            "if left[local.y][k] > right[k][local.x] { sum += other; }",
            "if k == local.y { sum -= right[k][local.x]; continue; }",
            "if k > local.y && k > local.x { break; }",
            "c[id.y * (X * groups.x) + id.x] = sum;",
            "sum = max(sum, right[k][local.x]) - min(other, left[local.y][k]);",
            "other = sum; sum += right[k][local.x] * step;",
            "{ let old = sum; sum = other; other = old; }",
            "other = sqrt(other) / (right[k][local.x] + step);",
        ],
    );
    let turn = if scalar == Scalar::F32 { turn } else { turn.replace("sqrt", "") };
    let end = some(
        rng,
        2,
        &[
            "if id.x % 3u == 0u { sum += other; }",
            "if local.y < Y / 2u { sum += left[0][local.x % K]; }",
            "sum += other;",
            "if local.y > 2u { return; }",
        ],
    );
    let fill = rng.pick(&[
        "for (var k = local.x; k < K; k += X) { left[local.y][k] = a[id.y * n + t + k]; }
        for (var k = local.y; k < K; k += Y) { right[k][local.x] = b[(t + k) * n + id.x]; }",
        "if local.x < K { left[local.y][local.x] = a[id.y * n + t + local.x]; }
        if local.y < K { right[local.y][local.x] = b[(t + local.y) * n + id.x]; }",
    ]);
    let text = format!(
        "@group(0) @binding(0) var<storage> a: array<{ty}>;
@group(0) @binding(1) var<storage> b: array<{ty}>;
@group(0) @binding(2) var<storage, read_write> c: array<{ty}>;
@group(0) @binding(3) var<uniform> n: u32;
const X = {x}u;
const Y = {y}u;
const K = {depth}u;
var<workgroup> left: array<array<{ty}, K>, Y>;
var<workgroup> right: array<array<{ty}, X>, K>;
@compute @workgroup_size(X, Y)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
    @builtin(num_workgroups) groups: vec3u) {{
    var sum = {ty}(local.x);
    var other = {ty}(1);
    let step = {ty}(id.x + 3u) / {ty}(n);
    for (var t = 0u; t < n; t += K) {{
        {fill}
        workgroupBarrier();
        for (var k = 0u; k < K; k++) {{
{turn}        }}
        workgroupBarrier();
    }}
{end}    c[id.y * (X * groups.x) + id.x] = sum;
}}
"
    );
    let all = x * y * grid[0] * grid[1];
    let counts = [n * y * grid[1], n * n + x, all - rng.below(1 + all / 3)].map(|count| count.max(1));
    let [a, b, c] = [("a", counts[0]), ("b", counts[1]), ("c", counts[2])];
    let buffers = [a, b, c].map(|(name, count)| words(rng, name, count, scalar));
    kernel(text, grid, buffers.into_iter().chain([setting("n", n)]).collect())
}

/// Loops that only compute, over rows and single words that the workgroup has fetched.
fn sums(rng: &mut Rng) -> Kernel {
    let scalar = rng.pick(&[Scalar::F32, Scalar::F32, Scalar::U32, Scalar::I32]);
    let [x, y] = rng.pick(&[[8, 1], [16, 2], [32, 1], [64, 1], [24, 2], [16, 16], [8, 3], [12, 2]]);
    let (from, by, to) = (rng.below(3), 1 + rng.below(3), rng.pick(&[9, 16, 17, 40, 64, 100]));
    let ty = scalar.name();
    let floats = [
        "third = sqrt(other) / (rows[k][local.x] + step);",
        "other /= line[k];",
        "sum = fma(rows[k][local.x], line[k], sum);",
    ];
    let bits = ["third = (other ^ rows[k][local.x]) & line[k];", "other = other | line[k];", "third -= ~line[k];"];
    let mut lines = vec![
        "sum += rows[k][local.x] * line[k];",
        "sum += rows[k][local.x] * line[k];",
        "other = rows[k][local.x] - other * line[k + 1u];",
        "third = (sum - line[k]) * step + third;",
        "sum = max(sum, rows[k][local.x]); other = min(line[k], other) + step;",
        "third = sum; sum = other + rows[k][local.x];",
        "other += rows[k + 1u][local.x] * two;",
        "{ let old = sum; sum = third; third = old + other; }",
        "last = k;",
    ];
    lines.extend(if scalar == Scalar::F32 { floats } else { bits });
    let turn = some(rng, 4, &lines);
    let groups = 1 + rng.below(4);
    let text = format!(
        "@group(0) @binding(0) var<storage> a: array<{ty}>;
@group(0) @binding(1) var<storage, read_write> c: array<{ty}>;
var<workgroup> rows: array<array<{ty}, {x}>, {to} + 1>;
var<workgroup> line: array<{ty}, {to} + 1>;
@compute @workgroup_size({x}, {y})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32) {{
    for (var k = local.y; k < {to}; k += {y}) {{ rows[k][local.x] = a[group.x + k * {x} + local.x]; }}
    for (var k = index; k < {to}; k += {x} * {y}) {{ line[k] = a[group.x * 3 + k]; }}
    workgroupBarrier();
    let step = {ty}(id.x + id.y) / {ty}(4);
    let two = {ty}(group.x + 2);
    var sum = {ty}(local.y);
    var other = a[index];
    var third = {ty}(1);
    var last = 0u;
    for (var k = {from}u; k < {to}; k += {by}u) {{
{turn}    }}
    c[group.x * {x} * {y} + index] = sum + other * {ty}(3) + third * {ty}(5) + {ty}(last);
}}
"
    );
    let buffers = [("a", x * to), ("c", x * y * groups)].map(|(name, count)| words(rng, name, count, scalar));
    kernel(text, [groups, 1, 1], buffers.to_vec())
}

/// Sums and counts over a whole array, by few workgroups.
fn strides(rng: &mut Rng) -> Kernel {
    let size = rng.pick(&[16, 32, 64, 128, 256, 96, 40, 33, 35, 47, 7]);
    let (groups, bins, counts) = (1 + rng.below(11), rng.pick(&[1, 5, 64, 256]), rng.pick(&[1, 8, 256, 7]));
    let n = rng.below(size * groups * 6) + 1;
    let fun = rng.pick(&["Add", "Add", "Sub", "Max", "Min", "Or", "And", "Xor"]);
    let bin = rng.pick(&["x[i] % BINS", "x[i] & (BINS - 1u)", "local % BINS", "i % BINS", "local", "0u"]);
    let touch = format!("atomic{fun}(&bins[{bin}], x[i]);");
    let turn = some(
        rng,
        3,
        &[
            "sum += x[i];",
            "sum += x[i];",
            "sum = (sum ^ (x[i] >> 3u)) * 5u;",
            "if (x[i] & 3u) == 1u { sum += i; }",
            "if (sum & 31u) == 9u { break; }",
            "atomicAdd(&counts[x[i] % COUNTS], 1u);",
            "atomicAdd(&counts[x[i] & 255u], 1u);",
            "atomicAdd(&counts[local], x[i]);",
            &touch,
        ],
    );
    let end = some(
        rng,
        2,
        &[
            "if local < COUNTS { atomicAdd(&totals[local], atomicLoad(&counts[local])); }",
            "atomicAdd(&totals[local % 3u], partial[0]);",
            "if local == 0u { atomicAdd(&totals[1], partial[0]); }",
        ],
    );
    let head = rng.pick(&[
        "for (var i = id.x; i < n; i += groups.x * SIZE) {",
        "for (var i = id.x; i < n; i += groups.x * SIZE) {",
        "for (var i = id.x + 3u; i < n; i += SIZE * 2u) {",
        "for (var i = id.x; i <= n; i += groups.x * SIZE) {",
        "for (var i = id.x; i < arrayLength(&x); i += groups.x * SIZE + 1u) {",
        "for (var i = id.x; i <= arrayLength(&x) - 1u; i += 33u) {",
        "for (var k = 0u; k < 4u; k++) { let i = (group.x * 4u + k) * SIZE + local; if i < n {",
    ]);
    let before = rng.pick(&[
        "",
        "atomicStore(&counts[local % COUNTS], 5u);\n    workgroupBarrier();",
        "partial[local] = x[local];\n    workgroupBarrier();\n    sum += partial[SIZE - 1u - local];\n    workgroupBarrier();",
    ]);
    let tail = "}".repeat(head.matches('{').count());
    let text = format!(
        "@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, {bins}>;
@group(0) @binding(2) var<storage, read_write> totals: array<atomic<u32>, 256>;
@group(0) @binding(3) var<storage, read_write> own: array<u32>;
@group(0) @binding(4) var<uniform> n: u32;
const SIZE = {size}u;
const BINS = {bins}u;
const COUNTS = {counts}u;
var<workgroup> counts: array<atomic<u32>, COUNTS>;
var<workgroup> partial: array<u32, SIZE>;
@compute @workgroup_size(SIZE)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {{
    var sum = local;
    {before}
    {head}
{turn}    {tail}
    partial[local] = sum;
    workgroupBarrier();
    for (var half = SIZE / 2u; half > 0u; half >>= 1u) {{
        if local < half {{ partial[local] += partial[local + half]; }}
        workgroupBarrier();
    }}
{end}    own[id.x] = sum + partial[0];
}}
"
    );
    let length = [n, n + rng.below(9), 1 + n / 2][rng.below(3)];
    let own = size * groups - rng.below(size);
    let buffers = [("x", length), ("bins", bins), ("totals", 256), ("own", own)];
    let buffers = buffers.map(|(name, count)| words(rng, name, count, Scalar::U32));
    kernel(text, [groups, 1, 1], buffers.into_iter().chain([setting("n", n)]).collect())
}

/// An element for each invocation, changed in place.
fn elements(rng: &mut Rng) -> Kernel {
    let scalar = rng.pick(&[Scalar::F32, Scalar::F32, Scalar::U32]);
    let ty = scalar.name();
    let (shape, words_each) = rng.pick(&[
        ("p: vec4<T>, v: vec3<T>, m: T", 8),
        ("p: vec2<T>, v: vec2<T>, m: T", 6),
        ("p: vec3<T>, m: T, v: vec4<T>", 8),
        ("m: T, p: vec2<T>, v: vec2<T>", 6),
        ("p: array<T, 3>, m: T, v: vec4<T>, w: vec4<T>", 12),
    ]);
    let shape = shape.replace("<T>", &format!("<{ty}>")).replace("<T,", &format!("<{ty},"));
    let shape = shape.replace("m: T", &format!("m: {ty}"));
    let size = rng.pick(&[64, 32, 7, 16, 100, 33, 35, 3, 1]);
    let groups = 1 + rng.below(4);
    let lines = some(
        rng,
        6,
        &[
            "all[i].v = all[i].v * from_[i].v.yxyx.xy.x;",
            "all[i].p[0] = from_[i].m;",
            "all[i].p[1] += from_[i].v.y;",
            "all[i].m = all[i].p[0] - from_[j].m;",
            "if (i & 1u) == 0u { all[i].v = from_[i].v; }",
            "if from_[i].m > all[i].m { all[i].p = from_[i].p; } else { all[i].v.x = from_[i].p[1]; }",
            "{ var e = all[i]; e.m += e.v.x; all[i] = e; }",
            "all[i] = from_[j];",
            "all[i].v.y = from_[j].p[j & 1u];",
            "all[i].p[i % 5u] = from_[i].v[i % 3u];",
            "for (var k = 0u; k < 3u; k++) { all[i].m += from_[i + k].v.x; }",
        ],
    );
    let j = rng.pick(&[
        "i ^ 1u",
        "i + 1u",
        "i - 1u",
        "i * 2u",
        "i * 3u + 1u",
        "i * 0x40000001u",
        "i",
        "arrayLength(&from_) - i",
        "arrayLength(&from_) - 1u - i",
    ]);
    let text = format!(
        "struct E {{ {shape} }}
@group(0) @binding(0) var<storage> from_: array<E>;
@group(0) @binding(1) var<storage, read_write> all: array<E>;
@compute @workgroup_size({size})
fn main(@builtin(global_invocation_id) id: vec3u) {{
    let i = id.x;
    let j = {j};
{lines}}}
"
    );
    let count = size * groups;
    let [from, all] = [1 + rng.below(count + 3), 1 + rng.below(count + 3)];
    let buffers = [("from_", from), ("all", all)].map(|(name, n)| {
        let words = words(rng, name, n * words_each, scalar);
        let scalars = (0..words_each).map(|i| (4 * i, scalar)).collect();
        Buffer { stride: 4 * words_each, scalars, ..words }
    });
    kernel(text, [groups, 1, 1], buffers.into())
}
