// A product of matrices in rows, by tiles in workgroup memory. Each sum is added up from left to right, each product
// rounded together with its sum.

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
        for (var k = 0u; k < SIDE; k++) { sum = fma(left[at.y][k], right[k][at.x], sum); }
        workgroupBarrier();
    }
    if id.y < shape.rows && id.x < shape.columns { c[id.y * shape.columns + id.x] = sum; }
}

// For processors. A lane has a column and five rows at a time: with two vectors for each value, ten of sums, two of
// the second matrix and one of the first stay in registers. Parts of the matrices lie side by side in workgroup memory,
// five rows for some strips of columns, so that the loop over products asks about no bounds.
const WIDE = 32u;
const DEEP = 256u;
const HIGH = 100u;
const ROWS = 5u;
const STRIPS = 2u;
var<workgroup> strips: array<array<array<f32, WIDE>, DEEP>, STRIPS>;
var<workgroup> rows: array<array<f32, DEEP>, ROWS>;

fn at(y: u32, x: u32) -> u32 { return y * shape.columns + x; }

@compute @workgroup_size(WIDE)
fn multiply_blocks(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * STRIPS * WIDE + lane;
    let end = min((group.y + 1u) * HIGH, shape.rows);
    let used = min(STRIPS, (shape.columns - group.x * STRIPS * WIDE + WIDE - 1u) / WIDE);
    for (var t = 0u; t < shape.inner; t += DEEP) {
        let deep = min(DEEP, shape.inner - t);
        for (var k = 0u; k < deep; k++) {
            for (var s = 0u; s < used; s++) { strips[s][k][lane] = f32(b[at(t + k, first + s * WIDE)]); }
        }
        for (var y = group.y * HIGH; y < end; y += ROWS) {
            workgroupBarrier();
            for (var r = 0u; r < ROWS; r++) {
                for (var k = lane; k < deep; k += WIDE) { rows[r][k] = f32(a[(y + r) * shape.inner + t + k]); }
            }
            workgroupBarrier();
            for (var s = 0u; s < used; s++) {
                let x = first + s * WIDE;
                var s0 = 0.0;
                var s1 = 0.0;
                var s2 = 0.0;
                var s3 = 0.0;
                var s4 = 0.0;
                if t > 0u {
                    s0 = c[at(y, x)];
                    s1 = c[at(y + 1u, x)];
                    s2 = c[at(y + 2u, x)];
                    s3 = c[at(y + 3u, x)];
                    s4 = c[at(y + 4u, x)];
                }
                for (var k = 0u; k < deep; k++) {
                    let v = strips[s][k][lane];
                    s0 = fma(rows[0][k], v, s0);
                    s1 = fma(rows[1][k], v, s1);
                    s2 = fma(rows[2][k], v, s2);
                    s3 = fma(rows[3][k], v, s3);
                    s4 = fma(rows[4][k], v, s4);
                }
                if x < shape.columns {
                    c[at(y, x)] = s0;
                    if y + 1u < end { c[at(y + 1u, x)] = s1; }
                    if y + 2u < end { c[at(y + 2u, x)] = s2; }
                    if y + 3u < end { c[at(y + 3u, x)] = s3; }
                    if y + 4u < end { c[at(y + 4u, x)] = s4; }
                }
            }
        }
        workgroupBarrier();
    }
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
