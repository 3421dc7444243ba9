//! Each instruction with the registers that it was given.

use iced_x86::{Code as C, Instruction};
use regalloc2::{Algorithm, Allocation, Edit, InstOrEdit, RegClass, RegallocOptions};

use super::access::memory;
use super::asm::{ALIGN, Asm, Code, Done, Error, Operand, g32, g64, k, slot, vector, x};
use super::flags::jcc;
use super::form::{Form, Val};
use super::function::{Inst, KEPT, Selected, Source, What, machine};
use super::isa::Isa;
use super::op::Op;
use super::reg::{Bits, Class};
use super::vector::{Shape, V};
use crate::effort::Effort;

/// Instructions up to which registers are checked, in builds with debug assertions.
const CHECKED_MAX: usize = 1 << 14;

pub(super) fn encode(form: &Form, selected: &Selected, effort: Effort) -> Result<Code, Error> {
    let algorithm = if effort == Effort::Least { Algorithm::Fastalloc } else { Algorithm::Ion };
    let options = RegallocOptions { verbose_log: false, validate_ssa: cfg!(debug_assertions), algorithm };
    let env = machine(form.isa);
    let output = regalloc2::run(selected, &env, &options).map_err(|error| Error::Registers(format!("{error:?}")))?;
    if cfg!(debug_assertions) && selected.insts.len() < CHECKED_MAX {
        let mut checker = regalloc2::checker::Checker::new(selected, &env);
        checker.prepare(&output);
        checker.run().map_err(|error| Error::Registers(format!("{error:?}")))?;
    }
    let mut kept: Vec<u8> = Vec::new();
    let mut note = |allocation: Allocation| {
        if let Some(reg) = allocation.as_reg().filter(|reg| reg.class() == RegClass::Int) {
            let n = reg.hw_enc() as u8;
            if KEPT.contains(&n) && !kept.contains(&n) {
                kept.push(n);
            }
        }
    };
    output.allocs.iter().for_each(|&allocation| note(allocation));
    for (_, Edit::Move { from, to }) in &output.edits {
        note(*from);
        note(*to);
    }
    let frame = i32::try_from(output.num_spillslots * 8).map_err(|_| Error::Size)?;
    let frame = (frame as u32).next_multiple_of(ALIGN as u32) as i32;
    let mut asm = Asm::new(form, kept, frame);
    asm.prologue()?;
    let starts = asm.body(selected, &output)?;
    asm.finish(&starts)
}

