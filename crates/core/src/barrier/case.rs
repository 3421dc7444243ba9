//! A case for the planner and the proof of its answer: one for tests and for fuzzing.
//!
//! The proof knows nothing of levels or rows. Small cases are settled by trying every way
//! to fill the groups; larger ones by stating the longest path as a fixpoint.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{Edge, Error, Plan, WaveId, plan};

/// Waves of the largest case.
const WAVES_MAX: u32 = 48;
/// Waves up to which every way to fill the groups is tried.
const BRUTE_MAX: usize = 8;

/// A graph, or what claims to be one.
#[derive(Debug, Clone)]
pub struct TestCase {
    /// How many waves.
    pub waves: u32,
    /// Between them, mostly.
    pub edges: Vec<Edge>,
}

impl<'a> Arbitrary<'a> for TestCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let waves_max = if u.ratio(1, 2)? { BRUTE_MAX as u32 } else { WAVES_MAX };
        let waves = u.int_in_range(0..=waves_max)?;
        // A stray id now and then, and in half of the cases edges that cannot form a cycle.
        let last = if waves == 0 || u.ratio(1, 32)? { waves + 1 } else { waves - 1 };
        let acyclic = u.ratio(1, 2)?;
        let mut edges = Vec::new();
        for _ in 0..u.int_in_range(0..=2 * waves)? {
            let (a, b) = (u.int_in_range(0..=last)?, u.int_in_range(0..=last)?);
            if a != b || u.ratio(1, 32)? {
                edges.push(if acyclic { Edge::new(a.min(b), a.max(b)) } else { Edge::new(a, b) });
            }
        }
        if u.ratio(1, 2)? {
            edges.sort_unstable();
        }
        if acyclic && u.ratio(1, 2)? {
            // Turned round, so that lower ids no longer come first.
            for edge in &mut edges {
                *edge = Edge { before: edge.after, after: edge.before };
            }
        }
        Ok(Self { waves, edges })
    }
}

impl TestCase {
    /// Plans the case and proves the answer.
    pub fn run(&self) {
        if let Err(broken) = check(self, &plan(self.waves, &self.edges)) {
            panic!("{broken}: {self:?}");
        }
    }
}

/// Which promise `outcome` breaks, if any.
pub fn check(case: &TestCase, outcome: &std::result::Result<Plan, Error>) -> std::result::Result<(), &'static str> {
    let rule = |kept: bool, broken: &'static str| if kept { Ok(()) } else { Err(broken) };
    let fault = case.edges.iter().position(|e| e.before.0.max(e.after.0) >= case.waves || e.before == e.after);
    match (fault, longest_paths(case), outcome) {
        (Some(at), _, Err(Error::UnknownWave { edge, wave, waves })) => {
            let Edge { before, after } = case.edges[at];
            let named = if before.0 >= case.waves { before } else { after };
            rule((*edge, *wave, *waves) == (at, named, case.waves), "the first faulty edge is named")
        }
        (Some(at), _, Err(Error::SelfEdge { edge, wave })) => {
            let looped = case.edges[at].before == *wave && case.edges[at].after == *wave;
            rule(*edge == at && looped && wave.0 < case.waves, "the first faulty edge is named")
        }
        (None, None, Err(Error::Cycle { waves })) => {
            rule(waves.iter().min() == waves.first(), "a cycle starts at its lowest wave")?;
            let mut distinct = waves.clone();
            distinct.sort_unstable();
            distinct.dedup();
            rule(distinct.len() == waves.len() && waves.len() > 1, "a cycle passes a wave once")?;
            let mut steps = waves.iter().zip(waves.iter().cycle().skip(1));
            let real = steps.all(|(&before, &after)| case.edges.contains(&Edge { before, after }));
            rule(real, "each step of a cycle is an edge")
        }
        (None, Some(levels), Ok(plan)) => {
            let groups = levels.iter().max().map_or(0, |last| last + 1);
            let model = (0..groups).map(|group| {
                let waves = levels.iter().enumerate().filter(move |&(_, &level)| level == group);
                waves.map(|(wave, _)| WaveId(wave as u32)).collect::<Vec<_>>()
            });
            rule(plan.groups().eq(model), "each wave stands once, as early as it can, ascending")?;
            rule(plan.offsets.first() == Some(&0), "offsets start at 0")?;
            rule(plan.global_barriers() == groups.saturating_sub(1), "a barrier stands between groups")?;
            rule(levels.len() > BRUTE_MAX || earliest(case) == levels, "no other plan is earlier or shorter")
        }
        (None, None, Ok(_)) => Err("a cycle is refused"),
        (Some(_), _, Ok(_)) => Err("a faulty edge is refused"),
        (_, _, Err(_)) => Err("the error is the right one"),
    }
}

/// For each wave the edges of the longest path to it; nothing if there is a cycle or a fault.
fn longest_paths(case: &TestCase) -> Option<Vec<usize>> {
    let mut levels = vec![0; case.waves as usize];
    for _ in 0..=case.waves {
        let before = levels.clone();
        for edge in &case.edges {
            let from = *levels.get(edge.before.0 as usize)?;
            let to = levels.get_mut(edge.after.0 as usize)?;
            *to = (from + 1).max(*to);
        }
        if before == levels {
            return Some(levels);
        }
    }
    None
}

/// The earliest group that each wave has in any valid plan, over all sequences of groups.
fn earliest(case: &TestCase) -> Vec<usize> {
    let waves = case.waves as usize;
    let needs = |wave: usize| {
        let into = case.edges.iter().filter(move |edge| edge.after.0 as usize == wave);
        into.fold(0_usize, |mask, edge| mask | 1 << edge.before.0)
    };
    // Fewest groups after which exactly the waves of a set have run.
    let mut fewest = vec![usize::MAX; 1 << waves];
    fewest[0] = 0;
    let mut earliest = vec![usize::MAX; waves];
    for done in 0..1_usize << waves {
        if fewest[done] == usize::MAX {
            continue;
        }
        let ready = (0..waves).filter(|&wave| done >> wave & 1 == 0 && needs(wave) & !done == 0);
        let ready = ready.fold(0, |mask, wave| mask | 1 << wave);
        for wave in (0..waves).filter(|wave| ready >> wave & 1 == 1) {
            earliest[wave] = earliest[wave].min(fewest[done]);
        }
        let mut group = ready;
        while group > 0 {
            fewest[done | group] = fewest[done | group].min(fewest[done] + 1);
            group = (group - 1) & ready;
        }
    }
    earliest
}
