//! Instructions on general registers, memory, and between those and vectors.

use iced_x86::{Code as C, Instruction, MemoryOperand, Register as R};
use regalloc2::Allocation;

use super::asm::{Asm, Done, g8, g16, g32, g64, k, sized, slot, vector, x};
use super::condition::{Cc, Test};
use super::flags::{cmov, setcc, short_jcc};
use super::function::Source;
use super::op::{Alu, Count, Mask, Op, Shift};
use super::reg::{Bits, Class, Size};
use crate::helpers;

impl Asm<'_> {
    /// Whatever is not between vectors alone.
    pub(super) fn number(&mut self, op: Op, source: Source, given: &[Allocation], gives: bool) -> Done {
        let isa = self.form.isa;
        match op {
            Op::Alu(alu, size) => {
                if alu == Alu::Add {
                    let sum = MemoryOperand::with_base_index(g64(given[1]), g64(given[2]));
                    let code = if size == Size::Word { C::Lea_r32_m } else { C::Lea_r64_m };
                    return self.put(&Instruction::with2(code, sized(size, given[0]), sum)?);
                }
                let code = match (alu, size) {
                    (Alu::Add | Alu::Sub, Size::Word) => C::Sub_r32_rm32,
                    (Alu::Add | Alu::Sub, Size::Double) => C::Sub_r64_rm64,
                    (Alu::And, Size::Word) => C::And_r32_rm32,
                    (Alu::And, Size::Double) => C::And_r64_rm64,
                    (Alu::Or, Size::Word) => C::Or_r32_rm32,
                    (Alu::Or, Size::Double) => C::Or_r64_rm64,
                    (Alu::Xor, Size::Word) => C::Xor_r32_rm32,
                    (Alu::Xor, Size::Double) => C::Xor_r64_rm64,
                    (Alu::Mul, Size::Word) => C::Imul_r32_rm32,
                    (Alu::Mul, Size::Double) => C::Imul_r64_rm64,
                };
                match slot(given[2]) {
                    Some(at) => self.put(&Instruction::with2(code, sized(size, given[0]), at)?),
                    None => self.put2(code, sized(size, given[0]), sized(size, given[2])),
                }
            }
            Op::AluLiteral(alu, size, literal) => {
                let to = sized(size, given[0]);
                let code = match (alu, size) {
                    (Alu::Add, _) => {
                        let sum = MemoryOperand::with_base_displ(g64(given[1]), literal.into());
                        let code = if size == Size::Word { C::Lea_r32_m } else { C::Lea_r64_m };
                        return self.put(&Instruction::with2(code, to, sum)?);
                    }
                    (Alu::Mul, _) => {
                        let code = if size == Size::Word { C::Imul_r32_rm32_imm32 } else { C::Imul_r64_rm64_imm32 };
                        return self.put(&Instruction::with3(code, to, sized(size, given[1]), literal)?);
                    }
                    (Alu::Sub, Size::Word) => C::Sub_rm32_imm32,
                    (Alu::Sub, Size::Double) => C::Sub_rm64_imm32,
                    (Alu::And, Size::Word) => C::And_rm32_imm32,
                    (Alu::And, Size::Double) => C::And_rm64_imm32,
                    (Alu::Or, Size::Word) => C::Or_rm32_imm32,
                    (Alu::Or, Size::Double) => C::Or_rm64_imm32,
                    (Alu::Xor, Size::Word) => C::Xor_rm32_imm32,
                    (Alu::Xor, Size::Double) => C::Xor_rm64_imm32,
                };
                self.put_literal(code, to, literal)
            }
            Op::Deposit | Op::Collect => {
                let code = if op == Op::Deposit { C::VEX_Pdep_r64_r64_rm64 } else { C::VEX_Pext_r64_r64_rm64 };
                let [to, a, by] = [given[0], given[1], given[2]].map(g64);
                self.put(&Instruction::with3(code, to, a, by)?)
            }
            Op::Shift(shift, size) => {
                let code = match (shift, size) {
                    (Shift::Left, Size::Word) => C::VEX_Shlx_r32_rm32_r32,
                    (Shift::Left, Size::Double) => C::VEX_Shlx_r64_rm64_r64,
                    (Shift::Right, Size::Word) => C::VEX_Shrx_r32_rm32_r32,
                    (Shift::Right, Size::Double) => C::VEX_Shrx_r64_rm64_r64,
                    (Shift::Arithmetic, Size::Word) => C::VEX_Sarx_r32_rm32_r32,
                    (Shift::Arithmetic, Size::Double) => C::VEX_Sarx_r64_rm64_r64,
                };
                let [to, a, by] = [given[0], given[1], given[2]].map(|each| sized(size, each));
                self.put(&Instruction::with3(code, to, a, by)?)
            }
            Op::ShiftLiteral(Shift::Left, size, by @ 1..=3) => {
                let product = MemoryOperand::new(R::None, g64(given[1]), 1 << by, 0, 4, false, R::None);
                let code = if size == Size::Word { C::Lea_r32_m } else { C::Lea_r64_m };
                self.put(&Instruction::with2(code, sized(size, given[0]), product)?)
            }
            Op::ShiftLiteral(shift, size, by) => {
                let code = match (shift, size) {
                    (Shift::Left, Size::Word) => C::Shl_rm32_imm8,
                    (Shift::Left, Size::Double) => C::Shl_rm64_imm8,
                    (Shift::Right, Size::Word) => C::Shr_rm32_imm8,
                    (Shift::Right, Size::Double) => C::Shr_rm64_imm8,
                    (Shift::Arithmetic, Size::Word) => C::Sar_rm32_imm8,
                    (Shift::Arithmetic, Size::Double) => C::Sar_rm64_imm8,
                };
                self.put_literal(code, sized(size, given[0]), by.into())
            }
            Op::Negate(size) => {
                self.put1(if size == Size::Word { C::Neg_rm32 } else { C::Neg_rm64 }, sized(size, given[0]))
            }
            Op::Not(size) => {
                self.put1(if size == Size::Word { C::Not_rm32 } else { C::Not_rm64 }, sized(size, given[0]))
            }
            Op::Swap(size) => {
                self.put1(if size == Size::Word { C::Bswap_r32 } else { C::Bswap_r64 }, sized(size, given[0]))
            }
            Op::Count(count, size) => {
                let code = match (count, size) {
                    (Count::Ones, Size::Word) => C::Popcnt_r32_rm32,
                    (Count::Ones, Size::Double) => C::Popcnt_r64_rm64,
                    (Count::LeadingZeros, Size::Word) => C::Lzcnt_r32_rm32,
                    (Count::LeadingZeros, Size::Double) => C::Lzcnt_r64_rm64,
                    (Count::TrailingZeros, Size::Word) => C::Tzcnt_r32_rm32,
                    (Count::TrailingZeros, Size::Double) => C::Tzcnt_r64_rm64,
                };
                self.put2(code, sized(size, given[0]), sized(size, given[1]))
            }
            Op::Low => self.put2(C::Mov_r32_rm32, g32(given[0]), g32(given[1])),
            Op::LowByte => self.put2(C::Movzx_r32_rm8, g32(given[0]), g8(given[1])),
            Op::LowHalf => self.put2(C::Movzx_r32_rm16, g32(given[0]), g16(given[1])),
            Op::Signed => self.put2(C::Movsxd_r64_rm32, g64(given[0]), g32(given[1])),
            Op::Divide { size, signed, .. } => {
                let by = sized(size, given[2]);
                match (signed, size) {
                    (true, Size::Word) => {
                        self.put(&Instruction::with(C::Cdq))?;
                        self.put1(C::Idiv_rm32, by)
                    }
                    (true, Size::Double) => {
                        self.put(&Instruction::with(C::Cqo))?;
                        self.put1(C::Idiv_rm64, by)
                    }
                    (false, _) => {
                        self.put2(C::Xor_r32_rm32, R::EDX, R::EDX)?;
                        self.put1(if size == Size::Word { C::Div_rm32 } else { C::Div_rm64 }, by)
                    }
                }
            }
            Op::Set(test) => {
                self.test(test, &given[1..])?;
                self.put1(setcc(test.cc()), g8(given[0]))?;
                self.put2(C::Movzx_r32_rm8, g32(given[0]), g8(given[0]))
            }
            Op::FloatEqual { size, not } => {
                self.test(Test::Float { size, cc: Cc::Equal }, &given[1..])?;
                let (ordered, equal) = if not { (C::Setp_rm8, C::Setne_rm8) } else { (C::Setnp_rm8, C::Sete_rm8) };
                self.put1(ordered, g8(given[3]))?;
                self.put1(equal, g8(given[0]))?;
                self.put2(if not { C::Or_r8_rm8 } else { C::And_r8_rm8 }, g8(given[0]), g8(given[3]))?;
                self.put2(C::Movzx_r32_rm8, g32(given[0]), g8(given[0]))
            }
            Op::Select(test, class) => {
                self.test(test, &given[3..])?;
                match class {
                    Class::General => self.put2(cmov(test.cc()), g64(given[0]), g64(given[2])),
                    Class::Vector | Class::Mask => {
                        let over = Instruction::with_branch(short_jcc(test.cc().not()), self.at)?;
                        self.put(&over)?;
                        let from = self.at;
                        self.transfer(given[2], given[0])?;
                        self.patch_short(from);
                        Ok(())
                    }
                }
            }
            Op::ToVector(Size::Word) => {
                self.put2(isa.pick(C::VEX_Vmovd_xmm_rm32, C::EVEX_Vmovd_xmm_rm32), x(given[0]), g32(given[1]))
            }
            Op::ToVector(Size::Double) => {
                self.put2(isa.pick(C::VEX_Vmovq_xmm_rm64, C::EVEX_Vmovq_xmm_rm64), x(given[0]), g64(given[1]))
            }
            Op::FromVector(Size::Word) => {
                self.put2(isa.pick(C::VEX_Vmovd_rm32_xmm, C::EVEX_Vmovd_rm32_xmm), g32(given[0]), x(given[1]))
            }
            Op::FromVector(Size::Double) => {
                self.put2(isa.pick(C::VEX_Vmovq_rm64_xmm, C::EVEX_Vmovq_rm64_xmm), g64(given[0]), x(given[1]))
            }
            Op::Extract(size, at) => {
                let code = match size {
                    Size::Word => isa.pick(C::VEX_Vpextrd_rm32_xmm_imm8, C::EVEX_Vpextrd_rm32_xmm_imm8),
                    Size::Double => isa.pick(C::VEX_Vpextrq_rm64_xmm_imm8, C::EVEX_Vpextrq_rm64_xmm_imm8),
                };
                self.put(&Instruction::with3(code, sized(size, given[0]), x(given[1]), i32::from(at))?)
            }
            Op::Insert(size, at) => {
                let code = match size {
                    Size::Word => isa.pick(C::VEX_Vpinsrd_xmm_xmm_rm32_imm8, C::EVEX_Vpinsrd_xmm_xmm_rm32_imm8),
                    Size::Double => isa.pick(C::VEX_Vpinsrq_xmm_xmm_rm64_imm8, C::EVEX_Vpinsrq_xmm_xmm_rm64_imm8),
                };
                let number = sized(size, given[2]);
                self.put(&Instruction::with4(code, x(given[0]), x(given[1]), number, i32::from(at))?)
            }
            Op::ToInt { from, to } => {
                let (avx2, avx512) = match (from, to) {
                    (Size::Word, Size::Word) => (C::VEX_Vcvttss2si_r32_xmmm32, C::EVEX_Vcvttss2si_r32_xmmm32_sae),
                    (Size::Word, Size::Double) => (C::VEX_Vcvttss2si_r64_xmmm32, C::EVEX_Vcvttss2si_r64_xmmm32_sae),
                    (Size::Double, Size::Word) => (C::VEX_Vcvttsd2si_r32_xmmm64, C::EVEX_Vcvttsd2si_r32_xmmm64_sae),
                    (Size::Double, Size::Double) => (C::VEX_Vcvttsd2si_r64_xmmm64, C::EVEX_Vcvttsd2si_r64_xmmm64_sae),
                };
                self.put2(isa.pick(avx2, avx512), sized(to, given[0]), x(given[1]))
            }
            Op::FromInt { from, to } => {
                let (avx2, avx512) = match (from, to) {
                    (Size::Word, Size::Word) => (C::VEX_Vcvtsi2ss_xmm_xmm_rm32, C::EVEX_Vcvtsi2ss_xmm_xmm_rm32_er),
                    (Size::Double, Size::Word) => (C::VEX_Vcvtsi2ss_xmm_xmm_rm64, C::EVEX_Vcvtsi2ss_xmm_xmm_rm64_er),
                    (Size::Word, Size::Double) => (C::VEX_Vcvtsi2sd_xmm_xmm_rm32, C::EVEX_Vcvtsi2sd_xmm_xmm_rm32_er),
                    (Size::Double, Size::Double) => (C::VEX_Vcvtsi2sd_xmm_xmm_rm64, C::EVEX_Vcvtsi2sd_xmm_xmm_rm64_er),
                };
                // Not to wait for whoever wrote it last.
                self.clear(given[0])?;
                let to = x(given[0]);
                self.put(&Instruction::with3(isa.pick(avx2, avx512), to, to, sized(from, given[1]))?)
            }
            Op::Signs(bits) => {
                let code = if bits == Bits::X { C::VEX_Vmovmskps_r32_xmm } else { C::VEX_Vmovmskps_r32_ymm };
                self.put2(code, g32(given[0]), vector(bits, given[1]))
            }
            Op::ToMask => self.put2(C::VEX_Kmovw_kr_r32, k(given[0]), g32(given[1])),
            Op::FromMask => self.put2(C::VEX_Kmovw_r32_kr, g32(given[0]), k(given[1])),
            Op::Mask(mask) => {
                let code = match mask {
                    Mask::And => C::VEX_Kandw_kr_kr_kr,
                    Mask::AndNot => C::VEX_Kandnw_kr_kr_kr,
                    Mask::Or => C::VEX_Korw_kr_kr_kr,
                    Mask::Xor => C::VEX_Kxorw_kr_kr_kr,
                    Mask::Join => C::VEX_Kunpckbw_kr_kr_kr,
                    Mask::Not => return self.put2(C::VEX_Knotw_kr_kr, k(given[0]), k(given[1])),
                    Mask::NotEight => return self.put2(C::VEX_Knotb_kr_kr, k(given[0]), k(given[1])),
                    Mask::Upper => {
                        let code = C::VEX_Kshiftrw_kr_kr_imm8;
                        return self.put(&Instruction::with3(code, k(given[0]), k(given[1]), 8)?);
                    }
                };
                self.put(&Instruction::with3(code, k(given[0]), k(given[1]), k(given[2]))?)
            }
            Op::Load(..)
            | Op::Gather(_)
            | Op::Scatter(_)
            | Op::Store(..)
            | Op::AddTo(..)
            | Op::StoreMasked(..)
            | Op::Stream(..)
            | Op::Fence
            | Op::Prefetch(_) => self.access(op, source, given),
            Op::Change(change, size, _) => self.change(change, size, source, given, gives),
            Op::CompareExchange(size, _) => self.compare_exchange(size, source, given),
            Op::Call(helper) => self.call_helper(helper),
            Op::Fetch => self.call(helpers::fetch as *const u8 as u64),
            Op::Run(number) => self.run(number),
            Op::Argument(_) | Op::Param(_) | Op::Int(_) | Op::Pool { .. } | Op::MaskLiteral(_) | Op::V(..) => {
                unreachable!("invariant encoding: {op:?} is written elsewhere")
            }
        }
    }
}
