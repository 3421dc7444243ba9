//! grid 4
//! in a = u32[0, 0, 1, 1]
//! in b = u32[0, 1, 0, 1]
//! out scalar = u32[12, 86, 82, 107]
//! out vector = u32[0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0]
@group(0) @binding(0) var<storage> a: array<u32, 4>;
@group(0) @binding(1) var<storage> b: array<u32, 4>;
@group(0) @binding(2) var<storage, read_write> scalar: array<u32, 4>;
@group(0) @binding(3) var<storage, read_write> vector: array<vec4u, 5>;

// Scalars: one bit for each operator. Vectors: the whole truth table at once.
@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) id: vec3u) {
    let i = id.x;
    let p = a[i] == 1;
    let q = bool(b[i]);
    scalar[i] = u32(p & q) | u32(p | q) << 1 | u32(!p) << 2 | u32(p == q) << 3 | u32(p != q) << 4
        | u32(p && q) << 5 | u32(p || q) << 6;
    if i == 0 {
        let v = vec4<bool>(vec4u(a[0], a[1], a[2], a[3]));
        let w = vec4u(b[0], b[1], b[2], b[3]) != vec4u(0);
        vector[0] = vec4u(v & w);
        vector[1] = vec4u(v | w);
        vector[2] = vec4u(!v);
        vector[3] = vec4u(v == w);
        vector[4] = vec4u(v != w);
    }
}
