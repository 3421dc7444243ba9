// Breadth-first search that turns around by itself: from the frontier to its neighbours while that is small, from what
// was not reached yet to the frontier when it is large. A large frontier is a bit for each vertex.

const FAR = 0xffffffffu;

struct Words {
    // A list of the frontier is to be worked on; or all that is far; or the list is to be made first.
    list: u32,
    all: u32,
    make: u32,
    // The frontier.
    level: u32,
    count: u32,
    // Edges that lead on from what is far.
    left: u32,
    go: u32,
    // The bits of the frontier are to be made first.
    mark: u32,
    // The next frontier: vertices, and edges that lead on from them. Apart from the rest, which everybody reads.
    @align(128) fresh: atomic<u32>,
    ahead: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read_write> dist: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> now: array<u32>;
@group(0) @binding(4) var<storage, read_write> next: array<u32>;
@group(0) @binding(5) var<storage, read_write> words: Words;
@group(0) @binding(6) var<storage, read_write> grid: array<u32>;
@group(0) @binding(7) var<uniform> source: u32;
// The frontier and the next one as bits.
@group(0) @binding(8) var<storage, read_write> front: array<u32>;
@group(0) @binding(9) var<storage, read_write> next_front: array<u32>;
// Edges that enter vertices.
@group(0) @binding(10) var<storage, read> back_offsets: array<u32>;
@group(0) @binding(11) var<storage, read> back_edges: array<u32>;

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&dist) { return; }
    atomicStore(&dist[v], select(FAR, 0u, v == source));
    if v != source { return; }
    now[0] = source;
    words.list = 1u;
    words.count = 1u;
    words.left = arrayLength(&edges);
    words.go = 1u;
    grid[0] = 1u;
    grid[1] = 1u;
    grid[2] = 1u;
}

// What an invocation has found goes to the next frontier together: all of them count in one place.
var<private> batch: array<u32, 16>;
var<private> batched: u32;

fn flush() {
    let first = atomicAdd(&words.fresh, batched);
    for (var i = 0u; i < batched; i += 1u) { next[first + i] = batch[i]; }
    batched = 0u;
}

@compute @workgroup_size(64)
fn down(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.count { return; }
    let v = now[id.x];
    let deeper = words.level + 1u;
    var ahead = 0u;
    let end = offsets[v + 1u];
    for (var e = offsets[v]; e < end; e += 1u) {
        let u = edges[e];
        if atomicLoad(&dist[u]) != FAR { continue; }
        if atomicMin(&dist[u], deeper) == FAR {
            if batched == 16u { flush(); }
            batch[batched] = u;
            batched += 1u;
            ahead += offsets[u + 1u] - offsets[u];
        }
    }
    if batched > 0u { flush(); }
    if ahead > 0u { atomicAdd(&words.ahead, ahead); }
}

@compute @workgroup_size(64)
fn mark(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&front) { return; }
    var bits = 0u;
    for (var i = 0u; i < 32u; i += 1u) {
        bits |= u32(atomicLoad(&dist[32u * id.x + i]) == words.level) << i;
    }
    front[id.x] = bits;
}

// Of a workgroup: its vertices of the next frontier, and the edges that lead on from them.
var<workgroup> found: array<atomic<u32>, 8>;
var<workgroup> some_ahead: atomic<u32>;

@compute @workgroup_size(256)
fn up(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let v = id.x;
    if v < arrayLength(&dist) && atomicLoad(&dist[v]) == FAR {
        let end = back_offsets[v + 1u];
        for (var e = back_offsets[v]; e < end; e += 1u) {
            let u = back_edges[e];
            if ((front[u >> 5u] >> (u & 31u)) & 1u) == 1u {
                atomicStore(&dist[v], words.level + 1u);
                atomicOr(&found[local >> 5u], 1u << (local & 31u));
                atomicAdd(&some_ahead, offsets[v + 1u] - offsets[v]);
                break;
            }
        }
    }
    workgroupBarrier();
    if local < 8u {
        let bits = atomicLoad(&found[local]);
        next_front[8u * group.x + local] = bits;
        if bits != 0u { atomicAdd(&words.fresh, countOneBits(bits)); }
    }
    if local == 0u && atomicLoad(&some_ahead) > 0u { atomicAdd(&words.ahead, atomicLoad(&some_ahead)); }
}

@compute @workgroup_size(256)
fn list(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v < arrayLength(&dist) && atomicLoad(&dist[v]) == words.level {
        now[atomicAdd(&words.fresh, 1u)] = v;
    }
}

// What was counted by `list` is the frontier itself.
@compute @workgroup_size(1)
fn listed() {
    atomicStore(&words.fresh, 0u);
    words.make = 0u;
    words.list = 1u;
}

@compute @workgroup_size(1)
fn decide() {
    let fresh = atomicLoad(&words.fresh);
    let ahead = atomicLoad(&words.ahead);
    let up_before = words.all == 1u;
    words.left -= min(ahead, words.left);
    // From below if more leads on from the frontier than a part of what is left, as long as it grows
    // or is not small yet.
    var all = ahead > words.left / 14u;
    if up_before { all = fresh > words.count || fresh > arrayLength(&dist) / 24u; }
    words.all = u32(all);
    words.list = u32(!all && !up_before);
    words.make = u32(!all && up_before);
    words.mark = u32(all && !up_before);
    words.level += 1u;
    words.count = fresh;
    words.go = u32(fresh > 0u);
    atomicStore(&words.fresh, 0u);
    atomicStore(&words.ahead, 0u);
    grid[0] = (fresh + 63u) / 64u;
}
