//! From a graph to stages: what runs between exchanges, and what runs beside them.
//!
//! An exchange waits for the waves that it depends on, and for nothing else; what depends on it waits for it. Let
//! the depth of a wave or an exchange be how many exchanges stand one after the other before it. Exchanges of one
//! depth start together. Of the waves of that depth, those that one of them needs run before; the others need
//! nothing that is under way, and run beside. So there are as few boundaries as the longest chain has exchanges,
//! and whatever can overlap does. Loops part the list: all before is over when one begins.
//!
//! The plan is the same on each rank but for sizes; [`Plan::digest`] is of what is the same.

mod digest;
mod picture;
mod text;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::error::Error;
use crate::evict;
use crate::exchange::{Exchange, MESSAGE_BYTES_MAX};
use crate::graph::{Graph, Item, Loop, Word};
use crate::stage::{Made, Stage};
use crate::touch::{Touch, Why};

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Waves that run as one graph.
    Run {
        /// By their numbers.
        units: Vec<usize>,
    },
    /// Exchanges that start together.
    Exchange {
        /// By their numbers.
        exchanges: Vec<usize>,
        /// Waves that run meanwhile.
        beside: Vec<usize>,
    },
    /// A loop begins.
    Begin {
        /// Which.
        at: usize,
        /// The step that ends it.
        end: usize,
    },
    /// A turn ends.
    End {
        /// The step that begins it.
        begin: usize,
    },
}

/// Waves or an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// Waves.
    Unit(usize),
    /// An exchange.
    Exchange(usize),
}

/// Why a step waits for what is before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// The step.
    pub op: usize,
    /// What was done before,
    pub before: Node,
    /// what is done by this step,
    pub after: Node,
    /// and what is between them.
    pub why: Why,
}

/// The stages of a graph on a rank, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// This rank.
    pub rank: usize,
    /// How many there are.
    pub ranks: usize,
    /// What to do.
    pub ops: Vec<Op>,
    /// In the order of the steps.
    pub reasons: Vec<Reason>,
    /// By their numbers.
    pub exchanges: Vec<Exchange>,
    /// The names of waves, by the numbers of what they stand in.
    pub units: Vec<Vec<String>>,
    /// On this rank, for data.
    pub data_bytes: u64,
    /// On this rank, for what is sent and received at once.
    pub staging_bytes: u64,
    /// Data that this rank's budget has no room for: it stays in the host's memory, and is on the device only while
    /// waves need it.
    pub evicted: Vec<usize>,
    /// Of what is the same on all ranks.
    pub digest: u64,
    pub(crate) items: Vec<Item>,
    pub(crate) loops: Vec<Looped>,
    /// Names, by data.
    pub(crate) data: Vec<String>,
}

/// A loop of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Looped {
    pub(crate) name: String,
    pub(crate) word: Option<Word>,
    pub(crate) limit: u32,
    pub(crate) must_end: bool,
    pub(crate) swaps: Vec<(usize, usize)>,
}

