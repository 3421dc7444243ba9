//! How loops go back, what stays the same in them, where branches leave, and what their conditions compare: looked for
//! here, and nowhere else.

use std::collections::{HashMap, HashSet};

use super::{Binary, End, Function, Label, Node, Op, Region, Value};

/// How a loop's body goes back to its head.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Back<'a> {
    Never,
    /// From its end and nowhere else, with the parameters of the next turn.
    End(&'a [Value]),
    /// From several places, or from inside a branch.
    Elsewhere,
}

/// A branch whose one side leaves for a label, while the other does nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exit<'a> {
    pub(crate) condition: Value,
    /// Whether lanes leave where the condition holds, or where it does not.
    pub(crate) holds: bool,
    /// The side that leaves.
    pub(crate) arm: &'a Region,
}

/// What the turns of a loop make. Everything else is loop-invariant.
pub(crate) struct Turns(HashSet<Value>);

impl Turns {
    pub(crate) fn of(params: &[Value], body: &Region) -> Self {
        let mut made = body.made();
        made.extend(params);
        Self(made)
    }

    /// Whether a turn makes it: what does not is the same in all of them.
    pub(crate) fn make(&self, value: Value) -> bool {
        self.0.contains(&value)
    }

    /// Whether an operation has only operands that stay the same.
    pub(crate) fn keep_operands(&self, f: &Function, value: Value) -> bool {
        let mut keep = true;
        f.op(value).each(|operand| keep &= !self.make(operand));
        keep
    }

    /// A value is made before the loop from now on.
    pub(crate) fn take_out(&mut self, value: Value) {
        self.0.remove(&value);
    }

    /// The operations of a turn that make a value from what stays the same and from what is `known` besides, in order,
    /// if all of them are `plain`.
    pub(crate) fn cone(
        &self,
        f: &Function,
        value: Value,
        known: &dyn Fn(Value) -> bool,
        plain: &dyn Fn(&Op) -> bool,
    ) -> Option<Vec<Value>> {
        let mut cone = Cone { turns: self, f, known, plain, seen: HashSet::new(), made: Vec::new() };
        cone.add(value).then_some(cone.made)
    }
}

struct Cone<'a> {
    turns: &'a Turns,
    f: &'a Function,
    known: &'a dyn Fn(Value) -> bool,
    plain: &'a dyn Fn(&Op) -> bool,
    seen: HashSet<Value>,
    made: Vec<Value>,
}

impl Cone<'_> {
    fn add(&mut self, value: Value) -> bool {
        if (self.known)(value) || !self.turns.make(value) || !self.seen.insert(value) {
            return true;
        }
        let f = self.f;
        let mut all = (self.plain)(f.op(value));
        f.op(value).each(|operand| all = all && self.add(operand));
        self.made.push(value);
        all
    }
}

impl Function {
    /// What is added to a number in a sum: in each turn, if it is a parameter and the sum what the next turn has for it.
    pub(crate) fn added(&self, number: Value, sum: Value) -> Option<Value> {
        match *self.op(sum) {
            Op::Binary(Binary::Add, a, b) if a == number => Some(b),
            Op::Binary(Binary::Add, a, b) if b == number => Some(a),
            _ => None,
        }
    }

    /// The comparison that is true of two numbers where a condition holds, or where it does not.
    pub(crate) fn compares(&self, condition: Value, holds: bool) -> Option<(Binary, [Value; 2])> {
        let Op::Binary(op, a, b) = *self.op(condition) else { return None };
        let op = if holds { op } else { op.opposite(self.ty(a))? };
        op.compares().then_some((op, [a, b]))
    }

    /// The number that is below another, and that other, where a condition holds, or where it does not.
    pub(crate) fn below(&self, condition: Value, holds: bool) -> Option<(Value, Value)> {
        match self.compares(condition, holds)? {
            (Binary::Lt, [index, bound]) | (Binary::Gt, [bound, index]) => Some((index, bound)),
            _ => None,
        }
    }
}

impl Region {
    /// How many jumps to a label it has.
    pub(crate) fn jumps(&self, label: Label) -> usize {
        let mut jumps = 0;
        self.visit(&mut |region| jumps += usize::from(matches!(&region.end, End::Jump(to, _) if *to == label)));
        jumps
    }

    /// How the body of a loop goes back to its head.
    pub(crate) fn back(&self, label: Label) -> Back<'_> {
        match (&self.end, self.jumps(label)) {
            (_, 0) => Back::Never,
            (End::Jump(to, next), 1) if *to == label => Back::End(next),
            _ => Back::Elsewhere,
        }
    }

    /// The parameters of all labels in it: results of blocks and parameters of loops.
    pub(crate) fn params(&self) -> HashMap<Label, Vec<Value>> {
        let mut params = HashMap::new();
        self.visit(&mut |region| {
            for node in &region.nodes {
                if let Node::Block { label, results: values, .. } | Node::Loop { label, params: values, .. } = node {
                    params.insert(*label, values.clone());
                }
            }
        });
        params
    }

    /// Whether it does nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.nodes.is_empty() && matches!(self.end, End::Fall(_))
    }

    /// All that is made in it.
    pub(crate) fn made(&self) -> HashSet<Value> {
        let mut made = HashSet::new();
        self.visit(&mut |region| region.nodes.iter().for_each(|node| made.extend(node.gives())));
        made
    }
}

impl Node {
    /// What it makes: its value, its results, or its parameters.
    pub(crate) fn gives(&self) -> &[Value] {
        match self {
            Self::Let(value) => std::slice::from_ref(value),
            Self::Store { .. } | Self::Barrier | Self::Group(_) => &[],
            Self::If { results: values, .. }
            | Self::Block { results: values, .. }
            | Self::Loop { params: values, .. } => values,
        }
    }

    /// The exit that it is, if it is one.
    pub(crate) fn exit(&self) -> Option<Exit<'_>> {
        let Self::If { condition, accept, reject, results } = self else { return None };
        let leaves = |arm: &Region| matches!(arm.end, End::Jump(..));
        let holds = leaves(accept) && reject.is_idle();
        if !(holds || accept.is_idle() && leaves(reject)) {
            return None;
        }
        // A join with one way in has no parameters, unless its other way was found out late.
        results.is_empty().then_some(Exit { condition: *condition, holds, arm: if holds { accept } else { reject } })
    }
}
