//! Calls of Rust's functions, and of a kernel's own.

use iced_x86::{Code as C, Instruction, Register as R};

use super::asm::{Asm, Done};
use crate::helpers::{Helper, Machine};

impl Asm<'_> {
    pub(super) fn call_helper(&mut self, helper: Helper) -> Done {
        self.call(helper.address() as u64)?;
        match helper.signature().1 {
            // Functions leave anything in the upper half.
            Machine::u32 | Machine::i32 => self.put2(C::Mov_r32_rm32, R::EAX, R::EAX),
            Machine::i64 | Machine::f32 | Machine::f64 => Ok(()),
        }
    }

    /// Another function of the kernel, whose place is not known yet.
    pub(super) fn run(&mut self, number: u32) -> Done {
        self.put(&Instruction::with_branch(C::Call_rel32_64, self.at)?)?;
        self.calls.push((self.at as u32 - 4, number));
        Ok(())
    }

    /// A function of Rust: such want the upper halves of vectors clean.
    pub(super) fn call(&mut self, address: u64) -> Done {
        self.put(&Instruction::with(C::VEX_Vzeroupper))?;
        self.put(&Instruction::with2(C::Mov_r64_imm64, R::RAX, address)?)?;
        self.put1(C::Call_rm64, R::RAX)
    }
}
