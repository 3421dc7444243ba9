//! in a = f16[1, 2, 3] pad[2] f16[4, 5] f16[6] pad[2]
//! out b = f16[2, 4, 6] pad[2] f16[8, 10] f16[12] pad[2]
enable f16;

struct Row { three: vec3h, two: vec2h, one: f16 }
@group(0) @binding(0) var<storage> a: Row;
@group(0) @binding(1) var<storage, read_write> b: Row;

// Two bytes each; vec3h takes the room of four.
@compute @workgroup_size(1)
fn main() {
    b = Row(a.three * 2.0h, a.two * 2.0h, a.one * 2.0h);
}
