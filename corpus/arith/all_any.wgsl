//! grid 4
//! out all_of = u32[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
//! out any_of = u32[0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
//! out shorter = u32[0, 58, 10, 59, 8, 58, 10, 63, 0, 58, 10, 59, 8, 58, 10, 63]
@group(0) @binding(0) var<storage, read_write> all_of: array<u32>;
@group(0) @binding(1) var<storage, read_write> any_of: array<u32>;
@group(0) @binding(2) var<storage, read_write> shorter: array<u32>;

// Over vectors of four, three and two, and over a scalar.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = (vec4u(i) & vec4u(1, 2, 4, 8)) != vec4u(0);
    all_of[i] = u32(all(v));
    any_of[i] = u32(any(v));
    shorter[i] = u32(all(v.xy)) | u32(any(v.xy)) << 1 | u32(all(v.xyz)) << 2 | u32(any(v.xyz)) << 3
        | u32(all(v.x)) << 4 | u32(any(v.x)) << 5;
}
