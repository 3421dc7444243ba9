// The lengths of runs, from where each begins.

@group(0) @binding(0) var<storage, read> starts: array<u32>;
@group(0) @binding(1) var<storage, read> total: array<u32>;
@group(0) @binding(2) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(3) var<uniform> len: u32;

@compute @workgroup_size(256)
fn measure(@builtin(global_invocation_id) id: vec3<u32>) {
    let run = id.x;
    if run >= total[0] { return; }
    var end = len;
    if run + 1u < total[0] { end = starts[run + 1u]; }
    lengths[run] = end - starts[run];
}
