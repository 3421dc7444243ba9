enable subgroups;

// A row is a subgroup.

alias T = u32;
const LANES = 32u;
const TILE = 16384u;
fn identity() -> T { return 0u; }
fn combine(a: T, b: T) -> T { return a + b; }

// Of all up to this lane.
fn row_scan(value: T, lane: u32) -> T { return subgroupInclusiveAdd(value); }

fn by_steps(value: T, lane: u32) -> T {
    var sum = value;
    for (var by = 1u; by < LANES; by *= 2u) {
        let before = subgroupShuffleUp(sum, by);
        if lane >= by { sum = combine(before, sum); }
    }
    return sum;
}

// Of the last lane.
fn row_last(value: T, lane: u32) -> T { return subgroupShuffle(value, LANES - 1u); }

// Of all lanes, for all of them.
fn row_reduce(value: T, lane: u32) -> T { return row_last(row_scan(value, lane), lane); }

