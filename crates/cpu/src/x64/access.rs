//! Instructions that go to memory.

use iced_x86::{Code as C, Instruction, MemoryOperand, Register as R};
use regalloc2::Allocation;

use super::asm::{Asm, Done, Error, g8, g16, g32, g64, k, vector, x};
use super::function::Source;
use super::isa::Isa;
use super::op::{Op, Place, Width};
use super::reg::Bits;

impl Asm<'_> {
    /// Whatever loads, stores or asks for memory, and does not change it at once.
    pub(super) fn access(&mut self, op: Op, source: Source, given: &[Allocation]) -> Done {
        let isa = self.form.isa;
        match op {
            Op::Load(width, _) => {
                let at = at(source, &given[1..]);
                let (code, to) = match width {
                    Width::Byte => (C::Movzx_r32_rm8, g32(given[0])),
                    Width::Half => (C::Movzx_r32_rm16, g32(given[0])),
                    Width::Word => (C::Mov_r32_rm32, g32(given[0])),
                    Width::Double => (C::Mov_r64_rm64, g64(given[0])),
                    Width::Single => (isa.pick(C::VEX_Vmovss_xmm_m32, C::EVEX_Vmovss_xmm_k1z_m32), x(given[0])),
                    Width::Long => (isa.pick(C::VEX_Vmovsd_xmm_m64, C::EVEX_Vmovsd_xmm_k1z_m64), x(given[0])),
                    Width::Vector(bits) => (self.load(bits), vector(bits, given[0])),
                };
                self.put(&Instruction::with2(code, to, at)?)
            }
            Op::Gather(bits) => {
                let (code, to) = match bits {
                    Bits::X => (C::EVEX_Vpgatherqd_xmm_k1_vm64x, Bits::X),
                    Bits::Y => (C::EVEX_Vpgatherqd_xmm_k1_vm64y, Bits::X),
                    Bits::Z => (C::EVEX_Vpgatherqd_ymm_k1_vm64z, Bits::Y),
                };
                let mask = self.spent(given[1], given.get(4))?;
                self.clear(given[0])?;
                let at = MemoryOperand::with_base_index(g64(given[2]), vector(bits, given[3]));
                let mut gather = Instruction::with2(code, vector(to, given[0]), at)?;
                gather.set_op_mask(mask);
                self.put(&gather)
            }
            Op::Scatter(bits) => {
                let (code, from) = match bits {
                    Bits::X => (C::EVEX_Vpscatterqd_vm64x_k1_xmm, Bits::X),
                    Bits::Y => (C::EVEX_Vpscatterqd_vm64y_k1_xmm, Bits::X),
                    Bits::Z => (C::EVEX_Vpscatterqd_vm64z_k1_ymm, Bits::Y),
                };
                let mask = self.spent(given[0], given.get(4))?;
                let at = MemoryOperand::with_base_index(g64(given[1]), vector(bits, given[2]));
                let mut scatter = Instruction::with2(code, at, vector(from, given[3]))?;
                scatter.set_op_mask(mask);
                self.put(&scatter)
            }
            Op::Store(width, _) => {
                let at = at(source, &given[1..]);
                let (code, from) = match width {
                    Width::Byte => (C::Mov_rm8_r8, g8(given[0])),
                    Width::Half => (C::Mov_rm16_r16, g16(given[0])),
                    Width::Word => (C::Mov_rm32_r32, g32(given[0])),
                    Width::Double => (C::Mov_rm64_r64, g64(given[0])),
                    Width::Single => (isa.pick(C::VEX_Vmovss_m32_xmm, C::EVEX_Vmovss_m32_k1_xmm), x(given[0])),
                    Width::Long => (isa.pick(C::VEX_Vmovsd_m64_xmm, C::EVEX_Vmovsd_m64_k1_xmm), x(given[0])),
                    Width::Vector(bits) => (self.store(bits), vector(bits, given[0])),
                };
                self.put(&Instruction::with2(code, at, from)?)
            }
            Op::AddTo(literal, _) => {
                let at = at(source, given);
                let short = i8::try_from(literal).is_ok();
                self.put(&Instruction::with2(if short { C::Add_rm32_imm8 } else { C::Add_rm32_imm32 }, at, literal)?)
            }
            Op::StoreMasked(bits, _) if self.form.isa == Isa::Avx2 => {
                let (at, [value, mask]) = (at(source, &given[2..]), [0, 1].map(|i| vector(bits, given[i])));
                let code = match bits {
                    Bits::X => C::VEX_Vpmaskmovd_m128_xmm_xmm,
                    _ => C::VEX_Vpmaskmovd_m256_ymm_ymm,
                };
                self.put(&Instruction::with3(code, at, mask, value)?)
            }
            Op::StoreMasked(bits, _) => {
                let at = at(source, &given[2..]);
                let mut store = Instruction::with2(self.store(bits), at, vector(bits, given[0]))?;
                store.set_op_mask(k(given[1]));
                self.put(&store)
            }
            Op::Stream(bits, _) => {
                let code = match bits {
                    Bits::X => isa.pick(C::VEX_Vmovntps_m128_xmm, C::EVEX_Vmovntps_m128_xmm),
                    Bits::Y => isa.pick(C::VEX_Vmovntps_m256_ymm, C::EVEX_Vmovntps_m256_ymm),
                    Bits::Z => C::EVEX_Vmovntps_m512_zmm,
                };
                let at = at(source, &given[1..]);
                self.put(&Instruction::with2(code, at, vector(bits, given[0]))?)
            }
            Op::Fence => self.put(&Instruction::with(C::Sfence)),
            Op::Prefetch(_) => {
                let at = at(source, given);
                self.put(&Instruction::with1(C::Prefetcht0_m8, at)?)
            }
            _ => unreachable!("invariant encoding: {op:?} is no access"),
        }
    }

    /// A copy of a mask, or of one of all lanes, for an instruction that clears it.
    fn spent(&mut self, temp: Allocation, mask: Option<&Allocation>) -> Result<R, Error> {
        let copy = k(temp);
        match mask {
            Some(&mask) => self.put2(C::VEX_Kmovq_kr_km64, copy, k(mask))?,
            None => self.put(&Instruction::with3(C::VEX_Kxnorw_kr_kr_kr, copy, copy, copy)?)?,
        }
        Ok(copy)
    }
}

/// The place of an instruction, by its registers.
pub(super) fn at(source: Source, given: &[Allocation]) -> MemoryOperand {
    match source {
        Source::Memory(place, index) => memory(place, index, given),
        Source::Operand | Source::Pool(_) => unreachable!("invariant encoding: it goes to memory"),
    }
}

pub(super) fn memory(place: Place, index: bool, given: &[Allocation]) -> MemoryOperand {
    let (base, ahead) = (g64(given[0]), i64::from(place.ahead));
    if index {
        return MemoryOperand::with_base_index_scale_displ_size(base, g64(given[1]), place.scale.into(), ahead, 1);
    }
    MemoryOperand::with_base_displ(base, ahead)
}
