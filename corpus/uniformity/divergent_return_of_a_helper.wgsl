//! grid 2
//! out b = u32[20, 30, 30, 10, 20, 30, 30, 10]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> tile: array<u32, 4>;

// Its invocations leave at different places, but all come back to the caller.
fn pick(x: u32) -> u32 {
    if x == 0 {
        return 10;
    }
    if x == 1 {
        return 20;
    }
    return 30;
}

@compute @workgroup_size(4)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    tile[local] = pick(local);
    workgroupBarrier();
    b[id.x] = tile[(local + 1) % 4];
}
