//! grid 4
//! in a = f32[0.5]
//! out a = f32[16.5]
// Sums of small halves are exact in any order.
@group(0) @binding(0) var<storage, read_write> a: atomic<f32>;

@compute @workgroup_size(8)
fn main() {
    atomicAdd(&a, 0.5);
}
