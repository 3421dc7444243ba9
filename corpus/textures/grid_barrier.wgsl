// All workgroups have stored their texels before any looks at those of others.
//! grid 3
//! image board = r32uint 12
//! out board = u32[0..12]
//! out turned = u32[11..-1 by -1]
@group(0) @binding(0) var board: texture_storage_1d<r32uint, read_write>;
@group(0) @binding(1) var<storage, read_write> turned: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(board, id.x, vec4u(id.x));
    gridBarrier();
    turned[id.x] = textureLoad(board, textureDimensions(board) - 1 - id.x).x;
}
