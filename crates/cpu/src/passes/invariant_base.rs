//! Loop-invariant bases: indices of a loop that are its counter and something that stays the same, as in
//! `a[row * width + k]`.
//!
//! With `base <= length` and `end <= length - base` before the loop, neither that difference nor `base + counter` wraps
//! while `counter < end`, and the sum lies within the length. The operations that make the base may stand in the loop:
//! they are done once more before it, where they give the same.

use std::collections::HashMap;

use super::shown::sums;
use crate::cost;
use crate::divergence::Shapes;
use crate::ir::{Binary, Function, Node, Op, Region, Turns, Value};

/// What is added to a counter.
pub(super) struct InvariantBase {
    base: Value,
    /// Operations of the loop that make it, in order.
    needs: Vec<Value>,
    /// The sums, and the buffers that they index.
    pub(super) sums: Vec<(Value, u32)>,
}

/// By what a loop goes ahead of its counter: a few numbers, each one scalar for all lanes.
pub(super) fn find(
    f: &Function,
    shapes: &Shapes,
    counter: Value,
    (params, body): (&[Value], &Region),
) -> Vec<InvariantBase> {
    let turns = Turns::of(params, body);
    let mut all: Vec<InvariantBase> = Vec::new();
    for (base, sum, buffer) in sums(f, body, counter) {
        if let Some(known) = all.iter_mut().find(|known| known.base == base) {
            known.sums.push((sum, buffer));
            continue;
        }
        // Few operations of the loop, none of them dear.
        let cone = turns.cone(f, base, &|_| false, &|op| {
            matches!(op, Op::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl, ..))
        });
        let needs = cone.filter(|needs| shapes.is_scalar(base) && needs.len() <= cost::VERSION_NEEDS);
        if let Some(needs) = needs.filter(|_| all.len() < cost::VERSION_AHEAD) {
            all.push(InvariantBase { base, needs, sums: vec![(sum, buffer)] });
        }
    }
    all
}

impl InvariantBase {
    /// The base as it is known before the loop.
    pub(super) fn before(&self, f: &mut Function, nodes: &mut Vec<Node>) -> Value {
        let mut known: HashMap<Value, Value> = HashMap::new();
        for &value in &self.needs {
            let mut op = f.op(value).clone();
            op.rename(|operand| known.get(&operand).copied().unwrap_or(operand));
            known.insert(value, f.emit(f.ty(value), op, nodes));
        }
        known.get(&self.base).copied().unwrap_or(self.base)
    }
}
