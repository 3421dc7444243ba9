//! Which elements of some data a rank has.
//!
//! Rows are shared out by offsets: rank `r` owns rows `offsets[r]..offsets[r + 1]`, none of them if the two are
//! the same. In its memory it has its own rows between two halos, `[halo | own | halo]`; those at the ends of
//! the whole are there too, and stay as the caller left them: a boundary condition, most likely.

use std::ops::Range;

use bytemuck::Pod;

use crate::error::Error;

/// Rows that are shared out among the ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    offsets: Vec<u64>,
    width: u64,
    halo: u64,
}

impl Rows {
    /// A block of rows for each rank, as even as can be: the first ranks have one more.
    pub fn block(rows: u64, ranks: usize) -> Self {
        let ranks = ranks.max(1) as u64;
        let offsets = (0..=ranks).map(|rank| rows / ranks * rank + (rows % ranks).min(rank)).collect();
        Self { offsets, width: 1, halo: 0 }
    }

    /// From `offsets[r]` to `offsets[r + 1]` for rank `r`: vertices of a graph, most likely, shared out so that
    /// their edges are even.
    pub fn at(offsets: &[u64]) -> Result<Self, Error> {
        let ascends = offsets.is_sorted() && offsets.first() == Some(&0) && offsets.len() > 1;
        if !ascends {
            return Err(Error::Offsets { offsets: offsets.to_vec() });
        }
        Ok(Self { offsets: offsets.to_vec(), width: 1, halo: 0 })
    }

    /// Elements in a row; one if not said.
    #[must_use]
    pub fn width(mut self, elements: u64) -> Self {
        self.width = elements;
        self
    }

    /// Rows of its neighbours that a rank sees on either side of its own; none if not said.
    #[must_use]
    pub fn halo(mut self, rows: u64) -> Self {
        self.halo = rows;
        self
    }

    /// Elements in a row.
    pub fn row_len(&self) -> u64 {
        self.width
    }

    /// How many ranks they are shared out among.
    pub fn ranks(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Where the rows of each rank begin, and at last how many there are.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.offsets[self.ranks()]
    }

    /// Elements of all rows.
    pub fn len(&self) -> u64 {
        self.rows().saturating_mul(self.width)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of a rank.
    pub fn own(&self, rank: usize) -> Range<u64> {
        self.offsets[rank]..self.offsets[rank + 1]
    }

    /// Elements of a halo.
    pub fn halo_len(&self) -> u64 {
        self.halo.saturating_mul(self.width)
    }

    /// Elements that a rank owns.
    pub fn own_len(&self, rank: usize) -> u64 {
        let own = self.own(rank);
        (own.end - own.start).saturating_mul(self.width)
    }

    /// Elements in a rank's memory: its own, and both halos.
    pub fn local_len(&self, rank: usize) -> u64 {
        self.own_len(rank).saturating_add(self.halo_len().saturating_mul(2))
    }

    /// Where a rank's own elements are in its memory.
    pub fn own_range(&self, rank: usize) -> Range<usize> {
        let first = self.halo_len() as usize;
        first..first + self.own_len(rank) as usize
    }

    /// What a rank has of the whole in its memory, halos included; zeros beyond the ends.
    pub fn cut<T: Pod>(&self, rank: usize, whole: &[T]) -> Result<Vec<T>, Error> {
        if whole.len() as u64 != self.len() {
            return Err(Error::Whole { len: whole.len() as u64, expected: self.len() });
        }
        let (first, halo) = ((self.offsets[rank] * self.width) as usize, self.halo_len() as usize);
        let end = (first + self.own_len(rank) as usize).saturating_add(halo);
        let (inside, lacks) = (first.saturating_sub(halo)..end.min(whole.len()), halo.saturating_sub(first));
        let mut local = vec![T::zeroed(); self.local_len(rank) as usize];
        local[lacks..lacks + inside.len()].copy_from_slice(&whole[inside]);
        Ok(local)
    }

    /// The rows around a rank's own that it is to see, inside of the whole: before and after.
    fn halos(&self, rank: usize) -> [Range<u64>; 2] {
        let own = self.own(rank);
        if own.is_empty() {
            return [0..0, 0..0];
        }
        [own.start.saturating_sub(self.halo)..own.start, own.end..own.end.saturating_add(self.halo).min(self.rows())]
    }

    /// What `rank` sends for halos and gets, in elements of its memory; of sizes that no memory has, anything. What it
    /// gets goes `into_halo` of data that
    /// has both halos and nothing between them, or else in its place around its own.
    pub(crate) fn halo_moves(&self, rank: usize, into_halo: bool) -> Moves {
        let overlap = |a: &Range<u64>, b: &Range<u64>| a.start.max(b.start)..a.end.min(b.end);
        let (mine, mut sends, mut gets) = (self.own(rank), Vec::new(), Vec::new());
        let halo = self.halo;
        for peer in (0..self.ranks()).filter(|&peer| peer != rank) {
            for rows in self.halos(peer).iter().map(|rows| overlap(rows, &mine)).filter(|rows| !rows.is_empty()) {
                let at = |row: u64| (row - mine.start).wrapping_add(halo).wrapping_mul(self.width);
                sends.push(Move { peer, range: at(rows.start)..at(rows.end) });
            }
            let theirs = self.own(peer);
            for (side, rows) in self.halos(rank).iter().enumerate() {
                let rows = overlap(rows, &theirs);
                if rows.is_empty() {
                    continue;
                }
                let gap = if into_halo && side == 1 { mine.end - mine.start } else { 0 };
                let at = |row: u64| row.wrapping_add(halo).wrapping_sub(mine.start + gap).wrapping_mul(self.width);
                gets.push(Move { peer, range: at(rows.start)..at(rows.end) });
            }
        }
        (sends, gets)
    }
}

/// What a rank sends, and what it gets.
pub(crate) type Moves = (Vec<Move>, Vec<Move>);

/// Elements that go to a rank, or come from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) peer: usize,
    pub(crate) range: Range<u64>,
}

