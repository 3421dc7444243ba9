// Betweenness centrality, Brandes' way, source after source. Forward, level by level, vertices add up how many shortest
// paths lead to those before them; backward they add up what depends on those behind them. `now` holds what a level hands
// on and is zero elsewhere, so that a vertex adds up all of its neighbours and need not ask which level they are in.

struct Words {
    // The level that is handed on: where it begins in `order`, how many vertices it has, and edges that lead on from it.
    first: u32,
    count: u32,
    left: u32,
    level: u32,
    // Another level; by lists; by all vertices that are left.
    go: u32,
    list: u32,
    all: u32,
    // Another level on the way back; another source.
    back: u32,
    again: u32,
    source_at: u32,
    // Apart from the rest, which everybody reads: vertices of the next level, and edges that lead on from them.
    @align(128) fresh: atomic<u32>,
    ahead: atomic<u32>,
    // Vertices that more paths lead to than can be counted, and the source that they come from.
    lost: atomic<u32>,
    lost_from: u32,
}

@group(0) @binding(0) var<storage, read> offsets: array<u32>;
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read> back_offsets: array<u32>;
@group(0) @binding(3) var<storage, read> back_edges: array<u32>;
@group(0) @binding(4) var<storage, read> sources: array<u32>;
@group(0) @binding(5) var<storage, read_write> words: Words;
// Whether a vertex was reached.
@group(0) @binding(6) var<storage, read_write> seen: array<atomic<u32>>;
// Vertices by level, and where each level begins.
@group(0) @binding(7) var<storage, read_write> order: array<u32>;
@group(0) @binding(8) var<storage, read_write> bounds: array<u32>;
// Shortest paths to each vertex, what is handed on, and what will be.
@group(0) @binding(9) var<storage, read_write> paths: array<f32>;
@group(0) @binding(10) var<storage, read_write> now: array<f32>;
@group(0) @binding(11) var<storage, read_write> next: array<f32>;
@group(0) @binding(12) var<storage, read_write> scores: array<f32>;
// Workgroups for a level, for the next one, and for both.
@group(0) @binding(13) var<storage, read_write> grid: array<u32, 3>;
@group(0) @binding(14) var<storage, read_write> next_grid: array<u32, 3>;
@group(0) @binding(15) var<storage, read_write> both_grid: array<u32, 3>;
@group(0) @binding(16) var<storage, read_write> lost: array<u32, 2>;

const LANES = 64u;

fn groups(count: u32) -> u32 { return (count + LANES - 1u) / LANES; }

fn degree(v: u32) -> u32 { return offsets[v + 1u] - offsets[v]; }

@compute @workgroup_size(1)
fn prepare() {
    words.source_at = 0u;
    words.again = u32(arrayLength(&sources) > 0u);
    for (var i = 0u; i < 3u; i++) {
        grid[i] = 1u;
        next_grid[i] = 1u;
        both_grid[i] = 1u;
    }
}

@compute @workgroup_size(256)
fn begin(@builtin(global_invocation_id) id: vec3<u32>) {
    let v = id.x;
    if v >= arrayLength(&paths) { return; }
    let source = sources[words.source_at];
    let own = v == source;
    atomicStore(&seen[v], u32(own));
    paths[v] = select(0.0, 1.0, own);
    now[v] = select(0.0, 1.0, own);
    if v > 0u { return; }
    order[0] = source;
    bounds[0] = 0u;
    bounds[1] = 1u;
    words.first = 0u;
    words.count = 1u;
    words.left = arrayLength(&edges);
    words.level = 0u;
    // There is nothing to do for a vertex that there is not.
    words.go = u32(source < arrayLength(&paths));
    words.list = 1u;
    words.all = 0u;
    grid[0] = 1u;
}

// What an invocation has found goes to the next level together: all of them count in one place.
var<private> batch: array<u32, 16>;
var<private> batched: u32;

fn flush() {
    let at = words.first + words.count + atomicAdd(&words.fresh, batched);
    for (var i = 0u; i < batched; i++) { order[at + i] = batch[i]; }
    batched = 0u;
}

@compute @workgroup_size(LANES)
fn down(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.count { return; }
    let v = order[words.first + id.x];
    var ahead = 0u;
    for (var e = offsets[v]; e < offsets[v + 1u]; e++) {
        let u = edges[e];
        if atomicLoad(&seen[u]) != 0u { continue; }
        if atomicMax(&seen[u], 1u) == 0u {
            if batched == 16u { flush(); }
            batch[batched] = u;
            batched++;
            ahead += degree(u);
        }
    }
    if batched > 0u { flush(); }
    if ahead > 0u { atomicAdd(&words.ahead, ahead); }
}

