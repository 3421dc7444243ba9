//! The interchanged version of a loop, which goes first, for as long as all of the workgroup stay in it.

use super::Interchange;
use super::counted::{Counted, lanes};
use crate::affine::{self, Lane};
use crate::cost;
use crate::ir::{
    self, Address, Binary, End, Function, Kind, Label, LabelKind, Lanes, Mem, Node, Op, Region, Ty, Value,
};
use crate::passes::copy::Copy;
use crate::passes::shown::shown;

fn turns_at_once(counted: &Counted) -> usize {
    let mut nodes = 0;
    counted.body.iter().for_each(|node| {
        nodes += 1;
        node.regions().for_each(|region| region.visit(&mut |region| nodes += region.nodes.len()));
    });
    if counted.foreseen && nodes <= cost::INTERCHANGE_NODES { cost::INTERCHANGE_TURNS } else { 1 }
}

/// A parameter of the loop in the copy.
#[derive(Clone, Copy)]
enum Head {
    /// Its first value, and how far it has moved since.
    Moved {
        first: Value,
        by: Value,
    },
    Carried(Value),
}

impl Interchange<'_> {
    /// Splits a block that ends in a loop; gives what goes before the block.
    pub(super) fn ahead(&mut self, exit: Label, block: &mut Region, memory: Mem) -> Result<Vec<Node>, &'static str> {
        let mut counted = Counted::of(self.f, &self.uniform, exit, block)?;
        let turned = counted.params.len();
        for [first, next] in counted.extra.clone() {
            counted.params.push(self.f.param_like(next));
            counted.init.push(first);
            counted.next.push(next);
            counted.added.push(None);
        }
        let mut nodes = counted.first.clone();
        let starts = (0..counted.params.len()).map(|i| match counted.added[i] {
            Some(_) => self.literals.value(self.f, self.f.ty(counted.params[i]), 0),
            None => counted.init[i],
        });
        let mut results: Vec<Value> = starts.collect();
        // What is left of several turns at once goes turn by turn.
        let mut at_once = vec![turns_at_once(&counted), 1];
        at_once.dedup();
        for count in at_once {
            let starts =
                std::mem::replace(&mut results, counted.params.iter().map(|&param| self.f.param_like(param)).collect());
            nodes.push(self.turns(&counted, count, starts, &results, memory));
        }
        let heads = heads(&counted, |i| results[i]);
        let left = heads.iter().map(|&head| self.here(head, &mut nodes)).collect();
        self.rest(&counted, block, left, turned);
        Ok(nodes)
    }

    /// Turns of the whole workgroup, so many at a time; the results say how far they came.
    fn turns(&mut self, counted: &Counted, count: usize, starts: Vec<Value>, results: &[Value], memory: Mem) -> Node {
        let Counted { label, params, next, added, .. } = counted;
        let (out, turn) = (self.f.label(LabelKind::Block), self.f.loop_like(*label));
        let carried: Vec<Value> = params.iter().map(|&param| self.f.param_like(param)).collect();
        let mut nodes = Vec::new();
        let steps: Vec<Option<Value>> =
            added.iter().map(|added| added.map(|added| self.at(added, 0, counted, &[], &mut nodes))).collect();
        // How far each turn finds what moves, and where the last one leaves it.
        let mut moved = vec![carried.clone()];
        for _ in 0..count {
            let at = moved.last().cloned().unwrap_or_default();
            let on = at.iter().zip(&steps).map(|(&by, step)| match step {
                Some(step) => self.f.binary(Binary::Add, by, *step, &mut nodes),
                None => by,
            });
            let on = on.collect();
            moved.push(on);
        }
        let condition = moved[..moved.len() - 1].iter().map(|at| self.all_stay(counted, at, &mut nodes)).collect();
        let condition = self.all(condition, &mut nodes);
        let away = Region { nodes: Vec::new(), end: End::Jump(out, carried.clone()) };
        nodes.push(Node::If { condition, accept: Region::default(), reject: away, results: Vec::new() });
        nodes.push(Node::Barrier);
        let mut now = carried.clone();
        for at in &moved[..moved.len() - 1] {
            let heads = heads(counted, |i| if added[i].is_some() { at[i] } else { now[i] });
            let here: Vec<Value> = heads.iter().map(|&head| self.here(head, &mut nodes)).collect();
            let body = Region { nodes: counted.body.clone(), end: End::Jump(*label, next.clone()) };
            let mut copy = Copy::new(self.f, &mut self.literals, params, &here).region(&body);
            let lanes = Lanes::Ramp(lanes(self.f));
            counted
                .indexed
                .iter()
                .for_each(|&(i, buffer)| shown(self.f, &mut copy, here[i], ir::Bound::Length { buffer }, lanes));
            nodes.extend(copy.nodes);
            let End::Jump(_, args) = copy.end else { unreachable!("invariant copies: they end as what they copy") };
            now = args;
        }
        let row = row(self.f, &nodes);
        self.f.interchanged.push(ir::Interchange { label: turn, rest: Some(*label), memory, row });
        let last = &moved[moved.len() - 1];
        let onward = (0..params.len()).map(|i| if added[i].is_some() { last[i] } else { now[i] }).collect();
        let body = Region { nodes, end: End::Jump(turn, onward) };
        let turns = Node::Loop { label: turn, params: carried, init: starts, body };
        let body = Region { nodes: vec![turns], end: End::Unreachable };
        Node::Block { label: out, body, results: results.to_vec() }
    }

    /// The loop as it was, from where the copy came to.
    fn rest(&mut self, counted: &Counted, block: &mut Region, mut left: Vec<Value>, turned: usize) {
        let exit = &counted.exit;
        let test = Region { nodes: counted.cone.clone(), end: End::Fall(vec![exit.condition]) };
        // The last one counts where several get the same; the test is on the first of them.
        let (next, from): (Vec<Value>, Vec<Value>) = counted.next.iter().zip(&left).rev().unzip();
        let Region { nodes: mut test, end } = Copy::new(self.f, &mut self.literals, &next, &from).region(&test);
        let End::Fall(condition) = end else { unreachable!("invariant copies: they end as what they copy") };
        let gives = counted.gives.iter().map(|&i| left[i]).collect();
        let away = Region { nodes: Vec::new(), end: End::Jump(exit.label, gives) };
        let (accept, reject) = if exit.holds { (away, Region::default()) } else { (Region::default(), away) };
        test.push(Node::If { condition: condition[0], accept, reject, results: Vec::new() });
        let mut repeat = block.nodes.pop();
        if let Some(Node::Loop { init, .. }) = &mut repeat {
            left.truncate(turned);
            *init = left;
        }
        block.nodes = test.into_iter().chain(repeat).collect();
    }

    fn here(&mut self, head: Head, nodes: &mut Vec<Node>) -> Value {
        match head {
            Head::Moved { first, by } => self.f.binary(Binary::Add, first, by, nodes),
            Head::Carried(param) => param,
        }
    }

    /// Whether the first and the last lane stay, and whatever lies between; and whether what they
    /// index by a parameter lies within its buffer.
    fn all_stay(&mut self, counted: &Counted, now: &[Value], nodes: &mut Vec<Node>) -> Value {
        let heads = &heads(counted, |i| now[i]);
        let last = lanes(self.f) - 1;
        let exit = &counted.exit;
        let ends = [0, last].map(|lane| exit.sides.map(|side| self.at(side, lane, counted, heads, nodes)));
        let [first, other] = ends.map(|[a, b]| self.f.binary(exit.stays, a, b, nodes));
        let ordered = self.f.binary(Binary::Le, ends[0][exit.index], ends[1][exit.index], nodes);
        let mut all = vec![first, other, ordered];
        for &(i, buffer) in &counted.indexed {
            let length = self.f.define(Ty::U32, Op::Length { buffer });
            let [first, last] = [0, last].map(|lane| self.head_at(heads[i], lane, counted, nodes));
            all.push(self.f.binary(Binary::Le, first, last, nodes));
            all.push(self.f.binary(Binary::Lt, last, length, nodes));
        }
        self.all(all, nodes)
    }

    fn all(&mut self, conditions: Vec<Value>, nodes: &mut Vec<Node>) -> Value {
        let both = |a, b| self.f.binary(Binary::And, a, b, nodes);
        let all = conditions.into_iter().reduce(both);
        all.unwrap_or_else(|| unreachable!("invariant ahead: at least one turn"))
    }

    /// What one invocation has for a value of the test, at the head of a turn.
    fn at(&mut self, value: Value, lane: u32, counted: &Counted, heads: &[Head], nodes: &mut Vec<Node>) -> Value {
        let uniform = &self.uniform;
        let mut lane = Lane { f: self.f, literals: &mut self.literals, nodes, index: lane };
        lane.make(value, &|lane, value| {
            let next = counted.next.iter().position(|&next| next == value);
            match next.and_then(|i| heads.get(i)) {
                Some(head) => Some(head.at(lane, counted, uniform)),
                None => before(counted, uniform, value),
            }
        })
    }

    /// What one invocation has for a parameter.
    fn head_at(&mut self, head: Head, lane: u32, counted: &Counted, nodes: &mut Vec<Node>) -> Value {
        head.at(&mut Lane { f: self.f, literals: &mut self.literals, nodes, index: lane }, counted, &self.uniform)
    }
}

