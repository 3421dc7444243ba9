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

// Row by row, what is kept goes to a place and on from there, and the rest behind.
fn move_rows(begin: u32, end: u32, place: u32, behind: u32, lane: u32) {
    var at = place;
    var rest = behind;
    for (var row = begin; row < end; row += LANES) {
        let i = row + lane;
        let kept = i < end && keeps(i);
        let rank = row_rank(kept, lane);
        if kept { y[at + rank.x] = moved(i); }
        at += rank.y;
        if SPLIT {
            let left = i < end && !kept;
            let other = row_rank(left, lane);
            if left { y[rest + other.x] = moved(i); }
            rest += other.y;
        }
    }
}

@compute @workgroup_size(LANES)
fn move_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let begin = group.x * TILE;
    let all = ends[groups.x - 1u];
    if group.x == 0u && lane == 0u { total[0] = all; }
    var at = 0u;
    if group.x > 0u { at = ends[group.x - 1u]; }
    move_rows(begin, min(begin + TILE, len()), to() + at, to() + all + begin - at, lane);
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

@compute @workgroup_size(LANES)
fn window_move(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let begin = (window * groups.x + group.x) * TILE;
    var at = carries[window];
    for (var tile = 0u; tile < group.x; tile++) { at += counts[tile]; }
    let last = at + counts[group.x];
    if begin < len() { move_rows(begin, min(begin + TILE, len()), to() + at, 0u, lane); }
    if lane > 0u { return; }
    if group.x == groups.x - 1u {
        carries[window + 1u] = last;
        total[0] = last;
    }
    // After the last window it is ready for another run.
    if group.x == 0u { next = select(window + 1u, 0u, window + 2u == arrayLength(&carries)); }
}
