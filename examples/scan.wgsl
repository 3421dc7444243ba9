// seawall run examples/scan.wgsl --in x=iota:10000 --in totals=zeros:40 --threads 10000
//
// Running sums in place, in one kernel: within each workgroup, over the workgroups' totals, and
// both together. At a `gridBarrier` all workgroups meet, and each finds its own memory behind it.

@group(0) @binding(0) var<storage, read_write> x: array<u32>;
// One for each workgroup.
@group(0) @binding(1) var<storage, read_write> totals: array<u32>;

const SIZE = 256u;
var<workgroup> tile: array<u32, SIZE>;

@compute @workgroup_size(SIZE)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    if id.x < arrayLength(&x) {
        tile[local] = x[id.x];
    }
    for (var by = 1u; by < SIZE; by *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if local >= by {
            before = tile[local - by];
        }
        workgroupBarrier();
        tile[local] += before;
    }

    // The same again, with a workgroup for each element.
    let first = local == 0u;
    workgroupBarrier();
    if first {
        totals[group.x] = tile[SIZE - 1u];
    }
    for (var by = 1u; by < groups.x; by *= 2u) {
        gridBarrier();
        var before = 0u;
        if first && group.x >= by {
            before = totals[group.x - by];
        }
        gridBarrier();
        if first {
            totals[group.x] += before;
        }
    }

    gridBarrier();
    var before = 0u;
    if group.x > 0u {
        before = totals[group.x - 1u];
    }
    if id.x < arrayLength(&x) {
        x[id.x] = tile[local] + before;
    }
}
