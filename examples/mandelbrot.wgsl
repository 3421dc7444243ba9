// seawall run examples/mandelbrot.wgsl --in image=zeros:110592 --out image=mandel.png --width 384
//
// The Mandelbrot set, with colours that run smoothly through the distance from it.
// Elsewhere: --set centre_x=-0.7453 --set centre_y=0.1127 --set span=0.012 --set iterations=600

override width = 384u;
override iterations = 200u;
override centre_x = -0.65;
override centre_y = 0.0;
// Of the whole picture, in the plane.
override span = 3.3;

@group(0) @binding(0) var<storage, read_write> image: array<u32>;

// The large heart and the disc on its left are known to stay.
fn stays(c: vec2<f32>) -> bool {
    let x = c.x - 0.25;
    let q = x * x + c.y * c.y;
    let left = c + vec2(1.0, 0.0);
    return q * (q + x) <= 0.25 * c.y * c.y || dot(left, left) <= 0.0625;
}

// How fast z = z² + c leaves, as a real number of steps; negative if it stays.
fn escape(c: vec2<f32>) -> f32 {
    if stays(c) {
        return -1.0;
    }
    var z = vec2(0.0);
    for (var i = 0u; i < iterations; i++) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        let r2 = dot(z, z);
        if r2 > 256.0 {
            // |z| squares with each step, so that its double logarithm grows by one.
            return f32(i) + 4.0 - log2(log2(r2));
        }
    }
    return -1.0;
}

// Night, sea, foam, sand, rust, and night again.
fn palette(steps: f32) -> vec3<f32> {
    if steps < 0.0 {
        return vec3(0.0);
    }
    var stops = array(
        vec3(0.01, 0.03, 0.12),
        vec3(0.05, 0.33, 0.62),
        vec3(0.90, 0.97, 0.98),
        vec3(0.98, 0.74, 0.25),
        vec3(0.52, 0.14, 0.08),
    );
    let t = max(2.2 * log2(0.5 + 0.18 * steps), 0.0);
    let stop = u32(t) % 5u;
    return mix(stops[stop], stops[(stop + 1u) % 5u], smoothstep(0.0, 1.0, fract(t)));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pixels = arrayLength(&image);
    if id.x >= pixels {
        return;
    }
    let middle = vec2(f32(width), f32(pixels / width)) * 0.5;
    let corner = vec2(f32(id.x % width), f32(id.x / width)) - middle;
    // Four points of each pixel, for smooth edges.
    var colour = vec3(0.0);
    for (var sample = 0u; sample < 4u; sample++) {
        let at = corner + vec2(f32(sample % 2u), f32(sample / 2u)) * 0.5 + 0.25;
        colour += 0.25 * palette(escape(at * (span / f32(width)) + vec2(centre_x, centre_y)));
    }
    image[id.x] = pack4x8unorm(vec4(colour, 1.0));
}
