//! Random kernels with values of more than a thousand numbers, which devices move in memory: loaded
//! whole, stored, copied before they change, passed to functions, returned and taken apart.

use super::parts::{kernel, some, words};
use super::rng::Rng;
use super::types::Scalar;
use super::{Buffer, Kernel};

/// A large type, how a word of a value of it is reached, the words that can be, and its bytes.
const TYPES: [(&str, &str, usize, usize); 4] = [
    ("array<u32, 1100>", "X[K]", 1100, 4400),
    ("array<array<u32, 40>, 27>", "X[(K) / 40u][(K) % 40u]", 1080, 4320),
    ("array<vec3u, 400>", "X[(K) / 3u][(K) % 3u]", 1200, 6400),
    ("Both", "X.xs[K]", 1100, 4416),
];

pub(super) fn large(rng: &mut Rng) -> Kernel {
    let (ty, path, count, stride) = rng.pick(&TYPES);
    let word = |value: &str, at: &str| path.replace('X', value).replace('K', at);
    let (size, groups) = (rng.pick(&[1, 3, 4, 7, 8, 33]), 1 + rng.below(3));
    let all = size * groups;
    let from = rng.pick(&["gid", "gid + 1u", "gid ^ 1u", "arrayLength(&source) - 1u - gid", "gid * 3u"]);
    let at = rng.pick(&["gid", "sum % COUNT", "(gid * 37u) % COUNT", "COUNT - 1u", "gid + COUNT - 2u"]);
    let [mine, row, old, slot] = ["mine", "row", "old", "all[gid]"].map(|value| word(value, at));
    let lines = [
        "mine = row;".to_owned(),
        "all[gid] = row;".to_owned(),
        "all[gid] = mine;".to_owned(),
        "mine = all[gid];".to_owned(),
        "mine = source[gid / 2u];".to_owned(),
        format!("sum += {mine};"),
        format!("sum = sum * 3u + {row};"),
        format!("{mine} = sum;"),
        format!("{slot} += sum;"),
        format!("{{ let old = mine; {mine} = 7u; sum += {old}; mine = old; }}"),
        format!("if (sum & 1u) == 0u {{ let old = all[gid]; {slot} = 3u; sum ^= {old}; }}"),
        "mine = changed(row, sum);".to_owned(),
        "sum += total(mine);".to_owned(),
        "if gid % 3u == 1u { all[gid] = changed(mine, gid); }".to_owned(),
        format!("for (var k = 0u; k < 3u; k++) {{ mine = changed(mine, k); sum += {mine}; }}"),
        "mine = T();".to_owned(),
        "change(&mine, sum);".to_owned(),
    ];
    let lines = some(rng, 8, &lines.each_ref().map(String::as_str));
    let [read, changed, pointed] = [word("value", "k"), word("next", "(by % COUNT)"), word("(*value)", "(by % COUNT)")];
    let text = format!(
        "struct Both {{ xs: array<u32, 1100>, n: vec3u }}
alias T = {ty};
const COUNT = {count}u;
@group(0) @binding(0) var<storage> source: array<T>;
@group(0) @binding(1) var<storage, read_write> all: array<T>;
@group(0) @binding(2) var<storage, read_write> own: array<u32>;
fn total(value: T) -> u32 {{
    var sum = 0u;
    for (var k = 0u; k < COUNT; k += 41u) {{ sum = sum * 5u + {read}; }}
    return sum;
}}
fn changed(value: T, by: u32) -> T {{
    var next = value;
    if by == 4u {{ return value; }}
    {changed} += by;
    return next;
}}
fn change(value: ptr<function, T>, by: u32) {{
    {pointed} = by;
}}
@compute @workgroup_size({size})
fn main(@builtin(global_invocation_id) id: vec3u) {{
    let gid = id.x;
    var sum = gid;
    let row = source[{from}];
    var mine: T;
{lines}    own[gid] = sum + total(mine) * 3u;
}}
"
    );
    let mut values = |name, count: usize| {
        let scalars = (0..stride / 4).map(|i| (4 * i, Scalar::U32)).collect();
        Buffer { stride, scalars, ..words(rng, name, count * stride / 4, Scalar::U32) }
    };
    let buffers = vec![values("source", all.max(2) - 1), values("all", all)];
    let own = words(rng, "own", all, Scalar::U32);
    kernel(text, [groups, 1, 1], buffers.into_iter().chain([own]).collect())
}
