//! Instructions of AVX2 on vectors of 256 bits, as bytes and as text.

use std::fmt::Write as _;

/// One of 16 vector registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ymm(pub(super) u8);

/// A register for pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gpr(u8);

/// The function's argument.
pub(super) const BLOCK: Gpr = Gpr(7);

/// Registers that a function may use as it likes, except for the argument's and the counter's. All
/// but two can be the base of an address without a further byte, and these are none of the two.
pub(super) const POINTERS: [Gpr; 7] = [Gpr(0), Gpr(2), Gpr(6), Gpr(8), Gpr(9), Gpr(10), Gpr(11)];

/// Bytes of a vector.
pub(super) const BYTES: i32 = 32;

/// A second operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Register(Ymm),
    Memory(Gpr, i32),
}

/// An operation on vectors: its name, its byte, the table that it stands in and its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Operation {
    name: &'static str,
    code: u8,
    table: u8,
    prefix: u8,
}

const fn operation(name: &'static str, table: u8, prefix: u8, code: u8) -> Operation {
    Operation { name, code, table, prefix }
}

const FIRST: u8 = 1;
const SECOND: u8 = 2;
const THIRD: u8 = 3;
const NONE: u8 = 0;
const X66: u8 = 1;

pub(super) const ADD: Operation = operation("vaddps", FIRST, NONE, 0x58);
pub(super) const MUL: Operation = operation("vmulps", FIRST, NONE, 0x59);
pub(super) const SUB: Operation = operation("vsubps", FIRST, NONE, 0x5c);
pub(super) const MIN: Operation = operation("vminps", FIRST, NONE, 0x5d);
pub(super) const DIV: Operation = operation("vdivps", FIRST, NONE, 0x5e);
pub(super) const MAX: Operation = operation("vmaxps", FIRST, NONE, 0x5f);
pub(super) const SQRT: Operation = operation("vsqrtps", FIRST, NONE, 0x51);
pub(super) const ADD_WORDS: Operation = operation("vpaddd", FIRST, X66, 0xfe);
pub(super) const SUB_WORDS: Operation = operation("vpsubd", FIRST, X66, 0xfa);
pub(super) const MUL_WORDS: Operation = operation("vpmulld", SECOND, X66, 0x40);
pub(super) const AND: Operation = operation("vpand", FIRST, X66, 0xdb);
pub(super) const OR: Operation = operation("vpor", FIRST, X66, 0xeb);
pub(super) const XOR: Operation = operation("vpxor", FIRST, X66, 0xef);
/// Adds the product to what is there.
pub(super) const FUSED: Operation = operation("vfmadd231ps", SECOND, X66, 0xb8);
const MOVE: Operation = operation("vmovaps", FIRST, NONE, 0x28);
const LOAD: Operation = operation("vmovups", FIRST, NONE, 0x10);
const STORE: Operation = operation("vmovups", FIRST, NONE, 0x11);
const BROADCAST: Operation = operation("vbroadcastss", SECOND, X66, 0x18);
const INSERT_HIGH: Operation = operation("vinsertf128", THIRD, X66, 0x18);

/// Code that is being written.
#[derive(Debug, Default)]
pub(super) struct Asm {
    pub(super) bytes: Vec<u8>,
    pub(super) text: String,
}

/// Where a loop starts.
#[derive(Debug)]
pub(super) struct Again(usize);

/// Bits of a vector instruction.
#[derive(Debug, Clone, Copy)]
enum Long {
    Half,
    Whole,
}

impl Asm {
    /// `to = a op b`
    pub(super) fn binary(&mut self, op: Operation, to: Ymm, a: Ymm, b: Source) {
        self.vector(op, Long::Whole, to, a, b);
        self.line(format_args!("{} {}, {}, {}", op.name, source(b), register(a), register(to)));
    }

    /// `to = op a`
    pub(super) fn unary(&mut self, op: Operation, to: Ymm, a: Source) {
        self.vector(op, Long::Whole, to, Ymm(0), a);
        self.line(format_args!("{} {}, {}", op.name, source(a), register(to)));
    }

    pub(super) fn copy(&mut self, to: Ymm, from: Source) {
        self.unary(if matches!(from, Source::Register(_)) { MOVE } else { LOAD }, to, from);
    }

    /// One word of memory in all lanes.
    pub(super) fn broadcast(&mut self, to: Ymm, at: Gpr, offset: i32) {
        self.unary(BROADCAST, to, Source::Memory(at, offset));
    }

