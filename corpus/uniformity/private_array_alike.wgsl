//! grid 2
//! in n = u32[3, 2]
//! out o = f32[5.25, 5.25, 5.25, 5.25, 5.25, 104.0, 104.0, 104.0, 104.0, 6.25, 6.25, 6.25, 6.25, 6.25, 105.0, 105.0, 105.0, 105.0]
// Arrays of the module, each invocation's own: filled alike, then one element by some of them only.
@group(0) @binding(0) var<storage> n: array<u32>;
@group(0) @binding(1) var<storage, read_write> o: array<f32>;
var<private> same: array<f32, 5>;
var<private> other: array<f32, 5>;

@compute @workgroup_size(9)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    for (var k = 0u; k < n[0]; k++) {
        same[k + n[1]] = f32(k) + 0.5;
        other[k + n[1]] = f32(k) + 0.25;
    }
    if i > 4u { other[n[0]] = 100.0; }
    o[group.x * 9u + i] = same[n[0]] + other[n[0]] + same[n[0] + 1u] + f32(group.x);
}
