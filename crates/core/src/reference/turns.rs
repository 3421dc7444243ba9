//! Who goes next. Without a seed, workgroups and invocations go in order, each
//! invocation as far as it can. With one, any invocation of a few workgroups may go at
//! any access to memory, so that whatever depends on the order comes to light; the seed
//! decides everything, so it also replays. Where a kernel has barriers of the whole grid,
//! all its invocations are alive at once, in either order.

use std::sync::atomic::Ordering;

use super::dispatch::Dispatch;
use super::group::{Group, Pool};
use super::machine::Event;
use crate::device::Error;

/// Workgroups that are under way at once with a seed.
const GROUPS_IN_FLIGHT: usize = 4;

/// An invocation that has its turn keeps it for up to 2^this accesses: short bursts
/// shuffle finely, long ones let it run far ahead of the others.
const BURST_BITS: u64 = 6;

/// Runs the whole grid. Returns the number of workgroups.
pub(super) fn run(dispatch: &mut Dispatch<'_>, seed: Option<u64>) -> Result<u64, Error> {
    match seed {
        None => in_order(dispatch),
        Some(seed) => shuffled(dispatch, &mut Random(seed)),
    }
}

/// The first workgroups: as many as are to be under way at once, which is all of them where they
/// have to meet.
fn begin(dispatch: &Dispatch<'_>, ids: &mut Ids, at_once: usize) -> Result<Vec<Group>, Error> {
    let mut groups = Vec::new();
    if dispatch.kernel.needs.grid_barrier.is_none() {
        for id in ids.take(at_once) {
            groups.push(Group::new(dispatch, id)?);
        }
        return Ok(groups);
    }
    let count = dispatch.grid.iter().fold(1, |count: u64, &n| count.saturating_mul(n.into()));
    let bytes = count.saturating_mul(Group::size(dispatch));
    let refused = |_| dispatch.out_of_memory("all invocations at once, which meet at `gridBarrier`,", bytes);
    // Systems that promise more memory than they have still refuse this in one piece.
    Vec::<u8>::new().try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX)).map_err(refused)?;
    groups.try_reserve_exact(count as usize).map_err(refused)?;
    for id in ids {
        dispatch.control.go_on()?;
        groups.push(Group::new(dispatch, id)?);
    }
    Ok(groups)
}

fn in_order(dispatch: &mut Dispatch<'_>) -> Result<u64, Error> {
    let mut ids = Ids { grid: dispatch.grid, next: [0; 3] };
    let mut pool = Pool::default();
    let mut count = 0;
    let mut groups = begin(dispatch, &mut ids, 1)?;
    loop {
        for group in &mut groups {
            while !group.is_done() && !group.waits_for_all() {
                for lane in 0..group.len() {
                    if group.can_run(lane) {
                        group.run(lane, dispatch, &mut pool)?;
                        group.meet(lane, dispatch);
                    }
                }
                group.release(dispatch);
            }
            if group.is_done() {
                count += 1;
                dispatch.control.workgroups_done.fetch_add(1, Ordering::Relaxed);
            }
        }
        if Group::release_all(&mut groups, dispatch) {
            continue;
        }
        let Some(id) = ids.next() else { return Ok(count) };
        groups[0].reset(id);
    }
}

fn shuffled(dispatch: &mut Dispatch<'_>, random: &mut Random) -> Result<u64, Error> {
    let mut ids = Ids { grid: dispatch.grid, next: [0; 3] };
    let mut pool = Pool::default();
    let mut count = 0;
    let mut groups = begin(dispatch, &mut ids, GROUPS_IN_FLIGHT)?;
    // Who can run: group and invocation.
    let mut ready: Vec<(usize, usize)> = Vec::new();
    let all = groups.iter().map(Group::len).sum();
    let refused = |_| dispatch.out_of_memory("the order of invocations", (all * size_of::<(usize, usize)>()) as u64);
    ready.try_reserve_exact(all).map_err(refused)?;
    loop {
        ready.extend(groups.iter().enumerate().flat_map(|(at, group)| (0..group.len()).map(move |lane| (at, lane))));
        while !ready.is_empty() {
            let turn = random.below(ready.len());
            let (at, lane) = ready[turn];
            let group = &mut groups[at];
            let burst = 1 << random.below(BURST_BITS as usize + 1);
            let mut event = Event::Access;
            for _ in 0..burst {
                event = group.run(lane, dispatch, &mut pool)?;
                if event != Event::Access {
                    break;
                }
            }
            if event == Event::Access {
                continue;
            }
            ready.swap_remove(turn);
            ready.extend(group.meet(lane, dispatch).into_iter().map(|lane| (at, lane)));
            if group.release(dispatch) {
                ready.extend((0..group.len()).map(|lane| (at, lane)));
            } else if group.is_done() {
                count += 1;
                dispatch.control.workgroups_done.fetch_add(1, Ordering::Relaxed);
                if let Some(id) = ids.next() {
                    group.reset(id);
                    ready.extend((0..group.len()).map(|lane| (at, lane)));
                }
            }
        }
        if !Group::release_all(&mut groups, dispatch) {
            return Ok(count);
        }
    }
}

/// The workgroups of a grid in order, x fastest.
struct Ids {
    grid: [u32; 3],
    next: [u32; 3],
}

impl Iterator for Ids {
    type Item = [u32; 3];

    fn next(&mut self) -> Option<[u32; 3]> {
        let [x, y, z] = self.grid;
        let id = self.next;
        if x == 0 || y == 0 || id[2] >= z {
            return None;
        }
        self.next[0] += 1;
        if self.next[0] == x {
            self.next = [0, id[1] + 1, id[2]];
        }
        if self.next[1] == y {
            self.next = [0, 0, id[2] + 1];
        }
        Some(id)
    }
}

/// Splitmix64 (Steele, Lea and Flood, 2014): a counter, well mixed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `count`, which is not zero.
    fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }
}
