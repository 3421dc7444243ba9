//! grid 2
//! in n = u32[5, 3]
//! out o = u32[30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60, 63, 6, 9, 12, 15, 18, 21, 24, 27, 1030, 1033, 1036, 1039, 1042, 1045, 1048, 1051, 1054, 1057, 1060, 1063, 1006, 1009, 1012, 1015, 1018, 1021, 1024, 1027]
// All invocations fill arrays of their own alike, and what these hold decides about barriers. The workgroup is no
// multiple of a vector.
@group(0) @binding(0) var<storage> n: array<u32>;
@group(0) @binding(1) var<storage, read_write> o: array<u32>;
var<workgroup> shared_: array<u32, 20>;

@compute @workgroup_size(20)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    var steps: array<u32, 7>;
    var goes: array<bool, 7>;
    for (var k = 0u; k < n[0] + 2u; k++) {
        steps[k] = k % n[1];
        goes[k] = k % n[1] != 0u;
    }
    shared_[i] = 3u * i;
    workgroupBarrier();
    for (var turn = 0u; turn < n[0] + 2u; turn++) {
        if goes[turn] {
            let other = shared_[(i + 7u) % 20u];
            workgroupBarrier();
            shared_[i] = other + steps[turn];
            workgroupBarrier();
        }
    }
    o[group.x * 20u + i] = shared_[i] + 1000u * group.x;
}
