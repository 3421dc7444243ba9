@group(0) @binding(0) var<storage, read_write> b: array<u32>;

// Another barrier does not make them one.
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var odd = id.x % 2;
    gridBarrier();
    odd += 1;
    if odd == 2 {
        b[id.x] = 1;
        gridBarrier(); //~ error[barrier-divergence]
    }
}
