//! What is written is what a disassembler reads.

use iced_x86::{Code as C, Decoder, DecoderOptions, OpKind, Register as R};
use regalloc2::{Allocation, PReg, RegClass};

use super::X64;
use super::asm::Asm;
use super::form::{Block, Form};
use super::function::Source;
use super::isa::Isa;
use super::op::Place;
use super::reg::{Bits, Class};
use super::vector::{Shape, V};
use crate::emit::{Emit, Prim};
use crate::ir::{Binary, Ty};

fn vector(n: usize) -> Allocation {
    Allocation::reg(PReg::new(n, RegClass::Vector))
}

fn general(n: usize) -> Allocation {
    Allocation::reg(PReg::new(n, RegClass::Int))
}

fn mask(n: usize) -> Allocation {
    Allocation::reg(PReg::new(n, RegClass::Float))
}

/// The last instruction that `write` makes.
fn written(isa: Isa, write: impl FnOnce(&mut Asm<'_>)) -> iced_x86::Instruction {
    let form = Form::new(isa);
    let mut asm = Asm::new(&form, Vec::new(), 0);
    write(&mut asm);
    let code = asm.finish(&[]).unwrap();
    let all: Vec<_> = Decoder::new(64, &code.bytes[..code.end], DecoderOptions::NONE).into_iter().collect();
    *all.last().unwrap()
}

/// Operands in vectors.
fn operands(isa: Isa, op: V) -> usize {
    match op.shape() {
        Shape::One | Shape::OneLiteral | Shape::Single | Shape::SingleLiteral | Shape::Shift | Shape::Turned => 1,
        Shape::Keep | Shape::Narrow | Shape::Pack => 1,
        Shape::Two | Shape::TwoLiteral | Shape::ShiftBy => 2,
        Shape::Blend => isa.pick(3, 2),
        Shape::Fused => 3,
    }
}

/// The number of a register among its kind.
fn number(register: R) -> usize {
    let from = |(first, count): (R, usize)| (register as usize).checked_sub(first as usize).filter(|n| *n < count);
    let kinds = [(R::XMM0, 32), (R::YMM0, 32), (R::ZMM0, 32), (R::EAX, 16), (R::RAX, 16), (R::K0, 8)];
    kinds.into_iter().find_map(from).unwrap()
}

fn registers(instruction: &iced_x86::Instruction) -> Vec<usize> {
    let of = |i: u32| (instruction.op_kind(i) == OpKind::Register).then(|| instruction.op_register(i));
    (0..instruction.op_count()).filter_map(of).map(number).collect()
}

#[test]
fn vectors_are_read_as_they_were_written() {
    for isa in [Isa::Avx2, Isa::Avx512] {
        let mut count = 0;
        for &op in V::ALL {
            for bits in [Bits::X, Bits::Y, Bits::Z].into_iter().filter(|bits| op.code(isa, *bits) != C::INVALID) {
                (0..isa.registers()).for_each(|first| check(isa, op, bits, first));
                count += isa.registers();
            }
        }
        assert!(count > isa.pick(2000, 6000), "{count}");
    }
}

/// An operation on registers from one on, and with an operand in memory.
fn check(isa: Isa, op: V, bits: Bits, first: usize) {
    let others: Vec<usize> = (0..operands(isa, op)).map(|i| (first + 5 * (i + 1)) % isa.registers()).collect();
    let by_mask = isa == Isa::Avx512 && matches!(op.shape(), Shape::Blend | Shape::Keep | Shape::Pack);
    let lanes = 1 + first % 7;
    // Fused sums are written over their first operand.
    let (result, to) = match op.class() {
        Class::Mask => (lanes, mask(lanes)),
        _ if op.shape() == Shape::Fused => (others[0], vector(others[0])),
        _ => (first, vector(first)),
    };
    let mut given: Vec<Allocation> = [to].into_iter().chain(others.iter().map(|&n| vector(n))).collect();
    given.extend(by_mask.then(|| mask(lanes)));
    let same = |read: &iced_x86::Instruction| {
        assert_eq!(read.code(), op.code(isa, bits), "{op:?} {bits:?}");
        assert_eq!(read.op_mask(), if by_mask { R::K0 + lanes as u32 } else { R::None }, "{op:?} {bits:?}");
        assert_eq!(read.zeroing_masking(), matches!(op.shape(), Shape::Keep | Shape::Pack), "{op:?} {bits:?}");
    };
    let read = written(isa, |asm| asm.vector(op, bits, 3, Source::Operand, &given).unwrap());
    same(&read);
    let wanted = match op.shape() {
        Shape::Fused => others.clone(),
        Shape::Single | Shape::SingleLiteral => vec![result, others[0], others[0]],
        _ => [&[result], &others[..]].concat(),
    };
    assert_eq!(registers(&read), wanted, "{op:?} {bits:?}");
    let Some(at) = op.in_memory() else { return };
    let (base, index) = ((first + 1) % 16, (first + 3) % 16);
    if [4, 5].contains(&base) || [4, 5].contains(&index) {
        return;
    }
    given.remove(at + 1);
    given.extend([general(base), general(index)]);
    for ahead in [0x40, 0x1234] {
        let place = Place { scale: 4, ahead };
        let read = written(isa, |asm| asm.vector(op, bits, 3, Source::Memory(place, true), &given).unwrap());
        same(&read);
        assert_eq!(read.memory_base(), R::RAX + base as u32);
        assert_eq!(read.memory_index(), R::RAX + index as u32);
        assert_eq!((read.memory_index_scale(), read.memory_displacement64()), (4, ahead as u64));
        assert_eq!(read.memory_size().size() as u32, op.memory_bytes(bits), "{op:?} {bits:?}");
    }
}

#[test]
fn literals_of_every_length_are_read_as_they_were_written() {
    for n in [0, 1, -1, 255, i64::from(u32::MAX), i64::from(i32::MIN), 1 << 32, i64::MAX, i64::MIN] {
        for register in (0..16).filter(|n| ![4, 5].contains(n)) {
            let read = written(Isa::Avx2, |asm| asm.literal(n, general(register)).unwrap());
            let found = match read.op_kind(1) {
                OpKind::Register => 0,
                _ if (R::EAX..=R::R15D).contains(&read.op0_register()) => i64::from(read.immediate(1) as u32),
                _ => read.immediate(1) as i64,
            };
            assert_eq!((found, number(read.op0_register())), (n, register));
        }
    }
}

/// Jumps from `first` on lead through so many blocks that do nothing, and maybe back to the first of them.
fn through_empty_blocks(count: usize, circle: bool) -> Vec<iced_x86::Instruction> {
    let mut x64 = X64::new(Isa::Avx2, 1);
    let (condition, pointer) = (x64.argument(1), x64.argument(0));
    let (end, chain): (Block, Vec<Block>) = (x64.block(), (0..count).map(|_| x64.block()).collect());
    x64.branch(condition, chain[0], end);
    for (i, &block) in chain.iter().enumerate() {
        x64.enter(block);
        x64.jump(chain.get(i + 1).copied().unwrap_or(if circle { chain[0] } else { end }));
    }
    x64.enter(end);
    x64.store(crate::ir::Ty::U64, pointer, condition);
    x64.ret();
    let code = x64.finish(crate::effort::Effort::Most).unwrap();
    Decoder::new(64, &code.bytes[..code.end], DecoderOptions::NONE).into_iter().collect()
}

#[test]
fn jumps_pass_blocks_that_do_nothing() {
    for (count, circle) in [(1, false), (40, false), (1, true), (40, true)] {
        let all = through_empty_blocks(count, circle);
        let near = |i: &&iced_x86::Instruction| i.op0_kind() == OpKind::NearBranch64;
        let targets = |turns: bool| -> Vec<u64> {
            let wanted = all.iter().filter(near).filter(|i| (i.code() == C::Jmp_rel32_64) == turns);
            wanted.map(iced_x86::Instruction::near_branch_target).collect()
        };
        let (turns, jumps) = (targets(true), targets(false));
        let stored = all.iter().find(|i| i.code() == C::Mov_rm64_r64).unwrap().ip();
        // Either both ways are one, or the other turns around in one place for ever.
        assert!(jumps.iter().chain(&turns).all(|&to| all.iter().any(|i| i.ip() == to && to != 0)), "{count} {circle}");
        assert!(jumps.contains(&stored) || jumps.is_empty() || circle, "{count} {circle}");
        assert_eq!(turns.len(), usize::from(circle), "{count} {circle}");
    }
}

/// A word gets a literal added and is stored where it came from, or one word further; in between another may be stored,
/// and the sum may be wanted once more.
fn counted(other_place: bool, store_between: bool, used_again: bool) -> Vec<C> {
    let mut x64 = X64::new(Isa::Avx2, 1);
    let (pointer, four) = (x64.argument(0), x64.constant(Ty::U64, 4));
    let next = x64.scalar(Prim::Binary(Binary::Add), Ty::U64, Ty::U64, &[pointer, four]);
    let (old, one) = (x64.load(Ty::U32, pointer), x64.constant(Ty::U32, 300));
    let new = x64.scalar(Prim::Binary(Binary::Add), Ty::U32, Ty::U32, &[old, one]);
    if store_between {
        x64.store(Ty::U32, next, one);
    }
    x64.store(Ty::U32, if other_place { next } else { pointer }, new);
    if used_again {
        x64.store(Ty::U32, next, new);
    }
    x64.ret();
    let code = x64.finish(crate::effort::Effort::Most).unwrap();
    Decoder::new(64, &code.bytes[..code.end], DecoderOptions::NONE).into_iter().map(|i| i.code()).collect()
}

#[test]
fn counters_take_one_instruction_where_nothing_else_sees_them() {
    let loads = |code: &[C]| code.contains(&C::Mov_r32_rm32);
    let once = counted(false, false, false);
    assert!(once.contains(&C::Add_rm32_imm32) && !loads(&once), "{once:?}");
    for (other_place, store_between, used_again) in [(true, false, false), (false, true, false), (false, false, true)] {
        let code = counted(other_place, store_between, used_again);
        assert!(!code.contains(&C::Add_rm32_imm32) && loads(&code), "{code:?}");
    }
}
