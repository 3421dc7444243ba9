// Stream compaction: those elements that are kept, side by side and in order. Each tile counts its own, the counts
// are scanned, and each tile moves its elements to where those of the tiles before it end.

alias V = u32;
// What is moved.
alias M = u32;

@group(0) @binding(0) var<storage, read> x: array<V>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
// Kept by all tiles up to each.
@group(0) @binding(3) var<storage, read> ends: array<u32>;
@group(0) @binding(4) var<storage, read_write> y: array<M>;
@group(0) @binding(5) var<storage, read_write> total: array<u32>;
// What an expression may look at beside the element.
alias Extra = u32;
@group(0) @binding(6) var<storage, read> extra: array<Extra>;

// Of a part of all elements: where it begins, whether its first element differs from the one before, and where the
// first of what is kept goes.
@group(0) @binding(7) var<uniform> part: vec4<u32>;
fn start() -> u32 { return 0u; }
fn head() -> bool { return true; }
fn to() -> u32 { return 0u; }

fn is_kept(at: u32) -> bool { return flags[at] != 0u; }
fn keeps(at: u32) -> bool { return is_kept(at); }
fn moved(at: u32) -> M { let i = at + start(); return x[at]; }
// Whether those that are not kept come behind those that are.
const SPLIT = false;
fn len() -> u32 { return arrayLength(&x); }

fn count_tile(begin: u32, end: u32, lane: u32) -> u32 {
    var own = 0u;
    for (var i = begin + lane; i < end; i += LANES) { own += u32(keeps(i)); }
    return row_reduce(own, lane);
}

@compute @workgroup_size(LANES)
fn count(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let begin = group.x * TILE;
    let all = count_tile(begin, min(begin + TILE, len()), lane);
    if lane == 0u { counts[group.x] = all; }
}

@compute @workgroup_size(LANES)
fn move_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let begin = group.x * TILE;
    let end = min(begin + TILE, len());
    let all = ends[groups.x - 1u];
    if group.x == 0u && lane == 0u { total[0] = all; }
    var at = 0u;
    if group.x > 0u { at = ends[group.x - 1u]; }
    for (var row = begin; row < end; row += LANES) {
        let i = row + lane;
        let kept = i < end && keeps(i);
        let upto = row_scan(u32(kept), lane);
        if kept {
            y[to() + at + upto - 1u] = moved(i);
        } else if SPLIT && i < end {
            // Of those up to i, at + upto are kept.
            y[to() + all + i - at - upto] = moved(i);
        }
        at += row_last(upto, lane);
    }
}

// Turns of an inner loop: a processor's code for many has to ask now and then whether it should stop.
const TURNS = 1024u;

// The same by one invocation for each tile: every element is written, and the place moves on past those that are
// kept, so that there is no branch for a processor to guess wrong. Behind the last of them nothing is left to do.
fn move_one(begin: u32, end: u32, place: u32, last: u32, behind: u32) {
    var at = place;
    var rest = behind;
    for (var first = begin; first < end && (SPLIT || at < last); first += TURNS) {
        let stop = min(first + TURNS, end);
        for (var i = first; i < stop; i++) {
            let kept = keeps(i);
            if SPLIT {
                y[select(rest, at, kept)] = moved(i);
                rest += u32(!kept);
            } else if at < last {
                y[at] = moved(i);
            }
            at += u32(kept);
        }
    }
}

@compute @workgroup_size(1)
fn move_alone(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let begin = group.x * TILE;
    let all = ends[groups.x - 1u];
    if group.x == 0u { total[0] = all; }
    var at = 0u;
    if group.x > 0u { at = ends[group.x - 1u]; }
    move_one(begin, min(begin + TILE, len()), to() + at, to() + ends[group.x], to() + all + begin - at);
}

// By windows: tiles that a cache holds together are counted and moved before the next ones are looked at. Each wave reads
// which window it is, and writes it for the next wave. `carries` is what is kept of all before each window, and `counts` is
// of the tiles of this one.
@group(0) @binding(8) var<storage, read_write> carries: array<u32>;
@group(0) @binding(9) var<storage, read> window: u32;
@group(0) @binding(10) var<storage, read_write> next: u32;

@compute @workgroup_size(LANES)
fn window_count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let begin = (window * groups.x + group.x) * TILE;
    let all = count_tile(begin, min(begin + TILE, len()), lane);
    if lane == 0u {
        counts[group.x] = all;
        if group.x == 0u {
            if window == 0u { carries[0] = 0u; }
            next = window;
        }
    }
}

@compute @workgroup_size(1)
fn window_move(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let begin = (window * groups.x + group.x) * TILE;
    var at = carries[window];
    for (var tile = 0u; tile < group.x; tile++) { at += counts[tile]; }
    let last = at + counts[group.x];
    if begin < len() { move_one(begin, min(begin + TILE, len()), to() + at, to() + last, 0u); }
    if group.x == groups.x - 1u {
        carries[window + 1u] = last;
        total[0] = last;
    }
    // After the last window it is ready for another run.
    if group.x == 0u { next = select(window + 1u, 0u, window + 2u == arrayLength(&carries)); }
}
