// One step of Jacobi's iteration for the Laplace equation: each cell becomes the mean of its neighbours.

struct Params {
    width: u32,
    height: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> old: array<f32>;
@group(0) @binding(2) var<storage, read_write> next: array<f32>;

@compute @workgroup_size(64, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let x = id.x + 1;
    let y = id.y + 1;
    if x >= params.width - 1 || y >= params.height - 1 {
        return;
    }
    let at = y * params.width + x;
    next[at] = 0.25 * (old[at - params.width] + old[at - 1] + old[at + 1] + old[at + params.width]);
}
