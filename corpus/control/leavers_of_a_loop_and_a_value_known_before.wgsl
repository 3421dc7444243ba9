//! grid 2
//! in data = u32[3, 9, 0, 7, 6, 12, 1, 5]
//! out data = u32[3, 9, 0, 7, 6, 12, 1, 5]
//! out left = u32[118, 100, 0, 114, 118, 100, 7, 120]
// As `leavers_and_a_value_known_before`, in a loop that each invocation leaves in another turn.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> left: array<u32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0u;
    var y = 50u;
    for (var turn = 0u; turn < data[3]; turn++) {
        let x = data[id.x];
        if x + turn > 8 {
            left[id.x] = sum + 100;
            return;
        } else {
            y = data[id.x];
        }
        sum += y;
    }
    left[id.x] = sum;
}
