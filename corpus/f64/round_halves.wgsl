//! grid 2
//! in x = f64[59.5, 0.5, 1.5, 2.5, -0.5, -1.5, 60.5, 0.25]
//! out nearest = f64[60, 0, 2, 2, -0.0, -2, 60, 0] ~ 1ulp
// Of two whole numbers that are equally near it is the even one.
@group(0) @binding(0) var<storage> x: array<f64>;
@group(0) @binding(1) var<storage, read_write> nearest: array<f64>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    nearest[id.x] = round(x[id.x]);
}
