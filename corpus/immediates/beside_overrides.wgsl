//! set scale = 3
//! in p = u32[4]
//! out b = u32[12, 4]
override scale: u32 = 2;
override n: u32 = 1;
var<immediate> p: u32;
var<workgroup> tile: array<u32, n + 1>;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    tile[1] = p;
    b[0] = p * scale;
    b[1] = tile[1];
}