/// Plans a graph for its rank.
pub(crate) fn plan(graph: &Graph) -> Result<Plan, Error> {
    if let Some(error) = &graph.refused {
        return Err(error.clone());
    }
    if let Some((first, second)) = graph.stray() {
        let (first, second) = (graph.name(first).to_owned(), graph.name(second).to_owned());
        return Err(Error::Swap { first, second, why: "they are in no loop" });
    }
    // Whatever is wrong with waves is found here, as of one graph.
    graph.inner.plan()?;
    let inner = graph.inner.description();
    let data = inner.data.iter().map(|data| data.name.clone()).collect();
    let data_bytes = graph.data.iter().zip(&inner.data).filter(|(ours, _)| ours.is_some()).map(|(_, of)| of.bytes);
    let mut plan = Plan {
        rank: graph.rank,
        ranks: graph.ranks,
        ops: Vec::new(),
        reasons: Vec::new(),
        exchanges: Vec::new(),
        units: Vec::new(),
        data_bytes: data_bytes.fold(0, u64::saturating_add),
        staging_bytes: 0,
        evicted: Vec::new(),
        digest: 0,
        items: Vec::new(),
        loops: Vec::new(),
        data,
    };
    level(graph, &graph.items, &mut plan)?;
    // As of a device whose memory is its own: what is sent and received then goes through the host's.
    let made = Made { graph, part_bytes: MESSAGE_BYTES_MAX, lends: &|_| false, beside: None };
    let staged = |op: &Op| match op {
        Op::Exchange { exchanges, .. } => {
            Stage::new(exchanges.iter().map(|&at| plan.exchanges[at].clone()).collect(), &made).staging_bytes()
        }
        Op::Run { .. } | Op::Begin { .. } | Op::End { .. } => 0,
    };
    plan.staging_bytes = plan.ops.iter().map(staged).max().unwrap_or(0);
    stays(graph, &plan)?;
    plan.digest = digest::of(graph, &plan);
    if let Some(limit_bytes) = graph.budget_bytes {
        let Plan { rank, data_bytes, staging_bytes, .. } = plan;
        match evict::evicted(graph, staging_bytes, limit_bytes) {
            Some(evicted) => plan.evicted = evicted,
            None if data_bytes.saturating_add(staging_bytes) > limit_bytes => {
                return Err(Error::Budget { rank, data_bytes, staging_bytes, limit_bytes });
            }
            // A wave needs too much, and the planner of waves will say which.
            None => {}
        }
    }
    Ok(plan)
}

/// What stands in one loop, or in none.
fn level(graph: &Graph, items: &[Item], plan: &mut Plan) -> Result<(), Error> {
    let mut nodes = Vec::new();
    for item in items {
        match item {
            Item::Unit { waves, .. } => {
                nodes.push((Node::Unit(plan.items.len()), Touch::of(graph, item)));
                plan.items.push(item.clone());
                let waves = &graph.inner.description().waves[waves.clone()];
                plan.units.push(waves.iter().map(|wave| wave.name.to_string()).collect());
            }
            Item::Exchange(exchange) => {
                nodes.push((Node::Exchange(plan.exchanges.len()), Touch::of(graph, item)));
                plan.exchanges.push(exchange.clone());
            }
            Item::Loop(looped) => {
                stages(graph, &std::mem::take(&mut nodes), plan);
                repeat(graph, looped, plan)?;
            }
        }
    }
    stages(graph, &nodes, plan);
    Ok(())
}

fn repeat(graph: &Graph, looped: &Loop, plan: &mut Plan) -> Result<(), Error> {
    let Loop { name, items, word, limit, must_end, swaps } = looped;
    if word.is_none() && limit.is_none() {
        return Err(Error::Endless { name: name.clone() });
    }
    let (at, begin) = (plan.loops.len(), plan.ops.len());
    let (name, limit, must_end) = (name.clone(), limit.unwrap_or(u32::MAX), *must_end);
    plan.loops.push(Looped { name, word: *word, limit, must_end, swaps: swaps.clone() });
    plan.ops.push(Op::Begin { at, end: 0 });
    level(graph, items, plan)?;
    plan.ops[begin] = Op::Begin { at, end: plan.ops.len() };
    plan.ops.push(Op::End { begin });
    Ok(())
}

