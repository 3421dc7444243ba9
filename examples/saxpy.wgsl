// seawall run examples/saxpy.wgsl --in x=iota:1000 --in y=fill:1:1000 --in 'p={"a":2.0,"n":1000}'
//
// y = a * x + y, one element for each invocation.

struct P {
    a: f32,
    n: u32,
}

@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // The last workgroup reaches past the end.
    if id.x < p.n {
        y[id.x] = p.a * x[id.x] + y[id.x];
    }
}
