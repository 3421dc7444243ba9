// The array is the same in all invocations, so the barrier stands in uniform control.
//! grid 2
//! in pick = u32[1, 2]
//! out b = u32[36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36, 36]
@group(0) @binding(0) var<storage> pick: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

var<workgroup> shared_: array<u32, 9>;

@compute @workgroup_size(9)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) at: u32,
) {
    var turns: array<u32, 4>;
    for (var i = 0u; i < 4u; i++) {
        turns[i] = 8u + pick[0] * i - pick[0];
    }
    var sum = at;
    var mine = at;
    for (var turn = 0u; turn < turns[pick[0]]; turn++) {
        shared_[at] = mine;
        workgroupBarrier();
        mine = shared_[(at + 1u) % 9u];
        sum += mine;
        workgroupBarrier();
    }
    b[id.x] = sum;
}
