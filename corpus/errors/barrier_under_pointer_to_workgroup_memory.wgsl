var<workgroup> tile: array<u32, 4>;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;

fn wait(p: ptr<workgroup, u32>) {
    if *p > 0 {
        workgroupBarrier(); //~ error[barrier-divergence]
    }
}

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
    tile[i] = i;
    wait(&tile[i]);
    b[i] = tile[i];
}
