//! Edges as compressed rows, without random access to large arrays.
//!
//! Placing edges one by one at their row's cursor misses the cache on nearly every edge.
//! So they are first dealt into buckets of neighbouring rows (sequential reads, a few
//! hundred sequential writers), and each bucket, whose cursors fit in the first-level
//! cache, is then sorted by row in place.

use super::Edge;
use crate::bytes::{self, Allowance};

/// Rows of a bucket at the least: their cursors take 16 KiB.
const BUCKET_BITS_MIN: u32 = 12;
/// A row's place in its bucket is kept in 16 bits.
const BUCKET_BITS_MAX: u32 = 16;
/// Writers that the cache and its address table bear.
const BUCKETS_BITS: u32 = 9;

/// The waves that wait for each wave.
#[derive(Debug, Default)]
pub(super) struct Rows {
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// Of each edge in its bucket, the row within the bucket.
    low: Vec<u16>,
    cursors: Vec<u32>,
    spare: Vec<u32>,
}

impl Rows {
    /// The rows of edges that are known to name only waves under `waves`.
    pub(super) fn fill(&mut self, allowance: &mut Allowance, waves: u32, edges: &[Edge]) -> Result<(), bytes::Error> {
        let bits = u32::BITS - waves.saturating_sub(1).leading_zeros();
        let shift = bits.saturating_sub(BUCKETS_BITS).clamp(BUCKET_BITS_MIN, BUCKET_BITS_MAX);
        let buckets = (waves as usize).div_ceil(1 << shift);

        allowance.stale("row starts", &mut self.starts, waves as usize + 1)?;
        allowance.stale("row targets", &mut self.targets, edges.len())?;
        allowance.stale("bucketed rows", &mut self.low, edges.len())?;
        allowance.zeros("bucket cursors", &mut self.cursors, buckets + 1)?;
        self.deal(edges, shift);
        // Now each cursor stands at its bucket's end, which is where the next one begins.
        let largest = self.cursors.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0);
        let largest = largest.max(self.cursors[0]);
        allowance.stale("one bucket of edges", &mut self.spare, largest as usize)?;
        self.sort(waves, shift);
        Ok(())
    }

    /// Where the row of `wave` begins and ends.
    #[inline]
    pub(super) fn bounds(&self, wave: u32) -> (u32, u32) {
        (self.starts[wave as usize], self.starts[wave as usize + 1])
    }

    /// The waves of a row, in no particular order.
    #[inline]
    pub(super) fn targets(&self, (start, end): (u32, u32)) -> &[u32] {
        &self.targets[start as usize..end as usize]
    }

    fn deal(&mut self, edges: &[Edge], shift: u32) {
        for edge in edges {
            self.cursors[(edge.before.0 >> shift) as usize + 1] += 1;
        }
        let mut sum = 0;
        for cursor in &mut self.cursors {
            sum += *cursor;
            *cursor = sum;
        }
        let (targets, low) = (&mut self.targets[..edges.len()], &mut self.low[..edges.len()]);
        for edge in edges {
            let cursor = &mut self.cursors[(edge.before.0 >> shift) as usize];
            let at = *cursor as usize;
            *cursor += 1;
            targets[at] = edge.after.0;
            low[at] = (edge.before.0 & ((1 << shift) - 1)) as u16;
        }
    }

    fn sort(&mut self, waves: u32, shift: u32) {
        let mut begin = 0;
        for (bucket, &end) in self.cursors.iter().enumerate() {
            let first = bucket << shift;
            let rows = (waves as usize).min(first + (1 << shift)).saturating_sub(first);
            if rows == 0 {
                break;
            }
            let low = &self.low[begin as usize..end as usize];
            let targets = &mut self.targets[begin as usize..end as usize];
            let spare = &mut self.spare[..targets.len()];
            let cursors = &mut self.starts[first..first + rows];
            cursors.fill(0);
            for &row in low {
                cursors[row as usize] += 1;
            }
            let mut sum = 0;
            for cursor in cursors.iter_mut() {
                sum += std::mem::replace(cursor, sum);
            }
            spare.copy_from_slice(targets);
            for (&row, &target) in low.iter().zip(spare.iter()) {
                let cursor = &mut cursors[row as usize];
                targets[*cursor as usize] = target;
                *cursor += 1;
            }
            // Each cursor stands at its row's end: shift by one row to turn ends into starts.
            let mut start = 0;
            for cursor in cursors.iter_mut() {
                start = std::mem::replace(cursor, start + begin);
            }
            begin = end;
        }
        self.starts[waves as usize] = begin;
    }
}
