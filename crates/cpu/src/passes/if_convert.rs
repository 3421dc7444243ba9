//! If-conversion of conditional appends: `if keep { list[n] = x; n += 1; }` without a branch.
//!
//! Whether an element is kept depends on data, so that a processor guesses the branch wrong as often as not, which costs
//! as much as some twenty such stores. Here the store is predicated: it goes to the list where the condition holds, and
//! to a place that nobody reads where it does not; and what the branch gave is chosen by the condition (Allen, Kennedy,
//! Porterfield, Warren, "Conversion of control dependence to data dependence", 1983).
//!
//! Only lanes that go alone: side by side they have no branches but masks. And only where the place is what the branch
//! counts on, and there is little else in it: what is seldom done should not be paid for in every turn.

use crate::cost;
use crate::divergence::Shapes;
use crate::ir::{Address, Binary, End, Function, Node, Op, Region, Value};

const NAME: &str = "if-convert";

/// Turns branches around appends into predicated stores.
pub(super) fn if_convert(f: &mut Function, shapes: &Shapes) -> bool {
    if shapes.width > 1 {
        return false;
    }
    let mut body = std::mem::take(&mut f.body);
    let changed = region(f, &mut body, false);
    f.body = body;
    changed
}

fn region(f: &mut Function, at: &mut Region, in_loop: bool) -> bool {
    let (mut nodes, mut changed) = (Vec::with_capacity(at.nodes.len()), false);
    for mut node in std::mem::take(&mut at.nodes) {
        if in_loop && let Some((condition, is_brief)) = appends(f, &node) {
            if is_brief {
                convert(f, node, &mut nodes);
                changed = true;
                continue;
            }
            f.missed(NAME, condition, "the branch does more than append by a few plain operations");
        }
        let in_loop = in_loop || matches!(node, Node::Loop { .. });
        node.regions_mut().for_each(|inner| changed |= region(f, inner, in_loop));
        nodes.push(node);
    }
    at.nodes = nodes;
    changed
}

/// The condition of a branch that stores at a place which it counts on, and whether it stores one value and does little
/// else.
fn appends(f: &Function, node: &Node) -> Option<(Value, bool)> {
    let Node::If { condition, accept, reject, .. } = node else { return None };
    let (End::Fall(_), End::Fall(stays), []) = (&accept.end, &reject.end, &reject.nodes[..]) else { return None };
    let mut stores = accept.nodes.iter().filter_map(|node| match node {
        Node::Store { at, .. } => Some(at),
        _ => None,
    });
    let (at, is_one) = (stores.next()?, stores.next().is_none());
    let plain = |node: &Node| match node {
        Node::Let(value) => cost::is_plain(f, *value),
        Node::Store { .. } => true,
        _ => false,
    };
    let brief = accept.nodes.len() <= cost::BRANCH_NODES && accept.nodes.iter().all(plain);
    stays.iter().any(|&place| is_at(f, at, place)).then_some((*condition, is_one && brief))
}

/// Whether the place is counted from a number, which something may have been added to.
fn is_at(f: &Function, at: &Address, place: Value) -> bool {
    let counts = |index: Value| {
        index == place || matches!(*f.op(index), Op::Binary(Binary::Add, a, b) if a == place || b == place)
    };
    f.constant(place).is_none() && at.terms.iter().any(|term| counts(term.index))
}

fn convert(f: &mut Function, node: Node, nodes: &mut Vec<Node>) {
    let Node::If { condition: when, accept, reject, results } = node else { return };
    let (End::Fall(yes), End::Fall(no)) = (accept.end, reject.end) else { return };
    f.done(NAME, when, "what is appended is stored without a branch, which would be guessed wrong");
    nodes.extend(accept.nodes.into_iter().map(|node| match node {
        Node::Store { at, value, .. } => Node::Store { at, value, when: Some(when) },
        node => node,
    }));
    for ((result, yes), no) in results.into_iter().zip(yes).zip(no) {
        f.values[result.index()].op = Op::Select(when, yes, no);
        nodes.push(Node::Let(result));
    }
}
