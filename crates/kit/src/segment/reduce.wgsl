// Each segment combined, from its beginning to its end, by an invocation of its own.

@group(0) @binding(0) var<storage, read> x: array<T>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<T>;
@group(0) @binding(3) var<uniform> first: u32;

// Where `x` begins, if it is a part of all elements. What parts before it come to is in `y`.
fn start() -> u32 { return 0u; }

@compute @workgroup_size(64)
fn reduce(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&y) { return; }
    var sum = identity();
    if start() > 0u { sum = y[id.x]; }
    let end = min(offsets[id.x + 1u], start() + arrayLength(&x));
    for (var i = max(offsets[id.x], start()); i < end; i++) { sum = combine(sum, x[i - start()]); }
    y[id.x] = sum;
}
