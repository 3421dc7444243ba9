//! grid 5
//! in a = u32[187, 85, 182, 114, 168, 114, 99, 122, 205, 116, 102, 252, 182, 14, 14, 143, 241, 132, 99, 176,
//!     228, 178, 186, 41, 112, 52, 116, 240, 100, 172, 104, 247, 0, 245, 176, 43, 61, 198, 102, 244, 91, 222,
//!     170, 44, 202, 237, 205, 43, 81, 87, 65, 14, 77, 238, 74, 242, 179, 79, 67, 10, 7, 52, 71, 222, 99,
//!     108, 14, 128, 108, 149, 123, 166, 132, 214, 67, 31, 181, 234, 215, 66]
//! out b = u32[8, 7, 12, 16, 5, 13, 8, 11]
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<atomic<u32>, 8>;
var<workgroup> bins: array<atomic<u32>, 8>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    atomicAdd(&bins[a[id.x] / 32], 1);
    workgroupBarrier(); // orders atomics
    if local < 8 {
        atomicAdd(&b[local], atomicLoad(&bins[local]));
    }
}
