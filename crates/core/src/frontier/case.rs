//! A case for the planner and the proof of its answer: one for tests and for fuzzing.
//!
//! The proof takes the layers as given (they have a proof of their own), computes in 128
//! bits, and finds the fewest groups of a small layer by trying every subset.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::fit::SHORT_WAVES;
use super::{Budget, Error, Input, Live, Plan, Read, Wave, WaveId, What, live, plan};
use crate::barrier::{self, Edge};

/// Waves up to which every way to pack a layer is tried.
const BRUTE_MAX: usize = 8;

/// A graph with sizes, and what it must fit in.
#[derive(Debug, Clone)]
pub struct TestCase {
    /// By id.
    pub waves: Vec<Wave>,
    /// The groups that edges allow.
    pub layers: barrier::Plan,
    /// Edges from lower to higher ids, which are also the reads.
    pub edges: Vec<Edge>,
    /// What to fit in.
    pub budget: Budget,
    /// What the caller has measured.
    pub measured_readback_bytes: u64,
}

impl<'a> Arbitrary<'a> for TestCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let huge = u.ratio(1, 8)?;
        let bytes = |u: &mut Unstructured<'a>| -> Result<u64> {
            let most = if huge && u.ratio(1, 8)? { u64::MAX } else { 20 };
            u.int_in_range(0..=most)
        };
        let waves_max = if u.ratio(2, 3)? { BRUTE_MAX } else { 40 };
        let mut waves = Vec::new();
        for _ in 0..u.int_in_range(0..=waves_max)? {
            waves.push(Wave { frontier_bytes: bytes(u)?, scratch_bytes: bytes(u)? / 4, output_bytes: bytes(u)? });
        }
        let count = waves.len() as u32;
        let mut edges = Vec::new();
        let edges_max = if u.ratio(1, 2)? { 2 } else { count };
        for _ in 0..u.int_in_range(0..=edges_max)? {
            let (a, b) = (u.choose_index(waves.len().max(1))? as u32, u.choose_index(waves.len().max(1))? as u32);
            if a != b {
                edges.push(Edge::new(a.min(b), a.max(b)));
            }
        }
        let layers = barrier::plan(count, &edges).expect("edges to higher ids have a plan");
        let limit_bytes = if huge { u64::MAX - bytes(u)? } else { u.int_in_range(40..=140)? };
        let resident_bytes = if u.ratio(1, 4)? { bytes(u)? } else { 0 };
        let budget = Budget { limit_bytes, resident_bytes };
        Ok(Self { waves, layers, edges, budget, measured_readback_bytes: bytes(u)? })
    }
}

impl TestCase {
    /// What the planner sees.
    pub fn input(&self) -> Input<'_> {
        let Self { waves, layers, budget, measured_readback_bytes, .. } = self;
        Input { waves, layers, budget: *budget, measured_readback_bytes: *measured_readback_bytes }
    }

    /// Each edge, as a read.
    pub fn reads(&self) -> Vec<Read> {
        self.edges.iter().map(|edge| Read { output: edge.before, reader: edge.after }).collect()
    }

    /// Plans the case and proves the answer.
    pub fn run(&self) {
        let outcome = plan(&self.input());
        if let Err(broken) = check(self, &outcome) {
            panic!("{broken}: {self:?}: {outcome:?}");
        }
        if let Ok(plan) = outcome {
            let outcome = live(&self.waves, &plan, &self.reads());
            if let Err(broken) = check_live(self, &plan, &outcome) {
                panic!("{broken}: {self:?}: {plan}: {outcome:?}");
            }
        }
    }

    /// The exact cost of a wave.
    fn cost(&self, wave: WaveId) -> u128 {
        let wave = &self.waves[wave.0 as usize];
        u128::from(wave.frontier_bytes) + 4 * u128::from(wave.scratch_bytes) + u128::from(wave.output_bytes)
    }
}

type Verdict = std::result::Result<(), &'static str>;

fn rule(kept: bool, broken: &'static str) -> Verdict {
    if kept { Ok(()) } else { Err(broken) }
}

