//! What a region of code costs.

use super::{BRANCH_NODES, BY_LANE, TURNS, UNSWITCH_REST_NODES};
use crate::ir::remark::At;
use crate::ir::{Binary, End, Function, Helper, Label, Node, Op, Region, Ty, Value};

/// How many plain operations a value is worth.
fn of(f: &Function, value: Value) -> u64 {
    match f.op(value) {
        Op::Call(Helper::Fma | Helper::FmaD, _) => 1,
        Op::Call(..) | Op::Atomic { .. } | Op::Subgroup(..) => BY_LANE,
        Op::Run(callee, _) => f.calls[*callee as usize].max(BY_LANE),
        Op::Binary(Binary::Div | Binary::Rem, a, _) if f.ty(*a) != Ty::F32 => BY_LANE,
        _ => 1,
    }
}

/// Whether a value is made of its operands by one plain operation.
pub(crate) fn is_plain(f: &Function, value: Value) -> bool {
    f.op(value).is_arithmetic() && of(f, value) == 1
}

/// Roughly how much a region does, each loop once.
pub(crate) fn work(f: &Function, region: &Region) -> u64 {
    weigh(f, region, &mut |_, once| once)
}

/// Roughly how much a region does; `turns` tells it of a loop, of which one turn does so much.
pub(crate) fn weigh(f: &Function, region: &Region, turns: &mut dyn FnMut(&Node, u64) -> u64) -> u64 {
    let node = |node: &Node| match node {
        Node::Let(value) => of(f, *value),
        node => {
            let once = node.regions().map(|region| weigh(f, region, turns)).fold(0, u64::saturating_add);
            let all = if let Node::Loop { .. } = node { turns(node, once) } else { once };
            all.saturating_add(1)
        }
    };
    region.nodes.iter().map(node).fold(0, u64::saturating_add)
}

/// How often a body reads or writes memory, each loop once.
pub(crate) fn accesses(f: &Function, body: &Region) -> u64 {
    let mut accesses = 0;
    body.accesses(f, &mut |_| accesses += 1);
    accesses
}

/// Loads of a body whose values wait for the end of it.
pub(crate) fn loads(f: &Function, body: &Region) -> u64 {
    let (mut loads, mut wanted) = (0, false);
    body.visit(&mut |region| {
        for node in &region.nodes {
            match node {
                Node::Let(value) => match f.op(*value) {
                    Op::Load { .. } => loads += 1,
                    op => wanted |= op.has_effect(),
                },
                Node::Store { .. } | Node::Barrier | Node::Group(_) => wanted = true,
                Node::If { .. } | Node::Block { .. } | Node::Loop { .. } => {}
            }
        }
    });
    if wanted { 0 } else { loads }
}

/// Operations of one invocation, taking some turns for each loop; `callees` are those of functions.
pub(crate) fn operations(f: &Function, callees: &[u64], region: &Region, weight: u64) -> u64 {
    let node = |node: &Node| match node {
        Node::Let(value) => match f.op(*value) {
            Op::Run(callee, _) => weight.saturating_mul(callees[*callee as usize]),
            _ => weight.saturating_mul(of(f, *value)),
        },
        Node::Store { .. } | Node::Barrier => weight,
        Node::Group(group) => group.region().map_or(0, |body| operations(f, callees, body, weight)),
        Node::If { accept, reject, .. } => {
            operations(f, callees, accept, weight).saturating_add(operations(f, callees, reject, weight))
        }
        Node::Block { body, .. } => operations(f, callees, body, weight),
        // Strips of a loop are the loop once more.
        Node::Loop { label, body, .. } if is_again(f, *label, body) => operations(f, callees, body, weight),
        Node::Loop { body, .. } => operations(f, callees, body, weight.saturating_mul(TURNS)),
    };
    region.nodes.iter().map(node).fold(0, u64::saturating_add)
}

/// Whether a loop inside another is the same in the source.
fn is_again(f: &Function, label: Label, body: &Region) -> bool {
    let span = |of: Label| f.span(At::Loop(of));
    let Some(here) = span(label) else { return false };
    let mut again = false;
    body.visit(&mut |region| {
        again |= region.nodes.iter().any(|node| matches!(node, Node::Loop { label, .. } if span(*label) == Some(here)));
    });
    again
}

/// How many nodes a region has, if there is no loop in it.
pub(crate) fn straight(region: &Region) -> Option<usize> {
    if !matches!(region.end, End::Fall(_)) {
        return None;
    }
    let node = |node: &Node| match node {
        Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => Some(1),
        Node::If { accept, reject, .. } => Some(1 + straight(accept)? + straight(reject)?),
        Node::Block { .. } | Node::Loop { .. } => None,
    };
    region.nodes.iter().map(node).sum()
}

/// Whether nodes are so few that unswitching may write them twice.
pub(crate) fn is_brief(nodes: &[Node]) -> bool {
    fn room(nodes: &[Node], left: usize) -> Option<usize> {
        nodes.iter().try_fold(left, |left, node| match node {
            Node::Loop { .. } => None,
            node => node.regions().try_fold(left.checked_sub(1)?, |left, region| room(&region.nodes, left)),
        })
    }
    room(nodes, UNSWITCH_REST_NODES).is_some()
}

/// Whether nodes are worth a branch around them, or must not run for nobody.
pub(crate) fn is_worth_a_branch(f: &Function, nodes: &[Node]) -> bool {
    // What has an effect has a mask of its own.
    let plain = |node: &Node| matches!(node, Node::Let(value) if of(f, *value) == 1 || f.op(*value).has_effect());
    nodes.len() > BRANCH_NODES || !nodes.iter().all(plain)
}
