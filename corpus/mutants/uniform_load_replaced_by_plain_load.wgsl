//! racy
//! grid 2
//! out b = u32[201 x 4, 605 x 4]
//! finds race
// `workgroup/workgroup_uniform_load_of_struct`, with plain loads, which are no barriers.
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

struct Pair {
    x: u32,
    y: vec2u,
}
var<workgroup> pairs: array<Pair, 4>;

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    pairs[local] = Pair(id.x, vec2u(id.x));
    let one = pairs[1];
    let two = pairs[2].y;
    b[id.x] = one.x + 100 * two.y;
}
