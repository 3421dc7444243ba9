//! What unique promises.

use crate::compact;
use crate::number::Number;

/// Whether `y` begins with `count` elements that are those of `x` which differ from the one before.
pub fn verify<V: Number>(x: &[V], y: &[V], count: usize) -> Result<(), String> {
    compact::verify(x, |at, value| at == 0 || value != x[at - 1], y, count)
}
