//! How a value lies that is made of others.

use super::{Analysis, all};
use crate::ir::{Binary, Builtin, EVEN, Memory, Op, Reach, Shape, Shuffle, Subgroup, Ty, Value};

impl Analysis<'_> {
    pub(super) fn op(&self, value: Value) -> Shape {
        let of = |value: Value| self.known.of(value);
        match self.f.op(value) {
            Op::Param | Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => of(value),
            Op::Binary(op, a, b) => self.binary(*op, *a, *b, value),
            Op::Bitcast(a) if self.f.ty(*a) != Ty::F32 && self.f.ty(value) != Ty::F32 => of(*a),
            Op::Convert(a) if integer(self.f.ty(*a)) && integer(self.f.ty(value)) => of(*a),
            Op::Load { at, uniform } => {
                let mut index = Shape::Uniform;
                at.each(|term| index = all(index, of(term)));
                match &self.f.memories[at.memory.index()] {
                    // Core knows that all lanes hold the same there, each in memory of its own.
                    Memory::Private { .. } if *uniform && index.is_scalar() => EVEN,
                    Memory::Buffer { .. } | Memory::Workgroup { .. } if *uniform => Shape::Uniform,
                    // What others may write can differ from one lane group to the next.
                    Memory::Buffer { read_only: false, .. } | Memory::Workgroup { .. } => all(index, EVEN),
                    Memory::Buffer { read_only: true, .. } | Memory::Constants { .. } => index,
                    Memory::Private { .. } => Shape::Varying,
                }
            }
            Op::Atomic { .. } | Op::Callers => Shape::Varying,
            // It gives nothing.
            Op::Run(..) | Op::Subgroup(Subgroup::Fence, _) | Op::Any(_) => Shape::Uniform,
            Op::Edge(..) | Op::AnyLane(_) => EVEN,
            Op::Recall(slot) => self.f.slots[slot.index()].shape,
            Op::Subgroup(Subgroup::Ballot(_) | Subgroup::Fold(_, Reach::All) | Subgroup::First, _) => EVEN,
            Op::Subgroup(Subgroup::Shuffle(Shuffle::At), args) if of(args[1]).is_scalar() => EVEN,
            Op::Subgroup(..) => Shape::Varying,
            // As regular as what it is made of.
            op @ (Op::Unary(..) | Op::Select(..) | Op::Call(..) | Op::Convert(_) | Op::Bitcast(_)) => {
                let mut shape = Shape::Uniform;
                op.each(|operand| shape = all(shape, of(operand)));
                shape
            }
        }
    }

    /// The local index in parts that lane groups do not straddle: which part, or where in it.
    fn part_of_index(&self, op: Binary, bits: u64) -> Option<Shape> {
        let (part, shape) = match op {
            Binary::And => (bits.checked_add(1)?, Shape::Linear(1)),
            Binary::Shr => (1 << (bits & 31), EVEN),
            _ => return None,
        };
        (part.is_power_of_two() && part.is_multiple_of(self.known.width.into())).then_some(shape)
    }

    fn binary(&self, op: Binary, a: Value, b: Value, result: Value) -> Shape {
        let (left, right) = (self.known.of(a), self.known.of(b));
        let stride = |shape: Shape| match shape {
            Shape::Uniform => Some(0),
            Shape::Linear(stride) => Some(stride),
            Shape::Varying => None,
        };
        let plain = all(left, right);
        if plain != Shape::Varying || !integer(self.f.ty(result)) {
            return plain;
        }
        let (Some(x), Some(y)) = (stride(left), stride(right)) else { return Shape::Varying };
        if let (Op::Builtin(Builtin::LocalIndex), Some(bits)) = (self.f.op(a), self.f.constant(b))
            && let Some(shape) = self.part_of_index(op, bits)
        {
            return shape;
        }
        // Numbers of 32 bits wrap, and so do their strides.
        let linear = |stride: i64| Shape::Linear(i64::from(stride as i32));
        let constant = |value: Value| self.f.constant(value).map(|bits| i64::from(bits as u32 as i32));
        match op {
            Binary::Add => linear(x + y),
            Binary::Sub => linear(x - y),
            Binary::Mul => match (constant(a), constant(b)) {
                (_, Some(factor)) => linear(x * factor),
                (Some(factor), _) => linear(y * factor),
                (None, None) => Shape::Varying,
            },
            Binary::Shl => match constant(b) {
                Some(amount) => linear(x << (amount & 31)),
                None => Shape::Varying,
            },
            _ => Shape::Varying,
        }
    }
}

/// Whether values of a type may be linear.
fn integer(ty: Ty) -> bool {
    matches!(ty, Ty::I32 | Ty::U32)
}
