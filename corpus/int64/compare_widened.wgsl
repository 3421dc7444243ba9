//! grid 2
//! in a = i32[-5, -1, 0, 3, -2147483648, 2147483647, 7, -7]
//! out b = u32[9, 8, 6, 6, 9, 6, 6, 9]
// A 32-bit integer made wide, against constants: its sign comes along.
@group(0) @binding(0) var<storage> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let wide = i64(a[id.x]);
    var bits = 0u;
    if wide < -1li { bits |= 1; }
    if wide > -1li { bits |= 2; }
    if wide >= 0li { bits |= 4; }
    if wide <= -1li { bits |= 8; }
    b[id.x] = bits;
}