/// How some data is shared out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Rows, with halos or without.
    Rows(Rows),
    /// Each rank has all of it.
    Replicated {
        /// Elements.
        len: u64,
    },
    /// Each rank has its own, of a length of its own.
    Local {
        /// Elements on this rank.
        len: u64,
    },
}

impl Part {
    /// Elements in a rank's memory.
    pub fn local_len(&self, rank: usize) -> u64 {
        match self {
            Self::Rows(rows) => rows.local_len(rank),
            Self::Replicated { len } | Self::Local { len } => *len,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_as_even_as_can_be() {
        assert_eq!(Rows::block(10, 4).offsets, [0, 3, 6, 8, 10]);
        assert_eq!(Rows::block(2, 4).offsets, [0, 1, 2, 2, 2]);
        assert_eq!(Rows::block(0, 1).offsets, [0, 0]);
        assert_eq!(Rows::block(u64::MAX / 2, 3).rows(), u64::MAX / 2);
    }

    #[test]
    fn offsets_must_ascend_from_zero() {
        for wrong in [&[][..], &[0], &[1, 2], &[0, 3, 2]] {
            assert_eq!(Rows::at(wrong), Err(Error::Offsets { offsets: wrong.to_vec() }));
        }
    }

    /// Each rank's memory before and after, from the whole alone.
    #[test]
    fn moves_fill_every_halo_from_its_owners() {
        for (rows, halo, width) in [(10, 1, 3), (7, 2, 1), (5, 4, 2), (3, 5, 1), (1, 1, 1), (0, 2, 1)] {
            for ranks in 1..6 {
                let parts = [Rows::block(rows, ranks), skewed(rows, ranks)];
                for part in parts.map(|part| part.width(width).halo(halo)) {
                    check(&part);
                }
            }
        }
    }

    /// All rows with one rank in the middle.
    fn skewed(rows: u64, ranks: usize) -> Rows {
        let offsets: Vec<u64> = (0..=ranks).map(|rank| if rank <= ranks / 2 { 0 } else { rows }).collect();
        Rows::at(&offsets).unwrap()
    }

    fn check(part: &Rows) {
        let whole: Vec<u32> = (1..=part.len() as u32).collect();
        for into_halo in [false, true] {
            for rank in 0..part.ranks() {
                let wanted = part.cut(rank, &whole).unwrap();
                let own = part.own_range(rank);
                let mut got = vec![0; wanted.len()];
                got[own.clone()].copy_from_slice(&wanted[own.clone()]);
                let mut ghost = vec![0; 2 * part.halo_len() as usize];
                for peer in (0..part.ranks()).filter(|&peer| peer != rank) {
                    let theirs = part.cut(peer, &whole).unwrap();
                    let sent = part.halo_moves(peer, into_halo).0.into_iter().filter(|to| to.peer == rank);
                    let sent = sent.flat_map(|to| theirs[to.range.start as usize..to.range.end as usize].to_vec());
                    let places = part.halo_moves(rank, into_halo).1.into_iter().filter(|from| from.peer == peer);
                    let places: Vec<u64> = places.flat_map(|from| from.range).collect();
                    let sent: Vec<u32> = sent.collect();
                    assert_eq!(sent.len(), places.len(), "{part:?}: {peer} to {rank}");
                    for (at, element) in places.into_iter().zip(sent) {
                        if into_halo { ghost[at as usize] = element } else { got[at as usize] = element }
                    }
                }
                if part.own(rank).is_empty() {
                    continue;
                }
                if into_halo {
                    let around = wanted[..own.start].iter().chain(&wanted[own.end..]).copied();
                    assert_eq!(ghost, around.collect::<Vec<_>>(), "{part:?}: {rank}");
                } else {
                    assert_eq!(got, wanted, "{part:?}: {rank}");
                }
            }
        }
    }
}
