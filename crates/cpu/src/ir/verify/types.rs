//! The types of operations, and the memories that they name.

use super::{Error, Verify};
use crate::ir::{Address, Atomic, Binary, Memory, Op, Shape, Slot, Subgroup, Ty, Unary, Value};

/// What a place is named for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Load,
    Store,
    Atomic,
}

impl Verify<'_> {
    pub(super) fn op_types(&self, value: Value) -> Result<(), Error> {
        let (f, result) = (self.f, self.f.ty(value));
        match f.op(value) {
            // They are there without being made.
            Op::Param | Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => Err(Error::Made { value }),
            Op::Unary(op, a) => {
                self.takes(unary_takes(*op), *a)?;
                self.has_type(value, f.ty(*a))
            }
            Op::Binary(op, a, b) => self.binary_types(*op, *a, *b, value),
            Op::Select(c, a, b) => {
                self.has_type(*c, Ty::Bool)?;
                self.has_type(*a, result)?;
                self.has_type(*b, result)
            }
            Op::Convert(_) => Ok(()),
            Op::Bitcast(a) => {
                let (from, to) = (f.ty(*a), result);
                let kept = from.bytes() == to.bytes() && (from == Ty::Bool) == (to == Ty::Bool);
                if kept { Ok(()) } else { Err(Error::Type { value: *a, expected: to, got: from }) }
            }
            Op::Call(helper, args) => {
                let (params, gives) = helper.signature();
                arity(params.len(), args.len())?;
                // Half floats are floats of 32 bits in registers.
                let passed = |value: Value| if f.ty(value) == Ty::F16 { Ty::F32 } else { f.ty(value) };
                let typed = |value: Value, expected: Ty| match passed(value) {
                    got if got == expected => Ok(()),
                    got => Err(Error::Type { value, expected, got }),
                };
                params.iter().zip(args).try_for_each(|(param, &arg)| typed(arg, param.ty()))?;
                typed(value, gives.ty())
            }
            Op::Run(callee, when) => {
                if *callee as usize >= f.calls.len() {
                    return Err(Error::Callee { callee: *callee });
                }
                when.iter().try_for_each(|&when| self.mask(when))
            }
            Op::Load { at, .. } => self.place(at, result, Access::Load),
            Op::Atomic { at, fun, value: with, compare, when } => {
                self.place(at, result, Access::Atomic)?;
                when.iter().try_for_each(|&when| self.mask(when))?;
                arity((*fun == Atomic::CompareExchange).into(), compare.iter().len())?;
                [Some(*with), *compare].into_iter().flatten().try_for_each(|with| self.has_type(with, result))
            }
            Op::Subgroup(what, args) => self.subgroup_types(*what, args, value),
            Op::Edge(_, a) => {
                self.has_type(*a, Ty::U32)?;
                self.has_type(value, Ty::U64)
            }
            Op::Recall(slot) => self.kept(*slot, result),
            Op::Any(any) => {
                any.of.iter().chain(&any.gone).try_for_each(|&slot| self.slot_type(slot, Ty::Bool))?;
                self.has_type(value, Ty::Bool)
            }
            Op::AnyLane(mask) => {
                self.has_type(*mask, Ty::Bool)?;
                self.has_type(value, Ty::Bool)
            }
            Op::Callers => self.has_type(value, Ty::Bool),
        }
    }

    fn binary_types(&self, op: Binary, a: Value, b: Value, value: Value) -> Result<(), Error> {
        let of = self.f.ty(a);
        self.takes(binary_takes(op), a)?;
        match op {
            Binary::Shl | Binary::Shr => self.has_type(b, Ty::U32)?,
            _ => self.has_type(b, of)?,
        }
        self.has_type(value, if op.compares() { Ty::Bool } else { of })
    }

    fn subgroup_types(&self, what: Subgroup, args: &[Value], value: Value) -> Result<(), Error> {
        let result = self.f.ty(value);
        let most = match what {
            Subgroup::Fence => 0,
            Subgroup::Ballot(_) | Subgroup::Fold(..) => 1,
            // In the vector form it is told of which lanes.
            Subgroup::First => 1 + args.len().saturating_sub(1).min(1),
            Subgroup::Shuffle(_) => 2,
        };
        arity(most, args.len())?;
        let by = if what == Subgroup::First { Ty::Bool } else { Ty::U32 };
        args.get(1).into_iter().try_for_each(|&lanes| self.has_type(lanes, by))?;
        match (what, args) {
            (Subgroup::Ballot(_), &[bit, ..]) => {
                self.has_type(bit, Ty::Bool)?;
                self.has_type(value, Ty::U32)
            }
            (Subgroup::Fold(op, _), &[operand, ..]) => {
                self.takes(binary_takes(op), operand)?;
                self.has_type(operand, result)
            }
            (Subgroup::First | Subgroup::Shuffle(_), &[operand, ..]) => self.has_type(operand, result),
            (
                Subgroup::Fence | Subgroup::Ballot(_) | Subgroup::Fold(..) | Subgroup::First | Subgroup::Shuffle(_),
                _,
            ) => Ok(()),
        }
    }

    /// A memory that is there, holds such values and may be used so; and indices of 32 bits.
    pub(super) fn place(&self, at: &Address, ty: Ty, access: Access) -> Result<(), Error> {
        let memory = at.memory;
        let fits = match self.f.memories.get(memory.index()) {
            Some(Memory::Buffer { read_only, .. }) => access == Access::Load || !read_only,
            Some(Memory::Workgroup { .. }) => true,
            Some(Memory::Private { slot_bytes, .. }) => access != Access::Atomic && ty.bytes() <= *slot_bytes,
            Some(Memory::Constants { ty: of, .. }) => access == Access::Load && ty == *of,
            None => false,
        };
        if !fits {
            return Err(Error::Memory { memory });
        }
        at.terms.iter().try_for_each(|term| {
            self.uses(term.index)?;
            self.has_type(term.index, Ty::U32)
        })
    }

    fn takes(&self, takes: fn(Ty) -> bool, value: Value) -> Result<(), Error> {
        let ty = self.f.ty(value);
        if takes(ty) { Ok(()) } else { Err(Error::Operand { value, ty }) }
    }

    pub(super) fn has_type(&self, value: Value, expected: Ty) -> Result<(), Error> {
        let got = self.f.ty(value);
        if got == expected { Ok(()) } else { Err(Error::Type { value, expected, got }) }
    }

    pub(super) fn slot_type(&self, slot: Slot, expected: Ty) -> Result<(), Error> {
        let kept = self.f.slots.get(slot.index()).ok_or(Error::NoSlot { slot })?;
        if kept.ty == expected { Ok(()) } else { Err(Error::Slot { slot, expected, got: kept.ty }) }
    }

    /// The same for one that is left or found here: outside of lane groups it is one for the workgroup.
    pub(super) fn kept(&self, slot: Slot, expected: Ty) -> Result<(), Error> {
        self.slot_type(slot, expected)?;
        if self.is_outside() && self.f.slots[slot.index()].shape != Shape::Uniform {
            return Err(Error::Outside { what: slot.to_string() });
        }
        Ok(())
    }

    /// A mask is of the lanes of a group; in the SPMD form there are none.
    pub(super) fn mask(&self, when: Value) -> Result<(), Error> {
        if !self.in_group && !self.f.is_callee {
            return Err(Error::Mask { mask: when });
        }
        self.has_type(when, Ty::Bool)
    }
}

