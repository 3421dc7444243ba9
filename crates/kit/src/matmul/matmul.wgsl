// A product of matrices in rows, by tiles in workgroup memory. Each sum is added up from left to right.

struct Shape { rows: u32, inner: u32, columns: u32, pad: u32 }

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> shape: Shape;

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
        if id.y < shape.rows && t + at.x < shape.inner { left[at.y][at.x] = a[id.y * shape.inner + t + at.x]; }
        if id.x < shape.columns && t + at.y < shape.inner { right[at.y][at.x] = b[(t + at.y) * shape.columns + id.x]; }
        workgroupBarrier();
        for (var k = 0u; k < SIDE; k++) { sum += left[at.y][k] * right[k][at.x]; }
        workgroupBarrier();
    }
    if id.y < shape.rows && id.x < shape.columns { c[id.y * shape.columns + id.x] = sum; }
}