impl Head {
    /// What one invocation has for it.
    fn at(self, lane: &mut Lane<'_>, counted: &Counted, uniform: &[bool]) -> Value {
        match self {
            Self::Carried(param) => param,
            Self::Moved { first, by } => {
                // Made before the loop, where what the next turn gets means nothing else than itself.
                let first = lane.make(first, &|_, value| before(counted, uniform, value));
                lane.f.binary(Binary::Add, first, by, lane.nodes)
            }
        }
    }
}

/// A value that is there before the loop, and one for the workgroup.
fn before(counted: &Counted, uniform: &[bool], value: Value) -> Option<Value> {
    let is_uniform = uniform.get(value.index()).is_some_and(|&uniform| uniform);
    (is_uniform && !counted.turns.make(value)).then_some(value)
}

/// Bytes that a workgroup reads in a row, if the next workgroup's lie beside them.
fn row(f: &Function, nodes: &[Node]) -> Option<u32> {
    let invocations = f.invocations();
    let beside = |at: &Address, ty: Ty| {
        let [term] = at.terms.as_slice() else { return None };
        let Op::Binary(Binary::Add, a, b) = *f.op(term.index) else { return None };
        let dense = |value: Value| {
            affine::sum(f, value).is_some_and(|[local, group, _]| {
                local * u64::from(term.stride) == ty.bytes().into() && group == local * u64::from(invocations)
            })
        };
        (dense(a) || dense(b)).then(|| ty.bytes() * invocations)
    };
    let accesses = nodes.iter().filter_map(|node| node.access(f)).filter(|access| access.kind != Kind::Atomic);
    accesses.filter_map(|access| beside(access.at, access.ty)).max()
}

fn heads(counted: &Counted, now: impl Fn(usize) -> Value) -> Vec<Head> {
    let head = |i: usize| match counted.added[i] {
        Some(_) => Head::Moved { first: counted.init[i], by: now(i) },
        None => Head::Carried(now(i)),
    };
    (0..counted.params.len()).map(head).collect()
}
