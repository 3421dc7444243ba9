// Breadth-first search that turns around by itself: from the frontier to its neighbours while that is small, from what
// was not reached yet to the frontier when it is large. A large frontier is a bit for each vertex.

const FAR = 0xffffffffu;

struct Words {
    // What is to be done: from a list of the frontier, few edges or many; or to the frontier from all that is far.
    few: u32,
    many: u32,
    up: u32,
    // What has to be made first: the list of the frontier, or its bits.
    list: u32,
    mark: u32,
    go: u32,
    // The frontier.
    level: u32,
    count: u32,
    // Edges that lead on from what is far.
    left: u32,
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
// Vertices that were not reached yet and that edges enter, as bits.
@group(0) @binding(12) var<storage, read_write> far: array<u32>;
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
    words.few = 1u;
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
fn few(@builtin(global_invocation_id) id: vec3<u32>) {
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

// Many edges find much: who was first does not matter if nobody lists it, and all store the same.
@compute @workgroup_size(64)
fn many(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.count { return; }
    let v = now[id.x];
    let deeper = words.level + 1u;
    let end = offsets[v + 1u];
    for (var e = offsets[v]; e < end; e += 1u) {
        let u = edges[e];
        atomicStore(&dist[u], min(atomicLoad(&dist[u]), deeper));
    }
}

// Of a workgroup: its vertices of the next frontier, and the edges that lead on from them.
var<workgroup> some_fresh: atomic<u32>;
var<workgroup> some_ahead: atomic<u32>;

fn count(local: u32) {
    workgroupBarrier();
    if local > 0u { return; }
    let fresh = atomicLoad(&some_fresh);
    let ahead = atomicLoad(&some_ahead);
    if fresh > 0u { atomicAdd(&words.fresh, fresh); }
    if ahead > 0u { atomicAdd(&words.ahead, ahead); }
}

// The bits of 32 vertices: which are of this level, and which are far but for those that no edge enters.
fn bits(w: u32, level: u32) -> u32 {
    var here = 0u;
    var left = 0u;
    var start = back_offsets[32u * w];
    for (var i = 0u; i < 32u; i += 1u) {
        let d = atomicLoad(&dist[32u * w + i]);
        let end = back_offsets[32u * w + i + 1u];
        here |= u32(d == level) << i;
        left |= (u32(d == FAR) & u32(end > start)) << i;
        start = end;
    }
    far[w] = left;
    return here;
}

@compute @workgroup_size(64)
fn mark(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&front) { front[id.x] = bits(id.x, words.level); }
}

// The same of the next level, after `many`: what that has found is counted here.
@compute @workgroup_size(64)
fn mark_next(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if id.x < arrayLength(&front) {
        let found = bits(id.x, words.level + 1u);
        next_front[id.x] = found;
        var ahead = 0u;
        for (var i = 0u; i < 32u; i += 1u) {
            let v = 32u * id.x + i;
            ahead += (offsets[v + 1u] - offsets[v]) * ((found >> i) & 1u);
        }
        atomicAdd(&some_fresh, countOneBits(found));
        atomicAdd(&some_ahead, ahead);
    }
    count(local);
}

fn in_front(u: u32) -> u32 {
    return (front[u >> 5u] >> (u & 31u)) & 1u;
}

// An invocation has 32 vertices. The first edges of all of them are followed without a question, so that
// nothing waits for anything; only whom that does not reach goes through the others, one by one.
@compute @workgroup_size(64)
fn up(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let w = id.x;
    if w < arrayLength(&front) {
        var found = 0u;
        for (var left = far[w]; left != 0u; left &= left - 1u) {
            let i = firstTrailingBit(left);
            found |= in_front(back_edges[back_offsets[32u * w + i]]) << i;
        }
        for (var left = far[w] & ~found; left != 0u; left &= left - 1u) {
            let i = firstTrailingBit(left);
            let end = back_offsets[32u * w + i + 1u];
            var hit = 0u;
            for (var e = back_offsets[32u * w + i] + 1u; e < end; e += 1u) {
                hit = in_front(back_edges[e]);
                if hit != 0u { break; }
            }
            found |= hit << i;
        }
        far[w] &= ~found;
        next_front[w] = found;
        for (var left = found; left != 0u; left &= left - 1u) {
            atomicStore(&dist[32u * w + firstTrailingBit(left)], words.level + 1u);
        }
        atomicAdd(&some_fresh, countOneBits(found));
    }
    count(local);
}

@compute @workgroup_size(64)
fn list(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&front) { return; }
    let bits = front[id.x];
    if bits == 0u { return; }
    var at = atomicAdd(&words.fresh, countOneBits(bits));
    for (var left = bits; left != 0u; left &= left - 1u) {
        now[at] = 32u * id.x + firstTrailingBit(left);
        at += 1u;
    }
}

// What was counted by `list` is the frontier itself.
@compute @workgroup_size(1)
fn listed() { atomicStore(&words.fresh, 0u); }

@compute @workgroup_size(1)
fn decide() {
    let fresh = atomicLoad(&words.fresh);
    let ahead = atomicLoad(&words.ahead);
    let up_before = words.up == 1u;
    let listed = words.few == 1u;
    words.left -= min(ahead, words.left);
    // From below if more leads on from the frontier than a part of what is left, as long as it grows
    // or is not small yet.
    var up = ahead > words.left / 14u;
    if up_before { up = fresh > words.count || fresh > arrayLength(&dist) / 24u; }
    // Going through all distances takes as long as some thousands of finds that are listed one by one.
    let many = ahead > arrayLength(&dist) / 8u;
    words.up = u32(up);
    words.few = u32(!up && !many);
    words.many = u32(!up && many);
    words.list = u32(!up && !listed);
    words.mark = u32(up && listed);
    words.level += 1u;
    words.count = fresh;
    words.go = u32(fresh > 0u);
    atomicStore(&words.fresh, 0u);
    atomicStore(&words.ahead, 0u);
    grid[0] = (fresh + 63u) / 64u;
}
