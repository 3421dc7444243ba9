// Bytes stay bytes: a load gives n / 255, and a store rounds that back to n.
//! threads 5,3
//! image photo = rgba8unorm 5x3
//! image result = rgba8unorm 5x3
//! in photo = u32[0x00000000, 0x04030201, 0x08070605, 0x0c0b0a09, 0xff00ff00,
//!   0xffffffff, 0x14131211, 0x7f807f80, 0x1c1b1a19, 0x00ff00ff,
//!   0x80000000, 0x00800000, 0x00008000, 0x00000080, 0x12345678]
//! out result = u32[0x00000000, 0x04010203, 0x08050607, 0x0c090a0b, 0xff00ff00,
//!   0xffffffff, 0x14111213, 0x7f807f80, 0x1c191a1b, 0x00ff00ff,
//!   0x80000000, 0x00000080, 0x00008000, 0x00800000, 0x12785634]
@group(0) @binding(0) var photo: texture_2d<f32>;
@group(0) @binding(1) var result: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(2, 2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(result, id.xy, textureLoad(photo, id.xy, 0).zyxw);
}
