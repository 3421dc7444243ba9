// Scan: each element combined with all before it. A workgroup takes its tile row by row, and carries what it has so
// far from row to row; it begins with what all tiles before it come to.

// 0 for an inclusive scan. For an exclusive one each result goes one place further, and the first is what comes
// before all.
const SHIFT = 0u;

@group(0) @binding(0) var<storage, read> x: array<T>;
@group(0) @binding(1) var<storage, read> before: array<T>;
@group(0) @binding(2) var<storage, read_write> y: array<T>;

fn scan(start: u32, end: u32, first: T, lane: u32) {
    var carry = first;
    if SHIFT == 1u && lane == 0u { y[start] = first; }
    // Rows that are whole need no look at each element's place, and no stop but the last place.
    let rows = max(start, end - SHIFT);
    let whole = start + (rows - start) / LANES * LANES;
    for (var at = start; at < whole; at += LANES) {
        let here = combine(carry, row_scan(x[at + lane], lane));
        y[at + lane + SHIFT] = here;
        carry = row_last(here, lane);
    }
    let i = whole + lane;
    var value = identity();
    if i < end { value = x[i]; }
    let here = combine(carry, row_scan(value, lane));
    if i + SHIFT < end { y[i + SHIFT] = here; }
}

@compute @workgroup_size(LANES)
fn tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let start = group.x * TILE;
    scan(start, min(start + TILE, arrayLength(&x)), before[group.x], lane);
}

// Everything by one workgroup.
@compute @workgroup_size(LANES)
fn whole(@builtin(local_invocation_index) lane: u32) {
    scan(0u, arrayLength(&x), identity(), lane);
}

// The same, after something else.
@compute @workgroup_size(LANES)
fn whole_from(@builtin(local_invocation_index) lane: u32) {
    scan(0u, arrayLength(&x), before[0], lane);
}
