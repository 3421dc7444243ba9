//! How much work goes into one submission.
//!
//! A device that is held for long freezes the screen of whoever shares it, and is reset by its
//! watchdog. How long a workgroup takes is not known beforehand: the first submission of a kernel
//! is small, and each later one is sized by the time that those before took.
//!
//! A grid that the device decides has a size that is not known either. It goes into a submission
//! as it is if that has time for as many workgroups as it may have: what its limit allows, or
//! [`MARGIN`] times the most that it ever had. Else the host reads it first, and cuts it like any
//! other: work that may be long costs one wait more, and only a grid that suddenly is many times
//! what it used to be can hold the device for longer than the slice, once.

use std::time::Duration;

/// Invocations of an unknown kernel in one submission: they are done in a few milliseconds
/// unless each is very long.
const PROBE_INVOCATIONS: u64 = 1 << 16;

/// How much larger than the largest that was measured a part may be.
const GROWTH: u64 = 8;

/// How many times the most workgroups that a grid of the device's ever had it may have now.
const MARGIN: u64 = 4;

/// Turns of a loop that are recorded at once when nothing is known of it; twice as many the next time,
/// so that what is recorded in vain is no more than what was run.
pub(crate) const CHUNK_MIN: u64 = 4;

/// The same where the loop had many turns the last time.
const CHUNK_FIRST_MAX: u64 = 64;

/// The most turns that are recorded at once.
pub(crate) const CHUNK_MAX: u64 = 1024;

/// Nanoseconds of an invocation, until something is measured.
const GUESS: f64 = 1.0;

/// What is known of the speed of one kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Nanoseconds of a workgroup.
    nanos: f64,
    /// The most workgroups that were measured in one submission.
    seen: u64,
    /// Workgroups that may be tried unseen.
    probe: u64,
}

impl Pace {
    /// Of a kernel that never ran.
    pub(crate) fn unknown(invocations: u64) -> Self {
        let invocations = invocations.max(1);
        Self { nanos: invocations as f64 * GUESS, seen: 0, probe: (PROBE_INVOCATIONS / invocations).max(1) }
    }
}

/// What past submissions taught.
#[derive(Debug)]
pub(crate) struct Known {
    /// By kernel.
    pub(crate) paces: Vec<Pace>,
    /// By dispatch whose grid the device decides: the most workgroups that it had.
    grids: Vec<Option<u64>>,
    /// By loop: the turns that it had the last time.
    turns: Vec<u64>,
}

impl Known {
    /// Nothing yet, about kernels with so many invocations in a workgroup, so many grids and loops.
    pub(crate) fn new(invocations: impl Iterator<Item = u64>, grids: usize, loops: usize) -> Self {
        Self { paces: invocations.map(Pace::unknown).collect(), grids: vec![None; grids], turns: vec![0; loops] }
    }

    /// How many turns of a loop to record before the host asks whether it goes on.
    pub(crate) fn chunk(&self, of: usize) -> u64 {
        self.turns[of].clamp(CHUNK_MIN, CHUNK_FIRST_MAX)
    }

    /// Remembers how many turns a loop had.
    pub(crate) fn turned(&mut self, of: usize, turns: u64) {
        self.turns[of] = turns;
    }

    /// How many workgroups a grid of the device's may have.
    pub(crate) fn expected(&self, grid: usize, limit: [u32; 3]) -> u64 {
        let most = groups(limit);
        self.grids[grid].map_or(most, |past| past.max(1).saturating_mul(MARGIN).min(most))
    }

    /// Remembers how many it had.
    pub(crate) fn saw(&mut self, grid: usize, groups: u64) {
        let most = self.grids[grid].get_or_insert(0);
        *most = groups.max(*most);
    }
}

/// Workgroups of a grid.
pub(crate) fn groups(grid: [u32; 3]) -> u64 {
    grid.iter().fold(1, |product: u64, &n| product.saturating_mul(n.into()))
}

/// One submission as it is filled.
#[derive(Debug)]
pub(crate) struct Slice {
    max_nanos: f64,
    planned_nanos: f64,
    /// Kernels with their workgroups.
    work: Vec<(usize, u64)>,
}

impl Slice {
    pub(crate) fn new(max: Duration) -> Self {
        Self { max_nanos: max.as_nanos() as f64, planned_nanos: 0.0, work: Vec::new() }
    }

    /// How many of so many workgroups still fit; none if the slice is full. An empty slice
    /// takes at least one.
    pub(crate) fn fits(&self, paces: &[Pace], kernel: usize, groups: u64) -> u64 {
        let pace = &paces[kernel];
        let planned: u64 = self.work.iter().filter(|(other, _)| *other == kernel).map(|(_, groups)| groups).sum();
        let tried = pace.probe.max(pace.seen.saturating_mul(GROWTH)).saturating_sub(planned);
        let timely = ((self.max_nanos - self.planned_nanos) / pace.nanos).max(0.0) as u64;
        let least = u64::from(self.work.is_empty());
        groups.min(tried.min(timely)).max(least)
    }

