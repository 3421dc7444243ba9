//! Global value numbering: which values are the same number, however they were made.
//!
//! An operation without effect gives the same number for the same operands, wherever it stands: a pass may compute
//! once more before a loop what is computed in it. Integers of 32 bits are sums modulo 2³² beyond that, so that the
//! order of their parts does not matter. Values are visited after their operands, each once.
//!
//! What is found in a slot of the workgroup is what was left there last, as far as that is certain ([`slots`]). A value
//! inside a loop over workgroups stands for one of each of them, and so does such a slot: a workgroup finds in a later
//! loop what it has left in an earlier one.

mod slots;

use std::collections::{BTreeMap, HashMap};

use crate::affine;
use crate::ir::{Binary, Function, Op, Ty, Value};
use slots::Slots;

/// Parts of a sum; a longer one is looked at as a whole.
const PARTS_MAX: usize = 16;

/// A number as a sum, modulo 2³²: what it is made of, each so many times, and a literal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Sum {
    pub(super) parts: BTreeMap<Value, u32>,
    pub(super) literal: u32,
    /// Local indices.
    pub(super) local: u32,
}

/// What is the same for the same number.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Op(Ty, Op),
    Sum(Ty, Sum),
}

/// Of each value, the first that is the same number; and of those the sums.
#[derive(Default)]
pub(super) struct Numbers {
    first: Vec<Value>,
    known: HashMap<Key, Value>,
    sums: HashMap<Value, Sum>,
    slots: Slots,
    /// Whether values here are those of one workgroup, and of each that goes with it.
    one: bool,
    /// What holds for each workgroup where a value does.
    each: HashMap<Value, Value>,
}

impl Numbers {
    pub(super) fn of(f: &Function) -> Self {
        let mut numbers = Self { first: (0..f.values.len() as u32).map(Value).collect(), one: true, ..Self::default() };
        (0..f.values.len() as u32)
            .map(Value)
            .filter(|&value| f.is_input(value))
            .for_each(|value| numbers.add(f, value));
        numbers.one = f.tile <= 1;
        numbers.region(f, &f.body);
        numbers
    }

    /// The first value that is the same number.
    pub(super) fn first(&self, value: Value) -> Value {
        self.first[value.index()]
    }

    pub(super) fn is_same(&self, a: Value, b: Value) -> bool {
        self.first(a) == self.first(b)
    }

    /// What a number of 32 bits is made of.
    pub(super) fn sum(&self, value: Value) -> Sum {
        let first = self.first(value);
        self.sums.get(&first).cloned().unwrap_or_else(|| Sum::whole(first))
    }

    /// What holds for each of the workgroups that go together, where this does.
    pub(super) fn for_each(&self, value: Value) -> Option<Value> {
        self.each.get(&value).copied()
    }

    fn add(&mut self, f: &Function, value: Value) {
        // Outside of the loops over workgroups a number may be the first one's, and is like no other.
        if !self.one && !slots::is_shared(f, value) {
            return;
        }
        if let Op::Recall(slot) = *f.op(value) {
            return self.recall(f, slot, value);
        }
        let (ty, op) = (f.ty(value), f.op(value));
        let sum = matches!(ty, Ty::I32 | Ty::U32).then(|| self.made_of(f, value)).flatten();
        let key = match sum.filter(|sum| sum.parts.len() <= PARTS_MAX) {
            Some(sum) => match sum.only_part().filter(|&part| f.ty(part) == ty) {
                Some(part) => {
                    self.first[value.index()] = part;
                    return;
                }
                None => Key::Sum(ty, sum),
            },
            None => match op {
                Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => Key::Op(ty, op.clone()),
                Op::Unary(..) | Op::Binary(..) | Op::Select(..) | Op::Convert(_) | Op::Bitcast(_) | Op::Call(..) => {
                    Key::Op(ty, self.ordered(op))
                }
                // Loads may find other contents, and lanes others beside them.
                Op::Param
                | Op::Run(..)
                | Op::Load { .. }
                | Op::Atomic { .. }
                | Op::Subgroup(..)
                | Op::Recall(_)
                | Op::Any(_)
                | Op::Edge(..)
                | Op::AnyLane(_)
                | Op::Callers => return,
            },
        };
        if let Some(&same) = self.known.get(&key) {
            self.first[value.index()] = same;
            return;
        }
        if let Key::Sum(_, sum) = &key {
            self.sums.insert(value, sum.clone());
        }
        self.known.insert(key, value);
    }

    /// The operation on the first of its operands' names, in one order where that does not matter.
    fn ordered(&self, op: &Op) -> Op {
        let mut op = op.clone();
        op.rename(|operand| self.first(operand));
        match op {
            Op::Binary(op @ (Binary::Mul | Binary::And | Binary::Or | Binary::Xor), a, b) => {
                Op::Binary(op, a.min(b), a.max(b))
            }
            op => op,
        }
    }

    /// The sum that an operation makes of its operands' sums.
    fn made_of(&self, f: &Function, value: Value) -> Option<Sum> {
        let times = |of: Value, by: u64| Some(Sum::default().plus(&self.sum(of), by as u32));
        match *f.op(value) {
            Op::Const(bits) => Some(Sum { literal: bits as u32, ..Sum::default() }),
            Op::Builtin(_) => affine::is_local_index(f, value).then(|| Sum { local: 1, ..Sum::default() }),
            Op::Binary(Binary::Add, a, b) => Some(self.sum(a).plus(&self.sum(b), 1)),
            Op::Binary(Binary::Sub, a, b) => Some(self.sum(a).plus(&self.sum(b), u32::MAX)),
            Op::Binary(Binary::Mul, a, b) => match (f.constant(a), f.constant(b)) {
                (_, Some(by)) => times(a, by),
                (Some(by), None) => times(b, by),
                (None, None) => None,
            },
            Op::Binary(Binary::Shl, a, b) => times(a, 1 << (f.constant(b)? & 31)),
            Op::Convert(a) | Op::Bitcast(a) if matches!(f.ty(a), Ty::I32 | Ty::U32) => Some(self.sum(a)),
            _ => None,
        }
    }
}

impl Sum {
    fn whole(value: Value) -> Self {
        Self { parts: BTreeMap::from([(value, 1)]), ..Self::default() }
    }

    /// The number that this is, and nothing else.
    fn only_part(&self) -> Option<Value> {
        let (&part, &1) = self.parts.first_key_value()? else { return None };
        (*self == Self::whole(part)).then_some(part)
    }

    /// This, and another so many times.
    fn plus(mut self, other: &Self, times: u32) -> Self {
        for (&part, &count) in &other.parts {
            let entry = self.parts.entry(part).or_default();
            *entry = entry.wrapping_add(count.wrapping_mul(times));
        }
        self.parts.retain(|_, count| *count != 0);
        self.literal = self.literal.wrapping_add(other.literal.wrapping_mul(times));
        self.local = self.local.wrapping_add(other.local.wrapping_mul(times));
        self
    }
}
