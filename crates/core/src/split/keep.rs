//! What is kept from segment to segment, where, and once for whom.
//!
//! What differs between invocations has a word for each of them, which no other touches. What is the
//! same for a workgroup, or for the whole grid, is kept once; then an invocation that is ahead might
//! write it before another one has read it. So those values have two memories: a segment that changes
//! one of them reads all of them from the one and writes all of them to the other, and the next
//! segment reads them there. Which is which is known for each step: a loop whose turns end on the
//! other side lets the two change places.

use std::collections::BTreeSet;

use naga::Module;

use super::Scope;
use super::lift::{self, While};
use super::live::Live;
use super::place::{Place, Places};
use super::uses::Uses;
use super::write::Segment;
use crate::program::varying;

/// Control between segments, with the sides that values are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// `swapped`: what is kept once is read from the second memory, and written to the first.
    Run {
        segment: usize,
        swapped: bool,
    },
    /// `swaps`: the two change places at the end of each turn.
    Loop {
        how: While,
        swaps: bool,
    },
    When {
        word: u32,
        zero: bool,
    },
    End,
}

/// What a segment reads at its start and writes at its end.
#[derive(Debug, Default, Clone)]
pub(super) struct Transfer {
    pub(super) loads: Vec<Place>,
    pub(super) stores: Vec<Place>,
    /// What is kept once and needed later, but not changed: it goes to the other side with what is.
    pub(super) forwards: Vec<Place>,
}

/// What is kept.
#[derive(Debug)]
pub(super) struct Keep {
    /// In the order of the layout.
    pub(super) places: Vec<(Place, Scope)>,
    /// By segment.
    pub(super) transfers: Vec<Transfer>,
    pub(super) steps: Vec<Step>,
}

pub(super) fn keep(module: &Module, segments: &[Segment], uses: &[Uses], live: &[Live], steps: &[lift::Step]) -> Keep {
    let touched = |at: usize, place: &Place| uses[at].reads.contains(place) || uses[at].changes.contains(place);
    let loads: Vec<Places> = (0..segments.len())
        .map(|at| {
            let needed = live[at].before.intersection(&live[at].dirty);
            needed.copied().filter(|place| touched(at, place)).collect()
        })
        .collect();
    let kept: Places = loads.iter().flatten().copied().collect();
    let stores: Vec<Places> = (0..segments.len())
        .map(|at| {
            let changed = |place: &&Place| at == 0 || uses[at].changes.contains(place);
            live[at].after.intersection(&kept).filter(changed).copied().collect()
        })
        .collect();
    let [in_workgroup, in_grid] = varying_places(module, segments);
    let mut apart = Places::new();
    loop {
        let scope = |place: Place| match place {
            Place::Workgroup(_) => Scope::Shared,
            Place::Local(_) if !apart.contains(&place) && !in_grid.contains(&place) => Scope::Grid,
            Place::Local(_) if !apart.contains(&place) && !in_workgroup.contains(&place) => Scope::Workgroup,
            Place::Local(_) | Place::Private(_) => Scope::Invocation,
        };
        let once = |place: &Place| matches!(scope(*place), Scope::Grid | Scope::Workgroup);
        let mut flips: Vec<bool> = stores.iter().map(|stores| stores.iter().any(once)).collect();
        match sides(steps, &mut flips) {
            Ok(steps) => {
                let transfer = |at: usize| {
                    let stays = |place: &&Place| once(place) && kept.contains(place) && !stores[at].contains(place);
                    let forwards =
                        if flips[at] { live[at].after.iter().filter(stays).copied().collect() } else { Vec::new() };
                    Transfer {
                        loads: loads[at].iter().copied().collect(),
                        stores: stores[at].iter().copied().collect(),
                        forwards,
                    }
                };
                let transfers = (0..segments.len()).map(transfer).collect();
                let places = kept.iter().map(|&place| (place, scope(place))).collect();
                return Keep { places, transfers, steps };
            }
            // A branch may be taken or not, and both must end on one side: these go with the invocations.
            Err(segments) => {
                let moved = segments.iter().flat_map(|&at| stores[at].iter().filter(|place| once(place)));
                let moved: Vec<Place> = moved.copied().collect();
                apart.extend(moved);
            }
        }
    }
}

/// Variables that differ within a workgroup at the end of some segment, and within the grid.
fn varying_places(module: &Module, segments: &[Segment]) -> [Places; 2] {
    [false, true].map(|grid| {
        let locals = segments.first().map_or(0, |segment| segment.function.local_variables.len());
        let mut held = vec![false; locals];
        loop {
            let before = held.clone();
            for segment in segments {
                let after = varying(module, &segment.function, grid, &held);
                held.iter_mut().zip(after).for_each(|(held, after)| *held |= after);
            }
            if held == before {
                break;
            }
        }
        let Some(segment) = segments.first() else { return Places::new() };
        let all = segment.function.local_variables.iter().map(|(handle, _)| Place::Local(handle));
        all.zip(held).filter(|(_, varies)| *varies).map(|(place, _)| place).collect()
    })
}

/// On which side each step finds what is kept once, where some segments change sides. More of them are
/// made to, so that branches end on the side where they begin; if there are none, gives those inside.
fn sides(steps: &[lift::Step], flips: &mut [bool]) -> Result<Vec<Step>, BTreeSet<usize>> {
    struct Open {
        at: usize,
        side: bool,
    }
    'again: loop {
        let (mut out, mut open, mut side) = (Vec::<Step>::with_capacity(steps.len()), Vec::<Open>::new(), false);
        for (at, step) in steps.iter().enumerate() {
            match *step {
                lift::Step::Run(segment) => {
                    out.push(Step::Run { segment, swapped: side });
                    side ^= flips[segment];
                }
                lift::Step::Loop(how) => {
                    open.push(Open { at, side });
                    out.push(Step::Loop { how, swaps: false });
                }
                lift::Step::When { word, zero } => {
                    open.push(Open { at, side });
                    out.push(Step::When { word, zero });
                }
                lift::Step::End => {
                    let Some(begin) = open.pop() else { unreachable!("invariant nested: each end has its beginning") };
                    out.push(Step::End);
                    if begin.side == side {
                        continue;
                    }
                    side = begin.side;
                    if let Step::Loop { swaps, .. } = &mut out[begin.at] {
                        *swaps = true;
                        continue;
                    }
                    let runs = |deep: bool| runs(&steps[begin.at + 1..at], deep);
                    match runs(false).into_iter().find(|&segment| !flips[segment]) {
                        Some(segment) => flips[segment] = true,
                        None => return Err(runs(true).into_iter().filter(|&segment| flips[segment]).collect()),
                    }
                    continue 'again;
                }
            }
        }
        return Ok(out);
    }
}

/// The segments that steps run, those in loops and branches inside too if `deep`.
fn runs(steps: &[lift::Step], deep: bool) -> Vec<usize> {
    let mut depth = 0;
    let mut found = Vec::new();
    for step in steps {
        match *step {
            lift::Step::Run(segment) if deep || depth == 0 => found.push(segment),
            lift::Step::Run(_) => {}
            lift::Step::Loop(_) | lift::Step::When { .. } => depth += 1,
            lift::Step::End => depth -= 1,
        }
    }
    found
}
