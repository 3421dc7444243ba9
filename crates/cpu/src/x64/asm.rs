//! Bytes, by iced-x86: instructions one after the other, with distances that are filled in at the end.

use std::fmt::Write as _;

use iced_x86::{Code as C, Decoder, DecoderOptions, Encoder, FastFormatter, Instruction, MemoryOperand, Register as R};
use regalloc2::{Allocation, RegClass};

use super::form::Form;
use super::function::KEPT;
use super::isa::Isa;
use super::reg::{Bits, Size};

/// Pages of the stack are touched one after the other, so that none is passed that must not be.
const PAGE: i32 = 4096;
/// Bytes that vectors on the stack and behind the code are aligned to.
pub(super) const ALIGN: usize = 64;

/// What goes wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// No registers were found.
    #[error("no registers: {0}")]
    Registers(String),
    /// An instruction that there is not.
    #[error("no such instruction: {0}")]
    Instruction(#[from] iced_x86::IcedError),
    /// Too much code for jumps of 32 bits, or too large a frame.
    #[error("too much code")]
    Size,
}

/// The machine code of a function.
#[derive(Debug)]
pub(crate) struct Code {
    /// The code, and behind it what it reads.
    pub(crate) bytes: Vec<u8>,
    /// Where it calls other functions of the kernel, by their numbers: the four bytes of a distance.
    pub(crate) calls: Vec<(u32, u32)>,
    /// What it takes of the stack, besides what called it.
    pub(crate) stack_bytes: u64,
    /// Where the code ends.
    pub(crate) end: usize,
}

pub(super) struct Asm<'a> {
    pub(super) form: &'a Form,
    encoder: Encoder,
    /// Bytes so far.
    pub(super) at: u64,
    kept: Vec<u8>,
    frame: i32,
    /// Distances to blocks: where they stand.
    pub(super) jumps: Vec<(u64, usize)>,
    /// Distances to literals: where they stand, what they are counted from, and the literal.
    literals: Vec<(u64, u64, u32)>,
    /// Short jumps: where they are counted from, and where they go.
    shorts: Vec<(u64, u64)>,
    pub(super) calls: Vec<(u32, u32)>,
}

impl Code {
    /// The instructions, each with its place from the start, and the literals behind them.
    pub(crate) fn text(&self) -> String {
        let (code, literals) = self.bytes.split_at(self.end);
        let mut text = String::new();
        let mut formatter = FastFormatter::new();
        formatter.options_mut().set_use_hex_prefix(true);
        for instruction in &mut Decoder::new(64, code, DecoderOptions::NONE) {
            let _ = write!(text, "{:6x}: ", instruction.ip());
            formatter.format(&instruction, &mut text);
            text.push('\n');
        }
        let start = self.end.next_multiple_of(ALIGN);
        for (i, literal) in literals[start - self.end..].chunks(16).enumerate() {
            let bytes: Vec<String> = literal.iter().map(|byte| format!(" {byte:02x}")).collect();
            let _ = writeln!(text, "{:6x}:{}", start + 16 * i, bytes.concat());
        }
        text
    }
}

/// An operand of an instruction.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    Register(R),
    Memory(MemoryOperand),
    /// A literal behind the code.
    Pool(u32),
}

pub(super) type Done = Result<(), Error>;

impl<'a> Asm<'a> {
    pub(super) fn new(form: &'a Form, kept: Vec<u8>, frame: i32) -> Self {
        Self {
            form,
            encoder: Encoder::new(64),
            at: 0,
            kept,
            frame,
            jumps: Vec::new(),
            literals: Vec::new(),
            shorts: Vec::new(),
            calls: Vec::new(),
        }
    }

    pub(super) fn put(&mut self, instruction: &Instruction) -> Done {
        self.at += self.encoder.encode(instruction, self.at)? as u64;
        Ok(())
    }

    pub(super) fn put1(&mut self, code: C, a: R) -> Done {
        self.put(&Instruction::with1(code, a)?)
    }

    pub(super) fn put2(&mut self, code: C, a: R, b: R) -> Done {
        self.put(&Instruction::with2(code, a, b)?)
    }

    /// A register and a literal.
    pub(super) fn put_literal(&mut self, code: C, a: R, literal: i32) -> Done {
        self.put(&Instruction::with2(code, a, literal)?)
    }

