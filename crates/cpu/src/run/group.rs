//! A group as its leader found it: all that workers need to share it.

use seawall_core::program::Kernel;

use crate::context;
use crate::exec::chunks::{Chunks, Sizes};
use crate::exec::memory::View;
use crate::recipe::groups;

/// Operations that a worker should have to do: they take several times as long as calling it.
const SHARE_OPERATIONS: u64 = 10_000;

/// Operations that make handing out a chunk cheap beside doing it.
const CHUNK_OPERATIONS: u64 = 20_000;

/// What it takes to move some bytes, beside the bytes: one operation each.
const MOVE_OPERATIONS: u64 = 100;

/// Operations of one workgroup with loops of any number of turns: few such go through much, likely through most of
/// the largest that they are bound to, a word for an operation. That is said only of grids that the host gave; one
/// that the device found is as large as its work.
pub(super) fn going_through(bytes: u64, grid: [u32; 3]) -> u64 {
    bytes / size_of::<u32>() as u64 / groups(grid).max(1)
}

/// Bytes that are moved or cleared.
pub(super) struct Move<'a> {
    pub(super) step: usize,
    pub(super) to: View<'a>,
    /// Zeros, if nowhere.
    pub(super) from: Option<View<'a>>,
}

/// A dispatch that has something to do.
pub(super) struct Launch {
    pub(super) step: usize,
    pub(super) kernel: usize,
    pub(super) grid: [u32; 3],
    /// Operations of one workgroup.
    pub(super) operations: u64,
    /// Where its buffers begin in those of the group.
    bound: usize,
    chunks: Chunks,
}

/// See the module.
#[derive(Default)]
pub(super) struct Group<'a> {
    moves: Vec<Move<'a>>,
    move_operations: u64,
    moved: Chunks,
    launches: Vec<Launch>,
    bound: Vec<context::Buffer>,
    operations: u64,
}

// SAFETY: the pointers of `bound` are good wherever they are used, and whoever goes through them
// answers for the other threads.
unsafe impl Sync for Group<'_> {}

impl<'a> Group<'a> {
    /// Nothing is left of the group before, above all not how far it was handed out.
    pub(super) fn clear(&mut self) {
        let Self { moves, move_operations, moved, launches, bound, operations } = self;
        moves.clear();
        launches.clear();
        bound.clear();
        (*move_operations, *operations, *moved) = (0, 0, Chunks::new());
    }

    pub(super) fn add_move(&mut self, step: usize, to: View<'a>, from: Option<View<'a>>) {
        let operations = MOVE_OPERATIONS.saturating_add(to.bytes());
        self.move_operations = self.move_operations.saturating_add(operations);
        self.operations = self.operations.saturating_add(operations);
        self.moves.push(Move { step, to, from });
    }

    /// A dispatch of workgroups that take so many operations each, with its buffers in the order of
    /// the kernel's rows.
    pub(super) fn add_launch(
        &mut self,
        (step, kernel): (usize, usize),
        grid: [u32; 3],
        operations: u64,
        buffers: impl Iterator<Item = context::Buffer>,
    ) {
        self.operations = self.operations.saturating_add(operations.saturating_mul(groups(grid)));
        let bound = self.bound.len();
        self.bound.extend(buffers);
        self.launches.push(Launch { step, kernel, grid, operations, bound, chunks: Chunks::new() });
    }

    /// Operations of all of it, roughly.
    pub(super) fn operations(&self) -> u64 {
        self.operations
    }

    /// How many workers have something to do here, of so many.
    pub(super) fn workers(&self, most: usize) -> usize {
        if self.operations < 2 * SHARE_OPERATIONS {
            return 1;
        }
        let most = (self.operations / SHARE_OPERATIONS).min(most as u64);
        let chunks = |launch: &Launch| groups(launch.grid).div_ceil(launch.least());
        let chunks = self.launches.iter().map(chunks).fold(self.moves.len() as u64, u64::saturating_add);
        chunks.clamp(1, most) as usize
    }

    /// The next moves to do, until none are left.
    pub(super) fn take_moves(&self, workers: usize) -> Option<&[Move<'a>]> {
        let count = self.moves.len() as u64;
        if count == 0 {
            return None;
        }
        let least = CHUNK_OPERATIONS.saturating_mul(count) / self.move_operations;
        let range = self.moved.take(count, Sizes::new(least, workers))?;
        Some(&self.moves[range.start as usize..range.end as usize])
    }

    /// The dispatches, from another one on for each worker: so they seldom want the same, and a chain
    /// of waves stays with a worker and its cache; in the end they help each other.
    pub(super) fn launches(&self, worker: usize, workers: usize) -> impl Iterator<Item = &Launch> {
        let (before, own) = self.launches.split_at(self.launches.len() * worker / workers);
        own.iter().chain(before)
    }

    /// The buffers of a dispatch.
    pub(super) fn bound(&self, launch: &Launch, kernel: &Kernel) -> &[context::Buffer] {
        &self.bound[launch.bound..][..kernel.buffers.len()]
    }
}

impl Launch {
    /// Workgroups that are worth handing out.
    fn least(&self) -> u64 {
        (CHUNK_OPERATIONS / self.operations).max(1)
    }

    /// The next workgroups to do, until none are left: the first, and how many.
    pub(super) fn take(&self, workers: usize) -> Option<(u64, u64)> {
        let range = self.chunks.take(groups(self.grid), Sizes::new(self.least(), workers))?;
        Some((range.start, range.end - range.start))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// How many of four workers a dispatch is for.
    fn workers(grid: [u32; 3], operations: u64) -> usize {
        let mut group = Group::default();
        group.add_launch((0, 0), grid, operations, std::iter::empty());
        group.workers(4)
    }

    #[test]
    fn few_workgroups_that_go_through_much_are_shared() {
        let (grid, megabytes) = ([64, 1, 1], 64 << 20);
        assert_eq!(workers(grid, 100), 1, "by what their text has alone they are too little");
        assert_eq!(workers(grid, going_through(megabytes, grid)), 4);
        assert_eq!(workers(grid, going_through(4096, grid).max(100)), 1);
        assert_eq!(workers([1, 1, 1], going_through(megabytes, [1, 1, 1])), 1, "one cannot be shared");
    }
}
