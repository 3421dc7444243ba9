// A row is a workgroup, which exchanges values in workgroup memory. All of it comes to each of these functions.

alias T = u32;
const LANES = 256u;
const TILE = 4096u;
fn identity() -> T { return 0u; }
fn combine(a: T, b: T) -> T { return a + b; }

var<workgroup> row_values: array<T, LANES>;

// Of all up to this lane.
fn row_scan(value: T, lane: u32) -> T {
    var sum = value;
    row_values[lane] = sum;
    for (var by = 1u; by < LANES; by *= 2u) {
        workgroupBarrier();
        if lane >= by { sum = combine(row_values[lane - by], sum); }
        workgroupBarrier();
        row_values[lane] = sum;
    }
    workgroupBarrier();
    return sum;
}

// Of the last lane.
fn row_last(value: T, lane: u32) -> T {
    if lane == LANES - 1u { row_values[0] = value; }
    let last = workgroupUniformLoad(&row_values[0]);
    return last;
}

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

