//! ours
//! grid 1
//! in x = u32[2143363909, 4290772993, 2139095040, 2147483648, 1, 2155872255, 4286578688, 2147483647]
//! out y = u32[(2143363909, 4290772993, 2139095040, 2147483648) x 3, (1, 2155872255, 4286578688, 2147483647) x 3]
@group(0) @binding(0) var<storage> x: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> y: array<array<vec4u, 3>>;

// NaN keeps its payload, subnormal numbers and the negative zero stay.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    y[i][0] = bitcast<vec4u>(bitcast<vec4f>(v));
    y[i][1] = vec4u(bitcast<vec3u>(bitcast<vec3f>(v.xyz)), bitcast<u32>(bitcast<f32>(v.w)));
    y[i][2] = vec4u(bitcast<vec2u>(bitcast<vec2f>(v.xy)), bitcast<vec2u>(bitcast<vec2f>(v.zw)));
}
