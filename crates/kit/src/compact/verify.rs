//! What a compaction promises.

use crate::number::Number;

/// Whether `y` begins with exactly those elements of `x` that are kept, in order, and `count` is how many they are.
/// What lies behind them is nobody's.
pub fn verify<V: Number>(x: &[V], keeps: impl Fn(usize, V) -> bool, y: &[V], count: usize) -> Result<(), String> {
    let mut kept = y.iter().take(count);
    for (at, &value) in x.iter().enumerate().filter(|&(at, &value)| keeps(at, value)) {
        match kept.next() {
            Some(found) if bytemuck::bytes_of(found) == bytemuck::bytes_of(&value) => {}
            Some(found) => return Err(format!("{value:?} of place {at} is {found:?}")),
            None => return Err(format!("{value:?} of place {at} is missing")),
        }
    }
    match kept.next() {
        Some(more) => Err(format!("{more:?} is not of those that are kept")),
        None => Ok(()),
    }
}
