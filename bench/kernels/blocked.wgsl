// C = A B for square matrices in rows, by tiles of 64 × 64 of which each invocation keeps 4 × 4 in registers.

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const TILE = 64u;
const DEPTH = 16u;
const SIDE = 16u;
const EACH = 4u;
var<workgroup> tile_a: array<array<f32, DEPTH>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, DEPTH>;

@compute @workgroup_size(SIDE, SIDE)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let n = params.n;
    var sums: array<array<f32, EACH>, EACH>;
    for (var t = 0u; t < n; t += DEPTH) {
        for (var i = 0u; i < EACH; i++) {
            tile_a[local.y + i * SIDE][local.x] = a[(group.y * TILE + local.y + i * SIDE) * n + t + local.x];
            tile_b[local.y][local.x + i * SIDE] = b[(t + local.y) * n + group.x * TILE + local.x + i * SIDE];
        }
        workgroupBarrier();
        for (var k = 0u; k < DEPTH; k++) {
            for (var i = 0u; i < EACH; i++) {
                for (var j = 0u; j < EACH; j++) {
                    sums[i][j] += tile_a[local.y + i * SIDE][k] * tile_b[k][local.x + j * SIDE];
                }
            }
        }
        workgroupBarrier();
    }
    for (var i = 0u; i < EACH; i++) {
        for (var j = 0u; j < EACH; j++) {
            c[(group.y * TILE + local.y + i * SIDE) * n + group.x * TILE + local.x + j * SIDE] = sums[i][j];
        }
    }
}
