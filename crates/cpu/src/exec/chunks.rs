//! Hands out the workgroups of a dispatch: large chunks first, small ones at the end.
//!
//! Guided self-scheduling (Polychronopoulos and Kuck, 1987): a worker takes a fixed share
//! of what is left, so what the last one to finish still holds is small however unequal the
//! work, and the number of chunks grows only with the logarithm of the total.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use super::sync::AtomicU64;

/// A chunk is what is left, divided by this and by the workers. Guided self-scheduling has 1
/// here; with 16 no chunk is much where most of the work lies together, as in graphs that are
/// ordered by degree, wherever that is.
const SHARES: u64 = 16;

/// How large the pieces are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    least: u64,
    share: u64,
}

impl Sizes {
    /// `least` is the smallest chunk, except for the last: as many as make the hand-out cheap
    /// beside the work.
    pub(crate) fn new(least: u64, workers: usize) -> Self {
        Self { least: least.max(1), share: (workers as u64).max(1).saturating_mul(SHARES) }
    }
}

/// A range from 0 on, handed out piece by piece. It orders nothing else: that all are done with what
/// they share makes the work visible. A group has one for each dispatch, so it is a word.
#[derive(Debug, Default)]
pub(crate) struct Chunks(AtomicU64);

impl Chunks {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// The next piece of `total`, until all are out. Whoever takes says the same total and sizes.
    pub(crate) fn take(&self, total: u64, sizes: Sizes) -> Option<Range<u64>> {
        let mut next = self.0.load(Relaxed);
        while next < total {
            let left = total - next;
            let end = next + (left / sizes.share).max(sizes.least).min(left);
            match self.0.compare_exchange_weak(next, end, Relaxed, Relaxed) {
                Ok(_) => return Some(next..end),
                Err(now) => next = now,
            }
        }
        None
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn pieces(total: u64, sizes: Sizes, chunks: &Chunks) -> Vec<u64> {
        let mut at = 0;
        std::iter::from_fn(|| chunks.take(total, sizes))
            .map(|chunk| {
                assert_eq!(chunk.start, at, "no gap and no overlap");
                at = chunk.end;
                chunk.end - chunk.start
            })
            .collect()
    }

    #[test]
    fn shrinks_to_the_least() {
        let (chunks, sizes) = (Chunks::new(), Sizes::new(10, 2));
        let first = pieces(1000, sizes, &chunks);
        assert_eq!(first.iter().sum::<u64>(), 1000);
        assert_eq!(first[0], 31);
        assert!(first.windows(2).all(|pair| pair[0] >= pair[1]), "{first:?}");
        assert!(first[..first.len() - 1].iter().all(|&size| size >= 10), "{first:?}");
        assert_eq!(chunks.take(1000, sizes), None);
    }

    #[test]
    fn few_chunks_for_a_large_total() {
        assert!(pieces(1 << 32, Sizes::new(1, 2), &Chunks::new()).len() < 800);
    }

    #[test]
    fn edges() {
        assert_eq!(pieces(0, Sizes::new(4, 2), &Chunks::new()), [0; 0]);
        assert_eq!(pieces(3, Sizes::new(4, 2), &Chunks::new()), [3]);
        assert_eq!(pieces(2, Sizes::new(0, 0), &Chunks::new()), [1, 1]);
        assert_eq!(Chunks::new().take(u64::MAX, Sizes::new(u64::MAX, 1)), Some(0..u64::MAX));
    }
}

#[cfg(all(test, loom))]
mod models {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    #[test]
    fn every_piece_goes_out_once() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(|| {
            const TOTAL: u64 = 4;
            let (chunks, sizes) = (Arc::new(Chunks::new()), Sizes::new(1, 1));
            let work = move |chunks: Arc<Chunks>| {
                std::iter::from_fn(|| chunks.take(TOTAL, sizes)).flatten().collect::<Vec<_>>()
            };
            let threads = [0, 1].map(|_| {
                let chunks = chunks.clone();
                thread::spawn(move || work(chunks))
            });
            let mut all = work(chunks);
            for thread in threads {
                all.extend(thread.join().unwrap());
            }
            all.sort_unstable();
            assert!(all.iter().copied().eq(0..TOTAL), "{all:?}");
        });
    }
}
