//! grid 2,3,2
//! out b = u32[1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1,
//!     2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2,
//!     3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3,
//!     1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1,
//!     2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn at(id: vec3u) -> u32 {
    return id.x + 6 * (id.y + 6 * id.z);
}

struct Local {
    @builtin(local_invocation_id) id: vec3u,
}

@compute @workgroup_size(3, 2, 2)
fn main(@builtin(workgroup_id) group: vec3u, local: Local, @builtin(global_invocation_id) id: vec3u) {
    let made = group * vec3u(3, 2, 2) + local.id;
    b[at(id)] = select(100u, 1u, all(made == id)) + local.id.x;
}