/// Stages for waves and exchanges that stand one after the other.
fn stages(graph: &Graph, nodes: &[(Node, Touch)], plan: &mut Plan) {
    let why = |before: usize, after: usize| {
        nodes[before].1.before(&nodes[after].1).or_else(|| follows(graph, plan, nodes, before, after))
    };
    let is_exchange = |at: usize| matches!(nodes[at].0, Node::Exchange(_));
    let mut depths = vec![0; nodes.len()];
    // Of each, the one before it that it waits for, and that is deepest.
    let mut reasons: Vec<Option<(usize, Why)>> = vec![None; nodes.len()];
    let mut edges = Vec::new();
    for after in 0..nodes.len() {
        for before in 0..after {
            let Some(why) = why(before, after) else { continue };
            edges.push((before, after));
            let depth = depths[before] + usize::from(is_exchange(before));
            // Waves of one stage wait for each other inside of it.
            if is_exchange(before) || is_exchange(after) {
                let deeper =
                    reasons[after].is_none_or(|(other, _)| depth >= depths[other] + usize::from(is_exchange(other)));
                if deeper {
                    reasons[after] = Some((before, why));
                }
            }
            depths[after] = depths[after].max(depth);
        }
    }
    // Of waves: whether an exchange of the same depth needs it.
    let mut needed = vec![false; nodes.len()];
    for &(before, after) in edges.iter().rev() {
        needed[before] |=
            !is_exchange(before) && depths[before] == depths[after] && (is_exchange(after) || needed[after]);
    }
    for depth in 0..=depths.iter().copied().max().unwrap_or(0) {
        let of = |exchanges: bool, need: bool| {
            let this = |&at: &usize| depths[at] == depth && is_exchange(at) == exchanges && needed[at] == need;
            (0..nodes.len()).filter(this).collect::<Vec<_>>()
        };
        let (before, exchanges, beside) = (of(false, true), of(true, false), of(false, false));
        let units = |of: &[usize]| of.iter().map(|&at| number(nodes[at].0)).collect::<Vec<_>>();
        if !before.is_empty() {
            explain(&before, nodes, &reasons, plan);
            plan.ops.push(Op::Run { units: units(&before) });
        }
        if !exchanges.is_empty() {
            explain(&exchanges, nodes, &reasons, plan);
            explain(&beside, nodes, &reasons, plan);
            plan.ops.push(Op::Exchange { exchanges: units(&exchanges), beside: units(&beside) });
        } else if !beside.is_empty() {
            explain(&beside, nodes, &reasons, plan);
            plan.ops.push(Op::Run { units: units(&beside) });
        }
    }
}

fn number(node: Node) -> usize {
    let (Node::Unit(at) | Node::Exchange(at)) = node;
    at
}

/// Adds the reasons of what the next step does.
fn explain(which: &[usize], nodes: &[(Node, Touch)], reasons: &[Option<(usize, Why)>], plan: &mut Plan) {
    let op = plan.ops.len();
    let reason = |&after: &usize| {
        let (before, why) = reasons[after]?;
        Some(Reason { op, before: nodes[before].0, after: nodes[after].0, why })
    };
    let found: Vec<Reason> = which.iter().filter_map(reason).collect();
    plan.reasons.extend(found);
}

/// Whether waves say by name that they come after others.
fn follows(graph: &Graph, plan: &Plan, nodes: &[(Node, Touch)], before: usize, after: usize) -> Option<Why> {
    let waves = |node: Node| match node {
        Node::Unit(at) => match &plan.items[at] {
            Item::Unit { waves, .. } => &graph.inner.description().waves[waves.clone()],
            Item::Exchange(_) | Item::Loop(_) => unreachable!("invariant units: they are waves"),
        },
        Node::Exchange(_) => &[],
    };
    let names = |name: &String| waves(nodes[before].0).iter().any(|wave| *wave.name == **name);
    waves(nodes[after].0).iter().flat_map(|wave| &wave.after).any(names).then_some(Why::After)
}

/// Whether what waves brought along is needed by one stage only.
fn stays(graph: &Graph, plan: &Plan) -> Result<(), Error> {
    let mut stages = BTreeMap::new();
    for (op, step) in plan.ops.iter().enumerate() {
        let (Op::Run { units } | Op::Exchange { beside: units, .. }) = step else { continue };
        for &unit in units {
            for data in Touch::of(graph, &plan.items[unit]).all().filter(|&data| graph.data[data].is_none()) {
                if *stages.entry(data).or_insert(op) != op {
                    return Err(Error::Crosses { data: graph.name(data).to_owned() });
                }
            }
        }
    }
    Ok(())
}
