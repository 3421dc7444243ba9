// Scan: each element combined with all before it. A workgroup takes its tile row by row, and carries what it has so
// far from row to row; or each invocation takes a run of it, where what they tell each other costs barriers. It begins
// with what all tiles before it come to.

// 0 for an inclusive scan. For an exclusive one each result goes one place further, and the first is what comes
// before all.
const SHIFT = 0u;

@group(0) @binding(0) var<storage, read> x: array<T>;
@group(0) @binding(1) var<storage, read> before: array<T>;
@group(0) @binding(2) var<storage, read_write> y: array<T>;

// Whether invocations take runs.
const RUNS = false;
const RUN = TILE / LANES;

fn scan(start: u32, end: u32, upto: T, lane: u32) {
    if RUNS { scan_runs(start, end, upto, lane); } else { scan_rows(start, end, upto, lane); }
}

fn scan_runs(start: u32, end: u32, upto: T, lane: u32) {
    var carry = upto;
    if SHIFT == 1u && lane == 0u && start < end { y[start] = upto; }
    for (var tile = start; tile < end; tile += TILE) {
        let first = min(tile + lane * RUN, end);
        let last = min(first + RUN, end);
        var own = identity();
        for (var i = first; i < last; i++) { own = combine(own, x[i]); }
        let here = row_scan(own, lane);
        let before = row_up(here, 1u, lane);
        var sum = carry;
        if lane > 0u { sum = combine(carry, before); }
        for (var i = first; i < last; i++) {
            sum = combine(sum, x[i]);
            if i + SHIFT < end { y[i + SHIFT] = sum; }
        }
        carry = combine(carry, row_last(here, lane));
    }
}

fn scan_rows(start: u32, end: u32, upto: T, lane: u32) {
    var carry = upto;
    if SHIFT == 1u && lane == 0u { y[start] = upto; }
    // Rows that are whole need no look at each element's place, and no stop but the last place.
    let rows = max(start, end - SHIFT);
    let whole = start + (rows - start) / LANES * LANES;
    for (var at = start; at < whole; at += LANES) {
        let here = row_scan(x[at + lane], lane);
        y[at + lane + SHIFT] = combine(carry, here);
        // The last sum, made of its parts: what the next row waits for is one operation.
        carry = combine(carry, row_last(here, lane));
    }
    let i = whole + lane;
    var value = identity();
    if i < end { value = x[i]; }
    let here = combine(carry, row_scan(value, lane));
    if i + SHIFT < end { y[i + SHIFT] = here; }
}

// What comes before everything.
@group(0) @binding(6) var<storage, read> first: array<T>;
fn begin() -> T { return identity(); }

// By windows: tiles that a cache holds together are summed up and scanned before the next ones are looked at, so that
// memory is read once. Each wave reads which window it is, and writes it for the next wave. `carries` is what comes
// before each window, and `sums` is of the tiles of this one.
@group(0) @binding(3) var<storage, read_write> sums: array<T>;
@group(0) @binding(4) var<storage, read_write> carries: array<T>;
@group(0) @binding(5) var<storage, read> window: u32;
@group(0) @binding(7) var<storage, read_write> next: u32;

@compute @workgroup_size(LANES)
fn window_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let start = (window * groups.x + group.x) * TILE;
    let end = min(start + TILE, arrayLength(&x));
    var own = identity();
    for (var i = start + lane; i < end; i += LANES) { own = combine(own, x[i]); }
    let all = row_reduce(own, lane);
    if lane == 0u {
        sums[group.x] = all;
        if group.x == 0u {
            if window == 0u { carries[0] = begin(); }
            next = window;
        }
    }
}

@compute @workgroup_size(LANES)
fn window_tiles(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let start = (window * groups.x + group.x) * TILE;
    var upto = carries[window];
    for (var tile = 0u; tile < group.x; tile++) { upto = combine(upto, sums[tile]); }
    scan(start, clamp(arrayLength(&x), start, start + TILE), upto, lane);
    if lane == 0u {
        if group.x == groups.x - 1u { carries[window + 1u] = combine(upto, sums[group.x]); }
        // After the last window it is ready for another run.
        if group.x == 0u { next = select(window + 1u, 0u, window + 2u == arrayLength(&carries)); }
    }
}

@compute @workgroup_size(LANES)
fn tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let start = group.x * TILE;
    scan(start, min(start + TILE, arrayLength(&x)), before[group.x], lane);
}

// Everything by one workgroup.
@compute @workgroup_size(LANES)
fn whole(@builtin(local_invocation_index) lane: u32) {
    scan(0u, arrayLength(&x), begin(), lane);
}
