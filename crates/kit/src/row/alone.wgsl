// A row is one invocation.

alias T = u32;
const LANES = 1u;
const TILE = 16384u;
fn identity() -> T { return 0u; }
fn combine(a: T, b: T) -> T { return a + b; }

fn row_scan(value: T, lane: u32) -> T { return value; }
fn row_last(value: T, lane: u32) -> T { return value; }
fn row_reduce(value: T, lane: u32) -> T { return value; }

