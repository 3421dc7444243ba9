//! Thread coarsening: invocations in pairs, of which one does the work of two that load the same.
//!
//! In a product of matrices by tiles, the invocations of a column all load the same elements of one
//! tile, lane group after lane group. Here each invocation takes along the one that stands half the
//! workgroup further on in the last dimension: every node is written for both, and what is the same
//! for both is written once, such as those loads. That leaves half as many invocations with twice as
//! many sums under way, which also hides the time that a sum takes. Where vectors are wide, so that a lane
//! value takes few registers, pairs are paired once more.
//!
//! Between barriers invocations may run in any order, so two of them may well go step by step. They
//! must go the same way wherever one way leads past what follows ([`Distinct`]); a branch that the two
//! may take differently and that both come out of is written for one and then for the other.
//! Memory of one invocation is not paired, and neither are atomics.

use std::collections::{HashMap, HashSet};

use super::copy::Copy;
use crate::cost;
use crate::divergence::{self, Shape};
use crate::fold::Literals;
use crate::ir::remark::{At, Because};
use crate::ir::{Binary, Builtin, Coarsened, Def, End, Function, Label, Mem, Memory, Node, Op, Region, Ty, Value};

const NAME: &str = "coarsen";

/// Takes invocations in pairs if that pays.
pub(super) fn coarsen(f: &mut Function, body: &mut Region) {
    // A workgroup that is one row has nobody to pair, and without loops there is nothing to gain.
    let Some(dimension) = (1..3).rev().find(|&d| f.workgroup_size[d] > 1) else { return };
    if body.loops() == 0 {
        return;
    }
    if let Err(because) = pair(f, dimension, body)
        && f.coarsened.is_empty()
    {
        f.missed(NAME, At::Function, because);
    }
}

/// Takes invocations in pairs along a dimension, or says why not.
fn pair(f: &mut Function, dimension: usize, body: &mut Region) -> Result<(), Because> {
    halves(f, dimension)?;
    if !f.interchanged.is_empty() {
        return Err("a loop was interchanged".into());
    }
    if f.memories.iter().any(|memory| matches!(memory, Memory::Private { .. })) {
        return Err("invocations have memory of their own".into());
    }
    f.body = std::mem::take(body);
    let shapes = divergence::analyse(f, 1);
    *body = std::mem::take(&mut f.body);
    let distinct = Distinct::of(f, dimension, body)
        .ok_or("of two invocations one may leave, wait or update memory where the other does not")?;
    let uniform = |value: Value| shapes.of(value) == Shape::Uniform;
    let (label, memory) = pays(f, &uniform, &distinct, body)
        .ok_or("in no innermost loop do two invocations of a column load the same, a little of it")?;
    let (axis, by) = (["x", "y", "z"][dimension], f.workgroup_size[dimension] / 2);
    f.done(NAME, label, format!("{axis} and {axis}+{by} as one: both load the same of {}", f.called(memory)));
    f.coarsened.push(Coarsened { label, memory, by: f.workgroup_size[dimension] / 2, dimension: dimension as u8 });
    let mut pair = Pair { literals: Literals::of(f), f, distinct: &distinct, other: HashMap::new() };
    let mut nodes = pair.ids(dimension);
    let mut paired = pair.region(std::mem::take(body), &[]);
    nodes.append(&mut paired.nodes);
    *body = Region { nodes, end: paired.end };
    f.workgroup_size[dimension] /= 2;
    Ok(())
}

/// Whether a dimension can be halved and lies across the lanes.
fn halves(f: &Function, dimension: usize) -> Result<(), Because> {
    let (length, row) = (f.workgroup_size[dimension], f.workgroup_size[..dimension].iter().product::<u32>());
    if !length.is_multiple_of(2) {
        return Err(format!("{length} rows of a workgroup cannot be halved").into());
    }
    if !row.is_multiple_of(cost::COARSEN_ROW) {
        return Err(format!("{row} invocations in a row are no multiple of {}", cost::COARSEN_ROW).into());
    }
    Ok(())
}

