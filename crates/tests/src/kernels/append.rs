//! Random kernels in which subgroups append what they keep to lists: side by side if all that were counted store, with
//! gaps where some have left, past the end and around it.

use super::dialect::Dialect;
use super::parts::{kernel, setting, words};
use super::rng::Rng;
use super::types::Scalar;
use super::{Buffer, Kernel};

impl Kernel {
    /// The kernel of a seed, in this form.
    pub fn append(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let kernel = append(&mut rng);
        Self { dialect: Dialect { subgroups: true, ..Dialect::HOST }, ..kernel }
    }
}

fn append(rng: &mut Rng) -> Kernel {
    let scalar = rng.pick(&[Scalar::U32, Scalar::F32, Scalar::I32]);
    let (size, groups, rows) = (rng.pick(&[1, 8, 13, 32, 64, 96, 128]), 1 + rng.below(4), 1 + rng.below(5));
    let kept = rng.pick(&[
        "x[i] % 3u == 0u",
        "i < n && x[i] > 400u",
        "(x[i] & 1u) == 1u",
        "subgroupAny(x[i] > 990u) || lane % 4u == 1u",
        "i < n",
        "x[i] == 1u",
    ]);
    let rank = rng.pick(&[
        "subgroupExclusiveAdd(u32(kept))",
        "subgroupExclusiveAdd(select(0u, 1u, kept))",
        "subgroupInclusiveAdd(u32(kept)) - 1u",
        "subgroupExclusiveAdd(u32(kept)) + 1u",
    ]);
    let between = rng.pick(&[
        "",
        "",
        "",
        "if lane % 5u == 0u { continue; }",
        "if (x[i] & 31u) == 8u { break; }",
        "if kept { sum += x[i]; }",
        "if subgroupAll(kept) { sum += 1u; }",
    ]);
    let value = rng.pick(&["T(x[i])", "T(i)", "T(sum + lane)", "T(rank)", "T(3)"]);
    let store = rng.pick(&[
        "if kept { y[at + rank] = VALUE; }",
        "if kept { y[at + rank] = VALUE; z[at + rank] = T(i); }",
        "if kept { y[rank + at] = VALUE; } else { z[at + subgroupExclusiveAdd(u32(!kept))] = VALUE; }",
        "if !kept { sum += 2u; } else { y[at + rank] = VALUE; }",
        "if kept { if lane % 3u != 0u { y[at + rank] = VALUE; } }",
        "if kept { if (x[i] & 3u) == 0u { continue; } y[at + rank] = VALUE; }",
        "if kept { y[at + subgroupExclusiveAdd(1u)] = VALUE; }",
        "if kept { y[(at + rank) * 2u] = VALUE; }",
        "if kept { list[rank % 128u] = VALUE; y[at + rank] = list[rank % 128u] + T(1); }",
    ]);
    // Who has left a turn knows nothing of what the others added, and must not come into their way.
    let leaves = [between, store].iter().any(|line| line.contains("continue") || line.contains("break"));
    let counted = rng.pick(&["at += subgroupAdd(u32(kept));", "at += subgroupAdd(select(0u, 1u, kept));"]);
    let next = if leaves { "" } else { counted };
    let again = if leaves { "at = first + row * width;" } else { "" };
    let start = rng.pick(&["0u", "0u", "n", "4294967290u"]);
    let n = 1 + rng.below(size * rows);
    let ty = scalar.name();
    let store = store.replace("VALUE", value);
    let text = format!(
        "enable subgroups;
diagnostic(off, subgroup_uniformity);
alias T = {ty};
@group(0) @binding(0) var<storage> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<T>;
@group(0) @binding(2) var<storage, read_write> z: array<T>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;
@group(0) @binding(4) var<uniform> n: u32;
const ROWS = {rows}u;
@compute @workgroup_size({size})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) local: u32, @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) sub: u32, @builtin(num_subgroups) count: u32, @builtin(subgroup_size) width: u32) {{
    var list: array<T, 128>;
    let first = {start} + (group.x * count + sub) * (width * ROWS + 3u) * 2u;
    var at = first;
    var sum = 0u;
    for (var row = 0u; row < ROWS; row++) {{
        {again}
        let i = (group.x * ROWS + row) * {size}u + local;
        let kept = {kept};
        let rank = {rank};
        {between}
        {store}
        {next}
    }}
    sums[id.x] = sum + at;
}}
"
    );
    let all = size * groups * rows;
    let counts = [all - rng.below(1 + all / 4), 2 * all - rng.below(1 + all), all];
    let [x, y, z] = [("x", Scalar::U32), ("y", scalar), ("z", scalar)];
    let mut buffers: Vec<Buffer> =
        [x, y, z].into_iter().zip(counts).map(|((name, of), count)| words(rng, name, count.max(1), of)).collect();
    buffers.push(words(rng, "sums", size * groups, Scalar::U32));
    buffers.push(setting("n", n));
    kernel(text, [groups, 1, 1], buffers)
}
