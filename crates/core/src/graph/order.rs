//! The order in which waves are to look as if they ran: as written, except where `after` says
//! otherwise. Of the waves that wait for nothing, the first one written goes first (Kahn, 1962).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::WaveId;

/// The order, or one real cycle in which each comes after the next.
pub(super) fn order(after: &[Vec<WaveId>]) -> Result<Vec<WaveId>, Vec<WaveId>> {
    let forward = |(wave, after): (usize, &Vec<WaveId>)| after.iter().all(|before| (before.0 as usize) < wave);
    if after.iter().enumerate().all(forward) {
        return Ok((0..after.len() as u32).map(WaveId).collect());
    }
    let mut waits: Vec<usize> = after.iter().map(Vec::len).collect();
    let mut followers = vec![Vec::new(); after.len()];
    for (wave, after) in after.iter().enumerate() {
        for before in after {
            followers[before.0 as usize].push(wave);
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..after.len()).filter(|&wave| waits[wave] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(after.len());
    while let Some(Reverse(wave)) = ready.pop() {
        order.push(WaveId(wave as u32));
        for &follower in &followers[wave] {
            waits[follower] -= 1;
            if waits[follower] == 0 {
                ready.push(Reverse(follower));
            }
        }
    }
    if order.len() == after.len() {
        return Ok(order);
    }
    Err(cycle(after, &waits))
}

/// Whoever still waits does so for another that still waits: going from one to the next must
/// come to a wave for the second time.
fn cycle(after: &[Vec<WaveId>], waits: &[usize]) -> Vec<WaveId> {
    let stuck = |wave: &WaveId| waits[wave.0 as usize] > 0;
    let mut path: Vec<WaveId> = Vec::new();
    let mut place = vec![None; after.len()];
    let mut next = (0..after.len() as u32).map(WaveId).find(stuck);
    while let Some(wave) = next {
        if let Some(start) = place[wave.0 as usize].replace(path.len()) {
            return path.split_off(start);
        }
        path.push(wave);
        next = after[wave.0 as usize].iter().copied().find(stuck);
    }
    unreachable!("invariant cycle: a wave that waits does so for one that waits")
}
