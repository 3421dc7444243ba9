//! grid 2
//! in x = u32[1, 4294967288, 1, 256, 5, 5, 4294967295, 1, 0, 4294967295, 9, 0, 3334999595, 244051092, 821653592,
//!     272167093]
//! in amount = u32[0, 1, 31, 4, 32, 33, 63, 4294967295, 7, 16, 64, 31, 13, 5, 3, 2147483648]
//! out left = u32[(1, 4294967280, 2147483648, 4096) x 3, (5, 10, 2147483648, 2147483648) x 3,
//!     (0, 4294901760, 9, 0) x 3, (29712384, 3514667648, 2278261440, 272167093) x 3]
//! out right = u32[(1, 2147483644, 0, 16) x 3, (5, 2, 1, 0) x 3, (0, 65535, 9, 0) x 3,
//!     (407104, 7626596, 102706699, 272167093) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage> amount: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> left: array<array<vec4u, 3>>;
@group(0) @binding(3) var<storage, read_write> right: array<array<vec4u, 3>>;

// Amounts are taken modulo 32.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    let a_i = amount[i];
    left[i][0] = v << a_i;
    left[i][1] = vec4u(v.xyz << a_i.xyz, v.w << a_i.w);
    left[i][2] = vec4u(v.xy << a_i.xy, v.zw << a_i.zw);
    right[i][0] = v >> a_i;
    right[i][1] = vec4u(v.xyz >> a_i.xyz, v.w >> a_i.w);
    right[i][2] = vec4u(v.xy >> a_i.xy, v.zw >> a_i.zw);
}
