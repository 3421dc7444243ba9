// Shortest paths, near ones first. What is further than a threshold waits until nothing nearer is left, and then the
// threshold rises. Who is near stands in a queue. Who waits does not: its distance tells, and the nearest of each block of
// vertices, and of each group of blocks, tells where to look.

const FAR = 0xffffffffu;

// Whether sums of weights may not fit into 32 bits.
const CHECKED = false;

// Vertices of a block, as many as a word has bits.
const BLOCK = 32u;

// Blocks of a group.
const GROUP = 32u;

// A vertex, and how far it was when it was pushed.
alias Visit = vec2<u32>;

struct Words {
    // What is further waits.
    threshold: u32,
    // The threshold before: what is nearer does not wait.
    floor: u32,
    // Groups to look at.
    listed: u32,
}

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<u32>;
@group(0) @binding(3) var<storage, read_write> dist: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> words: Words;
@group(0) @binding(5) var<uniform> source: u32;
@group(0) @binding(6) var<uniform> delta: u32;
@group(0) @binding(7) var<storage, read_write> too_far: atomic<u32>;
// By block, and by group: nothing that waits there is nearer.
@group(0) @binding(8) var<storage, read_write> least: array<atomic<u32>>;
@group(0) @binding(9) var<storage, read_write> least_of: array<atomic<u32>>;
// Which groups to look at, and in how many workgroups.
@group(0) @binding(10) var<storage, read_write> listed: array<u32>;
@group(0) @binding(11) var<storage, read_write> grid: array<u32>;

// A way that does not fit leads nowhere.
fn longer(way: u32, weight: u32) -> u32 {
    if CHECKED { return way + min(weight, FAR - way); }
    return way + weight;
}

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&dist) { return; }
    atomicStore(&dist[v], select(FAR, 0u, v == source));
    if v < arrayLength(&least) { atomicStore(&least[v], FAR); }
    if v < arrayLength(&least_of) { atomicStore(&least_of[v], FAR); }
    if v == source {
        words.threshold = delta;
        near_push(Visit(v, 0u));
    }
}

// From now on the vertex waits.
fn wait(v: u32, way: u32) {
    let block = v / BLOCK;
    if atomicLoad(&least[block]) > way {
        atomicMin(&least[block], way);
        if atomicLoad(&least_of[block / GROUP]) > way { atomicMin(&least_of[block / GROUP], way); }
    }
}

@compute @workgroup_size(64)
fn relax(@builtin(global_invocation_id) id: vec3<u32>) {
    var visit = Visit();
    var e = 0u;
    var end = 0u;
    if id.x < near_len() {
        visit = near_item(id.x);
        // Unless somebody has found a shorter way since.
        if atomicLoad(&dist[visit.x]) == visit.y {
            e = offsets[visit.x];
            end = offsets[visit.x + 1u];
        }
    }
    // Rows lie anywhere in memory. All of a workgroup are asked for before any is followed, so that they come together;
    // no edge leads to FAR.
    if e < end {
        let later = min(e + 16u, end - 1u);
        if (edges[e] & edges[later] & weights[e] & weights[later]) == FAR { end = e; }
    }
    workgroupBarrier();
    let limit = words.threshold;
    while e < end {
        // As many as can all be kept: nothing is pushed inside the loop, which stays short.
        let stop = min(end, e + near_room());
        for (; e < stop; e += 1u) {
            let u = edges[e];
            let through = longer(visit.y, weights[e]);
            // Most ways are no shorter, and looking is cheaper than trying.
            if atomicLoad(&dist[u]) > through && atomicMin(&dist[u], through) > through {
                if through < limit { near_keep(Visit(u, through)); } else { wait(u, through); }
            }
        }
        if near_room() < 8u { near_flush(); }
    }
    near_flush();
}

// The complement of the nearest, since it begins as zero.
var<workgroup> nearest: atomic<u32>;
var<workgroup> count: atomic<u32>;

// Where nothing near is left, lets the threshold rise, and lists the groups where it passes somebody.
@compute @workgroup_size(256)
fn rise(@builtin(local_invocation_index) local: u32) {
    let groups = select(arrayLength(&least_of), 0u, near_waiting() > 0u);
    var low = FAR;
    for (var i = local; i < groups; i += 256u) { low = min(low, atomicLoad(&least_of[i])); }
    atomicMax(&nearest, ~low);
    workgroupBarrier();
    // At once to where somebody is, however long edges are.
    let start = max(words.threshold, ~atomicLoad(&nearest));
    let limit = start + min(delta, FAR - start);
    for (var i = local; i < groups; i += 256u) {
        if atomicLoad(&least_of[i]) < limit { listed[atomicAdd(&count, 1u)] = i; }
    }
    workgroupBarrier();
    if local > 0u { return; }
    words.listed = atomicLoad(&count);
    grid[0] = (words.listed + 15u) / 16u;
    grid[1] = 1u;
    grid[2] = 1u;
    if groups > 0u {
        words.floor = words.threshold;
        words.threshold = limit;
    }
}

// Takes from groups who is near now.
@compute @workgroup_size(16)
fn take(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.listed { return; }
    let group = listed[id.x];
    let end = min((group + 1u) * GROUP, arrayLength(&least));
    var lowest = FAR;
    for (var block = group * GROUP; block < end; block += 1u) {
        if atomicLoad(&least[block]) < words.threshold { look(block); }
        lowest = min(lowest, atomicLoad(&least[block]));
    }
    atomicStore(&least_of[group], lowest);
    near_flush();
}

// Takes from a block.
fn look(block: u32) {
    let start = block * BLOCK;
    let floor = words.floor;
    let limit = words.threshold;
    // Who is near.
    var bits = 0u;
    var low = FAR;
    for (var i = 0u; i < BLOCK; i += 1u) {
        let way = atomicLoad(&dist[min(start + i, arrayLength(&dist) - 1u)]);
        bits |= u32(way - floor < limit - floor) << i;
        low = min(low, select(FAR, way, way >= limit));
    }
    atomicStore(&least[block], low);
    // The last vertex was there several times.
    bits &= FAR >> (BLOCK - min(BLOCK, arrayLength(&dist) - start));
    while bits != 0u {
        let v = start + firstTrailingBit(bits);
        near_add(Visit(v, atomicLoad(&dist[v])));
        bits &= bits - 1u;
    }
}

// Edges from what was reached to what was not: their ways did not fit.
@compute @workgroup_size(64)
fn beyond(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&dist) || atomicLoad(&dist[id.x]) == FAR { return; }
    var count = 0u;
    let end = offsets[id.x + 1u];
    for (var e = offsets[id.x]; e < end; e += 1u) { count += u32(atomicLoad(&dist[edges[e]]) == FAR); }
    if count > 0u { atomicAdd(&too_far, count); }
}
