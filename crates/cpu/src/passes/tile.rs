//! Tiling of workgroups: some of them go through an interchanged loop together, so that what they read is one long row.
//!
//! A workgroup that strides over a buffer reads a row in each turn, and then jumps far ahead; the row beside it is the
//! next workgroup's, and comes much later. Memory gives few long rows sooner than many short ones. So the loop over
//! workgroups goes inside the loop of turns: each turn is taken by one workgroup after the other, in scratch memory of
//! its own, where everything is kept that it has made. A turn is taken if all of them can: whoever could go on has the
//! rest of its turns done by the loop that follows, as a workgroup has that not all of its invocations stay in.
//!
//! Workgroups may run in any order, and may stop between any two of their steps for others to go on: none can tell, for
//! each has scratch memory of its own, and what one writes no other may read without a race. What is uniform and crosses
//! from one part to the next is kept in slots, one for each workgroup; whether all of them go on is one for all.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::join::{Renames, rename_within};
use crate::cost;
use crate::divergence::Shapes;
use crate::ir::{Back, Binary, End, Function, Group, Label, Memory, Node, Op, Region, Shape, Slot, Ty, Unary, Value};

const NAME: &str = "tile";

/// Puts loops over workgroups inside of interchanged loops.
pub(super) fn tile(f: &mut Function, _: &Shapes) -> bool {
    let Some(interchanged) = f.interchanged.iter().find(|at| at.rest.is_some()).map(|at| at.label) else {
        return false;
    };
    match count(f) {
        Ok(count) => {
            f.done(NAME, interchanged, format!("{count} workgroups side by side, as what they read"));
            f.tile = count;
            Tile::new(f).body();
            true
        }
        Err(because) => {
            f.missed(NAME, interchanged, because);
            false
        }
    }
}

/// How many workgroups should go together.
fn count(f: &Function) -> Result<u32, &'static str> {
    if !f.calls.is_empty() {
        return Err("functions are called");
    }
    if f.memories.iter().any(|memory| matches!(memory, Memory::Private { .. })) {
        return Err("invocations have memory of their own");
    }
    let turns = |node: &Node| turn(f, node).is_some();
    let first = f.body.nodes.iter().position(turns).ok_or("there are branches or loops around it")?;
    let labels: Vec<Label> = f.body.nodes.iter().filter_map(|node| turn(f, node)).collect();
    let rows = f.interchanged.iter().filter(|at| labels.contains(&at.label)).filter_map(|at| at.row);
    let row = rows.max().ok_or("what the next workgroup reads does not lie beside it")?;
    let room = cost::TILE_SCRATCH_BYTES / f.workgroup_bytes.max(1);
    let count = (cost::TILE_ROW_BYTES / row.max(1))
        .min(cost::TILE_WORKGROUPS)
        .min(u32::try_from(room).unwrap_or(cost::TILE_WORKGROUPS));
    if count <= 1 {
        return Err("one workgroup reads or keeps enough");
    }
    if f.body.nodes[..first].iter().any(Node::leaves) {
        return Err("there is an early exit before it");
    }
    Ok(count)
}

/// The label of the loop of turns that a node is: a block that ends in an interchanged loop, which is left by one exit
/// right after what that is made of.
fn turn(f: &Function, node: &Node) -> Option<Label> {
    let Node::Block { label: out, body, .. } = node else { return None };
    let (Node::Loop { label, body: turn, .. }, before) = body.nodes.split_last()? else { return None };
    let known = f.interchanged.iter().any(|at| at.label == *label && at.rest.is_some());
    let at = turn.nodes.iter().position(|node| node.exit().is_some())?;
    let exit = turn.nodes[at].exit()?;
    let leaves = matches!(&exit.arm.end, End::Jump(to, _) if to == out) && body.jumps(*out) == 1;
    let back = matches!(turn.back(*label), Back::End(_));
    let test = turn.nodes[..at].iter().all(|node| matches!(node, Node::Let(_)));
    let whole = before.iter().chain(&turn.nodes[at + 1..]).chain(&exit.arm.nodes).all(|node| !node.leaves());
    (known && leaves && back && test && whole).then_some(*label)
}

struct Tile<'a> {
    f: &'a mut Function,
    /// Code that each workgroup runs by itself, in order.
    parts: Vec<Vec<Node>>,
    /// What is left in slots: parameters and results of loops, and what one part makes and another wants.
    slots: BTreeMap<Value, Slot>,
    shape: Vec<Around>,
}

/// What runs once for all workgroups.
enum Around {
    /// The next part.
    Part,
    /// The next three: what a turn is tested by, what it does, and what is left when it is not taken.
    Turns { out: Label, label: Label, all: Slot },
}

impl<'a> Tile<'a> {
    fn new(f: &'a mut Function) -> Self {
        Self { f, parts: Vec::new(), slots: BTreeMap::new(), shape: Vec::new() }
    }

    fn body(mut self) {
        let Region { nodes, end } = std::mem::take(&mut self.f.body);
        let mut open = Vec::new();
        for node in nodes {
            match turn(self.f, &node) {
                Some(_) => self.turns(node, &mut open),
                None => open.push(node),
            }
        }
        self.close(&mut open);
        self.cross();
        let mut parts = std::mem::take(&mut self.parts).into_iter();
        let mut nodes: Vec<Node> = Vec::new();
        for around in std::mem::take(&mut self.shape) {
            let mut next = || parts.next().unwrap_or_else(|| unreachable!("invariant tiles: parts are in order"));
            match around {
                Around::Part => join(&mut nodes, next()),
                Around::Turns { out, label, all } => {
                    let [test, rest, exit] = [next(), next(), next()].map(workgroups);
                    nodes.push(self.turn(out, label, all, test, rest));
                    nodes.push(exit);
                }
            }
        }
        self.f.body = Region { nodes, end };
    }

