//! grid 1
//! in edges = u32[0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 0, 6, 6, 7]
//! out depth = u32[0, 1, 2, 3, 4, 5, 1, 2, 4294967295, 4294967295]
// One workgroup relaxes edges until nothing changes: a loop that the data decides.
@group(0) @binding(0) var<storage> edges: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> depth: array<atomic<u32>, 10>;
var<workgroup> changed: atomic<u32>;
var<workgroup> more: u32;

fn relax(p: u32, q: u32) {
    let near = atomicLoad(&depth[p]);
    if near != ~0u && atomicMin(&depth[q], near + 1) > near + 1 {
        atomicStore(&changed, 1);
    }
}

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) local: u32) {
    for (var k = local; k < 10; k += 4) {
        atomicStore(&depth[k], select(~0u, 0u, k == 0));
    }
    storageBarrier(); // orders atomics
    loop {
        for (var k = local; k < arrayLength(&edges); k += 4) {
            relax(edges[k].x, edges[k].y);
            relax(edges[k].y, edges[k].x);
        }
        workgroupBarrier(); // orders atomics
        if local == 0 {
            more = atomicExchange(&changed, 0);
        }
        if workgroupUniformLoad(&more) == 0 {
            break;
        }
        storageBarrier(); // redundant where all memory has one order
    }
}
