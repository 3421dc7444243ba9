//! What sets the flags, and what asks for them.

use iced_x86::Code as C;
use regalloc2::Allocation;

use super::asm::{Asm, Done, Operand, g32, g64, k, vector, x};
use super::condition::{Cc, Test};
use super::reg::{Bits, Size};

impl Asm<'_> {
    /// Sets the flags.
    pub(super) fn test(&mut self, test: Test, given: &[Allocation]) -> Done {
        match test {
            Test::Two { size: Size::Word, .. } => self.put2(C::Cmp_r32_rm32, g32(given[0]), g32(given[1])),
            Test::Two { size: Size::Double, .. } => self.put2(C::Cmp_r64_rm64, g64(given[0]), g64(given[1])),
            Test::One { size: Size::Word, literal: 0, cc: Cc::Equal | Cc::NotEqual } => {
                self.put2(C::Test_rm32_r32, g32(given[0]), g32(given[0]))
            }
            Test::One { size: Size::Double, literal: 0, cc: Cc::Equal | Cc::NotEqual } => {
                self.put2(C::Test_rm64_r64, g64(given[0]), g64(given[0]))
            }
            Test::One { size, literal, .. } => {
                let short = i8::try_from(literal).is_ok();
                match (size, short) {
                    (Size::Word, true) => self.put_literal(C::Cmp_rm32_imm8, g32(given[0]), literal),
                    (Size::Word, false) => self.put_literal(C::Cmp_rm32_imm32, g32(given[0]), literal),
                    (Size::Double, true) => self.put_literal(C::Cmp_rm64_imm8, g64(given[0]), literal),
                    (Size::Double, false) => self.put_literal(C::Cmp_rm64_imm32, g64(given[0]), literal),
                }
            }
            Test::Bits { size: Size::Word, literal, .. } => {
                self.put_literal(C::Test_rm32_imm32, g32(given[0]), literal)
            }
            Test::Bits { size: Size::Double, literal, .. } => {
                self.put_literal(C::Test_rm64_imm32, g64(given[0]), literal)
            }
            Test::Float { size, .. } => {
                let isa = self.form.isa;
                let code = match size {
                    Size::Word => isa.pick(C::VEX_Vucomiss_xmm_xmmm32, C::EVEX_Vucomiss_xmm_xmmm32_sae),
                    Size::Double => isa.pick(C::VEX_Vucomisd_xmm_xmmm64, C::EVEX_Vucomisd_xmm_xmmm64_sae),
                };
                self.put2(code, x(given[0]), x(given[1]))
            }
            Test::Any { bits, .. } => {
                let code = if bits == Bits::X { C::VEX_Vptest_xmm_xmmm128 } else { C::VEX_Vptest_ymm_ymmm256 };
                self.put2(code, vector(bits, given[0]), vector(bits, given[0]))
            }
            Test::AnyLane { .. } | Test::AllLanes { eight: false, .. } => {
                self.put2(C::VEX_Kortestw_kr_kr, k(given[0]), k(given[0]))
            }
            Test::AllLanes { eight: true, .. } => self.put2(C::VEX_Kortestb_kr_kr, k(given[0]), k(given[0])),
            Test::All { bits, ones, .. } => {
                let code = if bits == Bits::X { C::VEX_Vptest_xmm_xmmm128 } else { C::VEX_Vptest_ymm_ymmm256 };
                self.put_with(code, &[vector(bits, given[0])], Operand::Pool(ones), None, None)
            }
        }
    }
}

pub(super) fn jcc(cc: Cc) -> C {
    match cc {
        Cc::Equal => C::Je_rel32_64,
        Cc::NotEqual => C::Jne_rel32_64,
        Cc::Less => C::Jl_rel32_64,
        Cc::LessEqual => C::Jle_rel32_64,
        Cc::Greater => C::Jg_rel32_64,
        Cc::GreaterEqual => C::Jge_rel32_64,
        Cc::Below => C::Jb_rel32_64,
        Cc::BelowEqual => C::Jbe_rel32_64,
        Cc::Above => C::Ja_rel32_64,
        Cc::AboveEqual => C::Jae_rel32_64,
    }
}

pub(super) fn short_jcc(cc: Cc) -> C {
    match cc {
        Cc::Equal => C::Je_rel8_64,
        Cc::NotEqual => C::Jne_rel8_64,
        Cc::Less => C::Jl_rel8_64,
        Cc::LessEqual => C::Jle_rel8_64,
        Cc::Greater => C::Jg_rel8_64,
        Cc::GreaterEqual => C::Jge_rel8_64,
        Cc::Below => C::Jb_rel8_64,
        Cc::BelowEqual => C::Jbe_rel8_64,
        Cc::Above => C::Ja_rel8_64,
        Cc::AboveEqual => C::Jae_rel8_64,
    }
}

pub(super) fn setcc(cc: Cc) -> C {
    match cc {
        Cc::Equal => C::Sete_rm8,
        Cc::NotEqual => C::Setne_rm8,
        Cc::Less => C::Setl_rm8,
        Cc::LessEqual => C::Setle_rm8,
        Cc::Greater => C::Setg_rm8,
        Cc::GreaterEqual => C::Setge_rm8,
        Cc::Below => C::Setb_rm8,
        Cc::BelowEqual => C::Setbe_rm8,
        Cc::Above => C::Seta_rm8,
        Cc::AboveEqual => C::Setae_rm8,
    }
}

pub(super) fn cmov(cc: Cc) -> C {
    match cc {
        Cc::Equal => C::Cmove_r64_rm64,
        Cc::NotEqual => C::Cmovne_r64_rm64,
        Cc::Less => C::Cmovl_r64_rm64,
        Cc::LessEqual => C::Cmovle_r64_rm64,
        Cc::Greater => C::Cmovg_r64_rm64,
        Cc::GreaterEqual => C::Cmovge_r64_rm64,
        Cc::Below => C::Cmovb_r64_rm64,
        Cc::BelowEqual => C::Cmovbe_r64_rm64,
        Cc::Above => C::Cmova_r64_rm64,
        Cc::AboveEqual => C::Cmovae_r64_rm64,
    }
}
