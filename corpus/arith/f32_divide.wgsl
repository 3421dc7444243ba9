//! grid 2
//! in a = f32[1.5, 0.1, -7.25, 1000, -9.524089, 11.954477, 84.84212, -6.869986, 1.5682546, 17.476965, -63.067932,
//!     2.3817277, 25.976543, 58.595375, -81.17531, -39.319748]
//! in b = f32[2.25, 0.2, 3.5, 0.001, -8.186589, 6.1928906, 3.8687696, -9.162394, 9.643868, 9.295156, 3.0784507,
//!     2.311254, -6.850118, -9.6999855, 0.56762534, -8.808978]
//! out quotient = f32[(0.6666667, 0.5, -2.0714285, 999999.94) x 3, (1.1633769, 1.930355, 21.93, 0.74980253) x 3,
//!     (0.16261676, 1.8802229, -20.486906, 1.0304915) x 3,
//!     (-3.7921307, -6.0407696, -143.0086, 4.463599) x 3] ~ 3ulp
@group(0) @binding(0) var<storage> a: array<vec4f>;
@group(0) @binding(1) var<storage> b: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> quotient: array<array<vec4f, 3>>;

// Within 2.5 units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let p = a[i];
    let q = b[i];
    quotient[i][0] = p / q;
    quotient[i][1] = vec4f(p.xyz / q.xyz, p.w / q.w);
    quotient[i][2] = vec4f(p.xy / q.xy, p.zw / q.zw);
}
