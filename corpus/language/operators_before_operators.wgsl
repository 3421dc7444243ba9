//! out b = u32[1, 5]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(1)
fn main() {
    b[0] = u32(- -1);
    b[1] = ~~5u;
    let z = !!true;
}
