//! out b = u32[11, 22, 33, 44]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Step {
    width: u32,
    more: vec2u,
}
const STEPS = array(Step(10, vec2u(1, 0)), Step(20, vec2u(0, 2)), Step(30, vec2u(1, 2)), Step(40, vec2u(2)));

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let step = STEPS[id.x];
    b[id.x] = step.width + step.more.x + STEPS[id.x].more.y;
}
