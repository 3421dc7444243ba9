//! What a histogram promises.

use crate::number::Number;

/// Whether `counts` says how often `bin` is each place.
pub fn verify<V: Number>(x: &[V], bin: impl Fn(V) -> usize, counts: &[u32]) -> Result<(), String> {
    let mut left = counts.to_vec();
    for &value in x {
        if let Some(count) = left.get_mut(bin(value)) {
            *count = count.wrapping_sub(1);
        }
    }
    match left.iter().position(|&left| left != 0) {
        Some(at) => Err(format!("bin {at} has {}, not {}", counts[at].wrapping_sub(left[at]), counts[at])),
        None => Ok(()),
    }
}
