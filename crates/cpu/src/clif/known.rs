//! Lanes that are known while the code is written, which Cranelift does not look for: masks of a lane
//! group that begins at a literal.

use cranelift_codegen::ir::{InstructionData, Opcode, Value};

use super::Clif;
use super::scalar::is_signed;
use crate::ir::{Binary, Ty};

/// Operations that are looked through.
const DEPTH_MAX: u32 = 6;

impl Clif<'_> {
    /// The lanes of a part.
    pub(super) fn known(&self, part: Value) -> Option<[u32; 4]> {
        self.known_within(part, DEPTH_MAX)
    }

    fn known_within(&self, value: Value, depth: u32) -> Option<[u32; 4]> {
        let depth = depth.checked_sub(1)?;
        let dfg = &self.b.func.dfg;
        let inst = dfg.value_def(value).inst()?;
        let of = |value: Value| self.known_within(value, depth);
        match dfg.insts[inst] {
            InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
                let bytes = dfg.constants.get(constant_handle).as_slice();
                let word = |i: usize| bytes.get(4 * i..4 * i + 4)?.try_into().ok().map(u32::from_le_bytes);
                Some([word(0)?, word(1)?, word(2)?, word(3)?])
            }
            // A scalar stands for four that are alike.
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some([imm.bits() as u32; 4]),
            InstructionData::Unary { opcode: Opcode::Splat, arg } => of(arg),
            InstructionData::Unary { opcode: Opcode::Bnot, arg } => Some(of(arg)?.map(|word| !word)),
            InstructionData::Binary { opcode: Opcode::Iadd, args: [a, b] } => {
                let (a, b) = (of(a)?, of(b)?);
                Some(std::array::from_fn(|i| a[i].wrapping_add(b[i])))
            }
            _ => None,
        }
    }

    /// The mask that a comparison of known integers gives.
    pub(super) fn decided(&mut self, op: Binary, of: Ty, a: Value, b: Value) -> Option<Value> {
        let (a, b) = (self.known(a)?, self.known(b)?);
        let number = |word: u32| if is_signed(of) { i64::from(word as i32) } else { i64::from(word) };
        let mut mask = [0; 4];
        for (lane, (a, b)) in mask.iter_mut().zip(a.into_iter().zip(b)) {
            let order = number(a).cmp(&number(b));
            let holds = match op {
                Binary::Eq => order.is_eq(),
                Binary::Ne => order.is_ne(),
                Binary::Lt => order.is_lt(),
                Binary::Le => order.is_le(),
                Binary::Gt => order.is_gt(),
                Binary::Ge => order.is_ge(),
                _ => return None,
            };
            *lane = if holds { u32::MAX } else { 0 };
        }
        Some(self.vector_constant(mask))
    }
}
