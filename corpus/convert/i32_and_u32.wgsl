//! grid 1
//! in x = i32[0, 1, -1, 2147483647, -2147483648, 77, -77, 65536]
//! out unsigned = u32[(0, 1, 4294967295, 2147483647) x 3, (2147483648, 77, 4294967219, 65536) x 3]
//! out same = i32[(0, 1, -1, 2147483647) x 3, (-2147483648, 77, -77, 65536) x 3]
@group(0) @binding(0) var<storage> x: array<vec4i>;
@group(0) @binding(1) var<storage, read_write> unsigned: array<array<vec4u, 3>>;
@group(0) @binding(2) var<storage, read_write> same: array<array<vec4i, 3>>;

// The same bits.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    unsigned[i][0] = vec4u(v);
    unsigned[i][1] = vec4u(vec3u(v.xyz), u32(v.w));
    unsigned[i][2] = vec4u(vec2u(v.xy), vec2u(v.zw));
    same[i][0] = vec4i(v);
    same[i][1] = vec4i(vec3i(v.xyz), i32(v.w));
    same[i][2] = vec4i(vec2i(v.xy), vec2i(v.zw));
}
