// seawall run examples/spheres.wgsl --in picture=zeros:480x300 --out picture=spheres.png
//
// A small path tracer: light from the sky, and from wherever it bounces off three spheres and the ground.

@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, write>;

override samples: u32 = 64;
const BOUNCES = 8;
const SPHERES = 5;

struct Sphere {
    centre: vec3f,
    radius: f32,
    colour: vec3f,
    // 0 is matt, 1 is a mirror.
    shine: f32,
}

fn sphere(i: u32) -> Sphere {
    switch i {
        case 0: { return Sphere(vec3f(0.0, -1000.0, 0.0), 1000.0, vec3f(0.45, 0.5, 0.4), 0.0); }
        case 1: { return Sphere(vec3f(-2.1, 1.0, 0.0), 1.0, vec3f(0.8, 0.25, 0.2), 0.0); }
        case 2: { return Sphere(vec3f(0.0, 1.0, 0.0), 1.0, vec3f(0.95, 0.95, 0.95), 1.0); }
        case 3: { return Sphere(vec3f(2.1, 1.0, 0.0), 1.0, vec3f(0.85, 0.65, 0.3), 0.85); }
        default: { return Sphere(vec3f(0.9, 0.4, 2.0), 0.4, vec3f(0.2, 0.4, 0.8), 0.0); }
    }
}

// The generator of O'Neill's PCG family with 32 bits of state.
fn random(state: ptr<function, u32>) -> f32 {
    *state = *state * 747796405u + 2891336453u;
    let word = ((*state >> ((*state >> 28u) + 4u)) ^ *state) * 277803737u;
    return f32(((word >> 22u) ^ word) >> 8u) / 16777216.0;
}

fn direction(state: ptr<function, u32>) -> vec3f {
    let z = 1.0 - 2.0 * random(state);
    let angle = 6.2831853 * random(state);
    let around = sqrt(max(0.0, 1.0 - z * z));
    return vec3f(around * cos(angle), around * sin(angle), z);
}

fn sky(ray: vec3f) -> vec3f {
    let sun = pow(max(dot(ray, normalize(vec3f(0.5, 0.6, 0.4))), 0.0), 64.0);
    return mix(vec3f(1.0), vec3f(0.45, 0.65, 1.0), 0.5 * (ray.y + 1.0)) + sun * vec3f(6.0, 5.0, 4.0);
}

fn trace(start: vec3f, towards: vec3f, state: ptr<function, u32>) -> vec3f {
    var at = start;
    var ray = towards;
    var light = vec3f(1.0);
    for (var bounce = 0; bounce < BOUNCES; bounce++) {
        var nearest = 1e30;
        var hit = 0u;
        for (var i = 0u; i < SPHERES; i++) {
            let ball = sphere(i);
            let to = at - ball.centre;
            let b = dot(to, ray);
            // Around the centre of a large sphere, b² - |to|² would lose all its digits.
            let off = to - b * ray;
            let d = ball.radius * ball.radius - dot(off, off);
            if d > 0.0 {
                let root = sqrt(d);
                let distance = select(-b + root, -b - root, -b - root > 1e-3);
                if distance > 1e-3 && distance < nearest {
                    nearest = distance;
                    hit = i + 1;
                }
            }
        }
        if hit == 0 { return light * sky(ray); }
        let ball = sphere(hit - 1);
        at += nearest * ray;
        let normal = (at - ball.centre) / ball.radius;
        let matt = normalize(normal + 0.999 * direction(state));
        ray = normalize(mix(matt, reflect(ray, normal), ball.shine));
        at += 1e-3 * normal;
        light *= ball.colour;
    }
    return vec3f(0.0);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(picture);
    if any(id.xy >= size) { return; }
    var state = id.y * size.x + id.x;
    var sum = vec3f(0.0);
    for (var i = 0u; i < samples; i++) {
        let point = vec2f(id.xy) + vec2f(random(&state), random(&state));
        let at = (2.0 * point - vec2f(size)) / f32(size.y);
        sum += trace(vec3f(0.0, 1.8, 7.0), normalize(vec3f(at.x, -at.y - 0.25, -2.4)), &state);
    }
    // Eyes see differences of dark colours better than those of bright ones.
    textureStore(picture, id.xy, vec4f(pow(sum / f32(samples), vec3f(1.0 / 2.2)), 1.0));
}
