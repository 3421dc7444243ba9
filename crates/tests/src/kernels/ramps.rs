//! Indices that grow or fall along the lanes, chosen by a branch that all take, where lanes may have left before: code
//! goes on for lanes that are no longer there, and may not leave memory for them.

use super::Kernel;
use super::parts::{kernel, setting, words};
use super::rng::Rng;
use super::types::Scalar;

pub(super) fn ramps(rng: &mut Rng) -> Kernel {
    let x = rng.pick(&[8, 16, 24, 64, 100]);
    let (grid, table) = ([1 + rng.below(3), 1, 1], 64 * x + 1);
    let ty = rng.pick(&["u32", "i32"]);
    let ramps = [(); 2].map(|()| ramp(rng, ty, x, table));
    let index = if ty == "u32" { "v".to_owned() } else { format!("u32(v + {})", table - 1) };
    let leaves = [(); 2].map(|()| leave(rng));
    let text = format!(
        "@group(0) @binding(0) var<storage> data: array<u32>;
@group(0) @binding(1) var<storage> table: array<u32, {table}>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;
@group(0) @binding(3) var<uniform> mode: u32;
@compute @workgroup_size({x})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {{
    var r = 0u;
    loop {{
        if (mode & 1u) != 0u {{
            var v: {ty};
            if (mode & 2u) != 0u {{
                {}
                v = {};
            }} else {{
                {}
                v = {};
            }}
            r += table[{index}];
        }}
        r++;
        break;
    }}
    out[id.x] = r;
}}
",
        leaves[0], ramps[0], leaves[1], ramps[1]
    );
    let all = x * grid[0];
    let buffers =
        [("data", all), ("table", table), ("out", all)].map(|(name, count)| words(rng, name, count, Scalar::U32));
    let mode = rng.below(4);
    kernel(text, grid, buffers.into_iter().chain([setting("mode", mode)]).collect())
}

/// A number that lies in the table, counted from its end if it has a sign.
fn ramp(rng: &mut Rng, ty: &str, x: usize, table: usize) -> String {
    let (stride, last) = (1 + rng.below(64), table - 1);
    match (ty, rng.below(4)) {
        ("u32", 0) => format!("{}u - local", x - 1),
        ("u32", 1) => format!("{last}u - local * {stride}u"),
        ("u32", 2) => format!("local * {stride}u"),
        ("u32", _) => format!("local + {}u", rng.below(table - x)),
        (_, 0) => format!("i32(local) * {stride} - {last}"),
        (_, 1) => format!("i32(local) - {x}"),
        (_, 2) => format!("-i32(local) * {stride}"),
        (_, _) => format!("-{} - i32(local)", rng.below(table - x)),
    }
}

/// Some lanes leave, or all.
fn leave(rng: &mut Rng) -> String {
    let condition = rng.pick(&["(data[id.x] | 1u) > 0u", "data[id.x] > 5u", "(data[id.x] & 3u) == 0u", "local < 8u"]);
    let way = rng.pick(&["break;", "return;", "r = 7u; break;"]);
    if rng.below(3) > 0 { format!("if {condition} {{ {way} }}") } else { String::new() }
}
