//! Contraction: products that are only added to something become fused multiply-adds, which round once.
//!
//! WGSL lets an implementation do that wherever it likes, but the reference device does not, so that it is done only where
//! the caller asks. A product that somebody else uses is computed anyhow, and stays.

use std::collections::HashMap;

use crate::ir::{Binary, Function, Helper, Node, Op, Region, Ty, Unary, Value};

const NAME: &str = "contract";

/// Fuses every sum of a product that nothing else uses.
pub(super) fn contract(f: &mut Function, body: &mut Region) {
    let uses = body.uses(f);
    fuse(f, body, &uses);
}

fn fuse(f: &mut Function, region: &mut Region, uses: &HashMap<Value, u32>) {
    let mut nodes = Vec::with_capacity(region.nodes.len());
    for mut node in std::mem::take(&mut region.nodes) {
        match &mut node {
            Node::Let(value) => nodes.extend(fused(f, *value, uses)),
            Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
            Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| fuse(f, arm, uses)),
            Node::Block { body, .. } | Node::Loop { body, .. } => fuse(f, body, uses),
        }
        nodes.push(node);
    }
    region.nodes = nodes;
}

/// Makes a sum a fused one, if it can be; gives the negation that must come before it. The
/// product stays where it was, for the code generator to drop.
fn fused(f: &mut Function, sum: Value, uses: &HashMap<Value, u32>) -> Option<Node> {
    let ty = f.ty(sum);
    let helper = match ty {
        Ty::F32 => Helper::Fma,
        Ty::F64 => Helper::FmaD,
        Ty::Bool | Ty::F16 | Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64 => return None,
    };
    let Op::Binary(op @ (Binary::Add | Binary::Sub), left, right) = *f.op(sum) else { return None };
    let product = |value: Value| match *f.op(value) {
        Op::Binary(Binary::Mul, a, b) if uses.get(&value) == Some(&1) => Some((a, b)),
        _ => None,
    };
    // a·b + c and a·b - c, or c + a·b and c - a·b: a difference negates the operand at `negated`.
    let (mut operands, negated) = match (product(left), product(right)) {
        (Some((a, b)), _) => ([a, b, right], 2),
        (None, Some((a, b))) => ([a, b, left], 0),
        (None, None) => {
            if [left, right].iter().any(|&side| matches!(f.op(side), Op::Binary(Binary::Mul, ..))) {
                f.missed(NAME, sum, "the product is wanted elsewhere too");
            }
            return None;
        }
    };
    let mut before = None;
    if op == Binary::Sub {
        operands[negated] = f.define(ty, Op::Unary(Unary::Negate, operands[negated]));
        before = Some(Node::Let(operands[negated]));
    }
    f.values[sum.index()].op = Op::Call(helper, operands.to_vec());
    f.done(NAME, sum, "a product is fused with its sum");
    before
}
