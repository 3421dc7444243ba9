// seawall run examples/matmul.wgsl --in a=random:65536 --in b=random:65536:1 --in c=zeros:65536 --threads 256,256
//
// c = a * b for square matrices of `n` rows, by tiles in workgroup memory.

override n = 256u;
const TILE = 16u;

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

var<workgroup> tile_a: array<array<f32, TILE>, TILE>;
var<workgroup> tile_b: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    var sum = 0.0;
    for (var k = 0u; k < n; k += TILE) {
        tile_a[local.y][local.x] = a[id.y * n + k + local.x];
        tile_b[local.y][local.x] = b[(k + local.y) * n + id.x];
        workgroupBarrier();
        for (var i = 0u; i < TILE; i++) {
            sum += tile_a[local.y][i] * tile_b[i][local.x];
        }
        workgroupBarrier();
    }
    if id.x < n && id.y < n {
        c[id.y * n + id.x] = sum;
    }
}
