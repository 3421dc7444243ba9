//! Proves a plan from its graph, without looking at how it was made.
//!
//! Every pair of what the graph has in one list, in its order: where both touch the same data and one changes it,
//! the first must be over before the second begins. Waves of one stage are a graph of their own, whose order the
//! planner of graphs keeps, and its checker proves.

use std::collections::BTreeMap;

use crate::graph::{Graph, Item};
use crate::plan::{Node, Op, Plan};
use crate::touch::Touch;

/// How a plan is not what its graph says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0:?} is done {1} times")]
    Times(Node, usize),
    #[error("{0:?} is to come before {1:?}")]
    Order(Node, Node),
    #[error("loop {0} has other things in it, or stands elsewhere")]
    Loop(usize),
    #[error("there is more than the graph has")]
    More,
}

/// When something begins and when it is over: by step, and in it.
type Span = (usize, usize);

pub(crate) fn check(graph: &Graph, plan: &Plan) -> Result<(), Error> {
    let mut spans: BTreeMap<Node, Vec<Span>> = BTreeMap::new();
    for (at, op) in plan.ops.iter().enumerate() {
        let (units, exchanges) = match op {
            Op::Run { units } => (&units[..], &[][..]),
            Op::Exchange { exchanges, beside } => (&beside[..], &exchanges[..]),
            Op::Begin { .. } | Op::End { .. } => (&[][..], &[][..]),
        };
        for node in units.iter().map(|&at| Node::Unit(at)).chain(exchanges.iter().map(|&at| Node::Exchange(at))) {
            spans.entry(node).or_default().push((at, at));
        }
    }
    let mut next = Next::default();
    let whole = (0, plan.ops.len());
    level(graph, plan, &graph.items, whole, &mut next, &spans)?;
    let all = next.units + next.exchanges;
    if spans.len() != all || plan.ops.iter().filter(|op| matches!(op, Op::Begin { .. })).count() != next.loops {
        return Err(Error::More);
    }
    Ok(())
}

/// Numbers are given in the order of the graph.
#[derive(Default)]
struct Next {
    units: usize,
    exchanges: usize,
    loops: usize,
}

/// The number, which is one more the next time.
fn count(next: &mut usize) -> usize {
    *next += 1;
    *next - 1
}

fn level(
    graph: &Graph,
    plan: &Plan,
    items: &[Item],
    within: Span,
    next: &mut Next,
    spans: &BTreeMap<Node, Vec<Span>>,
) -> Result<(), Error> {
    let mut done: Vec<(Option<Node>, Touch, Span)> = Vec::new();
    for item in items {
        let (node, touch, span) = match item {
            Item::Loop(looped) => {
                let at = count(&mut next.loops);
                let is_it = |op: &Op| matches!(op, Op::Begin { at: of, .. } if *of == at);
                let begin = plan.ops.iter().position(is_it).ok_or(Error::Loop(at))?;
                let Op::Begin { end, .. } = plan.ops[begin] else { return Err(Error::Loop(at)) };
                if plan.ops.get(end) != Some(&Op::End { begin }) || begin < within.0 || end >= within.1 {
                    return Err(Error::Loop(at));
                }
                level(graph, plan, &looped.items, (begin + 1, end), next, spans)?;
                // It stands for all that is in it: nothing passes it.
                if done.iter().any(|(.., span)| span.1 >= begin) {
                    return Err(Error::Loop(at));
                }
                (None, Touch::default(), (begin, end))
            }
            Item::Unit { .. } | Item::Exchange(_) => {
                let node = match item {
                    Item::Unit { .. } => Node::Unit(count(&mut next.units)),
                    _ => Node::Exchange(count(&mut next.exchanges)),
                };
                let [span] = spans.get(&node).map_or(&[][..], |spans| &spans[..]) else {
                    return Err(Error::Times(node, spans.get(&node).map_or(0, Vec::len)));
                };
                let same = match node {
                    Node::Unit(at) => plan.items.get(at) == Some(item),
                    Node::Exchange(at) => matches!(item, Item::Exchange(of) if plan.exchanges.get(at) == Some(of)),
                };
                if !same || span.0 < within.0 || span.1 >= within.1 {
                    return Err(Error::Times(node, 0));
                }
                (Some(node), Touch::of(graph, item), *span)
            }
        };
        for (before, earlier, over) in &done {
            let together = matches!((before, node), (Some(Node::Unit(_)), Some(Node::Unit(_)))) && *over == span;
            let parts = before.is_none() || node.is_none() || earlier.before(&touch).is_some();
            if parts && !together && over.1 >= span.0 {
                let node = node.unwrap_or(Node::Unit(usize::MAX));
                return Err(Error::Order(before.unwrap_or(node), node));
            }
        }
        done.push((node, touch, span));
    }
    inside(plan, within, &done)
}

/// Nothing of another list stands between a loop's begin and its end.
fn inside(plan: &Plan, within: Span, done: &[(Option<Node>, Touch, Span)]) -> Result<(), Error> {
    let mut depth = 0usize;
    for (at, op) in plan.ops.iter().enumerate().take(within.1).skip(within.0) {
        match op {
            Op::Begin { .. } => depth += 1,
            Op::End { .. } => depth = depth.checked_sub(1).ok_or(Error::More)?,
            Op::Run { .. } | Op::Exchange { .. } => {
                if depth == 0 && !done.iter().any(|(node, _, span)| node.is_some() && *span == (at, at)) {
                    return Err(Error::More);
                }
            }
        }
    }
    if depth == 0 { Ok(()) } else { Err(Error::More) }
}
