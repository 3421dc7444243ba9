//! in a = i32[-5, 8]
//! out a = i32[-4, 8]
//! out b = i32[-5, 8, -4]
@group(0) @binding(0) var<storage, read_write> a: array<atomic<i32>, 2>;
@group(0) @binding(1) var<storage, read_write> b: array<i32, 3>;

@compute @workgroup_size(1)
fn main() {
    b[0] = atomicLoad(&a[0]);
    b[1] = atomicLoad(&a[1]);
    atomicStore(&a[0], b[0] + 1);
    b[2] = atomicLoad(&a[0]);
}
