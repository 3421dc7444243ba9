//! What run lengths promise.

use crate::number::Number;

/// Whether `x` is `count` runs of the elements of `y`, as long as `lengths` says, and no two that could be one.
pub fn verify<V: Number>(x: &[V], y: &[V], lengths: &[u32], count: usize) -> Result<(), String> {
    if count > y.len().min(lengths.len()) {
        return Err(format!("{count} runs do not fit"));
    }
    let mut at = 0;
    for run in 0..count {
        let len = lengths[run] as usize;
        let Some(part) = x.get(at..at + len).filter(|part| !part.is_empty()) else {
            return Err(format!("run {run} has {len} elements from {at} on, of {}", x.len()));
        };
        if let Some(other) = part.iter().find(|&&other| len > 1 && other != y[run]) {
            return Err(format!("run {run} is of {:?}, and {other:?} is in it", y[run]));
        }
        if run > 0 && y[run - 1] == y[run] {
            return Err(format!("run {run} is of {:?}, as the one before it", y[run]));
        }
        at += len;
    }
    if at == x.len() { Ok(()) } else { Err(format!("the runs have {at} elements, of {}", x.len())) }
}
