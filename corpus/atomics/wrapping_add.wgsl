//! grid 2
//! in a = u32[4294967290]
//! in c = i32[2147483640]
//! out a = u32[10]
//! out c = i32[-2147483640]
@group(0) @binding(0) var<storage, read_write> a: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> c: atomic<i32>;

@compute @workgroup_size(4)
fn main() {
    atomicAdd(&a, 2);
    atomicAdd(&c, 2);
}
