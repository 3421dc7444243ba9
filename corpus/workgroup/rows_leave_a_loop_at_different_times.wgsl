// Each row of the workgroup leaves the loop in its own turn, by one way or the other, and all meet at the barrier.
//! grid 2
//! out b = u32[(20 x 24, 10 x 24) x 2]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn way(row: u32) -> u32 {
    for (var turn = 0u; turn < 9u; turn++) {
        if turn == 3u {
            return 10u;
        }
        if turn == row {
            break;
        }
    }
    return 20u;
}

@compute @workgroup_size(8, 6)
fn main(
    @builtin(local_invocation_id) local: vec3u,
    @builtin(local_invocation_index) at: u32,
    @builtin(workgroup_id) group: vec3u,
) {
    let found = way(local.y);
    workgroupBarrier(); // redundant
    b[group.x * 48u + at] = found;
}
