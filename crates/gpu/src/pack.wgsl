// Packs results: each workgroup brings those words of a range that mean something to their place in
// the slab.

const lanes = 64;

struct Job {
    row: u32,
    word: u32,
    bytes: u32,
    to: u32,
    // Where it stands how many elements there are, and bytes of each.
    count_row: u32,
    count_word: u32,
    element: u32,
    unused: u32,
}

@group(0) @binding(0) var<uniform> jobs: array<Job, rows>;
@group(0) @binding(1) var<storage, read_write> slab: array<u32>;

@compute @workgroup_size(lanes)
fn main(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let job = jobs[id.x];
    var bytes = 0u;
    if job.element != 0 {
        // At most the range, also where the product would be beyond 32 bits.
        let count = read(job.count_row, job.count_word);
        bytes = select(count * job.element, job.bytes, count > job.bytes / job.element);
    }
    let words = (bytes + 3) / 4;
    for (var i = lane; i < words; i += lanes) {
        slab[job.to + i] = read(job.row, job.word + i);
    }
}
