//! A region once more, with other values for some of its inputs: new names for what it makes,
//! and literals for what has become one.

use std::collections::HashMap;

use crate::fold::{self, Folded, Literals};
use crate::ir::{Address, Def, End, Function, Group, Label, LabelKind, Memory, Node, Op, Region, Value};

pub(crate) struct Copy<'a> {
    f: &'a mut Function,
    literals: &'a mut Literals,
    values: HashMap<Value, Value>,
    labels: HashMap<Label, Label>,
    /// What is known of values that are made in the region.
    decided: HashMap<Value, Value>,
}

impl<'a> Copy<'a> {
    pub(crate) fn new(f: &'a mut Function, literals: &'a mut Literals, from: &[Value], to: &[Value]) -> Self {
        let values = from.iter().copied().zip(to.iter().copied()).collect();
        Self { f, literals, values, labels: HashMap::new(), decided: HashMap::new() }
    }

    /// Puts another value in the place of one that is made in the region.
    pub(crate) fn decide(&mut self, value: Value, is: Value) {
        self.decided.insert(value, is);
        self.values.insert(value, is);
    }

    /// What a value is in the copy.
    pub(crate) fn name(&self, value: Value) -> Value {
        self.one(value)
    }

    pub(crate) fn region(&mut self, region: &Region) -> Region {
        let nodes = region.nodes.iter().filter_map(|node| self.node(node)).collect();
        let end = match &region.end {
            End::Fall(args) => End::Fall(self.all(args)),
            End::Jump(label, args) => End::Jump(self.labels.get(label).copied().unwrap_or(*label), self.all(args)),
            End::Unreachable => End::Unreachable,
        };
        Region { nodes, end }
    }

    fn node(&mut self, node: &Node) -> Option<Node> {
        Some(match node {
            Node::Let(value) if self.decided.contains_key(value) => return None,
            Node::Let(value) => return self.operation(*value).map(Node::Let),
            Node::Store { at, value, when } => {
                let mut at = at.clone();
                at.terms.iter_mut().for_each(|term| term.index = self.one(term.index));
                fold::settle(self.f, &mut at);
                Node::Store { at, value: self.one(*value), when: when.map(|when| self.one(when)) }
            }
            Node::Barrier => Node::Barrier,
            Node::Group(group) => Node::Group(self.group(group)),
            Node::If { condition, accept, reject, results } => Node::If {
                condition: self.one(*condition),
                accept: self.region(accept),
                reject: self.region(reject),
                results: self.fresh(results),
            },
            Node::Block { label, body, results } => {
                let label = self.label(*label, LabelKind::Block);
                Node::Block { label, body: self.region(body), results: self.fresh(results) }
            }
            Node::Loop { label, params, init, body } => {
                let init = self.all(init);
                let label = self.label(*label, LabelKind::Loop);
                let params = self.fresh(params);
                Node::Loop { label, params, init, body: self.region(body) }
            }
        })
    }

    pub(crate) fn group(&mut self, group: &Group) -> Group {
        let mut copy = group.clone();
        // Names of what is inside a loop over lane groups are known after it.
        if let (Group::Each(each), Some(region)) = (&mut copy, group.region()) {
            each.body = self.region(region);
        }
        copy.rename(|value| self.one(value));
        copy
    }

    /// The copy of an operation, unless something that is there already is the same.
    fn operation(&mut self, value: Value) -> Option<Value> {
        let Def { ty, mut op } = self.f.values[value.index()].clone();
        op.rename(|operand| self.one(operand));
        if let Op::Load { at, .. } | Op::Atomic { at, .. } = &mut op {
            fold::settle(self.f, at);
        }
        let folded = match &op {
            Op::Load { at, .. } => self.entry(at),
            op => fold::fold(self.f, ty, op, &|operand| self.f.constant(operand)),
        };
        let (copy, made) = match folded {
            Some(Folded::Bits(bits)) => (self.literals.value(self.f, ty, bits), None),
            Some(Folded::Is(operand)) => (operand, None),
            None => {
                let copy = self.f.define_like(value, ty, op);
                (copy, Some(copy))
            }
        };
        self.values.insert(value, copy);
        made
    }

    /// The entry of a table of constants, if it is known which.
    fn entry(&self, at: &Address) -> Option<Folded> {
        let Memory::Constants { bits, .. } = &self.f.memories[at.memory.index()] else { return None };
        let entry = bits.get(at.offset as usize).filter(|_| at.terms.is_empty());
        entry.map(|&bits| Folded::Bits(bits))
    }

    fn one(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&value| self.one(value)).collect()
    }

    fn fresh(&mut self, params: &[Value]) -> Vec<Value> {
        let fresh = |&param: &Value| {
            let copy = self.f.param_like(param);
            self.values.insert(param, copy);
            copy
        };
        params.iter().map(fresh).collect()
    }

    fn label(&mut self, of: Label, kind: LabelKind) -> Label {
        let copy = match kind {
            LabelKind::Block => self.f.label(kind),
            LabelKind::Loop => self.f.loop_like(of),
        };
        self.labels.insert(of, copy);
        // What holds of a loop or a block holds of its copy.
        if self.f.bounded.contains(&of) {
            self.f.bounded.insert(copy);
        }
        if self.f.cold.contains(&of) {
            self.f.cold.insert(copy);
        }
        copy
    }
}
