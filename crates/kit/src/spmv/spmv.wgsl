// A sparse matrix in compressed rows times a vector: an invocation for each row, which adds from left to right.

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> columns: array<u32>;
@group(0) @binding(2) var<storage, read> entries: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@group(0) @binding(5) var<storage, read_write> outside: atomic<u32>;

@compute @workgroup_size(64)
fn multiply(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&y) { return; }
    var sum = 0.0;
    var wrong = 0u;
    let end = min(offsets[id.x + 1u], arrayLength(&columns));
    for (var k = offsets[id.x]; k < end; k++) {
        let column = columns[k];
        wrong += u32(column >= arrayLength(&x));
        sum += entries[k] * x[column];
    }
    y[id.x] = sum;
    if wrong > 0u { atomicAdd(&outside, wrong); }
}
