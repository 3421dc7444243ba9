//! Instructions that change memory at once, for all who see it.

use iced_x86::{Code as C, Instruction};
use regalloc2::Allocation;

use super::access::at;
use super::asm::{Asm, Done, g64, sized};
use super::flags::cmov;
use super::function::Source;
use super::op::Change;
use super::reg::Size;

impl Asm<'_> {
    pub(super) fn change(
        &mut self,
        change: Change,
        size: Size,
        source: Source,
        given: &[Allocation],
        gives: bool,
    ) -> Done {
        let word = size == Size::Word;
        let sized = |allocation: Allocation| sized(size, allocation);
        let once = |code: C, code_wide: C| if word { code } else { code_wide };
        match change {
            Change::Exchange => {
                let at = at(source, &given[2..]);
                let code = once(C::Xchg_rm32_r32, C::Xchg_rm64_r64);
                return self.put(&Instruction::with2(code, at, sized(given[0]))?);
            }
            Change::Add if gives => {
                let at = at(source, &given[2..]);
                let code = once(C::Xadd_rm32_r32, C::Xadd_rm64_r64);
                return self.put_locked(Instruction::with2(code, at, sized(given[0]))?);
            }
            Change::Add | Change::And | Change::Or | Change::Xor if !gives => {
                let code = match change {
                    Change::Add => once(C::Add_rm32_r32, C::Add_rm64_r64),
                    Change::And => once(C::And_rm32_r32, C::And_rm64_r64),
                    Change::Or => once(C::Or_rm32_r32, C::Or_rm64_r64),
                    _ => once(C::Xor_rm32_r32, C::Xor_rm64_r64),
                };
                let at = at(source, &given[1..]);
                return self.put_locked(Instruction::with2(code, at, sized(given[0]))?);
            }
            Change::Add | Change::And | Change::Or | Change::Xor | Change::Pick(_) => {}
        }
        // What was there, what is to be there, and again if it is another by then.
        let at = at(source, &given[3..]);
        let (old, new, value) = (sized(given[0]), sized(given[1]), sized(given[2]));
        self.put(&Instruction::with2(once(C::Mov_r32_rm32, C::Mov_r64_rm64), old, at)?)?;
        let again = self.at;
        self.put2(once(C::Mov_r32_rm32, C::Mov_r64_rm64), new, old)?;
        match change {
            Change::And => self.put2(once(C::And_r32_rm32, C::And_r64_rm64), new, value)?,
            Change::Or => self.put2(once(C::Or_r32_rm32, C::Or_r64_rm64), new, value)?,
            Change::Xor => self.put2(once(C::Xor_r32_rm32, C::Xor_r64_rm64), new, value)?,
            Change::Add | Change::Exchange => unreachable!("invariant atomics: these take one instruction"),
            Change::Pick(cc) => {
                self.put2(once(C::Cmp_r32_rm32, C::Cmp_r64_rm64), value, old)?;
                self.put2(cmov(cc), g64(given[1]), g64(given[2]))?;
            }
        }
        self.put_locked(Instruction::with2(once(C::Cmpxchg_rm32_r32, C::Cmpxchg_rm64_r64), at, new)?)?;
        self.put(&Instruction::with_branch(C::Jne_rel8_64, again)?)
    }

    pub(super) fn compare_exchange(&mut self, size: Size, source: Source, given: &[Allocation]) -> Done {
        let at = at(source, &given[3..]);
        let code = if size == Size::Word { C::Cmpxchg_rm32_r32 } else { C::Cmpxchg_rm64_r64 };
        self.put_locked(Instruction::with2(code, at, sized(size, given[2]))?)
    }

    fn put_locked(&mut self, mut instruction: Instruction) -> Done {
        instruction.set_has_lock_prefix(true);
        self.put(&instruction)
    }
}
