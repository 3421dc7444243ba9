//! Random kernels that walk over buffers by several indices at once, in workgroups of any size: with
//! strides that are a workgroup or one off, bounds that are one off, differences that wrap below zero
//! and products that wrap above 2³². Lanes that fill up a lane group then have indices outside where
//! those that exist are still inside. What a condition was made of before a barrier is gone after it.

use super::parts::{kernel, setting, some, words};
use super::rng::Rng;
use super::types::Scalar;
use super::{Buffer, Kernel};

const SHAPES: [[usize; 3]; 14] = [
    [1, 1, 1],
    [3, 1, 1],
    [7, 1, 1],
    [33, 1, 1],
    [33, 1, 1],
    [35, 1, 1],
    [47, 1, 1],
    [50, 1, 1],
    [64, 1, 1],
    [7, 5, 1],
    [5, 7, 1],
    [1, 33, 1],
    [1, 1, 35],
    [17, 3, 1],
];

/// How far the second index is from invocation to invocation.
const FACTORS: [usize; 10] = [1, 2, 3, 5, 16, 40, 333, 1 << 30, (1 << 30) + 1, (1 << 31) - 1];

/// Elements of this many words, and what makes one word of them.
const ELEMENTS: [(&str, usize, &str); 4] = [
    ("u32", 1, "v"),
    ("vec2u", 2, "v.x + 3u * v.y"),
    ("vec3u", 4, "v.x + 3u * v.y + 5u * v.z"),
    ("vec4u", 4, "v.x + 3u * v.y - v.w * v.z"),
];

pub(super) fn walks(rng: &mut Rng) -> Kernel {
    let [x, y, z] = rng.pick(&SHAPES);
    let (size, groups) = (x * y * z, 1 + rng.below(4));
    let (all, factor, on) = (size * groups, rng.pick(&FACTORS), rng.pick(&[1, 1, 2, 7, 33]));
    let [(a_ty, a_words, a_of), (b_ty, b_words, b_of)] = [rng.pick(&ELEMENTS), rng.pick(&ELEMENTS)];
    let n = 1 + rng.below(all * 4);
    let first = rng.pick(&["gid", "gid", "index", "gid + 3u", "gid * 2u"]);
    let bound = rng.pick(&["n", "n", "arrayLength(&a)", "arrayLength(&a) - 1u", "arrayLength(&a) + 1u"]);
    let test = rng.pick(&["<", "<", "<="]);
    let step = rng.pick(&["ALL", "ALL", "SIZE", "ALL + 1u", "33u", "SIZE + 7u"]);
    // One that no other invocation has, whatever is added to all of them.
    let slot = rng.pick(&["gid", "gid", "(ALL - 1u - gid)"]);
    let turn = some(
        rng,
        4,
        &[
            "sum += of_a(a[i]) + of_b(b[j]);",
            "sum += of_a(a[i]) + of_b(b[j]);",
            "sum = sum * 5u + of_b(b[j]);",
            "sum += of_a(a[i]);",
            "sum += of_a(a[i + 1u]);",
            "sum ^= of_a(a[i - 1u]);",
            "sum += of_a(a[i * 2u]);",
            "sum += of_a(a[arrayLength(&a) - 1u - i]);",
            "sum += of_b(b[j + i]);",
            "sum += fixed[index];",
            "sum += fixed[local.x] + fixed[local.y] * 2u + fixed[local.z];",
            "sum ^= fixed[local.y * X + local.x];",
            "c[slot + ALL * k] = sum;",
            "if (k & 1u) == 0u { c[slot + ALL * k] = of_b(b[j]); }",
            "if (sum & 3u) != 1u { c[m] = sum; m += ALL; }",
            "if (of_b(b[j]) & 1u) == 1u { c[m] = i; m += ALL; }",
            "if j < arrayLength(&b) { sum += 1u; }",
            "if (sum & 15u) == 3u { break; }",
        ],
    );
    let end = some(
        rng,
        4,
        &[
            "if ok { sum += tile[SIZE - 1u - index]; }",
            "if few { sum ^= tile[index + 1u]; }",
            "if late { c[slot + ALL * k] = sum; }",
            "if some { sum += tile[local.y]; }",
            "if few && ok { sum -= 9u; }",
            "for (var k = 0u; k < 3u; k++) {
            let inside = sum % 64u + k < n && gid + k * SIZE < n;
            workgroupBarrier();
            tile[index] = sum;
            workgroupBarrier();
            let other = tile[(index + 1u) % SIZE];
            if inside { sum += other; }
        }",
            "if ok { own[gid] = sum; }",
        ],
    );
    let text = format!(
        "@group(0) @binding(0) var<storage> a: array<{a_ty}>;
@group(0) @binding(1) var<storage> b: array<{b_ty}>;
@group(0) @binding(2) var<storage> fixed: array<u32, {size}>;
@group(0) @binding(3) var<storage, read_write> c: array<u32>;
@group(0) @binding(4) var<storage, read_write> own: array<u32>;
@group(0) @binding(5) var<uniform> n: u32;
const X = {x}u;
const SIZE = {size}u;
const ALL = {all}u;
var<workgroup> tile: array<u32, SIZE>;
fn of_a(v: {a_ty}) -> u32 {{ return {a_of}; }}
fn of_b(v: {b_ty}) -> u32 {{ return {b_of}; }}
@compute @workgroup_size({x}, {y}, {z})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) index: u32) {{
    let gid = group.x * SIZE + index;
    let ok = gid < n;
    let few = index < n / 3u;
    let late = gid >= n;
    let some = index == n % 64u;
    let slot = {slot};
    var sum = gid;
    tile[index] = fixed[index] + gid;
    workgroupBarrier();
    var j = gid * {factor}u;
    var k = 0u;
    var m = slot;
    for (var i = {first}; i {test} {bound}; i += {step}) {{
{turn}        j += {on}u;
        k++;
    }}
    workgroupBarrier();
{end}    own[gid] = sum + m;
}}
"
    );
    // About as long as the last invocation goes, so that some of the others are outside.
    let reach = (all - 1).saturating_mul(factor).saturating_add(1 + rng.below(40));
    let b_count = if reach < 1 << 15 { reach } else { 1 + rng.below(200) };
    let a_count = [n, n + rng.below(9), 1 + n / 2, all][rng.below(4)];
    let c_count = 1 + rng.below(all * 4);
    let mut elements = |name, count: usize, words_each: usize| {
        let scalars = (0..words_each).map(|i| (4 * i, Scalar::U32)).collect();
        Buffer { stride: 4 * words_each, scalars, ..words(rng, name, count * words_each, Scalar::U32) }
    };
    let buffers = vec![
        elements("a", a_count, a_words),
        elements("b", b_count, b_words),
        elements("fixed", size, 1),
        elements("c", c_count, 1),
        elements("own", all, 1),
        setting("n", n),
    ];
    kernel(text, [groups, 1, 1], buffers)
}