pub(super) fn arity(expected: usize, got: usize) -> Result<(), Error> {
    if expected == got { Ok(()) } else { Err(Error::Arity { expected, got }) }
}

fn integer(ty: Ty) -> bool {
    matches!(ty, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64)
}

fn float(ty: Ty) -> bool {
    matches!(ty, Ty::F16 | Ty::F32 | Ty::F64)
}

fn number(ty: Ty) -> bool {
    ty != Ty::Bool
}

fn unary_takes(op: Unary) -> fn(Ty) -> bool {
    match op {
        Unary::Negate | Unary::Abs => number,
        Unary::Not => |ty| !float(ty),
        Unary::Floor | Unary::Ceil | Unary::Trunc | Unary::Round | Unary::Sqrt => float,
        Unary::CountOnes | Unary::LeadingZeros | Unary::TrailingZeros | Unary::Reverse => integer,
    }
}

fn binary_takes(op: Binary) -> fn(Ty) -> bool {
    match op {
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Min | Binary::Max => number,
        Binary::Rem | Binary::Shl | Binary::Shr => integer,
        Binary::And | Binary::Or | Binary::Xor => |ty| !float(ty),
        Binary::Dot => |ty| matches!(ty, Ty::I32 | Ty::U32),
        Binary::Eq | Binary::Ne => |_| true,
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => number,
    }
}
