// What an invocation stores, it loads again; other texels it leaves alone.
//! threads 5,2
//! image counts = r32uint 6x2
//! image photo = rgba16float 5x2
//! in counts = u32[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
//! in photo = u32[(0x40003c00, 0x44004200) x 10]
//! out counts = u32[10, 31, 52, 73, 94, 5, 136, 157, 178, 199, 220, 11]
@group(0) @binding(0) var counts: texture_storage_2d<r32uint, read_write>;
@group(0) @binding(1) var photo: texture_storage_2d<rgba16float, read>;

@compute @workgroup_size(2, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= 5 { return; }
    let colour = textureLoad(photo, id.xy);
    for (var i = 0; i < 20; i++) {
        textureStore(counts, id.xy, textureLoad(counts, id.xy) + (id.x + id.y * 6));
    }
    textureStore(counts, id.xy, textureLoad(counts, id.xy) + u32(dot(colour, vec4f(1))));
}