    /// Registers before an operand that may stand in memory, and what comes after it: a literal, or a mask, which
    /// is a vector or stands for the lanes that are written. Without another register those that are not are zero.
    pub(super) fn put_with(
        &mut self,
        code: C,
        registers: &[R],
        operand: Operand,
        literal: Option<u8>,
        mask: Option<R>,
    ) -> Done {
        let last = mask.filter(|mask| mask.is_vector_register());
        let memory = |memory: MemoryOperand| -> Result<Instruction, iced_x86::IcedError> {
            match (registers, literal, last) {
                (&[a], None, None) => Instruction::with2(code, a, memory),
                (&[a], Some(n), None) => Instruction::with3(code, a, memory, i32::from(n)),
                (&[a, b], None, None) => Instruction::with3(code, a, b, memory),
                (&[a, b], Some(n), None) => Instruction::with4(code, a, b, memory, i32::from(n)),
                (&[a, b], None, Some(c)) => Instruction::with4(code, a, b, memory, c),
                _ => unreachable!("invariant operands: one or two registers"),
            }
        };
        let masked = |mut instruction: Instruction| {
            if let Some(mask) = mask.filter(|mask| mask.is_k()) {
                instruction.set_op_mask(mask);
                instruction.set_zeroing_masking(registers.len() == 1);
            }
            instruction
        };
        match operand {
            Operand::Memory(at) => self.put(&masked(memory(at)?)),
            Operand::Pool(literal) => {
                let at = MemoryOperand::with_base_displ(R::RIP, self.at as i64);
                let (start, instruction) = (self.at, masked(memory(at)?));
                self.put(&instruction)?;
                let place = self.encoder.get_constant_offsets().displacement_offset() as u64;
                self.literals.push((start + place, self.at, literal));
                Ok(())
            }
            Operand::Register(c) => {
                let instruction = match (registers, literal, last) {
                    (&[a], None, None) => Instruction::with2(code, a, c),
                    (&[a], Some(n), None) => Instruction::with3(code, a, c, i32::from(n)),
                    (&[a, b], None, None) => Instruction::with3(code, a, b, c),
                    (&[a, b], Some(n), None) => Instruction::with4(code, a, b, c, i32::from(n)),
                    (&[a, b], None, Some(d)) => Instruction::with4(code, a, b, c, d),
                    _ => unreachable!("invariant operands: one or two registers"),
                };
                self.put(&masked(instruction?))
            }
        }
    }

    pub(super) fn prologue(&mut self) -> Done {
        self.put1(C::Push_r64, R::RBP)?;
        self.put2(C::Mov_r64_rm64, R::RBP, R::RSP)?;
        for n in self.kept.clone() {
            self.put1(C::Push_r64, wide(n))?;
        }
        if self.frame == 0 {
            // Calls want it so.
            return self.put_literal(C::And_rm64_imm8, R::RSP, -(ALIGN as i32));
        }
        for page in (PAGE..=self.frame).step_by(PAGE as usize) {
            let at = MemoryOperand::with_base_displ(R::RSP, -i64::from(page));
            self.put(&Instruction::with2(C::Or_rm32_imm8, at, 0)?)?;
        }
        self.put_literal(C::Sub_rm64_imm32, R::RSP, self.frame)?;
        self.put_literal(C::And_rm64_imm8, R::RSP, -(ALIGN as i32))
    }

    pub(super) fn epilogue(&mut self) -> Done {
        self.put(&Instruction::with(C::VEX_Vzeroupper))?;
        let saved = -8 * self.kept.len() as i64;
        self.put(&Instruction::with2(C::Lea_r64_m, R::RSP, MemoryOperand::with_base_displ(R::RBP, saved))?)?;
        for n in self.kept.clone().into_iter().rev() {
            self.put1(C::Pop_r64, wide(n))?;
        }
        self.put1(C::Pop_r64, R::RBP)?;
        self.put(&Instruction::with(C::Retnq))
    }

    pub(super) fn finish(mut self, starts: &[u64]) -> Result<Code, Error> {
        let mut bytes = self.encoder.take_buffer();
        let end = bytes.len();
        bytes.resize(end.next_multiple_of(ALIGN), 0xcc);
        let pool = bytes.len() as u64;
        bytes.extend_from_slice(&self.form.pool.bytes);
        i32::try_from(bytes.len()).map_err(|_| Error::Size)?;
        for (from, to) in self.shorts {
            bytes[from as usize - 1] = (to - from) as u8;
        }
        let mut patch = |at: u64, distance: i64| {
            bytes[at as usize..at as usize + 4].copy_from_slice(&(distance as i32).to_le_bytes());
        };
        for (at, to) in self.jumps {
            patch(at, starts[to] as i64 - (at as i64 + 4));
        }
        for (at, from, literal) in self.literals {
            patch(at, (pool + u64::from(literal)) as i64 - from as i64);
        }
        // The caller's place, the frame pointer, what is kept, and what alignment takes.
        let stack_bytes = self.frame as u64 + 16 + 8 * KEPT.len() as u64 + ALIGN as u64;
        Ok(Code { bytes, calls: self.calls, stack_bytes, end })
    }

    /// Lets a short jump before `from` come here.
    pub(super) fn patch_short(&mut self, from: u64) {
        self.shorts.push((from, self.at));
    }

