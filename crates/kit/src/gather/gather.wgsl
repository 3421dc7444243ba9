// Elements from places, and to places, that indices say. Those that lead nowhere are left out and counted.

alias V = u32;

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read> indices: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<V>;
@group(0) @binding(3) var<storage, read_write> outside: atomic<u32>;
@group(0) @binding(4) var<uniform> window: vec2<u32>;

// Of what indices lead to: where the part begins that is here, and how many elements there are in all. The first part
// counts what leads nowhere.
fn first() -> u32 { return 0u; }
fn all(here: u32) -> u32 { return here; }

@compute @workgroup_size(256)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&indices) { return; }
    let source = indices[id.x];
    // What is before the part is far behind it as well, by wrapping around.
    if source - first() < arrayLength(&x) {
        y[id.x] = x[source - first()];
    } else if first() == 0u && source >= all(arrayLength(&x)) {
        atomicAdd(&outside, 1u);
    }
}

@compute @workgroup_size(256)
fn scatter(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&indices) { return; }
    let to = indices[id.x];
    if to - first() < arrayLength(&y) {
        y[to - first()] = x[id.x];
    } else if first() == 0u && to >= all(arrayLength(&y)) {
        atomicAdd(&outside, 1u);
    }
}