    /// How many of so many turns still fit, with these workgroups in each, by kernel.
    pub(crate) fn turns(&self, paces: &[Pace], work: &[(usize, u64)], most: u64) -> u64 {
        let mut nanos = 0.0;
        let mut turns = most;
        for (at, &(kernel, groups)) in work.iter().enumerate() {
            nanos += paces[kernel].nanos * groups as f64;
            if groups == 0 || work[..at].iter().any(|(other, _)| *other == kernel) {
                continue;
            }
            let same = |sum: u64, &(other, groups): &(usize, u64)| {
                if other == kernel { sum.saturating_add(groups) } else { sum }
            };
            let (planned, each) = (self.work.iter().fold(0, same), work.iter().fold(0, same));
            let pace = &paces[kernel];
            turns = turns.min(pace.probe.max(pace.seen.saturating_mul(GROWTH)).saturating_sub(planned) / each);
        }
        if nanos > 0.0 {
            turns = turns.min(((self.max_nanos - self.planned_nanos) / nanos).max(0.0) as u64);
        }
        turns
    }

    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.work.is_empty()
    }

    /// Takes workgroups in.
    pub(crate) fn add(&mut self, paces: &[Pace], kernel: usize, groups: u64) {
        self.planned_nanos += paces[kernel].nanos * groups as f64;
        match self.work.iter_mut().find(|(other, _)| *other == kernel) {
            Some((_, sum)) => *sum += groups,
            None => self.work.push((kernel, groups)),
        }
    }

    /// So many workgroups turned out to be another number.
    pub(crate) fn correct(&mut self, kernel: usize, expected: u64, found: u64) {
        let sum = self.work.iter_mut().find(|(other, _)| *other == kernel);
        let (_, sum) = sum.unwrap_or_else(|| unreachable!("invariant slice: what is corrected was added"));
        *sum = *sum - expected + found;
    }

    /// Learns from the time that the submission took, and is empty again; gives its workgroups.
    pub(crate) fn done(&mut self, paces: &mut [Pace], took: Duration) -> u64 {
        let nanos: f64 = self.work.iter().map(|(kernel, groups)| paces[*kernel].nanos * *groups as f64).sum();
        let factor = took.as_nanos() as f64 / nanos.max(1.0);
        let mut sum = 0;
        for (kernel, groups) in self.work.drain(..).filter(|(_, groups)| *groups > 0) {
            let pace = &mut paces[kernel];
            let nanos = (pace.nanos * factor).max(f64::MIN_POSITIVE);
            // Slower is believed at once, faster only by and by.
            pace.nanos = if pace.seen == 0 || nanos > pace.nanos { nanos } else { f64::midpoint(nanos, pace.nanos) };
            pace.seen = pace.seen.max(groups);
            sum += groups;
        }
        self.planned_nanos = 0.0;
        sum
    }
}

/// A box of workgroups: where it starts, and how many there are in each dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) corner: [u32; 3],
    pub(crate) size: [u32; 3],
}

/// Walks a grid in boxes: rows first, then planes, then the whole.
#[derive(Debug)]
pub(crate) struct Parts {
    grid: [u32; 3],
    side_max: u32,
    next: [u32; 3],
}

impl Parts {
    pub(crate) fn new(grid: [u32; 3], side_max: u32) -> Self {
        let next = if grid.contains(&0) { [0, 0, grid[2]] } else { [0; 3] };
        Self { grid, side_max, next }
    }

    /// Whether one dispatch takes all of it.
    pub(crate) fn is_whole(&self, groups: u64) -> bool {
        self.next == [0; 3] && groups == self.left() && self.grid.iter().all(|&n| n <= self.side_max)
    }

    /// Workgroups that are left.
    pub(crate) fn left(&self) -> u64 {
        let [x, y, z] = self.grid.map(u64::from);
        let [at_x, at_y, at_z] = self.next.map(u64::from);
        (z - at_z).saturating_mul(x.saturating_mul(y)) - (at_y * x + at_x)
    }

    /// The next box, with at most so many workgroups, which is at least one.
    pub(crate) fn take(&mut self, most: u64) -> Part {
        let [x, y, z] = self.grid;
        let corner = self.next;
        let clamp = |n: u64, left: u32| n.clamp(1, u64::from(left.min(self.side_max))) as u32;
        let mut size = [clamp(most, x - corner[0]), 1, 1];
        if corner[0] == 0 && size[0] == x {
            size[1] = clamp(most / u64::from(x), y - corner[1]);
            if corner[1] == 0 && size[1] == y {
                size[2] = clamp(most / u64::from(x) / u64::from(y), z - corner[2]);
            }
        }
        self.next[0] += size[0];
        if self.next[0] == x {
            self.next = [0, corner[1] + size[1], corner[2]];
        }
        if self.next[1] == y {
            self.next = [0, 0, corner[2] + size[2]];
        }
        Part { corner, size }
    }
}