    /// Loads what has just been stored by halves, which is slow to load as a whole.
    pub(super) fn load_halves(&mut self, to: Ymm, at: Gpr, offset: i32) {
        self.vector(LOAD, Long::Half, to, Ymm(0), Source::Memory(at, offset));
        self.line(format_args!("vmovups {}, %xmm{}", source(Source::Memory(at, offset)), to.0));
        let high = Source::Memory(at, offset + BYTES / 2);
        self.vector(INSERT_HIGH, Long::Whole, to, to, high);
        self.bytes.push(1);
        self.line(format_args!("vinsertf128 $1, {}, {}, {}", source(high), register(to), register(to)));
    }

    pub(super) fn store(&mut self, at: Gpr, offset: i32, value: Ymm) {
        self.vector(STORE, Long::Whole, value, Ymm(0), Source::Memory(at, offset));
        self.line(format_args!("vmovups {}, {}", register(value), source(Source::Memory(at, offset))));
    }

    /// Loads a pointer.
    pub(super) fn pointer(&mut self, to: Gpr, at: Gpr, offset: i32) {
        self.bytes.extend([0x48 | (to.0 >> 3) << 2 | at.0 >> 3, 0x8b]);
        self.address(to.0, at, offset);
        self.line(format_args!("movq {}, {}", source(Source::Memory(at, offset)), pointer(to)));
    }

    pub(super) fn advance(&mut self, at: Gpr, bytes: i32) {
        self.bytes.extend([0x48 | at.0 >> 3, 0x81, 0xc0 | (at.0 & 7)]);
        self.bytes.extend(bytes.to_le_bytes());
        self.line(format_args!("addq ${bytes:#x}, {}", pointer(at)));
    }

    /// What follows is done so many times, up to where it is repeated from here.
    pub(super) fn times(&mut self, times: u32) -> Again {
        self.bytes.push(0xb9);
        self.bytes.extend(times.to_le_bytes());
        self.line(format_args!("movl ${times:#x}, %ecx"));
        self.text.push_str("again:\n");
        Again(self.bytes.len())
    }

    pub(super) fn repeat(&mut self, Again(start): Again) {
        self.bytes.extend([0x83, 0xe9, 1]);
        self.line(format_args!("subl $1, %ecx"));
        self.bytes.extend([0x0f, 0x85]);
        let back = start as i32 - (self.bytes.len() as i32 + 4);
        self.bytes.extend(back.to_le_bytes());
        self.line(format_args!("jnz again"));
    }

    /// Leaves the function, with the upper halves as code that knows nothing of them wants them.
    pub(super) fn leave(&mut self) {
        self.bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
        self.line(format_args!("vzeroupper"));
        self.line(format_args!("ret"));
    }

    /// The long form of the vector prefix, which says all there is to say, then the operands.
    fn vector(&mut self, op: Operation, long: Long, first: Ymm, second: Ymm, third: Source) {
        let high = match third {
            Source::Register(Ymm(n)) | Source::Memory(Gpr(n), _) => n >> 3,
        };
        let long = match long {
            Long::Half => 0,
            Long::Whole => 1,
        };
        self.bytes.extend([
            0xc4,
            (first.0 >> 3 ^ 1) << 7 | 1 << 6 | (high ^ 1) << 5 | op.table,
            (second.0 ^ 15) << 3 | long << 2 | op.prefix,
            op.code,
        ]);
        match third {
            Source::Register(Ymm(n)) => self.bytes.push(0xc0 | (first.0 & 7) << 3 | n & 7),
            Source::Memory(base, offset) => self.address(first.0, base, offset),
        }
    }

    fn address(&mut self, first: u8, base: Gpr, offset: i32) {
        let operands = (first & 7) << 3 | base.0 & 7;
        match i8::try_from(offset) {
            Ok(short) => self.bytes.extend([0x40 | operands, short as u8]),
            Err(_) => {
                self.bytes.push(0x80 | operands);
                self.bytes.extend(offset.to_le_bytes());
            }
        }
    }

    fn line(&mut self, text: std::fmt::Arguments) {
        writeln!(self.text, "  {text}").unwrap_or_else(|_| unreachable!("invariant text: a string takes all"));
    }
}

fn register(Ymm(n): Ymm) -> String {
    format!("%ymm{n}")
}

fn pointer(Gpr(n): Gpr) -> &'static str {
    ["%rax", "%rcx", "%rdx", "%rbx", "%rsp", "%rbp", "%rsi", "%rdi", "%r8", "%r9", "%r10", "%r11"][usize::from(n)]
}

fn source(source: Source) -> String {
    match source {
        Source::Register(at) => register(at),
        Source::Memory(at, offset) => format!("{offset:#x}({})", pointer(at)),
    }
}
