//! grid 2
//! in a = i64[0, 1, 9223372036854775807, -9223372036854775808, 7, -7, 7, 9223372036854775807, 3074457345618258602,
//!     -4611686018427387904, 9223372036854775807, 46341, 5, 5, 6, -9223372036854775808]
//! in b = i64[0, 0, 1, 9223372036854775807, 7, 7, 8, 6, 3074457345618258602, -4611686018427387904, 0, 46341, 5, 6,
//!     5, 9223372036854775807]
//! out less = u32[(0, 0, 0, 1) x 3, (0, 1, 1, 0) x 3, (0, 0, 0, 0) x 3, (0, 1, 0, 1) x 3]
//! out less_equal = u32[(1, 0, 0, 1) x 3, (1, 1, 1, 0) x 3, (1, 1, 0, 1) x 3, (1, 1, 0, 1) x 3]
//! out greater = u32[(0, 1, 1, 0) x 3, (0, 0, 0, 1) x 3, (0, 0, 1, 0) x 3, (0, 0, 1, 0) x 3]
//! out greater_equal = u32[(1, 1, 1, 0) x 3, (1, 0, 0, 1) x 3, (1, 1, 1, 1) x 3, (1, 0, 1, 0) x 3]
//! out equal = u32[(1, 0, 0, 0) x 3, (1, 0, 0, 0) x 3, (1, 1, 0, 1) x 3, (1, 0, 0, 0) x 3]
//! out not_equal = u32[(0, 1, 1, 1) x 3, (0, 1, 1, 1) x 3, (0, 0, 1, 0) x 3, (0, 1, 1, 1) x 3]
@group(0) @binding(0) var<storage> a: array<vec4<i64>>;
@group(0) @binding(1) var<storage> b: array<vec4<i64>>;
@group(0) @binding(2) var<storage, read_write> less: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> less_equal: array<array<vec4u, 3>>;
@group(0) @binding(4) var<storage, read_write> greater: array<array<vec4u, 3>>;
@group(0) @binding(5) var<storage, read_write> greater_equal: array<array<vec4u, 3>>;
@group(0) @binding(6) var<storage, read_write> equal: array<array<vec4u, 3>>;
@group(0) @binding(7) var<storage, read_write> not_equal: array<array<vec4u, 3>>;

// All six comparisons, as bits.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    less[i][0] = vec4u(p < q);
    less[i][1] = vec4u(vec3u(p.xyz < q.xyz), u32(p.w < q.w));
    less[i][2] = vec4u(vec2u(p.xy < q.xy), vec2u(p.zw < q.zw));
    less_equal[i][0] = vec4u(p <= q);
    less_equal[i][1] = vec4u(vec3u(p.xyz <= q.xyz), u32(p.w <= q.w));
    less_equal[i][2] = vec4u(vec2u(p.xy <= q.xy), vec2u(p.zw <= q.zw));
    greater[i][0] = vec4u(p > q);
    greater[i][1] = vec4u(vec3u(p.xyz > q.xyz), u32(p.w > q.w));
    greater[i][2] = vec4u(vec2u(p.xy > q.xy), vec2u(p.zw > q.zw));
    greater_equal[i][0] = vec4u(p >= q);
    greater_equal[i][1] = vec4u(vec3u(p.xyz >= q.xyz), u32(p.w >= q.w));
    greater_equal[i][2] = vec4u(vec2u(p.xy >= q.xy), vec2u(p.zw >= q.zw));
    equal[i][0] = vec4u(p == q);
    equal[i][1] = vec4u(vec3u(p.xyz == q.xyz), u32(p.w == q.w));
    equal[i][2] = vec4u(vec2u(p.xy == q.xy), vec2u(p.zw == q.zw));
    not_equal[i][0] = vec4u(p != q);
    not_equal[i][1] = vec4u(vec3u(p.xyz != q.xyz), u32(p.w != q.w));
    not_equal[i][2] = vec4u(vec2u(p.xy != q.xy), vec2u(p.zw != q.zw));
}
