// A block becomes less deep from level to level; an array keeps its layers.
//! grid 3
//! image block = r32uint 4x2x4 levels 3
//! image stack = r32uint 4x2x3 levels 2
//! in block = u32[0, 1, 2, 3, 10, 11, 12, 13, 100, 101, 102, 103,
//!   110, 111, 112, 113, 200, 201, 202, 203, 210, 211, 212, 213,
//!   300, 301, 302, 303, 310, 311, 312, 313, 1000, 1001, 1100, 1101,
//!   2000]
//! in stack = u32[0, 1, 2, 3, 10, 11, 12, 13, 100, 101, 102, 103,
//!   110, 111, 112, 113, 200, 201, 202, 203, 210, 211, 212, 213,
//!   1000, 1001, 1100, 1101, 1200, 1201]
//! out sums = u32[5008, 4202, 2000, 2556, 6603, 0]
//! out sizes = u32[4, 2, 4, 2, 1, 2, 1, 1, 1]
@group(0) @binding(0) var block: texture_3d<u32>;
@group(0) @binding(1) var stack: texture_2d_array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32, 6>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32, 9>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3u) {
    let level = i32(id.x);
    var of_block = 0u;
    var of_array = 0u;
    for (var z = 0; z < 8; z++) {
        for (var y = 0; y < 8; y++) {
            for (var x = 0; x < 8; x++) {
                of_block += textureLoad(block, vec3i(x, y, z), level).x;
                of_array += textureLoad(stack, vec2i(x, y), z, level).x;
            }
        }
    }
    sums[id.x] = of_block;
    sums[3 + id.x] = of_array;
    let size = textureDimensions(block, level);
    sizes[3 * id.x] = size.x;
    sizes[3 * id.x + 1] = size.y;
    sizes[3 * id.x + 2] = size.z;
}
