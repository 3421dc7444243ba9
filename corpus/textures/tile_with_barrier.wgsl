// A loop whose length is the size of a texture is the same for all, so that a barrier may stand in it.
//! grid 2
//! image photo = r32uint 6x4
//! in photo = u32[0..24]
//! out sums = u32[66, 66, 66, 66, 210, 210, 210, 210]
//! out rows = u32[15, 51, 87, 123]
@group(0) @binding(0) var photo: texture_2d<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> rows: array<u32>;

var<workgroup> tile: array<u32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    var sum = 0u;
    let size = textureDimensions(photo);
    for (var y = group.x * 2; y < group.x * 2 + 2; y++) {
        for (var x = 0u; x < size.x; x += 4) {
            tile[local] = textureLoad(photo, vec2u(x + local, y), 0).x;
            workgroupBarrier();
            sum += tile[0] + tile[1] + tile[2] + tile[3];
            workgroupBarrier();
        }
        if local == 0 {
            var row = 0u;
            for (var x = 0u; x < size.x; x++) { row += textureLoad(photo, vec2u(x, y), 0).x; }
            rows[y] = row;
        }
    }
    sums[group.x * 4 + local] = sum;
}
