//! grid 2
//! in x = u32[0, 1, 4294967295, 0, 7, 0, 7, 4294967295, 1431655765, 12345, 4294967295, 46341, 1703729684,
//!     4192983756, 3687093963, 1243862422]
//! out y = u32[(0, 1, 4294967295, 0) x 3, (7, 0, 7, 4294967295) x 3, (1431655765, 12345, 4294967295, 46341) x 3,
//!     (1703729684, 4192983756, 3687093963, 1243862422) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4u, 3>>;

// Unsigned numbers are their own absolute values.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = abs(v);
    y[i][1] = vec4u(abs(v.xyz), abs(v.w));
    y[i][2] = vec4u(abs(v.xy), abs(v.zw));
}
