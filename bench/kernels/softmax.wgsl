// Rows of weights that add up to one: e to the power of each, over their sum. A workgroup for each row.

struct Params {
    columns: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

var<workgroup> tile: array<f32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let row = group.x * params.columns;
    var most = x[row + local];
    for (var i = local + 256u; i < params.columns; i += 256u) {
        most = max(most, x[row + i]);
    }
    tile[local] = most;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half >>= 1u) {
        if local < half {
            tile[local] = max(tile[local], tile[local + half]);
        }
        workgroupBarrier();
    }
    most = tile[0];
    workgroupBarrier();
    var sum = 0.0;
    for (var i = local; i < params.columns; i += 256u) {
        let power = exp(x[row + i] - most);
        y[row + i] = power;
        sum += power;
    }
    tile[local] = sum;
    workgroupBarrier();
    for (var half = 128u; half > 0u; half >>= 1u) {
        if local < half {
            tile[local] += tile[local + half];
        }
        workgroupBarrier();
    }
    let scale = 1.0 / tile[0];
    for (var i = local; i < params.columns; i += 256u) {
        y[row + i] *= scale;
    }
}
