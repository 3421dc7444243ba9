//! grid 5
//! out b = u32[263, 263, 263, 249, 249, 249, 325, 325, 325, 431, 431, 431, 547, 547, 547]
//! out ring = u32[2, 3, 4, 5, 1]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@group(0) @binding(1) var<storage, read_write> ring: array<u32>;

// What each workgroup has goes round to all others.
@compute @workgroup_size(3)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    var sum = group.x + 1;
    if local == 0 {
        ring[group.x] = sum;
    }
    for (var turn = 1u; turn < groups.x; turn++) {
        gridBarrier();
        let x = ring[(group.x + groups.x - 1) % groups.x];
        gridBarrier();
        sum = sum * 3 + x;
        if local == 0 {
            ring[group.x] = x;
        }
    }
    b[id.x] = sum;
}