    /// Reads a vector from memory, or another register.
    pub(super) fn load(&self, bits: Bits) -> C {
        match (self.form.isa, bits) {
            (Isa::Avx2, Bits::X) => C::VEX_Vmovups_xmm_xmmm128,
            (Isa::Avx2, _) => C::VEX_Vmovups_ymm_ymmm256,
            (Isa::Avx512, Bits::X) => C::EVEX_Vmovups_xmm_k1z_xmmm128,
            (Isa::Avx512, Bits::Y) => C::EVEX_Vmovups_ymm_k1z_ymmm256,
            (Isa::Avx512, Bits::Z) => C::EVEX_Vmovups_zmm_k1z_zmmm512,
        }
    }

    /// Writes one to memory.
    pub(super) fn store(&self, bits: Bits) -> C {
        match (self.form.isa, bits) {
            (Isa::Avx2, Bits::X) => C::VEX_Vmovups_xmmm128_xmm,
            (Isa::Avx2, _) => C::VEX_Vmovups_ymmm256_ymm,
            (Isa::Avx512, Bits::X) => C::EVEX_Vmovups_xmmm128_k1z_xmm,
            (Isa::Avx512, Bits::Y) => C::EVEX_Vmovups_ymmm256_k1z_ymm,
            (Isa::Avx512, Bits::Z) => C::EVEX_Vmovups_zmmm512_k1z_zmm,
        }
    }

    /// All bits of a vector register zero.
    pub(super) fn clear(&mut self, to: Allocation) -> Done {
        let to = x(to);
        let code = self.form.isa.pick(C::VEX_Vxorps_xmm_xmm_xmmm128, C::EVEX_Vxorps_xmm_k1z_xmm_xmmm128b32);
        self.put(&Instruction::with3(code, to, to, to)?)
    }

    pub(super) fn transfer(&mut self, from: Allocation, to: Allocation) -> Done {
        let class = from.as_reg().or(to.as_reg()).map(regalloc2::PReg::class);
        let bits = self.form.isa.widest();
        let (load, store) = match class {
            Some(RegClass::Vector) => (self.load(bits), self.store(bits)),
            Some(RegClass::Float) => (C::VEX_Kmovq_kr_km64, C::VEX_Kmovq_m64_kr),
            Some(RegClass::Int) => (C::Mov_r64_rm64, C::Mov_rm64_r64),
            None => unreachable!("invariant registers: no moves between slots"),
        };
        let register = |allocation: Allocation| match class {
            Some(RegClass::Vector) => vector(bits, allocation),
            Some(RegClass::Float) => k(allocation),
            Some(RegClass::Int) | None => g64(allocation),
        };
        match (slot(from), slot(to)) {
            (None, None) => self.put2(load, register(to), register(from)),
            (Some(at), None) => self.put(&Instruction::with2(load, register(to), at)?),
            (None, Some(at)) => self.put(&Instruction::with2(store, at, register(from))?),
            (Some(_), Some(_)) => unreachable!("invariant registers: no moves between slots"),
        }
    }
}

pub(super) fn number(allocation: Allocation) -> u8 {
    match allocation.as_reg() {
        Some(reg) => reg.hw_enc() as u8,
        None => unreachable!("invariant registers: {allocation} is none"),
    }
}

pub(super) fn wide(n: u8) -> R {
    R::RAX + u32::from(n)
}

pub(super) fn g64(allocation: Allocation) -> R {
    wide(number(allocation))
}

pub(super) fn g32(allocation: Allocation) -> R {
    R::EAX + u32::from(number(allocation))
}

/// Of either size.
pub(super) fn sized(size: Size, allocation: Allocation) -> R {
    match size {
        Size::Word => g32(allocation),
        Size::Double => g64(allocation),
    }
}

pub(super) fn g16(allocation: Allocation) -> R {
    R::AX + u32::from(number(allocation))
}

/// The lowest byte.
pub(super) fn g8(allocation: Allocation) -> R {
    match number(allocation) {
        n @ 0..4 => R::AL + u32::from(n),
        n => R::SPL + u32::from(n - 4),
    }
}

pub(super) fn x(allocation: Allocation) -> R {
    R::XMM0 + u32::from(number(allocation))
}

/// A vector register of this size.
pub(super) fn vector(bits: Bits, allocation: Allocation) -> R {
    let first = match bits {
        Bits::X => R::XMM0,
        Bits::Y => R::YMM0,
        Bits::Z => R::ZMM0,
    };
    first + u32::from(number(allocation))
}

/// A mask.
pub(super) fn k(allocation: Allocation) -> R {
    R::K0 + u32::from(number(allocation))
}

/// Where something was spilled to, if it was.
pub(super) fn slot(allocation: Allocation) -> Option<MemoryOperand> {
    let slot = allocation.as_stack()?;
    Some(MemoryOperand::with_base_displ(R::RSP, slot.index() as i64 * 8))
}
