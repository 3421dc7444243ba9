// A sparse matrix in compressed rows times a vector: an invocation for each row, which adds from left to right.

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> columns: array<u32>;
@group(0) @binding(2) var<storage, read> entries: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@group(0) @binding(5) var<storage, read_write> outside: atomic<u32>;

@group(0) @binding(6) var<uniform> first: u32;

// Where the entries begin, if they are a part of all. What parts before come to is in `y`.
fn start() -> u32 { return 0u; }

@compute @workgroup_size(64)
fn multiply(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&y) { return; }
    var sum = 0.0;
    if start() > 0u { sum = y[id.x]; }
    var wrong = 0u;
    let end = min(offsets[id.x + 1u], start() + arrayLength(&columns));
    for (var k = max(offsets[id.x], start()); k < end; k++) {
        let column = columns[k - start()];
        wrong += u32(column >= arrayLength(&x));
        sum += entries[k - start()] * x[column];
    }
    y[id.x] = sum;
    if wrong > 0u { atomicAdd(&outside, wrong); }
}