/// The innermost loop that a pair goes through faster than each for itself, and the memory of which
/// they load the same.
fn pays(f: &Function, uniform: &dyn Fn(Value) -> bool, distinct: &Distinct, region: &Region) -> Option<(Label, Mem)> {
    let shared = |node: &Node| match node {
        Node::Let(value) if !distinct.values.contains(value) => match f.op(*value) {
            Op::Load { at, .. } => at.terms.iter().any(|term| !uniform(term.index)).then_some(at.memory),
            _ => None,
        },
        _ => None,
    };
    region.nodes.iter().find_map(|node| {
        let inside = node.regions().find_map(|region| pays(f, uniform, distinct, region));
        let Node::Loop { label, params, body, .. } = node else { return inside };
        let mut plain = true;
        body.visit(&mut |region| {
            plain &= region.nodes.iter().all(|node| !matches!(node, Node::Loop { .. } | Node::Barrier));
        });
        let carried = params.iter().filter(|param| distinct.values.contains(param)).count();
        let memories: Vec<Mem> = body.nodes.iter().filter_map(shared).collect();
        let few =
            (1..=cost::COARSEN_CARRIED).contains(&carried) && (1..=cost::COARSEN_SHARED).contains(&memories.len());
        if plain && few { Some((*label, memories[0])) } else { inside }
    })
}

/// What is not the same for both of a pair.
struct Distinct {
    values: HashSet<Value>,
    /// Parameters by label.
    params: HashMap<Label, Vec<Value>>,
    grew: bool,
    /// Whether one might have to stay where the other leaves.
    parts: bool,
}

impl Distinct {
    /// `None` if the two cannot go together.
    fn of(f: &Function, dimension: usize, body: &Region) -> Option<Self> {
        let ids = (0..f.values.len() as u32).map(Value).filter(|&value| match f.op(value) {
            Op::Builtin(Builtin::LocalIndex) => true,
            Op::Builtin(Builtin::LocalId(d)) => usize::from(*d) == dimension,
            _ => false,
        });
        let mut distinct = Self { values: ids.collect(), params: HashMap::new(), grew: true, parts: false };
        while distinct.grew {
            distinct.grew = false;
            distinct.region(f, body, &[], false);
        }
        (!distinct.parts).then_some(distinct)
    }

    fn mark(&mut self, value: Value) {
        self.grew |= self.values.insert(value);
    }

    fn arrive(&mut self, params: &[Value], args: &[Value]) {
        for (&param, arg) in params.iter().zip(args) {
            if self.values.contains(arg) {
                self.mark(param);
            }
        }
    }

    /// A region that falls to `results`; `alone`: one of the pair runs it by itself.
    fn region(&mut self, f: &Function, region: &Region, results: &[Value], alone: bool) {
        for node in &region.nodes {
            match node {
                Node::Let(value) => {
                    let op = f.op(*value);
                    let mut differs = alone;
                    op.each(|operand| differs |= self.values.contains(&operand));
                    if differs {
                        self.mark(*value);
                    }
                    self.parts |= op.has_effect();
                }
                Node::Store { .. } => {}
                Node::Barrier | Node::Group(_) => self.parts |= alone,
                Node::If { condition, accept, reject, results } => {
                    let differs = self.values.contains(condition);
                    self.parts |= differs && !alone && node.leaves();
                    for arm in [accept, reject] {
                        self.region(f, arm, results, alone || differs);
                    }
                    if alone || differs {
                        results.iter().for_each(|&result| self.mark(result));
                    }
                }
                Node::Block { label, body, results } => {
                    self.params.insert(*label, results.clone());
                    self.region(f, body, results, alone);
                    if alone {
                        results.iter().for_each(|&result| self.mark(result));
                    }
                }
                Node::Loop { label, params, init, body } => {
                    self.params.insert(*label, params.clone());
                    self.arrive(params, init);
                    if alone {
                        params.iter().for_each(|&param| self.mark(param));
                    }
                    self.region(f, body, &[], alone);
                }
            }
        }
        match &region.end {
            End::Fall(args) => self.arrive(results, args),
            End::Jump(label, args) => {
                let params = self.params[label].clone();
                self.arrive(&params, args);
            }
            End::Unreachable => {}
        }
    }
}

/// Writes nodes for both.
struct Pair<'a> {
    f: &'a mut Function,
    literals: Literals,
    distinct: &'a Distinct,
    /// What a value is for the second of a pair, if not the same.
    other: HashMap<Value, Value>,
}

