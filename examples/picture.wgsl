// seawall run examples/picture.toml
//
// A small picture pipeline: a scene is made, softened and outlined, and the two are put
// together again. `picture.toml` says in which order.

struct Size { width: u32, height: u32 }

@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<storage, read> colour_in: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> colour_out: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> grey_in: array<f32>;
@group(0) @binding(4) var<storage, read_write> grey_out: array<f32>;
@group(0) @binding(5) var<storage, read> edge_in: array<f32>;
@group(0) @binding(6) var<storage, read_write> pixels: array<u32>;

// The direction of a blur: 1,0 along rows and 0,1 along columns.
override step_x: i32 = 1;
override step_y: i32 = 0;

fn inside(id: vec3<u32>) -> bool { return id.x < size.width && id.y < size.height; }

fn at(x: i32, y: i32) -> u32 {
    let cx = clamp(x, 0, i32(size.width) - 1);
    let cy = clamp(y, 0, i32(size.height) - 1);
    return u32(cy) * size.width + u32(cx);
}

// Where a ray meets a ball, and the ball's colour there; alpha is 0 where it misses.
fn ball(p: vec2<f32>, centre: vec2<f32>, radius: f32, tint: vec3<f32>) -> vec4<f32> {
    let d = (p - centre) / radius;
    let height2 = 1.0 - dot(d, d);
    if height2 <= 0.0 { return vec4(0.0); }
    let normal = vec3(d, sqrt(height2));
    let light = normalize(vec3(-0.5, -0.7, 0.6));
    let bright = max(dot(normal, light), 0.0);
    let shine = pow(max(dot(reflect(-light, normal), vec3(0.0, 0.0, 1.0)), 0.0), 24.0);
    return vec4(tint * (0.15 + 0.85 * bright) + vec3(shine), 1.0);
}

@compute @workgroup_size(16, 16)
fn scene(@builtin(global_invocation_id) id: vec3<u32>) {
    if !inside(id) { return; }
    let p = vec2(f32(id.x), f32(id.y)) / f32(size.height);
    let board = (u32(p.x * 10.0) + u32(p.y * 10.0)) % 2u;
    var colour = mix(vec3(0.10, 0.16, 0.28), vec3(0.22, 0.32, 0.45), f32(board)) * (0.6 + 0.5 * p.y);
    for (var i = 0u; i < 7u; i++) {
        let t = f32(i);
        let centre = vec2(0.22 + 0.19 * t, 0.5 + 0.3 * sin(1.7 * t));
        let tint = 0.5 + 0.5 * cos(vec3(0.0, 2.1, 4.2) + t);
        let hit = ball(p, centre, 0.13 + 0.02 * cos(t), tint);
        colour = mix(colour, hit.rgb, hit.a);
    }
    colour_out[id.y * size.width + id.x] = vec4(colour, 1.0);
}

@compute @workgroup_size(16, 16)
fn grey(@builtin(global_invocation_id) id: vec3<u32>) {
    if !inside(id) { return; }
    let i = id.y * size.width + id.x;
    grey_out[i] = dot(colour_in[i].rgb, vec3(0.2126, 0.7152, 0.0722));
}

@compute @workgroup_size(16, 16)
fn blur(@builtin(global_invocation_id) id: vec3<u32>) {
    if !inside(id) { return; }
    var sum = vec4(0.0);
    var weight = 0.0;
    for (var k = -6; k <= 6; k++) {
        let w = exp(-f32(k * k) / 18.0);
        sum += w * colour_in[at(i32(id.x) + k * step_x, i32(id.y) + k * step_y)];
        weight += w;
    }
    colour_out[id.y * size.width + id.x] = sum / weight;
}

@compute @workgroup_size(16, 16)
fn edges(@builtin(global_invocation_id) id: vec3<u32>) {
    if !inside(id) { return; }
    let x = i32(id.x);
    let y = i32(id.y);
    let gx = grey_in[at(x + 1, y - 1)] + 2.0 * grey_in[at(x + 1, y)] + grey_in[at(x + 1, y + 1)]
        - grey_in[at(x - 1, y - 1)] - 2.0 * grey_in[at(x - 1, y)] - grey_in[at(x - 1, y + 1)];
    let gy = grey_in[at(x - 1, y + 1)] + 2.0 * grey_in[at(x, y + 1)] + grey_in[at(x + 1, y + 1)]
        - grey_in[at(x - 1, y - 1)] - 2.0 * grey_in[at(x, y - 1)] - grey_in[at(x + 1, y - 1)];
    grey_out[id.y * size.width + id.x] = smoothstep(0.25, 0.9, length(vec2(gx, gy)));
}

// The softened picture glows, and the outlines are drawn over it.
@compute @workgroup_size(16, 16)
fn combine(@builtin(global_invocation_id) id: vec3<u32>) {
    if !inside(id) { return; }
    let i = id.y * size.width + id.x;
    let glow = colour_in[i].rgb * 1.15;
    colour_out[i] = vec4(mix(glow, vec3(0.02, 0.02, 0.05), edge_in[i]), 1.0);
}

@compute @workgroup_size(16, 16)
fn pack(@builtin(global_invocation_id) id: vec3<u32>) {
    if !inside(id) { return; }
    let i = id.y * size.width + id.x;
    pixels[i] = pack4x8unorm(vec4(pow(clamp(colour_in[i].rgb, vec3(0.0), vec3(1.0)), vec3(1.0 / 2.2)), 1.0));
}
