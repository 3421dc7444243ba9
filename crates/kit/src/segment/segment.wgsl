// Scan of segments: each element combined with those before it in its segment. What is carried from row to row and
// from tile to tile is a sum, and whether a segment began in what it is the sum of.

// As for scans of everything.
const SHIFT = 0u;

@group(0) @binding(0) var<storage, read> x: array<T>;
// Not zero where a segment begins.
@group(0) @binding(1) var<storage, read> heads: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<T>;
@group(0) @binding(3) var<storage, read_write> tile_heads: array<u32>;
@group(0) @binding(4) var<storage, read_write> tile_sums: array<T>;
// The sum that each tile ends with.
@group(0) @binding(5) var<storage, read> ends: array<T>;

@group(0) @binding(6) var<storage, read> first: array<T>;

// What the segment that goes on here comes to before the first element.
fn before() -> T { return identity(); }

struct Part { head: u32, sum: T }

fn joined(a: Part, b: Part) -> Part {
    if b.head != 0u { return b; }
    return Part(a.head, combine(a.sum, b.sum));
}

fn row_parts(part: Part, lane: u32) -> Part {
    var all = part;
    for (var by = 1u; by < LANES; by *= 2u) {
        let before = Part(row_up_word(all.head, by, lane), row_up(all.sum, by, lane));
        if lane >= by { all = joined(before, all); }
    }
    return all;
}

fn is_head(i: u32) -> bool { return i < arrayLength(&heads) && heads[i] != 0u; }

fn own(i: u32, end: u32) -> Part {
    if i < end { return Part(heads[i], x[i]); }
    return Part(0u, identity());
}

@compute @workgroup_size(LANES)
fn sums(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let start = group.x * TILE;
    let end = min(start + TILE, arrayLength(&x));
    var carry = Part(0u, identity());
    for (var at = start; at < end; at += LANES) {
        let here = joined(carry, row_parts(own(at + lane, end), lane));
        carry = Part(row_last_word(here.head, lane), row_last(here.sum, lane));
    }
    if lane == 0u {
        tile_heads[group.x] = carry.head;
        tile_sums[group.x] = carry.sum;
    }
}

fn scan(start: u32, end: u32, carried: T, lane: u32) {
    var carry = Part(0u, carried);
    if SHIFT == 1u && lane == 0u { y[start] = select(carried, identity(), is_head(start)); }
    for (var at = start; at < end; at += LANES) {
        let i = at + lane;
        let here = joined(carry, row_parts(own(i, end), lane));
        if i + SHIFT < end { y[i + SHIFT] = select(here.sum, identity(), SHIFT == 1u && is_head(i + 1u)); }
        carry = Part(row_last_word(here.head, lane), row_last(here.sum, lane));
    }
}

@compute @workgroup_size(LANES)
fn tiles(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let start = group.x * TILE;
    var carry = before();
    if group.x > 0u { carry = ends[group.x - 1u]; }
    scan(start, min(start + TILE, arrayLength(&x)), carry, lane);
}

// Everything by one workgroup.
@compute @workgroup_size(LANES)
fn whole(@builtin(local_invocation_index) lane: u32) { scan(0u, arrayLength(&x), before(), lane); }
