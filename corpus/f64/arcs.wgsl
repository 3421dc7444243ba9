//! ours
//! grid 1
//! in x = f64[0, 0.5, -0.5, 0.1, 0.75, -0.9, 0.99, -0.25]
//! out sine = f64[(0, 0.5235987755982989, -0.5235987755982989, 0.1001674211615598) x 3,
//!     (0.848062078981481, -1.1197695149986342, 1.4292568534704693, -0.25268025514207865) x 3] ~ 2ulp
//! out cosine = f64[(1.5707963267948966, 1.0471975511965979, 2.0943951023931957, 1.4706289056333368) x 3,
//!     (0.7227342478134157, 2.6905658417935308, 0.1415394733244273, 1.8234765819369754) x 3] ~ 2ulp
//! out area = f64[(0, 0.5493061443340549, -0.5493061443340549, 0.10033534773107558) x 3,
//!     (0.9729550745276566, -1.4722194895832204, 2.6466524123622457, -0.25541281188299536) x 3] ~ 2ulp
@group(0) @binding(0) var<storage> x: array<vec4<f64>>;
@group(0) @binding(1) var<storage, read_write> sine: array<array<vec4<f64>, 3>>;
@group(0) @binding(2) var<storage, read_write> cosine: array<array<vec4<f64>, 3>>;
@group(0) @binding(3) var<storage, read_write> area: array<array<vec4<f64>, 3>>;

// Within two units in the last place.
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let i = id.x;
    let v = x[i];
    sine[i][0] = asin(v);
    sine[i][1] = vec4<f64>(asin(v.xyz), asin(v.w));
    sine[i][2] = vec4<f64>(asin(v.xy), asin(v.zw));
    cosine[i][0] = acos(v);
    cosine[i][1] = vec4<f64>(acos(v.xyz), acos(v.w));
    cosine[i][2] = vec4<f64>(acos(v.xy), acos(v.zw));
    area[i][0] = atanh(v);
    area[i][1] = vec4<f64>(atanh(v.xyz), atanh(v.w));
    area[i][2] = vec4<f64>(atanh(v.xy), atanh(v.zw));
}
