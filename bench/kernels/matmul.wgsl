// C = A B for square matrices in rows, by tiles of 16 × 16 in workgroup memory.

struct Params {
    n: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

const TILE = 16u;
var<workgroup> tile_a: array<array<f32, TILE>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let n = params.n;
    var sum = 0.0;
    for (var t = 0u; t < n; t += TILE) {
        tile_a[local.y][local.x] = a[id.y * n + t + local.x];
        tile_b[local.y][local.x] = b[(t + local.y) * n + id.x];
        workgroupBarrier();
        for (var k = 0u; k < TILE; k++) {
            sum += tile_a[local.y][k] * tile_b[k][local.x];
        }
        workgroupBarrier();
    }
    c[id.y * n + id.x] = sum;
}
