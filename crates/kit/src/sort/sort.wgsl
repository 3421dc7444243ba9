// One pass of a radix sort, from the least significant digit on. Each invocation has a stretch of its own, in which
// it counts how often it meets each digit; with those counts scanned, digit by digit and in the order of stretches, it
// knows where each of its keys goes. Keys of one digit keep their order, so that later passes leave in place what
// earlier ones did.

alias T = u32;
// A word as long as a key.
alias K = u32;
alias V = u32;
const LANES = 1u;
// Keys of an invocation.
const EACH = 65536u;
const BITS = 8u;
const DIGITS = 1u << BITS;
// Turns of inner loops: a processor's code for many has to ask now and then whether it should stop.
const TURNS = 1024u;

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

// The word that is ordered as a key is, and back. Between the first pass and the last one there are only such words.
fn encode(key: T) -> K { return key; }
fn decode(word: K) -> T { return word; }

// What this pass takes and gives: keys, or their words.
fn taken(key: T) -> K { return encode(key); }
fn given(word: K) -> T { return decode(word); }

// A word from this bit on.
fn ordered(word: K, by: u32) -> u32 { return u32(word >> by); }

// What goes with the key at a place to where that goes: here, and among the keys of a bucket, there and back.
fn carry(at: u32, i: u32) { }
fn carry_there(at: u32, i: u32) { }
fn carry_back(at: u32, i: u32) { }

fn digit(word: K) -> u32 { return ordered(word, shift) & (DIGITS - 1u); }

fn count_own(start: u32, end: u32, lane: u32) {
    for (var d = 0u; d < DIGITS; d++) { counters[d * LANES + lane] = 0u; }
    for (var begin = start; begin < end; begin += TURNS) {
        let stop = min(begin + TURNS, end);
        for (var i = begin; i < stop; i++) { counters[digit(taken(keys[i])) * LANES + lane] += 1u; }
    }
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
    for (var begin = start; begin < end; begin += TURNS) {
        let stop = min(begin + TURNS, end);
        for (var i = begin; i < stop; i++) {
            let word = taken(keys[i]);
            let slot = digit(word) * LANES + lane;
            let at = counters[slot];
            counters[slot] = at + 1u;
            sorted_keys[at] = given(word);
            carry(at, i);
        }
    }
}

// By the most significant digit first: buckets that a cache holds, each of which one invocation sorts by the digits that
// are left.

@group(0) @binding(7) var<storage, read_write> spare_keys: array<T>;
@group(0) @binding(8) var<storage, read_write> spare_values: array<V>;
@group(0) @binding(9) var<storage, read_write> words: array<u32>;

const OWN_BITS = 8u;
const OWN_DIGITS = 1u << OWN_BITS;
// An odd number, so that the last one ends where it should.
const PASSES = 3u;

fn bucket(d: u32) -> u32 {
    if d == DIGITS { return arrayLength(&sorted_keys); }
    return before[d * (arrayLength(&before) / DIGITS)];
}

const SAMPLES = 1024u;

// Whether no bucket seems to be so large that others would wait for it.
@compute @workgroup_size(1)
fn judge() {
    var most = 0u;
    for (var i = 0u; i < SAMPLES; i++) {
        let d = digit(taken(keys[(i * 2654435761u) % arrayLength(&keys)]));
        counters[d] += 1u;
        most = max(most, counters[d]);
    }
    words[0] = u32(most <= SAMPLES / 16u);
    words[1] = 1u - words[0];
}

var<workgroup> own: array<u32, PASSES * OWN_DIGITS>;

fn own_slot(turn: u32, word: K) -> u32 {
    return turn * OWN_DIGITS + (ordered(word, turn * OWN_BITS) & (OWN_DIGITS - 1u));
}

// Where the next key of each digit goes, for all passes: keys only change places within the bucket.
fn own_places(start: u32, end: u32) {
    for (var i = 0u; i < PASSES * OWN_DIGITS; i++) { own[i] = 0u; }
    for (var begin = start; begin < end; begin += TURNS) {
        let stop = min(begin + TURNS, end);
        for (var i = begin; i < stop; i++) {
            let word = word_of(spare_keys[i]);
            for (var turn = 0u; turn < PASSES; turn++) { own[own_slot(turn, word)] += 1u; }
        }
    }
    for (var turn = 0u; turn < PASSES; turn++) {
        var at = start;
        for (var d = 0u; d < OWN_DIGITS; d++) {
            let here = own[turn * OWN_DIGITS + d];
            own[turn * OWN_DIGITS + d] = at;
            at += here;
        }
    }
}

fn place(turn: u32, word: K) -> u32 {
    let slot = own_slot(turn, word);
    let at = own[slot];
    own[slot] = at + 1u;
    return at;
}

// Words among keys, bit by bit.
fn word_of(key: T) -> K { return bitcast<K>(key); }
fn as_key(word: K) -> T { return bitcast<T>(word); }

@compute @workgroup_size(1)
fn finish(@builtin(workgroup_id) group: vec3<u32>) {
    let start = bucket(group.x);
    let end = bucket(group.x + 1u);
    own_places(start, end);
    for (var turn = 0u; turn + 1u < PASSES; turn += 2u) {
        for (var begin = start; begin < end; begin += TURNS) {
            let stop = min(begin + TURNS, end);
            for (var i = begin; i < stop; i++) {
                let word = word_of(spare_keys[i]);
                let at = place(turn, word);
                sorted_keys[at] = as_key(word);
                carry_there(at, i);
            }
        }
        for (var begin = start; begin < end; begin += TURNS) {
            let stop = min(begin + TURNS, end);
            for (var i = begin; i < stop; i++) {
                let word = word_of(sorted_keys[i]);
                let at = place(turn + 1u, word);
                spare_keys[at] = as_key(word);
                carry_back(at, i);
            }
        }
    }
    for (var begin = start; begin < end; begin += TURNS) {
        let stop = min(begin + TURNS, end);
        for (var i = begin; i < stop; i++) {
            let word = word_of(spare_keys[i]);
            let at = place(PASSES - 1u, word);
            sorted_keys[at] = decode(word);
            carry_there(at, i);
        }
    }
}
