@group(0) @binding(0) var<storage, read_write> b: array<u32>;

var<workgroup> tile: array<u32, 4>;

fn put(p: ptr<workgroup, array<u32, 4>>, value: u32) { //~ error[invalid] into memory that is shared
    (*p)[0] = value;
}

@compute @workgroup_size(1)
fn main() {
    put(&tile, 1);
    b[0] = tile[0];
}
