//! in a = u32[1, 2, 3, 4]
//! out b = u32[2, 2, 2, 2]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<private> calls = 0u;

fn tick() -> u32 {
    calls++;
    return calls;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    _ = a[id.x];
    _ = &a;
    _ = tick();
    _ = tick() + 7;
    _ = vec2f(1, 2);
    b[id.x] = calls;
}
