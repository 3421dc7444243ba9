//! Strip-mining: a loop over strips of a counting loop, so that turns of the loop inside need no poll however many
//! there are: only the loop around it asks whether to stop, once for each strip.
//!
//! The strip from `counter` ends at `counter + min(end - counter, strip)`. That is at most `end`, so it does not wrap,
//! and what `end` is known to lie within, each strip does. Each strip has a turn, for `counter < end` holds before the
//! first one and is asked before each that follows. The loop inside leaves at the end of its strip with all that the
//! next turn or the loop's own exit wants; that exit is then taken outside of it.

use super::copy::Copy;
use crate::fold::Literals;
use crate::ir::{Binary, End, Function, LabelKind, Node, Region, Turns, Ty, Value};

/// How a loop is divided.
pub(super) struct Strips {
    /// Which of its parameters counts.
    pub(super) at: usize,
    pub(super) end: Value,
    /// How far the counter goes in one strip.
    pub(super) strip: u32,
}

impl Strips {
    /// The loop over strips of a loop that ends in a test of its counter and goes by steps that do not wrap. The
    /// loop inside it keeps its label.
    pub(super) fn divide(&self, f: &mut Function, literals: &mut Literals, node: Node) -> Node {
        let Node::Loop { label, params, init, mut body } = node else { unreachable!("invariant strips: of a loop") };
        let (Some(test), End::Jump(_, args)) = (body.nodes.pop(), body.end.clone()) else {
            unreachable!("invariant strips: a loop that ends in a test goes back after it")
        };
        let Some(exit) = test.exit() else { unreachable!("invariant strips: a loop ends in its exit") };
        let mut carried = args.clone();
        carried.extend(wanted(f, exit.arm, &args, &params, &body));
        if ![&body, exit.arm].into_iter().any(|region| region.uses(f).contains_key(&exit.condition)) {
            body.nodes.retain(|node| *node != Node::Let(exit.condition));
        }
        let outer = f.loop_like(label);
        let [starts, results] =
            [&params, &carried].map(|like| like.iter().map(|&value| f.param_like(value)).collect::<Vec<Value>>());
        let mut nodes = Vec::new();
        let left = f.binary(Binary::Sub, self.end, starts[self.at], &mut nodes);
        let strip = literals.value(f, Ty::U32, self.strip.into());
        let way = f.binary(Binary::Min, left, strip, &mut nodes);
        let stop = f.binary(Binary::Add, starts[self.at], way, &mut nodes);
        let inside = f.label(LabelKind::Block);
        leave(
            f,
            &mut body.nodes,
            (args[self.at], stop),
            Region { nodes: Vec::new(), end: End::Jump(inside, carried.clone()) },
        );
        let inner =
            Region { nodes: vec![Node::Loop { label, params, init: starts.clone(), body }], end: End::Unreachable };
        nodes.push(Node::Block { label: inside, body: inner, results: results.clone() });
        let arm = Copy::new(f, literals, &carried, &results).region(exit.arm);
        leave(f, &mut nodes, (results[self.at], self.end), arm);
        let back = End::Jump(outer, results[..args.len()].to_vec());
        Node::Loop { label: outer, params: starts, init, body: Region { nodes, end: back } }
    }
}

/// Leaves where a counter is not below a bound.
fn leave(f: &mut Function, nodes: &mut Vec<Node>, (next, bound): (Value, Value), arm: Region) {
    let condition = f.binary(Binary::Ge, next, bound, nodes);
    nodes.push(Node::If { condition, accept: arm, reject: Region::default(), results: Vec::new() });
}

/// What an exit wants of the turn that it leaves, besides what the next turn does.
fn wanted(f: &Function, arm: &Region, args: &[Value], params: &[Value], body: &Region) -> Vec<Value> {
    let turns = Turns::of(params, body);
    let wants = |value: &Value| turns.make(*value) && !args.contains(value);
    let mut wanted: Vec<Value> = arm.uses(f).into_keys().filter(wants).collect();
    wanted.sort();
    wanted
}
