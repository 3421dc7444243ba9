//! Common subexpression elimination: an operation without effect whose operands are those of one before it, in the
//! same region or in one around it, is that one.
//!
//! Code generators do this too. Here it lets two loads be seen to be of one place, where unrolled loops have computed
//! it anew for each.

use std::collections::HashMap;

use super::join::{Renames, rename, resolve};
use crate::ir::{Function, Node, Op, Region, Ty, Value};

/// Computes once what is the same.
pub(super) fn cse(f: &mut Function, body: &mut Region) {
    let mut cse = Cse { f, known: HashMap::new(), renames: Renames::new() };
    cse.region(body);
    let renames = cse.renames;
    rename(f, body, &renames);
}

struct Cse<'a> {
    f: &'a Function,
    known: HashMap<(Ty, Op), Value>,
    renames: Renames,
}

impl Cse<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut added = Vec::new();
        region.nodes.retain_mut(|node| match node {
            Node::Let(value) => match self.operation(*value) {
                Some(key) => {
                    if let Some(&same) = self.known.get(&key) {
                        self.renames.insert(*value, same);
                        false
                    } else {
                        added.push(key.clone());
                        self.known.insert(key, *value);
                        true
                    }
                }
                None => true,
            },
            Node::Store { .. } | Node::Barrier | Node::Group(_) => true,
            Node::If { accept, reject, .. } => {
                self.region(accept);
                self.region(reject);
                true
            }
            Node::Block { body, .. } | Node::Loop { body, .. } => {
                self.region(body);
                true
            }
        });
        // What is computed here is not known outside.
        added.iter().for_each(|key| _ = self.known.remove(key));
    }

    /// What it computes, of operands that are each known by one name.
    fn operation(&self, value: Value) -> Option<(Ty, Op)> {
        let mut op = match self.f.op(value) {
            op @ (Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Convert(_) | Op::Bitcast(_) | Op::Call(..)) => {
                op.clone()
            }
            Op::Param | Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => return None,
            Op::Run(..)
            | Op::Load { .. }
            | Op::Atomic { .. }
            | Op::Subgroup(..)
            | Op::Recall(_)
            | Op::Any(_)
            | Op::Edge(..)
            | Op::AnyLane(_)
            | Op::Callers => {
                return None;
            }
        };
        op.rename(|operand| self.same(operand));
        Some((self.f.ty(value), op))
    }

    fn same(&self, operand: Value) -> Value {
        resolve(&self.renames, operand)
    }
}
