//! grid 2
//! in x = u32[0, 1, 4294967295, 2147483648, 2, 12, 4294967295, 4294967294, 240, 4294967040, 1073741824, 4294967291,
//!     18165, 964, 7, 60]
//! out y = u32[(0, 2147483648, 4294967295, 1) x 3, (1073741824, 805306368, 4294967295, 2147483647) x 3,
//!     (251658240, 16777215, 2, 3758096383) x 3, (2942435328, 599785472, 3758096384, 1006632960) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4u, 3>>;

// The bits from the other end.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = reverseBits(v);
    y[i][1] = vec4u(reverseBits(v.xyz), reverseBits(v.w));
    y[i][2] = vec4u(reverseBits(v.xy), reverseBits(v.zw));
}
