//! in b = u32[5, 0, 7, 4294967295]
//! in c = i32[-1, -2147483648]
//! out b = u32[6, 0xffffffff, 7, 0]
//! out c = i32[0, 2147483647]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> c: array<i32>;

@compute @workgroup_size(1)
fn main() {
    b[0]++;
    b[1]--;
    b[2]++;
    b[2]--;
    b[3]++;
    c[0]++;
    c[1]--;
}
