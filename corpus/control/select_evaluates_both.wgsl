//! grid 2
//! in a = u32[0, 1, 2, 3, 4, 5, 6, 7]
//! out b = u32[2100, 2101, 2102, 2103, 2004, 2005, 2006, 2007]
var<private> calls = 0u;

fn other(at: u32, more: u32) -> u32 {
    calls++;
    return a[at] + more;
}

@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let picked = select(other(id.x, 100), other(id.x, 0), a[id.x] > 3);
    b[id.x] = picked + 1000 * calls;
}
