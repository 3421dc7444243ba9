//! grid 2
//! in x = u64[0, 1, 18446744073709551615, 0, 7, 0, 7, 18446744073709551615, 6148914691236517205, 12345,
//!     18446744073709551615, 46341, 5787620081580088010, 17426290450518894647, 8220621215424424357,
//!     6401117268241863454]
//! out y = u64[(0, 1, 18446744073709551615, 0) x 3, (7, 0, 7, 18446744073709551615) x 3,
//!     (6148914691236517205, 12345, 18446744073709551615, 46341) x 3,
//!     (5787620081580088010, 17426290450518894647, 8220621215424424357, 6401117268241863454) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<u64>>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4<u64>, 3>>;

// Unsigned numbers are their own absolute values.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = abs(v);
    y[i][1] = vec4<u64>(abs(v.xyz), abs(v.w));
    y[i][2] = vec4<u64>(abs(v.xy), abs(v.zw));
}
