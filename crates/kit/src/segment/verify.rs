//! What scans and reductions of segments promise: each segment is what it would be alone.

use crate::number::{Number, Op};
use crate::scan::Kind;
use crate::{reduce, scan};

/// Whether `y` is the scan of each segment of `x`.
pub fn verify_scan<T: Number>(kind: Kind, op: Op, x: &[T], heads: &[u32], y: &[T]) -> Result<(), String> {
    if heads.len() != x.len() || y.len() != x.len() {
        return Err(format!("{} heads and {} results for {} elements", heads.len(), y.len(), x.len()));
    }
    let mut start = 0;
    let head = |at: &usize| heads[*at] != 0;
    for end in (1..x.len()).filter(head).chain([x.len()]) {
        scan::verify(kind, op, &x[start..end], &y[start..end]).map_err(|wrong| format!("from {start} on: {wrong}"))?;
        start = end;
    }
    Ok(())
}

/// Whether `y` has each segment of `x` combined.
pub fn verify_reduce<T: Number>(op: Op, x: &[T], offsets: &[u32], y: &[T]) -> Result<(), String> {
    for (segment, (ends, &sum)) in offsets.windows(2).zip(y).enumerate() {
        let part = &x[ends[0] as usize..ends[1] as usize];
        reduce::verify(op, part, sum).map_err(|wrong| format!("segment {segment}: {wrong}"))?;
    }
    Ok(())
}
