// One pass of a radix sort, from the least significant digit on. Each invocation has a stretch of its own, in which
// it counts how often it meets each digit; with those counts scanned, digit by digit and in the order of stretches, it
// knows where each of its keys goes. Keys of one digit keep their order, so that later passes leave in place what
// earlier ones did.

alias T = u32;
alias V = u32;
const LANES = 1u;
// Keys of an invocation.
const EACH = 65536u;
const BITS = 8u;
const DIGITS = 1u << BITS;

@group(0) @binding(0) var<storage, read> keys: array<T>;
@group(0) @binding(1) var<storage, read> values: array<V>;
@group(0) @binding(2) var<storage, read_write> sorted_keys: array<T>;
@group(0) @binding(3) var<storage, read_write> sorted_values: array<V>;
// By digit, and for each by workgroup.
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read> before: array<u32>;
@group(0) @binding(6) var<uniform> shift: u32;

// By digit, and for each by invocation: keys that it has, and later where the next of them goes.
var<workgroup> counters: array<u32, DIGITS * LANES>;

// A number that is ordered as keys are, from this bit on.
fn ordered(key: T, shift: u32) -> u32 { return key >> shift; }

fn digit(key: T) -> u32 { return ordered(key, shift) & (DIGITS - 1u); }

fn count_own(start: u32, end: u32, lane: u32) {
    for (var d = 0u; d < DIGITS; d++) { counters[d * LANES + lane] = 0u; }
    for (var i = start; i < end; i++) { counters[digit(keys[i]) * LANES + lane] += 1u; }
}

@compute @workgroup_size(LANES)
fn count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let start = (group.x * LANES + lane) * EACH;
    count_own(start, min(start + EACH, arrayLength(&keys)), lane);
    workgroupBarrier();
    for (var d = lane; d < DIGITS; d += LANES) {
        var sum = 0u;
        for (var other = 0u; other < LANES; other++) { sum += counters[d * LANES + other]; }
        counts[d * groups.x + group.x] = sum;
    }
}

// Where the first key of each digit of each invocation goes.
fn places(group: u32, groups: u32, start: u32, end: u32, lane: u32) {
    // One alone needs no counts of its own.
    if LANES > 1u { count_own(start, end, lane); }
    workgroupBarrier();
    for (var d = lane; d < DIGITS; d += LANES) {
        var at = before[d * groups + group];
        for (var other = 0u; other < LANES; other++) {
            let own = counters[d * LANES + other];
            counters[d * LANES + other] = at;
            at += own;
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(LANES)
fn scatter(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let start = (group.x * LANES + lane) * EACH;
    let end = min(start + EACH, arrayLength(&keys));
    places(group.x, groups.x, start, end, lane);
    for (var i = start; i < end; i++) {
        let key = keys[i];
        let slot = digit(key) * LANES + lane;
        let at = counters[slot];
        counters[slot] = at + 1u;
        sorted_keys[at] = key;
    }
}

@compute @workgroup_size(LANES)
fn scatter_pairs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let start = (group.x * LANES + lane) * EACH;
    let end = min(start + EACH, arrayLength(&keys));
    places(group.x, groups.x, start, end, lane);
    for (var i = start; i < end; i++) {
        let key = keys[i];
        let slot = digit(key) * LANES + lane;
        let at = counters[slot];
        counters[slot] = at + 1u;
        sorted_keys[at] = key;
        sorted_values[at] = values[i];
    }
}
