//! out b = u32[3 x 4]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<private> n: u32;

@must_use
fn value() -> u32 {
    return n;
}

fn tick() -> u32 {
    n++;
    return n;
}

fn nothing() {}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    tick();
    nothing();
    _ = tick();
    tick();
    b[id.x] = value();
}
