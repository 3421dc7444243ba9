// A product of matrices in rows, by tiles in workgroup memory. Each sum is added up from left to right.

// What the matrices hold; sums are f32 in any case.
alias E = f32;

struct Shape { rows: u32, inner: u32, columns: u32, pad: u32 }

@group(0) @binding(0) var<storage, read> a: array<E>;
@group(0) @binding(1) var<storage, read> b: array<E>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;
// Of bytes, four in a word: rows of the first matrix, and columns of the second.
@group(0) @binding(4) var<storage, read> words_a: array<u32>;
@group(0) @binding(5) var<storage, read> words_b: array<u32>;
@group(0) @binding(6) var<storage, read_write> sums: array<i32>;

const SIDE = 16u;
var<workgroup> left: array<array<f32, SIDE>, SIDE>;
var<workgroup> right: array<array<f32, SIDE>, SIDE>;

@compute @workgroup_size(SIDE, SIDE)
fn multiply(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) at: vec3<u32>) {
    var sum = 0.0;
    for (var t = 0u; t < shape.inner; t += SIDE) {
        // What lies beyond a matrix is zero, and adds nothing.
        left[at.y][at.x] = 0.0;
        right[at.y][at.x] = 0.0;
        if id.y < shape.rows && t + at.x < shape.inner { left[at.y][at.x] = f32(a[id.y * shape.inner + t + at.x]); }
        if id.x < shape.columns && t + at.y < shape.inner { right[at.y][at.x] = f32(b[(t + at.y) * shape.columns + id.x]); }
        workgroupBarrier();
        for (var k = 0u; k < SIDE; k++) { sum += left[at.y][k] * right[k][at.x]; }
        workgroupBarrier();
    }
    if id.y < shape.rows && id.x < shape.columns { c[id.y * shape.columns + id.x] = sum; }
}

// Four products at once. Neighbours along a row of the product share the words of `words_a`.
@compute @workgroup_size(SIDE, SIDE)
fn multiply_bytes(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.y >= shape.rows || id.x >= shape.columns { return; }
    let words = shape.inner / 4u;
    let row = id.y * words;
    let column = id.x * words;
    var sum = 0i;
    for (var k = 0u; k < words; k++) { sum += dot4I8Packed(words_a[row + k], words_b[column + k]); }
    sums[id.y * shape.columns + id.x] = sum;
}