impl Part {
    pub(crate) fn groups(&self) -> u64 {
        groups(self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_grid_once() {
        for grid in [[1, 1, 1], [7, 1, 1], [3, 5, 2], [10, 1, 4], [2, 9, 1], [0, 3, 3], [3, 0, 1], [4, 4, 0]] {
            for (side_max, most) in [(3, 100), (100, 1), (100, 4), (4, 7), (100, 1000), (5, 12)] {
                let mut seen = std::collections::BTreeSet::new();
                let mut parts = Parts::new(grid, side_max);
                while parts.left() > 0 {
                    let left = parts.left();
                    let part = parts.take(most);
                    assert!(part.groups() <= most && part.size.iter().all(|&n| n <= side_max), "{part:?}");
                    assert_eq!(parts.left(), left - part.groups());
                    let [a, b, c] = std::array::from_fn(|i| part.corner[i]..part.corner[i] + part.size[i]);
                    for (x, y, z) in a.flat_map(|x| {
                        b.clone().flat_map({
                            let c = c.clone();
                            move |y| c.clone().map(move |z| (x, y, z))
                        })
                    }) {
                        assert!(seen.insert((x, y, z)), "{grid:?} {side_max} {most}: {x} {y} {z} twice");
                    }
                }
                assert_eq!(seen.len() as u32, grid.iter().product::<u32>());
            }
        }
    }

    #[test]
    fn slices_grow_with_what_was_seen() {
        let max = Duration::from_millis(100);
        let mut paces = [Pace::unknown(64)];
        let mut slice = Slice::new(max);
        assert_eq!(slice.fits(&paces, 0, 1 << 20), 1024);
        slice.add(&paces, 0, 1024);
        assert_eq!(slice.fits(&paces, 0, 1 << 20), 0);
        assert_eq!(slice.done(&mut paces, Duration::from_millis(1)), 1024);
        assert_eq!(slice.fits(&paces, 0, 1 << 20), 8 * 1024);
        slice.add(&paces, 0, 8 * 1024);
        slice.done(&mut paces, Duration::from_millis(80));
        // A workgroup takes 10 µs now: 10 000 of them fill the slice.
        let fits = slice.fits(&paces, 0, 1 << 20);
        assert!((9_900..=10_300).contains(&fits), "{fits}");
    }

    #[test]
    fn grids_are_expected_to_be_what_they_were() {
        let mut known = Known::new([64].into_iter(), 1, 0);
        assert_eq!(known.expected(0, [1 << 20, 1 << 20, 1 << 30]), u64::MAX);
        assert_eq!(known.expected(0, [10, 2, 0]), 0);
        known.saw(0, 0);
        assert_eq!(known.expected(0, [1 << 20; 3]), MARGIN);
        known.saw(0, 100);
        known.saw(0, 7);
        assert_eq!(known.expected(0, [1 << 20; 3]), 100 * MARGIN);
        assert_eq!(known.expected(0, [9, 2, 1]), 18);
    }

    #[test]
    fn what_was_expected_is_corrected() {
        let mut paces = [Pace::unknown(1), Pace::unknown(1)];
        let mut slice = Slice::new(Duration::from_secs(1));
        slice.add(&paces, 0, 1000);
        slice.add(&paces, 1, 40);
        slice.correct(0, 1000, 10);
        slice.correct(1, 40, 0);
        assert_eq!(slice.done(&mut paces, Duration::from_micros(10)), 10);
        // Ten workgroups took a microsecond each; of the other kernel nothing is known still.
        assert_eq!(slice.fits(&paces, 0, 1 << 40), PROBE_INVOCATIONS);
        assert_eq!((paces[0].nanos, paces[0].seen, paces[1].seen), (1000.0, 10, 0));
    }

    #[test]
    fn turns_are_as_many_as_fit() {
        let max = Duration::from_millis(100);
        let mut paces = [Pace::unknown(64), Pace::unknown(64)];
        let mut slice = Slice::new(max);
        assert_eq!(slice.turns(&paces, &[], 7), 7, "nothing takes no time");
        assert_eq!(slice.turns(&paces, &[(0, 100), (1, 1), (0, 100)], 99), 5, "1024 workgroups may be tried");
        assert_eq!(slice.turns(&paces, &[(0, 2000)], 99), 0, "not one turn");
        slice.add(&paces, 0, 1000);
        assert_eq!(slice.turns(&paces, &[(0, 10)], 99), 2, "what is in it counts");
        slice.done(&mut paces, Duration::from_millis(10));
        // A workgroup takes 10 µs now.
        assert_eq!(slice.turns(&paces, &[(0, 1000)], 99), 8, "eight times what was seen");
        assert_eq!(slice.turns(&paces, &[(0, 1000), (1, 1000), (0, 500)], 99), 1);
        assert_eq!(slice.turns(&paces, &[(0, 1), (0, 2)], 99), 99);
    }

    #[test]
    fn an_empty_slice_takes_something() {
        let mut paces = [Pace::unknown(1)];
        let mut slice = Slice::new(Duration::from_millis(1));
        slice.add(&paces, 0, 1);
        slice.done(&mut paces, Duration::from_secs(5));
        assert_eq!(slice.fits(&paces, 0, 10), 1);
        slice.add(&paces, 0, 1);
        assert_eq!(slice.fits(&paces, 0, 10), 0);
    }
}
