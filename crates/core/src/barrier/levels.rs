//! From edges to the group of each wave, and from groups to the plan.

use super::{Edge, Error, Plan, Scratch, WaveId, cycle, rows::Rows};
use crate::bytes::{self, Allowance};

/// Waves whose rows are looked up together, so that the misses overlap instead of each
/// holding up the loop over its own row.
const BATCH: usize = 64;

/// Finds every wave's level, and deals the waves out to `plan`.
pub(super) fn lay_out(scratch: &mut Scratch, plan: &mut Plan, waves: u32, edges: &[Edge]) -> Result<(), Error> {
    let allowance = &mut Allowance::new(scratch.limit_bytes);
    let shape = survey(waves, edges)?;
    allowance.room("wave order", &mut plan.order, waves as usize)?;
    if edges.is_empty() {
        plan.order.extend((0..waves).map(WaveId));
        let offsets = allowance.zeros("group offsets", &mut plan.offsets, 1 + usize::from(waves > 0))?;
        offsets[1..].fill(waves);
        return Ok(());
    }

    plan.order.resize(waves as usize, WaveId(0));
    allowance.zeros("wave levels", &mut scratch.levels, waves as usize)?;
    if shape.forward && shape.grouped {
        for edge in edges {
            let next = scratch.levels[edge.before.0 as usize] + 1;
            raise(&mut scratch.levels, edge.after, next);
        }
    } else {
        scratch.rows.fill(allowance, waves, edges)?;
        if shape.forward {
            forward(&mut scratch.levels, &scratch.rows);
        } else {
            let ready = peel(&mut scratch.levels, &mut plan.order, &scratch.rows, edges);
            if ready < plan.order.len() {
                let cycle = cycle::find(allowance, &plan.order[..ready], waves, edges)?;
                return Err(Error::Cycle { waves: cycle });
            }
        }
    }
    Ok(deal(allowance, &scratch.levels, plan)?)
}

/// What the edges have in common.
struct Shape {
    /// All go from a lower to a higher id.
    forward: bool,
    /// They ascend by the wave they come from.
    grouped: bool,
}

/// Looks at all edges at once, without a branch between them; only when something is wrong
/// does it look for which.
fn survey(waves: u32, edges: &[Edge]) -> Result<Shape, Error> {
    if edges.len() > super::EDGES_MAX {
        return Err(Error::TooManyEdges { edges: edges.len() });
    }
    let (mut known, mut loops, mut forward, mut grouped) = (true, false, true, true);
    let mut last = 0;
    for &Edge { before: WaveId(before), after: WaveId(after) } in edges {
        known &= before.max(after) < waves;
        loops |= before == after;
        forward &= before < after;
        grouped &= last <= before;
        last = before;
    }
    if !known || loops {
        return Err(first_fault(waves, edges));
    }
    Ok(Shape { forward, grouped })
}

#[cold]
fn first_fault(waves: u32, edges: &[Edge]) -> Error {
    for (edge, &Edge { before, after }) in edges.iter().enumerate() {
        if let Some(wave) = [before, after].into_iter().find(|wave| wave.0 >= waves) {
            return Error::UnknownWave { edge, wave, waves };
        }
        if before == after {
            return Error::SelfEdge { edge, wave: before };
        }
    }
    unreachable!("survey: a fault was seen, so one edge has it")
}

#[inline]
fn raise(levels: &mut [u32], wave: WaveId, level: u32) {
    let old = &mut levels[wave.0 as usize];
    *old = level.max(*old);
}

/// Every edge goes to a higher id, so a level is final when its wave is reached.
fn forward(levels: &mut [u32], rows: &Rows) {
    for wave in 0..levels.len() {
        let next = levels[wave] + 1;
        for &after in rows.targets(rows.bounds(wave as u32)) {
            raise(levels, WaveId(after), next);
        }
    }
}

/// Peels waves whose edges have all been met, a level at a time, and says how many there
/// were; they stand at the front of `queue`. `levels` first counts the unmet edges of each
/// wave; the count of a peeled wave is over, so its level takes the place.
fn peel(levels: &mut [u32], queue: &mut [WaveId], rows: &Rows, edges: &[Edge]) -> usize {
    for edge in edges {
        levels[edge.after.0 as usize] += 1;
    }
    // Written before it is known to count, so that no branch has to be guessed.
    let mut ready = 0;
    let push = |queue: &mut [WaveId], ready: &mut usize, wave: u32, met: bool| {
        if let Some(place) = queue.get_mut(*ready) {
            *place = WaveId(wave);
        }
        *ready += usize::from(met);
    };
    for (wave, &unmet) in levels.iter().enumerate() {
        push(queue, &mut ready, wave as u32, unmet == 0);
    }
    let (mut next, mut level) = (0, 0);
    let mut bounds = [(0, 0); BATCH];
    while next < ready {
        let end = ready;
        while next < end {
            let batch = &queue[next..end.min(next + BATCH)];
            next += batch.len();
            for (bounds, wave) in bounds.iter_mut().zip(batch) {
                *bounds = rows.bounds(wave.0);
                levels[wave.0 as usize] = level;
            }
            let many = batch.len();
            for &bounds in &bounds[..many] {
                for &after in rows.targets(bounds) {
                    let unmet = &mut levels[after as usize];
                    *unmet -= 1;
                    push(queue, &mut ready, after, *unmet == 0);
                }
            }
        }
        level += 1;
    }
    ready
}

/// Counting sort by level; stable, so ids ascend inside a group.
fn deal(allowance: &mut Allowance, levels: &[u32], plan: &mut Plan) -> Result<(), bytes::Error> {
    let groups = levels.iter().max().map_or(0, |&last| last as usize + 1);
    // Counted two places on, the sums are each group's start one place on, and become its
    // end, which is where it belongs, while the group is filled.
    let offsets = allowance.zeros("group offsets", &mut plan.offsets, groups + 2)?;
    for &level in levels {
        offsets[level as usize + 2] += 1;
    }
    let mut sum = 0;
    for offset in offsets.iter_mut() {
        sum += *offset;
        *offset = sum;
    }
    for (wave, &level) in levels.iter().enumerate() {
        let cursor = &mut offsets[level as usize + 1];
        plan.order[*cursor as usize] = WaveId(wave as u32);
        *cursor += 1;
    }
    plan.offsets.truncate(groups + 1);
    Ok(())
}
