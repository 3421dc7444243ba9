//! out b = u32[9, 1, 2, 3, 0, 9, 2, 3, 0, 1, 9, 3, 0, 1, 2, 9]
//! out c = u32[1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4]
@group(0) @binding(0) var<storage, read_write> b: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> c: array<vec4u>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var v = vec4u(0, 1, 2, 3);
    v[id.x] = 9;
    b[id.x] = v;
    c[id.x][id.x] = id.x + 1;
}
