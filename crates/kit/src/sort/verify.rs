//! What a sort promises.

use std::cmp::Ordering;

use super::Order;
use crate::number::Number;

/// Whether `sorted` is in order, and has the keys of `keys`, each as often.
pub fn verify<T: Number>(order: Order, keys: &[T], sorted: &[T]) -> Result<(), String> {
    if let Some(at) = sorted.windows(2).position(|two| compare(order, two[0], two[1]).is_gt()) {
        return Err(format!("{:?} comes before {:?} at {at}", sorted[at], sorted[at + 1]));
    }
    let mut expected = keys.to_vec();
    expected.sort_by(|&a, &b| compare(order, a, b));
    if bytemuck::cast_slice::<T, u8>(&expected) == bytemuck::cast_slice::<T, u8>(sorted) {
        Ok(())
    } else {
        Err("the keys are others than before".to_owned())
    }
}

/// Whether keys are in order, and each has its value, in the order of before where keys are equal.
pub fn verify_pairs<T: Number, V: Number>(
    order: Order,
    (keys, values): (&[T], &[V]),
    (sorted, sorted_values): (&[T], &[V]),
) -> Result<(), String> {
    verify(order, keys, sorted)?;
    let mut expected: Vec<(T, V)> = keys.iter().copied().zip(values.iter().copied()).collect();
    expected.sort_by(|&(a, _), &(b, _)| compare(order, a, b));
    let at = expected.iter().zip(sorted_values).position(|((_, expected), found)| expected != found);
    match at {
        None if sorted_values.len() == values.len() => Ok(()),
        Some(at) => Err(format!("the value at {at} is {:?}, not {:?}", expected[at].1, sorted_values[at])),
        None => Err(format!("{} values of {}", sorted_values.len(), values.len())),
    }
}

fn compare<T: Number>(order: Order, a: T, b: T) -> Ordering {
    match order {
        Order::Ascending => a.order(b),
        Order::Descending => b.order(a),
    }
}
