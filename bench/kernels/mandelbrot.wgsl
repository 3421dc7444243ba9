// How many steps z = z² + c takes to leave the disc of radius 2, for each pixel.

struct Params {
    width: u32,
    height: u32,
    steps: u32,
    x0: f32,
    y0: f32,
    pixel: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> image: array<u32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.width || id.y >= params.height {
        return;
    }
    let cx = params.x0 + f32(id.x) * params.pixel;
    let cy = params.y0 + f32(id.y) * params.pixel;
    var zx = 0.0;
    var zy = 0.0;
    var count = 0u;
    while count < params.steps {
        let xx = zx * zx;
        let yy = zy * zy;
        if xx + yy > 4.0 {
            break;
        }
        zy = 2.0 * zx * zy + cy;
        zx = xx - yy + cx;
        count++;
    }
    image[id.y * params.width + id.x] = count;
}
