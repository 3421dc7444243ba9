enable subgroups;

// A row is a subgroup.

alias T = u32;
const LANES = 32u;
const TILE = 16384u;
fn identity() -> T { return 0u; }
fn combine(a: T, b: T) -> T { return a + b; }

// Of so many lanes before; of this one itself where there is none.
fn row_up(value: T, by: u32, lane: u32) -> T { return subgroupShuffleUp(value, by); }
fn row_up_word(value: u32, by: u32, lane: u32) -> u32 { return subgroupShuffleUp(value, by); }

// Of the last lane.
fn row_last(value: T, lane: u32) -> T { return subgroupShuffle(value, LANES - 1u); }
fn row_last_word(value: u32, lane: u32) -> u32 { return subgroupShuffle(value, LANES - 1u); }

// How many before this lane are kept, and how many of all.
fn row_rank(kept: bool, lane: u32) -> vec2<u32> {
    return vec2(subgroupExclusiveAdd(u32(kept)), subgroupAdd(u32(kept)));
}

// Of all up to this lane.
fn row_scan(value: T, lane: u32) -> T { return by_steps(value, lane); }

// Of all lanes, for all of them.
fn row_reduce(value: T, lane: u32) -> T { return row_last(row_scan(value, lane), lane); }

