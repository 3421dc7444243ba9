//! What top-k promises.

use crate::number::Number;
use crate::sort::{self, Order};

/// Whether `keys` are the first of `x` in an order, each from its place in `x`, and equal ones in the order of those.
pub fn verify<T: Number>(order: Order, x: &[T], keys: &[T], places: &[u32]) -> Result<(), String> {
    let mut expected: Vec<(T, u32)> = x.iter().copied().zip(0..).collect();
    expected.sort_by(|&(a, _), &(b, _)| match order {
        Order::Ascending => a.order(b),
        Order::Descending => b.order(a),
    });
    expected.truncate(keys.len());
    let (first, at): (Vec<T>, Vec<u32>) = expected.into_iter().unzip();
    sort::verify(order, &first, keys)?;
    match at.iter().zip(places).position(|(at, place)| at != place) {
        None if places.len() == keys.len() => Ok(()),
        Some(which) => Err(format!("key {which} is of place {}, not {}", at[which], places[which])),
        None => Err(format!("{} places of {} keys", places.len(), keys.len())),
    }
}
