// How many elements are of each bin. Workgroups that stride through all elements count in memory of their own, and
// add it up at the end; where there are too many bins for that, all count in one place.

alias V = u32;
const LANES = 256u;
const BINS = 256u;

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> own: array<atomic<u32>, BINS>;

fn bin(value: V) -> u32 { return value; }

@compute @workgroup_size(LANES)
fn count(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    for (var b = lane; b < BINS; b += LANES) { atomicStore(&own[b], 0u); }
    workgroupBarrier();
    for (var i = id.x; i < arrayLength(&x); i += groups.x * LANES) {
        let b = bin(x[i]);
        if b < BINS { atomicAdd(&own[b], 1u); }
    }
    workgroupBarrier();
    for (var b = lane; b < BINS; b += LANES) { atomicAdd(&counts[b], atomicLoad(&own[b])); }
}

// By one invocation for each stretch, in several tables in turn, so that equal neighbours do not wait for each other.
// What is of no bin is counted behind the last one.
@group(0) @binding(2) var<storage, read> fours: array<vec4<V>>;

var<workgroup> tables: array<array<u32, BINS + 1u>, 4>;

// Fours of elements of a stretch, a multiple of the turns of inner loops: a processor's code for many has to ask now and
// then whether it should stop.
const EACH = 16384u;
const TURNS = 128u;

fn place(value: V) -> u32 { return min(bin(value), BINS); }

@compute @workgroup_size(1)
fn count_alone(@builtin(workgroup_id) group: vec3<u32>) {
    for (var b = 0u; b <= BINS; b++) {
        tables[0][b] = 0u;
        tables[1][b] = 0u;
        tables[2][b] = 0u;
        tables[3][b] = 0u;
    }
    let end = min((group.x + 1u) * EACH, arrayLength(&fours));
    for (var begin = group.x * EACH; begin < end; begin += TURNS) {
        let stop = min(begin + TURNS, end);
        for (var i = begin; i < stop; i++) {
            let values = fours[i];
            tables[0][place(values.x)] += 1u;
            tables[1][place(values.y)] += 1u;
            tables[2][place(values.z)] += 1u;
            tables[3][place(values.w)] += 1u;
        }
    }
    // Those that are no four any more.
    if group.x == 0u {
        for (var i = 4u * arrayLength(&fours); i < arrayLength(&x); i++) { tables[0][place(x[i])] += 1u; }
    }
    for (var b = 0u; b < BINS; b++) {
        atomicAdd(&counts[b], tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b]);
    }
}

@compute @workgroup_size(LANES)
fn count_in_place(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&x) { return; }
    let b = bin(x[id.x]);
    if b < arrayLength(&counts) { atomicAdd(&counts[b], 1u); }
}

@compute @workgroup_size(LANES)
fn zero(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&counts) { atomicStore(&counts[id.x], 0u); }
}