/// Which promise `outcome` breaks, if any.
pub fn check(case: &TestCase, outcome: &std::result::Result<Plan, Error>) -> Verdict {
    let Budget { limit_bytes, resident_bytes } = case.budget;
    let limit = u128::from(limit_bytes).checked_sub(u128::from(resident_bytes));
    let waves = || (0..case.waves.len() as u32).map(WaveId);
    let first_over = limit.and_then(|limit| waves().find(|&wave| case.cost(wave) > limit));
    let plan = match (limit, first_over, outcome) {
        (None, _, Err(Error::OverBudget { what: What::Resident, required_bytes, limit_bytes: limit, wave: None })) => {
            return rule((*required_bytes, *limit) == (resident_bytes, limit_bytes), "resident bytes are reported");
        }
        (Some(_), Some(over), Err(Error::Wave { wave, .. })) => {
            return rule(
                *wave == over && case.cost(over) > u128::from(u64::MAX),
                "the lowest wave to overflow is named",
            );
        }
        (Some(limit), Some(over), Err(Error::OverBudget { what: What::Wave, required_bytes, limit_bytes, wave })) => {
            let exact = (u128::from(*required_bytes), u128::from(*limit_bytes)) == (case.cost(over), limit);
            return rule(exact && *wave == Some(over), "the lowest wave over the limit is named");
        }
        (Some(_), None, Ok(plan)) => plan,
        (_, _, Ok(_)) => return Err("what cannot fit is refused"),
        (_, _, Err(_)) => return Err("the error is the right one, and what fits has a plan"),
    };
    check_groups(case, plan, limit.unwrap_or(0))?;
    check_totals(case, plan)
}

fn check_groups(case: &TestCase, plan: &Plan, limit: u128) -> Verdict {
    let mut groups = plan.groups();
    rule(plan.layer_offsets.len() == case.layers.groups().len() + 1, "every layer is there")?;
    for (layer, ends) in case.layers.groups().zip(plan.layer_offsets.windows(2)) {
        let mine: Vec<&[WaveId]> = groups.by_ref().take((ends[1] - ends[0]) as usize).collect();
        rule(mine.iter().all(|group| !group.is_empty() && group.is_sorted()), "waves ascend in a group")?;
        rule(mine.is_sorted_by_key(|group| group[0]), "groups ascend by their lowest wave")?;
        let mut all = mine.concat();
        all.sort_unstable();
        rule(all == layer, "the groups of a layer hold its waves once each, and no others")?;
        let cost = |group: &[WaveId]| group.iter().map(|&wave| case.cost(wave)).sum::<u128>();
        rule(mine.iter().all(|group| cost(group) <= limit), "each group fits")?;

        let mut next_fit = 1;
        let mut load = 0;
        for &wave in layer {
            load += case.cost(wave);
            if load > limit {
                (next_fit, load) = (next_fit + 1, case.cost(wave));
            }
        }
        if layer.iter().map(|&wave| case.cost(wave)).sum::<u128>() <= limit {
            rule(mine.len() == 1, "a layer that fits is whole")?;
        } else if layer.len() <= SHORT_WAVES {
            let first_fit = first_fit_decreasing(case, layer, limit);
            rule(mine.len() == next_fit.min(first_fit), "the groups of next-fit or first-fit decreasing")?;
        } else {
            rule(mine.len() <= next_fit, "never more groups than next-fit")?;
        }
        if layer.len() <= BRUTE_MAX {
            // First-fit decreasing keeps this bound (Dósa, 2007), and the planner is never worse.
            let fewest = fewest_groups(case, layer, limit);
            rule(mine.len() >= fewest && 9 * mine.len() <= 11 * fewest + 6, "near the fewest groups possible")?;
        }
    }
    rule(groups.next().is_none(), "there are no groups but those of the layers")?;
    let group_of = |wave: WaveId| plan.groups().position(|group| group.contains(&wave));
    rule(case.edges.iter().all(|edge| group_of(edge.before) < group_of(edge.after)), "each edge crosses a barrier")
}

