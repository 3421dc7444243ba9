// A row is a workgroup, which exchanges values in workgroup memory. All of it comes to each of these functions.

alias T = u32;
const LANES = 256u;
const TILE = 4096u;
fn identity() -> T { return 0u; }
fn combine(a: T, b: T) -> T { return a + b; }

var<workgroup> row_values: array<T, LANES>;
var<workgroup> row_words: array<u32, LANES>;

// Of so many lanes before; of this one itself where there is none.
fn row_up(value: T, by: u32, lane: u32) -> T {
    row_values[lane] = value;
    workgroupBarrier();
    var before = value;
    if lane >= by { before = row_values[lane - by]; }
    workgroupBarrier();
    return before;
}

fn row_up_word(value: u32, by: u32, lane: u32) -> u32 {
    row_words[lane] = value;
    workgroupBarrier();
    var before = value;
    if lane >= by { before = row_words[lane - by]; }
    workgroupBarrier();
    return before;
}

// Of the last lane.
fn row_last(value: T, lane: u32) -> T {
    if lane == LANES - 1u { row_values[0] = value; }
    let last = workgroupUniformLoad(&row_values[0]);
    return last;
}

fn row_last_word(value: u32, lane: u32) -> u32 {
    if lane == LANES - 1u { row_words[0] = value; }
    let last = workgroupUniformLoad(&row_words[0]);
    return last;
}

// How many before this lane are kept, and how many of all.
fn row_rank(kept: bool, lane: u32) -> vec2<u32> {
    var upto = u32(kept);
    for (var by = 1u; by < LANES; by *= 2u) {
        let before = row_up_word(upto, by, lane);
        if lane >= by { upto += before; }
    }
    return vec2(upto - u32(kept), row_last_word(upto, lane));
}

// Of all up to this lane.
fn row_scan(value: T, lane: u32) -> T { return by_steps(value, lane); }

// Of all lanes, for all of them.
fn row_reduce(value: T, lane: u32) -> T {
    row_values[lane] = value;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half { row_values[lane] = combine(row_values[lane], row_values[lane + half]); }
    }
    let all = workgroupUniformLoad(&row_values[0]);
    return all;
}