impl Asm<'_> {
    /// Writes all blocks; where each begins.
    fn body(&mut self, selected: &Selected, output: &regalloc2::Output) -> Result<Vec<u64>, Error> {
        let count = selected.blocks();
        // Blocks of one jump are passed over.
        let mut through: Vec<usize> = (0..count).collect();
        let mut empty = vec![false; count];
        for (number, empty) in empty.iter_mut().enumerate() {
            let mut all = output.block_insts_and_edits(selected, regalloc2::Block::new(number));
            if let (Some(InstOrEdit::Inst(inst)), None) = (all.next(), all.next())
                && let What::Jump(to) = selected.insts[inst.index()].what
            {
                (through[number], *empty) = (to, number != 0 && to != number);
            }
        }
        for number in 0..count {
            let (mut to, mut passed) = (number, Vec::new());
            while empty[to] && !passed.contains(&to) {
                passed.push(to);
                to = through[to];
            }
            // A circle of jumps is a loop that does nothing: one of its blocks stays.
            empty[to] = false;
            passed.into_iter().filter(|&at| at != to).for_each(|at| through[at] = to);
        }
        let order: Vec<usize> = selected.layout.iter().copied().filter(|&number| !empty[number]).collect();
        let mut starts = vec![0; count];
        for (i, &number) in order.iter().enumerate() {
            starts[number] = self.at;
            let next = order.get(i + 1).copied();
            for each in output.block_insts_and_edits(selected, regalloc2::Block::new(number)) {
                match each {
                    InstOrEdit::Edit(Edit::Move { from, to }) => self.transfer(*from, *to)?,
                    InstOrEdit::Inst(inst) => {
                        let allocations = output.inst_allocs(inst);
                        let end = |to: usize| if empty[to] { through[to] } else { to };
                        match selected.insts[inst.index()].what {
                            What::Jump(to) => self.go(end(to), next)?,
                            What::Branch { test, accept, reject } => {
                                self.test(test, allocations)?;
                                let (accept, reject, cc) = (end(accept), end(reject), test.cc());
                                // The way back is one jump, for it is gone more often.
                                let back = next != Some(reject) && starts[reject] > 0;
                                if next == Some(accept) || back {
                                    self.jump(jcc(cc.not()), reject)?;
                                    self.go(accept, next)?;
                                } else {
                                    self.jump(jcc(cc), accept)?;
                                    self.go(reject, next)?;
                                }
                            }
                            _ => self.instruction(&selected.insts[inst.index()], allocations)?,
                        }
                    }
                }
            }
        }
        // Nobody jumps to these any more.
        (0..count).filter(|&number| empty[number]).for_each(|number| starts[number] = starts[through[number]]);
        Ok(starts)
    }

    fn jump(&mut self, code: C, to: usize) -> Done {
        self.put(&Instruction::with_branch(code, self.at)?)?;
        self.jumps.push((self.at - 4, to));
        Ok(())
    }

    /// Goes on in a block; `next` is the one that is written behind this one.
    fn go(&mut self, to: usize, next: Option<usize>) -> Done {
        if Some(to) == next { Ok(()) } else { self.jump(C::Jmp_rel32_64, to) }
    }

    fn instruction(&mut self, inst: &Inst, given: &[Allocation]) -> Done {
        match inst.what {
            What::Arguments => Ok(()),
            What::Jump(_) | What::Branch { .. } => {
                unreachable!("invariant encoding: jumps are written with their blocks")
            }
            What::Return => self.epilogue(),
            What::Make(val) => match self.form.op(val) {
                Op::Int(n) => self.literal(n, given[0]),
                Op::Pool { at, bytes } => self.vector_literal(val, at, bytes, given[0]),
                Op::MaskLiteral(lanes) => self.mask_literal(lanes, given[0]),
                Op::V(op, bits, literal) => self.vector(op, bits, literal, inst.source, given),
                op => self.number(op, inst.source, given, true),
            },
            What::Do(val) => self.number(self.form.op(val), inst.source, given, false),
        }
    }

    pub(super) fn literal(&mut self, n: i64, to: Allocation) -> Done {
        if n == 0 {
            return self.put2(C::Xor_r32_rm32, g32(to), g32(to));
        }
        if let Ok(word) = u32::try_from(n) {
            return self.put(&Instruction::with2(C::Mov_r32_imm32, g32(to), word)?);
        }
        if let Ok(short) = i32::try_from(n) {
            return self.put_literal(C::Mov_rm64_imm32, g64(to), short);
        }
        self.put(&Instruction::with2(C::Mov_r64_imm64, g64(to), n as u64)?)
    }

    fn mask_literal(&mut self, lanes: u16, to: Allocation) -> Done {
        let code = if lanes == 0 { C::VEX_Kxorw_kr_kr_kr } else { C::VEX_Kxnorw_kr_kr_kr };
        debug_assert!(lanes == 0 || lanes == u16::MAX, "no lane, or all");
        self.put(&Instruction::with3(code, k(to), k(to), k(to))?)
    }

    fn vector_literal(&mut self, val: Val, at: u32, bytes: u8, to: Allocation) -> Done {
        let isa = self.form.isa;
        let all = |byte: u8| self.form.bytes(val).is_some_and(|bytes| bytes.iter().all(|&b| b == byte));
        if all(0) {
            return self.clear(to);
        }
        if all(0xff) {
            let to = vector(isa.widest(), to);
            return self.put(&match isa {
                Isa::Avx2 => Instruction::with3(C::VEX_Vpcmpeqd_ymm_ymm_ymmm256, to, to, to)?,
                Isa::Avx512 => Instruction::with4(C::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8, to, to, to, 0xff)?,
            });
        }
        let (code, bits) = match bytes {
            4 => (isa.pick(C::VEX_Vmovss_xmm_m32, C::EVEX_Vmovss_xmm_k1z_m32), Bits::X),
            8 => (isa.pick(C::VEX_Vmovsd_xmm_m64, C::EVEX_Vmovsd_xmm_k1z_m64), Bits::X),
            bytes => (self.load(Bits::of(bytes.into())), Bits::of(bytes.into())),
        };
        self.put_with(code, &[vector(bits, to)], Operand::Pool(at), None, None)
    }

    pub(super) fn vector(&mut self, op: V, bits: Bits, literal: u8, source: Source, given: &[Allocation]) -> Done {
        let (to, from) = op.sizes(bits);
        let code = op.code(self.form.isa, bits);
        let result = if op.class() == Class::Mask { k(given[0]) } else { vector(to, given[0]) };
        // What may stand in memory comes last of the registers, or instead of it.
        let registers = match op.shape() {
            Shape::One | Shape::OneLiteral | Shape::Single | Shape::SingleLiteral | Shape::Keep => 0,
            Shape::Two | Shape::TwoLiteral | Shape::Blend => 1,
            Shape::Fused => 2,
            Shape::Shift | Shape::Turned => {
                return self.put(&Instruction::with3(code, result, vector(from, given[1]), i32::from(literal))?);
            }
            Shape::ShiftBy => {
                return self.put(&Instruction::with3(code, result, vector(from, given[1]), x(given[2]))?);
            }
            Shape::Pack => {
                let mut pack = Instruction::with2(code, result, vector(from, given[1]))?;
                pack.set_op_mask(k(given[2]));
                pack.set_zeroing_masking(true);
                return self.put(&pack);
            }
            Shape::Narrow => return self.put2(code, result, vector(from, given[1])),
        };
        let mut rest = &given[1 + registers..];
        let operand = match source {
            Source::Operand => {
                let operand = operand(op.last(bits), rest[0]);
                rest = &rest[1..];
                operand
            }
            Source::Pool(at) => Operand::Pool(at),
            Source::Memory(place, index) => {
                let first = rest.len() - 1 - usize::from(index);
                let memory = memory(place, index, &rest[first..]);
                rest = &rest[..first];
                Operand::Memory(memory)
            }
        };
        let literal =
            matches!(op.shape(), Shape::OneLiteral | Shape::TwoLiteral | Shape::SingleLiteral).then_some(literal);
        match op.shape() {
            Shape::Single | Shape::SingleLiteral => {
                // From memory nothing else is at hand: the result depends on what was there, but no bit that
                // anyone reads does.
                let first = if source == Source::Operand { x(given[1]) } else { result };
                if source != Source::Operand {
                    self.clear(given[0])?;
                }
                self.put_with(code, &[result, first], operand, literal, None)
            }
            Shape::One | Shape::OneLiteral => self.put_with(code, &[result], operand, literal, None),
            Shape::Keep => self.put_with(code, &[result], operand, None, Some(k(rest[0]))),
            Shape::Blend => {
                let mask = if self.form.isa == Isa::Avx512 { k(rest[0]) } else { vector(bits, rest[0]) };
                self.put_with(code, &[result, vector(bits, given[1])], operand, None, Some(mask))
            }
            Shape::Fused => self.put_with(code, &[result, vector(from, given[2])], operand, None, None),
            _ => self.put_with(code, &[result, vector(from, given[1])], operand, literal, None),
        }
    }
}

fn operand(bits: Bits, allocation: Allocation) -> Operand {
    match slot(allocation) {
        Some(at) => Operand::Memory(at),
        None => Operand::Register(vector(bits, allocation)),
    }
}