fn check_totals(case: &TestCase, plan: &Plan) -> Verdict {
    let peak = |bytes: &dyn Fn(&Wave) -> u64| {
        let sum = |group: &[WaveId]| group.iter().map(|wave| bytes(&case.waves[wave.0 as usize])).sum();
        plan.groups().map(sum).max().unwrap_or(0)
    };
    let peaks = (plan.peak_frontier_bytes, plan.peak_scratch_bytes, plan.peak_output_bytes);
    let exact = (peak(&|wave| wave.frontier_bytes), peak(&|wave| wave.scratch_bytes), peak(&|wave| wave.output_bytes));
    rule(peaks == exact, "the peaks are exact")?;
    let cost = |group: &[WaveId]| group.iter().map(|&wave| case.cost(wave)).sum::<u128>();
    rule(
        u128::from(plan.peak_group_bytes) == plan.groups().map(cost).max().unwrap_or(0),
        "the largest group is exact",
    )?;
    let by_text = plan
        .sums
        .iter()
        .map(|sum| u128::from(sum.frontier_bytes) + 4 * u128::from(sum.scratch_bytes) + u128::from(sum.output_bytes));
    rule(by_text.eq(plan.groups().map(cost)), "the sums are those of the groups")?;
    let readback = case.measured_readback_bytes.max(plan.peak_output_bytes);
    rule(plan.readback_bytes == readback, "readback is what was measured or the outputs' peak")?;
    rule(plan.widest_group_waves as usize == plan.groups().map(<[_]>::len).max().unwrap_or(0), "the widest is exact")?;
    let groups = plan.groups().len();
    rule(
        plan.memory_splits as usize == groups - case.layers.groups().len(),
        "splits are the groups beyond the layers",
    )?;
    rule(plan.global_barriers() == groups.saturating_sub(1), "a barrier stands between groups")
}

/// The groups of a layer if each wave, the costliest first, goes into the first with room for it.
pub(super) fn first_fit_decreasing(case: &TestCase, layer: &[WaveId], limit: u128) -> usize {
    let mut costs: Vec<u128> = layer.iter().map(|&wave| case.cost(wave)).collect();
    costs.sort_unstable_by(|a, b| b.cmp(a));
    let least = costs.last().copied().unwrap_or(0);
    let (mut loads, mut full): (Vec<u128>, _) = (Vec::new(), 0);
    for cost in costs {
        while loads.get(full).is_some_and(|load| load + least > limit) {
            full += 1;
        }
        match loads[full..].iter_mut().find(|load| **load + cost <= limit) {
            Some(load) => *load += cost,
            None => loads.push(cost),
        }
    }
    loads.len()
}

/// The fewest groups that hold a layer, over all ways to group it.
fn fewest_groups(case: &TestCase, layer: &[WaveId], limit: u128) -> usize {
    let cost = |set: usize| {
        let members = layer.iter().enumerate().filter(|&(i, _)| set >> i & 1 == 1);
        members.map(|(_, &wave)| case.cost(wave)).sum::<u128>()
    };
    let mut fewest = vec![0; 1 << layer.len()];
    for set in 1..fewest.len() {
        let mut best = usize::MAX;
        let mut group = set;
        while group > 0 {
            if cost(group) <= limit {
                best = best.min(fewest[set & !group] + 1);
            }
            group = (group - 1) & set;
        }
        fewest[set] = best;
    }
    fewest[fewest.len() - 1]
}

/// Which promise the live bytes of a proved plan break, if any. Reads are the edges.
pub fn check_live(case: &TestCase, plan: &Plan, outcome: &std::result::Result<Live, Error>) -> Verdict {
    let group_of = |wave: WaveId| plan.groups().position(|group| group.contains(&wave));
    let mut exact = Vec::new();
    for (i, group) in plan.groups().enumerate() {
        let mut bytes = group.iter().map(|&wave| case.cost(wave)).sum::<u128>();
        for earlier in plan.groups().take(i).flatten() {
            let read = case.edges.iter().any(|edge| edge.before == *earlier && group_of(edge.after) >= Some(i));
            bytes += if read { u128::from(case.waves[earlier.0 as usize].output_bytes) } else { 0 };
        }
        exact.push(bytes);
    }
    let over = exact.iter().any(|&bytes| bytes > u128::from(u64::MAX));
    match outcome {
        Err(Error::Bytes(_)) => rule(over, "what fits 64 bits is counted"),
        Err(_) => Err("edges are good reads"),
        Ok(live) => {
            rule(live.group_bytes.iter().map(|&bytes| u128::from(bytes)).eq(exact), "live bytes are exact")?;
            let peak = live.group_bytes.iter().max().copied().unwrap_or(0);
            let first = live.group_bytes.iter().position(|&bytes| bytes == peak).unwrap_or(0);
            rule((live.peak_bytes, live.peak_group as usize) == (peak, first), "the first peak is named")
        }
    }
}
