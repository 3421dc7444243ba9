// Running sums of 64 M words. `whole` does in one kernel, with barriers of the whole grid, what
// `sum`, `base` and `add` do in three.

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
// One for each workgroup: its own, then that of all before it.
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;

const SIZE = 256u;
// Words for each invocation.
const EACH = 16u;
var<workgroup> tile: array<u32, SIZE>;

// Behind this, tile[i] is the sum of all words up to the i-th.
fn scan_tile(i: u32) {
    for (var by = 1u; by < SIZE; by *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if i >= by {
            before = tile[i - by];
        }
        workgroupBarrier();
        tile[i] += before;
    }
    workgroupBarrier();
}

fn sum_tile(group: u32, i: u32) {
    let start = (group * SIZE + i) * EACH;
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        sum += x[start + k];
    }
    tile[i] = sum;
    scan_tile(i);
    if i == SIZE - 1u {
        sums[group] = tile[i];
    }
}

// One workgroup takes all sums, a stretch for each invocation.
fn scan_sums(group: u32, groups: u32, i: u32) {
    if group == 0u {
        let each = (groups + SIZE - 1u) / SIZE;
        let start = min(i * each, groups);
        let end = min(start + each, groups);
        var sum = 0u;
        for (var k = start; k < end; k++) {
            sum += sums[k];
        }
        tile[i] = sum;
        scan_tile(i);
        var before = tile[i] - sum;
        for (var k = start; k < end; k++) {
            let here = sums[k];
            sums[k] = before;
            before += here;
        }
    }
}

fn add_up(group: u32, i: u32) {
    let start = (group * SIZE + i) * EACH;
    var own: array<u32, EACH>;
    var sum = 0u;
    for (var k = 0u; k < EACH; k++) {
        sum += x[start + k];
        own[k] = sum;
    }
    tile[i] = sum;
    scan_tile(i);
    let before = sums[group] + tile[i] - sum;
    for (var k = 0u; k < EACH; k++) {
        y[start + k] = before + own[k];
    }
}

@compute @workgroup_size(SIZE)
fn sum(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    sum_tile(group.x, i);
}

@compute @workgroup_size(SIZE)
fn base(@builtin(local_invocation_index) i: u32) {
    scan_sums(0u, arrayLength(&sums), i);
}

@compute @workgroup_size(SIZE)
fn add(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) i: u32) {
    add_up(group.x, i);
}

@compute @workgroup_size(SIZE)
fn whole(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) i: u32,
) {
    sum_tile(group.x, i);
    gridBarrier();
    scan_sums(group.x, groups.x, i);
    gridBarrier();
    add_up(group.x, i);
}
