// Each segment combined, from its beginning to its end, by an invocation of its own.

@group(0) @binding(0) var<storage, read> x: array<T>;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<T>;

@compute @workgroup_size(64)
fn reduce(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&y) { return; }
    var sum = identity();
    let end = min(offsets[id.x + 1u], arrayLength(&x));
    for (var i = offsets[id.x]; i < end; i++) { sum = combine(sum, x[i]); }
    y[id.x] = sum;
}
