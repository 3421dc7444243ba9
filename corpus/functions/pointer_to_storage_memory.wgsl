//! grid 2
//! in a = u32[10, 20, 30, 40]
//! out b = u32[11, 22, 33, 44]
requires unrestricted_pointer_parameters;
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn fetch(p: ptr<storage, array<u32>>, at: u32) -> u32 {
    return (*p)[at % arrayLength(p)];
}

fn put(p: ptr<storage, array<u32>, read_write>, at: u32, value: u32) {
    if at < arrayLength(p) { p[at] = value; }
}

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    put(&b, id.x, fetch(&a, id.x + 4) + id.x + 1);
}
