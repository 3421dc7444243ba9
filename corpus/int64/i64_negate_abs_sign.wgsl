//! grid 2
//! in x = i64[0, 1, 9223372036854775807, -9223372036854775808, 7, -7, 7, 9223372036854775807, 3074457345618258602,
//!     -4611686018427387904, 9223372036854775807, 46341, -2553354791350442960, 5430342962621506167,
//!     5161945549082021012, 1372875159667766079]
//! out negated = i64[(0, -1, -9223372036854775807, -9223372036854775808) x 3,
//!     (-7, 7, -7, -9223372036854775807) x 3,
//!     (-3074457345618258602, 4611686018427387904, -9223372036854775807, -46341) x 3,
//!     (2553354791350442960, -5430342962621506167, -5161945549082021012, -1372875159667766079) x 3]
//! out absolute = i64[(0, 1, 9223372036854775807, -9223372036854775808) x 3, (7, 7, 7, 9223372036854775807) x 3,
//!     (3074457345618258602, 4611686018427387904, 9223372036854775807, 46341) x 3,
//!     (2553354791350442960, 5430342962621506167, 5161945549082021012, 1372875159667766079) x 3]
//! out signs = i64[(0, 1, 1, -1) x 3, (1, -1, 1, 1) x 3, (1, -1, 1, 1) x 3, (-1, 1, 1, 1) x 3]
@group(0) @binding(0) var<storage> x: array<vec4<i64>>;
@group(0) @binding(1) var<storage, read_write> negated: array<array<vec4<i64>, 3>>;
@group(0) @binding(2) var<storage, read_write> absolute: array<array<vec4<i64>, 3>>;
@group(0) @binding(3) var<storage, read_write> signs: array<array<vec4<i64>, 3>>;

// The least number has no opposite: it stays itself.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    negated[i][0] = -v;
    negated[i][1] = vec4<i64>(-v.xyz, -v.w);
    negated[i][2] = vec4<i64>(-v.xy, -v.zw);
    absolute[i][0] = abs(v);
    absolute[i][1] = vec4<i64>(abs(v.xyz), abs(v.w));
    absolute[i][2] = vec4<i64>(abs(v.xy), abs(v.zw));
    signs[i][0] = sign(v);
    signs[i][1] = vec4<i64>(sign(v.xyz), sign(v.w));
    signs[i][2] = vec4<i64>(sign(v.xy), sign(v.zw));
}
