// A scan in steps of 1, 2, 4 and so on (Hillis and Steele).
fn by_steps(value: T, lane: u32) -> T {
    var sum = value;
    for (var by = 1u; by < LANES; by *= 2u) {
        let before = row_up(sum, by, lane);
        if lane >= by { sum = combine(before, sum); }
    }
    return sum;
}

