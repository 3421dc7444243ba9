// The product of a matrix of bytes and a vector of bytes, four of each in a word: a workgroup for each row.

struct Params {
    words: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrix: array<u32>;
@group(0) @binding(2) var<storage, read> x: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<i32>;

var<workgroup> sums: array<i32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) row: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var sum = 0;
    for (var i = lane; i < params.words; i += 64) {
        sum += dot4I8Packed(matrix[row.x * params.words + i], x[i]);
    }
    sums[lane] = sum;
    workgroupBarrier();
    for (var half = 32u; half > 0; half /= 2) {
        if lane < half {
            sums[lane] += sums[lane + half];
        }
        workgroupBarrier();
    }
    if lane == 0 {
        y[row.x] = sums[0];
    }
}
