//! grid 2
//! in b = u32[0 x 8]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn meet(turns: u32) {
    for (var i = 0u; i < turns; i++) {
        storageBarrier(); // redundant
        gridBarrier(); //~ runtime-error[unsupported] needed here
    }
}

// More than nothing, but not what its name says.
fn gridBarrier() {
    storageBarrier(); // redundant
    return;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = id.x;
    meet(2);
    b[id.x] += b[7 - id.x];
}
