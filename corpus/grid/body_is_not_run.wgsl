//! grid 2
//! out b = u32[0..4] u32[7 x 4] u32[0]
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn meet(turns: u32) {
    for (var i = 0u; i < turns; i++) {
        storageBarrier(); // redundant
        gridBarrier();
    }
}

// More than nothing, but not what its name says.
fn gridBarrier() {
    b[8] = 1;
    storageBarrier(); // redundant
    return;
}

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    b[id.x] = id.x;
    meet(2);
    if id.x >= 4 {
        b[id.x] += b[7 - id.x];
    }
}