@compute @workgroup_size(1)
fn found() { next_grid[0] = groups(atomicLoad(&words.fresh)); }

fn handed(v: u32) -> f32 {
    var total = 0.0;
    let end = back_offsets[v + 1u];
    for (var e = back_offsets[v]; e < end; e++) { total += now[back_edges[e]]; }
    return total;
}

@compute @workgroup_size(LANES)
fn add_up(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= atomicLoad(&words.fresh) { return; }
    let v = order[words.first + words.count + id.x];
    paths[v] = handed(v);
}

var<workgroup> some: atomic<u32>;
var<workgroup> some_ahead: atomic<u32>;
var<workgroup> place: u32;

@compute @workgroup_size(256)
fn up(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let v = id.x;
    var own = 0u;
    var is_found = false;
    if v < arrayLength(&paths) && atomicLoad(&seen[v]) == 0u {
        let total = handed(v);
        if total > 0.0 {
            is_found = true;
            paths[v] = total;
            atomicStore(&seen[v], 1u);
            own = atomicAdd(&some, 1u);
            atomicAdd(&some_ahead, degree(v));
        }
    }
    workgroupBarrier();
    if lane == 0u && atomicLoad(&some) > 0u {
        place = words.first + words.count + atomicAdd(&words.fresh, atomicLoad(&some));
        atomicAdd(&words.ahead, atomicLoad(&some_ahead));
    }
    workgroupBarrier();
    if is_found { order[place + own] = v; }
}

@compute @workgroup_size(1)
fn measure() { both_grid[0] = groups(words.count + atomicLoad(&words.fresh)); }

// The next level hands on, and this one no longer does.
@compute @workgroup_size(LANES)
fn hand_on(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.count + atomicLoad(&words.fresh) { return; }
    let v = order[words.first + id.x];
    if id.x < words.count {
        now[v] = 0.0;
        return;
    }
    let here = paths[v];
    now[v] = here;
    // Not a number of paths any more.
    if (bitcast<u32>(here) & 0x7f800000u) == 0x7f800000u { atomicAdd(&words.lost, 1u); }
}

@compute @workgroup_size(1)
fn decide() {
    let fresh = atomicLoad(&words.fresh);
    let ahead = atomicLoad(&words.ahead);
    words.first += words.count;
    words.count = fresh;
    words.left -= min(ahead, words.left);
    words.level += 1u;
    bounds[words.level + 1u] = words.first + fresh;
    // To go through all that is left costs as much as its edges; lists cost those that lead to them and on from them.
    words.all = u32(ahead > words.left / 4u);
    words.list = 1u - words.all;
    words.go = u32(fresh > 0u);
    grid[0] = groups(fresh);
    atomicStore(&words.fresh, 0u);
    atomicStore(&words.ahead, 0u);
}

// The last level that has vertices; nothing is behind them.
@compute @workgroup_size(1)
fn turn() {
    if atomicLoad(&words.lost) > 0u && lost[0] == 0u {
        lost[0] = atomicLoad(&words.lost);
        lost[1] = sources[words.source_at];
    }
    atomicStore(&words.lost, 0u);
    back();
}

// To the level before, or to an end if there is none but that of the source.
fn back() {
    words.back = u32(words.level > 1u);
    if words.level == 0u { return; }
    words.level -= 1u;
    words.first = bounds[words.level];
    words.count = bounds[words.level + 1u] - words.first;
    grid[0] = groups(words.count);
    both_grid[0] = groups(bounds[words.level + 2u] - words.first);
}

// What depends on each vertex of a level: its paths, times what those behind it hand back for each of theirs.
@compute @workgroup_size(LANES)
fn depend(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= words.count { return; }
    let v = order[words.first + id.x];
    var total = 0.0;
    let end = offsets[v + 1u];
    for (var e = offsets[v]; e < end; e++) { total += now[edges[e]]; }
    let score = paths[v] * total;
    scores[v] += score;
    next[v] = (1.0 + score) / paths[v];
}

// This level hands back, and the one behind it no longer does.
@compute @workgroup_size(LANES)
fn hand_back(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= bounds[words.level + 2u] - words.first { return; }
    let v = order[words.first + id.x];
    if id.x < words.count { now[v] = next[v]; } else { now[v] = 0.0; }
}

@compute @workgroup_size(1)
fn step_back() { back(); }

@compute @workgroup_size(1)
fn another() {
    words.source_at += 1u;
    words.again = u32(words.source_at < arrayLength(&sources));
}
