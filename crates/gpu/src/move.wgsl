// A copy or a clear as a dispatch, so that it can be gated.

struct Move {
    // From this word to that one,
    start: u32,
    to: u32,
    // so many;
    words: u32,
    // or zeros.
    zeros: u32,
}

const lanes = 256;

@group(0) @binding(0) var<uniform> job: Move;
@group(0) @binding(1) var<storage, read_write> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> goal: array<u32>;

@compute @workgroup_size(lanes)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var i = id.x; i < job.words; i += groups.x * lanes) {
        if job.zeros != 0 {
            goal[job.to + i] = 0;
        } else {
            goal[job.to + i] = source[job.start + i];
        }
    }
}