    /// Ends a part.
    fn close(&mut self, open: &mut Vec<Node>) {
        self.parts.push(std::mem::take(open));
        self.shape.push(Around::Part);
    }

    /// A loop of turns: its parts, with parameters and results in slots.
    fn turns(&mut self, node: Node, open: &mut Vec<Node>) {
        let Node::Block { label: out, body: Region { mut nodes, .. }, results } = node else { return };
        let Some(Node::Loop { label, params, init, body }) = nodes.pop() else { return };
        open.append(&mut nodes);
        let params = self.kept(&params);
        let results = self.kept(&results);
        leave(&params, &init, open);
        self.close(open);
        let at = body.nodes.iter().position(|node| node.exit().is_some()).unwrap_or_default();
        let mut test = body.nodes;
        let mut rest = test.split_off(at);
        let Node::If { condition, accept, reject, .. } = rest.remove(0) else { return };
        let (stays, arm) = match accept.end {
            End::Jump(..) => (self.f.emit(Ty::Bool, Op::Unary(Unary::Not, condition), &mut test), accept),
            End::Fall(_) | End::Unreachable => (condition, reject),
        };
        let all = self.f.shared_slot(Ty::Bool);
        let others = self.f.emit(Ty::Bool, Op::Recall(all), &mut test);
        let both = self.f.binary(Binary::And, others, stays, &mut test);
        test.push(Node::Group(Group::Keep { slot: all, value: both, merges: false }));
        if let End::Jump(_, next) = &body.end {
            leave(&params, next, &mut rest);
        }
        let mut exit = arm.nodes;
        if let End::Jump(_, left) = &arm.end {
            leave(&results, left, &mut exit);
        }
        self.parts.extend([test, rest, exit]);
        self.shape.push(Around::Turns { out, label, all });
    }

    fn kept(&mut self, values: &[Value]) -> Vec<Slot> {
        values
            .iter()
            .map(|&value| {
                let slot = self.f.slot(self.f.ty(value), Shape::Uniform);
                self.slots.insert(value, slot);
                slot
            })
            .collect()
    }

    /// The loop itself, which all workgroups take.
    fn turn(&mut self, out: Label, label: Label, all: Slot, test: Node, rest: Node) -> Node {
        let yes = self.f.define(Ty::Bool, Op::Const(1));
        let mut nodes = vec![Node::Group(Group::Keep { slot: all, value: yes, merges: false }), test];
        let condition = self.f.emit(Ty::Bool, Op::Recall(all), &mut nodes);
        let away = Region { nodes: Vec::new(), end: End::Jump(out, Vec::new()) };
        nodes.push(Node::If { condition, accept: Region::default(), reject: away, results: Vec::new() });
        nodes.push(rest);
        let body = Region { nodes, end: End::Jump(label, Vec::new()) };
        let turns = Node::Loop { label, params: Vec::new(), init: Vec::new(), body };
        let body = Region { nodes: vec![turns], end: End::Unreachable };
        Node::Block { label: out, body, results: Vec::new() }
    }

    /// Leaves in slots what one part makes and another wants.
    fn cross(&mut self) {
        let mut made: HashSet<Value> = HashSet::new();
        made.extend(self.parts.iter().flatten().flat_map(Node::gives).copied());
        let mut wanted: Vec<BTreeSet<Value>> = Vec::new();
        for nodes in &mut self.parts {
            let region = Region { nodes: std::mem::take(nodes), end: End::default() };
            let own = region.made();
            wanted.push(region.uses(self.f).into_keys().filter(|value| !own.contains(value)).collect());
            *nodes = region.nodes;
        }
        for value in wanted.iter().flatten() {
            if made.contains(value) && !self.slots.contains_key(value) {
                let slot = self.f.slot(self.f.ty(*value), Shape::Uniform);
                self.slots.insert(*value, slot);
            }
        }
        let kept = |slots: &BTreeMap<Value, Slot>, value: Value| {
            slots.get(&value).map(|&slot| Node::Group(Group::Keep { slot, value, merges: false }))
        };
        for (part, wanted) in wanted.into_iter().enumerate() {
            let (mut nodes, mut names) = (Vec::new(), Renames::new());
            for value in wanted {
                if let Some(&slot) = self.slots.get(&value) {
                    let name = self.f.emit(self.f.ty(value), Op::Recall(slot), &mut nodes);
                    names.insert(value, name);
                }
            }
            let mut region = Region { nodes: std::mem::take(&mut self.parts[part]), end: End::default() };
            rename_within(self.f, &mut region, &names);
            for node in region.nodes {
                let keep: Vec<Node> = node.gives().iter().filter_map(|&value| kept(&self.slots, value)).collect();
                nodes.push(node);
                nodes.extend(keep);
            }
            self.parts[part] = nodes;
        }
    }
}

/// Leaves arguments in the slots of parameters.
fn leave(slots: &[Slot], args: &[Value], nodes: &mut Vec<Node>) {
    let keep = |(&slot, &value): (&Slot, &Value)| Node::Group(Group::Keep { slot, value, merges: false });
    nodes.extend(slots.iter().zip(args).map(keep));
}

fn workgroups(nodes: Vec<Node>) -> Node {
    Node::Group(Group::Workgroups(Region { nodes, end: End::default() }))
}

/// Lets each workgroup go on where it is, if it is under way.
fn join(nodes: &mut Vec<Node>, mut part: Vec<Node>) {
    match nodes.last_mut() {
        Some(Node::Group(Group::Workgroups(before))) => before.nodes.append(&mut part),
        _ => nodes.push(workgroups(part)),
    }
}
