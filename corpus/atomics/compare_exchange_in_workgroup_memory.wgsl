//! grid 3
//! out b = u32[32, 32, 32]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
var<workgroup> power: atomic<u32>;

@compute @workgroup_size(5)
fn main(@builtin(local_invocation_index) local: u32, @builtin(workgroup_id) group: vec3u) {
    if local == 0 {
        atomicStore(&power, 1);
    }
    workgroupBarrier(); // orders atomics
    loop {
        let old = atomicLoad(&power);
        if atomicCompareExchangeWeak(&power, old, old * 2).exchanged {
            break;
        }
    }
    workgroupBarrier(); // orders atomics
    if local == 4 {
        b[group.x] = atomicLoad(&power);
    }
}
