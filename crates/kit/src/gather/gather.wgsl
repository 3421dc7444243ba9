// Elements from places, and to places, that indices say. Those that lead nowhere are left out and counted.

alias V = u32;

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read> indices: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<V>;
@group(0) @binding(3) var<storage, read_write> outside: atomic<u32>;

@compute @workgroup_size(256)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&indices) { return; }
    let source = indices[id.x];
    if source < arrayLength(&x) { y[id.x] = x[source]; } else { atomicAdd(&outside, 1u); }
}

@compute @workgroup_size(256)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&indices) { return; }
    let to = indices[id.x];
    if to < arrayLength(&y) { y[to] = x[id.x]; } else { atomicAdd(&outside, 1u); }
}
