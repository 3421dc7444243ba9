//! grid 2
//! in a = u32[1, 2, 3, 4]
//! out b = u32[7, 0, 0, 0, 7, 0, 0, 0]
//! ours
//! finds out-of-bounds
@group(0) @binding(0) var<storage> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<vec4u>;

// An index that is known while compiling may be so large that its byte is beyond 32 bits.
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3u) {
    b[id.x].x = a[1073741824] + 7;
    b[2147483647] = vec4u(5);
    b[268435456].y = 6;
    b[2147483647][2] += a[2147483647] + a[1610612736u] + 9;
}