impl Pair<'_> {
    /// The ids of the second.
    fn ids(&mut self, dimension: usize) -> Vec<Node> {
        let half = self.f.invocations() / 2;
        let along = self.f.workgroup_size[dimension] / 2;
        let mut nodes = Vec::new();
        for id in (0..self.f.values.len() as u32).map(Value) {
            let ahead = match self.f.op(id) {
                Op::Builtin(Builtin::LocalIndex) => half,
                Op::Builtin(Builtin::LocalId(d)) if usize::from(*d) == dimension => along,
                _ => continue,
            };
            let ahead = self.literals.value(self.f, Ty::U32, ahead.into());
            let other = self.define(id, Def { ty: Ty::U32, op: Op::Binary(Binary::Add, id, ahead) });
            nodes.push(Node::Let(other));
        }
        nodes
    }

    fn define(&mut self, of: Value, Def { ty, op }: Def) -> Value {
        let other = self.f.define_like(of, ty, op);
        self.other.insert(of, other);
        other
    }

    fn second(&self, value: Value) -> Value {
        self.other.get(&value).copied().unwrap_or(value)
    }

    /// The parameters of a join, then those of the second that differ.
    fn params(&mut self, mut params: Vec<Value>) -> Vec<Value> {
        for param in params.clone() {
            if self.distinct.values.contains(&param) {
                let other = self.f.param_like(param);
                self.other.insert(param, other);
                params.push(other);
            }
        }
        params
    }

    /// What is brought to a join's parameters, in the order of [`Self::params`].
    fn args(&self, params: &[Value], mut args: Vec<Value>) -> Vec<Value> {
        for (param, arg) in params.iter().zip(args.clone()) {
            if self.distinct.values.contains(param) {
                args.push(self.second(arg));
            }
        }
        args
    }

    /// A region that falls to `results`.
    fn region(&mut self, region: Region, results: &[Value]) -> Region {
        let mut nodes = Vec::with_capacity(region.nodes.len() * 2);
        for node in region.nodes {
            self.node(node, &mut nodes);
        }
        let end = match region.end {
            End::Fall(args) => End::Fall(self.args(results, args)),
            End::Jump(label, args) => End::Jump(label, self.args(&self.distinct.params[&label], args)),
            End::Unreachable => End::Unreachable,
        };
        Region { nodes, end }
    }

    fn node(&mut self, node: Node, nodes: &mut Vec<Node>) {
        match node {
            Node::Let(value) => {
                nodes.push(node);
                if self.distinct.values.contains(&value) {
                    let mut def = self.f.values[value.index()].clone();
                    def.op.rename(|operand| self.second(operand));
                    nodes.push(Node::Let(self.define(value, def)));
                }
            }
            Node::Store { at, value, when } => {
                let mut to = at.clone();
                to.terms.iter_mut().for_each(|term| term.index = self.second(term.index));
                let other = Node::Store { at: to, value: self.second(value), when: when.map(|when| self.second(when)) };
                let one = Node::Store { at, value, when };
                let differs = one != other;
                nodes.push(one);
                nodes.extend(differs.then_some(other));
            }
            Node::Barrier | Node::Group(_) => nodes.push(node),
            Node::If { condition, ref results, .. } if self.distinct.values.contains(&condition) => {
                let results = results.clone();
                nodes.push(node.clone());
                self.once_more(node, &results, nodes);
            }
            Node::If { condition, accept, reject, results } => {
                let [accept, reject] = [accept, reject].map(|arm| self.region(arm, &results));
                nodes.push(Node::If { condition, accept, reject, results: self.params(results) });
            }
            Node::Block { label, body, results } => {
                let body = self.region(body, &results);
                nodes.push(Node::Block { label, body, results: self.params(results) });
            }
            Node::Loop { label, params, init, body } => {
                let init = self.args(&params, init);
                let params = self.params(params);
                let body = self.region(body, &[]);
                nodes.push(Node::Loop { label, params, init, body });
            }
        }
    }

    /// A node for the second alone.
    fn once_more(&mut self, node: Node, results: &[Value], nodes: &mut Vec<Node>) {
        let (from, to): (Vec<Value>, Vec<Value>) = self.other.iter().unzip();
        let whole = Region { nodes: vec![node], end: End::Fall(results.to_vec()) };
        let copy = Copy::new(self.f, &mut self.literals, &from, &to).region(&whole);
        nodes.extend(copy.nodes);
        let End::Fall(args) = copy.end else { unreachable!("invariant copies: what falls still does") };
        self.other.extend(results.iter().copied().zip(args));
    }
}
