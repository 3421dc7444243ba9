//! The first emitter: Cranelift, with 128-bit vectors.
//!
//! A lane value of 32 bits is `width / 4` machine vectors, one of 64 bits is `width` scalars.
//! Booleans are all-ones masks in lanes and 0 or 1 in scalars. Half floats are the `f32` of
//! the same value. What Cranelift has no vector form for is done lane by lane.

mod convert;
mod lanes;
mod rows;
mod scalar;

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F32X4, F64, I8, I32, I32X4, I64, I64X2};
use cranelift_codegen::ir::{
    AbiParam, AtomicRmwOp, Block, ConstantData, Endianness, InstBuilder, MemFlagsData, Signature, Type, Value,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, Variable};

use crate::emit::{Emit, LINE, Lanes, Prim};
use crate::helpers::{self, Helper, Machine};
use crate::ir::{Atomic, Binary, Ty};

/// Lanes of one machine vector of 32-bit numbers.
const PART: u32 = 4;

pub(crate) struct Clif<'b> {
    b: FunctionBuilder<'b>,
    width: u32,
    arguments: Vec<Value>,
    convention: CallConv,
    machine: Features,
    /// Words as they stand in registers: with zeros before them.
    wide: HashMap<Value, Value>,
}

/// What this processor can do beyond the least of its kind.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Features {
    /// Fused multiply-add.
    pub(crate) fused: bool,
    /// Choosing lanes by a mask in one instruction.
    pub(crate) blends: bool,
}

impl Features {
    pub(crate) fn of(isa: &dyn TargetIsa) -> Self {
        let has = |name: &str| isa.isa_flags().iter().any(|flag| flag.name == name && flag.as_bool() == Some(true));
        Self { fused: has("has_fma"), blends: has("has_sse41") }
    }
}

/// A mutable number, or one for each lane.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Same(Variable),
    /// A word, likely to be an index, with zeros before it.
    Wide(Variable),
    Each(Vec<Variable>),
}

impl<'b> Clif<'b> {
    pub(crate) fn new(mut b: FunctionBuilder<'b>, width: u32, convention: CallConv, machine: Features) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let arguments = b.block_params(entry).to_vec();
        Self { b, width, arguments, convention, machine, wide: HashMap::new() }
    }

    pub(crate) fn finish(mut self, config: cranelift_codegen::isa::TargetFrontendConfig) {
        self.b.seal_all_blocks();
        self.b.finalize(config);
    }

    fn parts(&self, ty: Ty) -> u32 {
        if ty.bytes() == 8 { self.width } else { self.width / PART }
    }

    /// The part and the lane in it; `None` for lanes that are scalars already.
    fn place(ty: Ty, lane: u32) -> (usize, Option<u8>) {
        if ty.bytes() == 8 { (lane as usize, None) } else { ((lane / PART) as usize, Some((lane % PART) as u8)) }
    }

    fn int(&mut self, ty: Type, n: i64) -> Value {
        self.b.ins().iconst(ty, n)
    }

    fn vector_constant(&mut self, words: [u32; 4]) -> Value {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
        self.b.ins().vconst(I32X4, constant)
    }

    fn as_type(&mut self, ty: Type, value: Value) -> Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        self.b.ins().bitcast(ty, MemFlagsData::new().with_endianness(Endianness::Little), value)
    }

    fn call(&mut self, helper: Helper, args: &[Value]) -> Value {
        let machine = |machine: Machine| match machine {
            Machine::u32 | Machine::i32 => I32,
            Machine::i64 => I64,
            Machine::f32 => F32,
            Machine::f64 => F64,
        };
        let (params, result) = helper.signature();
        let mut signature = Signature::new(self.convention);
        signature.params.extend(params.iter().map(|&param| AbiParam::new(machine(param))));
        signature.returns.push(AbiParam::new(machine(result)));
        let signature = self.b.import_signature(signature);
        let address = self.int(I64, helper.address() as i64);
        let call = self.b.ins().call_indirect(signature, address, args);
        self.b.inst_results(call)[0]
    }
}

/// The machine type of a scalar.
fn scalar_type(ty: Ty) -> Type {
    match ty {
        Ty::Bool => I8,
        Ty::I32 | Ty::U32 => I32,
        Ty::F32 | Ty::F16 => F32,
        Ty::I64 | Ty::U64 => I64,
        Ty::F64 => F64,
    }
}

/// The machine type of a part of a lane value.
fn part_type(ty: Ty) -> Type {
    match ty {
        Ty::Bool | Ty::I32 | Ty::U32 => I32X4,
        Ty::F32 | Ty::F16 => F32X4,
        Ty::I64 | Ty::U64 | Ty::F64 => scalar_type(ty),
    }
}

fn plain() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Emit for Clif<'_> {
    type S = Value;
    type V = Vec<Value>;
    type Block = Block;
    type Cell = Cell;

    fn width(&self) -> u32 {
        self.width
    }

    fn argument(&mut self, index: usize) -> Value {
        self.arguments[index]
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        match ty {
            Ty::F32 => self.b.ins().f32const(f32::from_bits(bits as u32)),
            Ty::F16 => self.b.ins().f32const(half::f16::from_bits(bits as u16).to_f32()),
            Ty::F64 => self.b.ins().f64const(f64::from_bits(bits)),
            Ty::Bool => self.int(I8, bits as i64),
            Ty::I32 | Ty::U32 => self.int(I32, i64::from(bits as u32)),
            Ty::I64 | Ty::U64 => self.int(I64, bits as i64),
        }
    }

    fn scalar(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Value]) -> Value {
        self.scalar_op(prim, ty, of, args)
    }

    fn vector(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Lanes<Value, Vec<Value>>]) -> Vec<Value> {
        self.lane_op(prim, ty, of, args)
    }

    fn splat(&mut self, ty: Ty, value: Value) -> Vec<Value> {
        let part = match ty {
            Ty::Bool => {
                let wide = self.b.ins().uextend(I32, value);
                let ones = self.b.ins().ineg(wide);
                self.b.ins().splat(I32X4, ones)
            }
            Ty::I64 | Ty::U64 | Ty::F64 => value,
            _ => self.b.ins().splat(part_type(ty), value),
        };
        vec![part; self.parts(ty) as usize]
    }

    fn ramp(&mut self, _: Ty, base: Value, stride: i64) -> Vec<Value> {
        let base = self.b.ins().splat(I32X4, base);
        (0..self.width / PART)
            .map(|part| {
                let steps = std::array::from_fn(|i| (i64::from(part * PART + i as u32) * stride) as u32);
                let steps = self.vector_constant(steps);
                self.b.ins().iadd(base, steps)
            })
            .collect()
    }

    fn lane(&mut self, ty: Ty, value: &Vec<Value>, lane: u32) -> Value {
        let (part, at) = Self::place(ty, lane);
        let Some(at) = at else { return value[part] };
        if matches!(ty, Ty::I32 | Ty::U32) {
            return self.half(value[part], at);
        }
        let number = self.b.ins().extractlane(value[part], at);
        if ty == Ty::Bool { self.b.ins().icmp_imm_s(IntCC::NotEqual, number, 0) } else { number }
    }

    fn pack(&mut self, ty: Ty, lanes: &[Value]) -> Vec<Value> {
        if ty.bytes() == 8 {
            return lanes.to_vec();
        }
        let mut parts = Vec::new();
        for lanes in lanes.chunks(PART as usize) {
            let numbers: Vec<Value> = lanes
                .iter()
                .map(|&lane| {
                    if ty != Ty::Bool {
                        return lane;
                    }
                    let wide = self.b.ins().uextend(I32, lane);
                    self.b.ins().ineg(wide)
                })
                .collect();
            let mut part = self.b.ins().scalar_to_vector(part_type(ty), numbers[0]);
            for (i, &number) in numbers.iter().enumerate().skip(1) {
                part = self.b.ins().insertlane(part, number, i as u8);
            }
            parts.push(part);
        }
        parts
    }

    fn any(&mut self, mask: &Vec<Value>) -> Value {
        let all = mask[1..].iter().fold(mask[0], |a, &b| self.b.ins().bor(a, b));
        self.b.ins().vany_true(all)
    }

    fn all(&mut self, mask: &Vec<Value>) -> Value {
        let all = mask[1..].iter().fold(mask[0], |a, &b| self.b.ins().band(a, b));
        self.b.ins().vall_true(all)
    }

    fn load(&mut self, ty: Ty, pointer: Value) -> Value {
        if ty == Ty::F16 {
            let bits = self.b.ins().uload16(I32, plain(), pointer, 0);
            return self.call(Helper::HalfFromBits, &[bits]);
        }
        if self.width == 1 && ty == Ty::U32 {
            // Likely to be an index, which is wanted with 64 bits.
            let wide = self.b.ins().uload32(plain(), pointer, 0);
            return self.word(wide);
        }
        self.b.ins().load(scalar_type(ty), plain(), pointer, 0)
    }

    fn pair(&mut self, pointer: Value) -> [Value; 2] {
        let pair = self.b.ins().load(I64, plain(), pointer, 0);
        let second = self.b.ins().ushr_imm_u(pair, 32);
        [pair, second].map(|word| self.b.ins().ireduce(I32, word))
    }

    fn flag(&mut self, pointer: Value) -> Value {
        // A plain load would be taken to give the same in every turn of a loop without stores.
        self.b.ins().atomic_load(I8, plain(), pointer)
    }

    fn store(&mut self, ty: Ty, pointer: Value, value: Value) {
        if ty == Ty::F16 {
            let bits = self.call(Helper::HalfToBits, &[value]);
            self.b.ins().istore16(plain(), bits, pointer, 0);
            return;
        }
        self.b.ins().store(plain(), value, pointer, 0);
    }

    fn load_lanes(&mut self, ty: Ty, pointer: Value) -> Vec<Value> {
        if matches!(ty, Ty::Bool | Ty::F16) || ty.bytes() == 8 {
            let lanes: Vec<Value> = (0..self.width)
                .map(|lane| {
                    let at = self.b.ins().iadd_imm_s(pointer, i64::from(lane * ty.bytes()));
                    self.load(ty, at)
                })
                .collect();
            return self.pack(ty, &lanes);
        }
        let part = part_type(ty);
        (0..self.parts(ty)).map(|i| self.b.ins().load(part, plain(), pointer, i as i32 * 16)).collect()
    }

    fn store_lanes(&mut self, ty: Ty, pointer: Value, value: &Vec<Value>) {
        if matches!(ty, Ty::Bool | Ty::F16) || ty.bytes() == 8 {
            for lane in 0..self.width {
                let at = self.b.ins().iadd_imm_s(pointer, i64::from(lane * ty.bytes()));
                let number = self.lane(ty, value, lane);
                self.store(ty, at, number);
            }
            return;
        }
        for (i, &part) in value.iter().enumerate() {
            self.b.ins().store(plain(), part, pointer, i as i32 * 16);
        }
    }

    fn load_words(&mut self, pointer: Value, step: u32, words: &[(u32, Ty)]) -> Vec<Vec<Value>> {
        self.load_rows(pointer, step, words)
    }

    fn store_words(&mut self, pointer: Value, step: u32, words: &[(u32, Ty)], values: &[Vec<Value>]) {
        self.store_rows(pointer, step, words, values);
    }

    fn atomic(&mut self, fun: Atomic, ty: Ty, pointer: Value, value: Value, compare: Option<Value>) -> Value {
        let signed = matches!(ty, Ty::I32 | Ty::I64);
        let op = match fun {
            Atomic::Add => AtomicRmwOp::Add,
            Atomic::Sub => AtomicRmwOp::Sub,
            Atomic::And => AtomicRmwOp::And,
            Atomic::Or => AtomicRmwOp::Or,
            Atomic::Xor => AtomicRmwOp::Xor,
            Atomic::Min if signed => AtomicRmwOp::Smin,
            Atomic::Min => AtomicRmwOp::Umin,
            Atomic::Max if signed => AtomicRmwOp::Smax,
            Atomic::Max => AtomicRmwOp::Umax,
            Atomic::Exchange => AtomicRmwOp::Xchg,
            Atomic::CompareExchange => {
                let compare = compare.expect("invariant atomics: a compare-exchange compares");
                let (bits, expected) = (self.as_type(bits_type(ty), value), self.as_type(bits_type(ty), compare));
                let old = self.b.ins().atomic_cas(plain(), pointer, expected, bits);
                return self.as_type(scalar_type(ty), old);
            }
        };
        if ty == Ty::F32 && fun != Atomic::Exchange {
            return self.float_atomic(fun, pointer, value);
        }
        let bits = self.as_type(bits_type(ty), value);
        let old = self.b.ins().atomic_rmw(bits_type(ty), plain(), op, pointer, bits);
        self.as_type(scalar_type(ty), old)
    }

    fn fetch(&mut self, pointer: Value, bytes: u64) {
        let mut signature = Signature::new(self.convention);
        signature.params.extend([AbiParam::new(I64); 2]);
        let signature = self.b.import_signature(signature);
        let (address, bytes) = (self.int(I64, helpers::fetch as *const u8 as i64), self.int(I64, bytes as i64));
        self.b.ins().call_indirect(signature, address, &[pointer, bytes]);
    }

    fn zero(&mut self, pointer: Value) {
        let zeros = self.vector_constant([0; 4]);
        for at in (0..LINE as i32).step_by(16) {
            self.b.ins().store(plain(), zeros, pointer, at);
        }
    }

    fn block(&mut self) -> Block {
        self.b.create_block()
    }

    fn cold_block(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &[]);
    }

    fn branch(&mut self, condition: Value, accept: Block, reject: Block) {
        self.b.ins().brif(condition, accept, &[], reject, &[]);
    }

    fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    fn ret(&mut self) {
        self.b.ins().return_(&[]);
    }

    fn cell(&mut self, ty: Ty, lanes: bool) -> Cell {
        if !lanes {
            return match ty {
                Ty::U32 => Cell::Wide(self.b.declare_var(I64)),
                _ => Cell::Same(self.b.declare_var(scalar_type(ty))),
            };
        }
        Cell::Each((0..self.parts(ty)).map(|_| self.b.declare_var(part_type(ty))).collect())
    }

    fn set(&mut self, cell: &Cell, value: &Lanes<Value, Vec<Value>>) {
        match (cell, value) {
            (Cell::Same(variable), Lanes::Same(value)) => self.b.def_var(*variable, *value),
            (Cell::Wide(variable), Lanes::Same(value)) => {
                let wide = self.widened(*value);
                self.b.def_var(*variable, wide);
            }
            (Cell::Each(variables), Lanes::Each(parts)) => {
                variables.iter().zip(parts).for_each(|(&variable, &part)| self.b.def_var(variable, part));
            }
            _ => unreachable!("invariant cells: {value:?} does not fit {cell:?}"),
        }
    }

    fn get(&mut self, cell: &Cell) -> Lanes<Value, Vec<Value>> {
        match cell {
            Cell::Same(variable) => Lanes::Same(self.b.use_var(*variable)),
            Cell::Wide(variable) => {
                let wide = self.b.use_var(*variable);
                Lanes::Same(self.word(wide))
            }
            Cell::Each(variables) => Lanes::Each(variables.iter().map(|&variable| self.b.use_var(variable)).collect()),
        }
    }
}

impl Clif<'_> {
    /// A word of which the zeros before it are known.
    fn word(&mut self, wide: Value) -> Value {
        let word = self.b.ins().ireduce(I32, wide);
        self.wide.insert(word, wide);
        word
    }

    fn widened(&mut self, word: Value) -> Value {
        match self.wide.get(&word) {
            Some(wide) => *wide,
            None => self.b.ins().uextend(I64, word),
        }
    }

    /// A 32-bit lane, by way of the pair that it lies in: the pair is fetched once for both, which
    /// takes fewer instructions than fetching each.
    fn half(&mut self, part: Value, at: u8) -> Value {
        let pairs = self.as_type(I64X2, part);
        let mut pair = self.b.ins().extractlane(pairs, at / 2);
        if !at.is_multiple_of(2) {
            pair = self.b.ins().ushr_imm_u(pair, 32);
        }
        self.b.ins().ireduce(I32, pair)
    }
}

/// The integer type that holds a scalar's bits.
fn bits_type(ty: Ty) -> Type {
    if ty.bytes() == 8 { I64 } else { I32 }
}

impl Clif<'_> {
    /// A read-modify-write of a float, by compare and exchange.
    fn float_atomic(&mut self, fun: Atomic, pointer: Value, value: Value) -> Value {
        let op = match fun {
            Atomic::Add => Binary::Add,
            Atomic::Sub => Binary::Sub,
            Atomic::Min => Binary::Min,
            Atomic::Max => Binary::Max,
            Atomic::And | Atomic::Or | Atomic::Xor | Atomic::Exchange | Atomic::CompareExchange => {
                unreachable!("invariant atomics: {fun:?} of floats")
            }
        };
        let seen = self.b.declare_var(I32);
        let first = self.b.ins().load(I32, plain(), pointer, 0);
        self.b.def_var(seen, first);
        let (again, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().jump(again, &[]);
        self.b.switch_to_block(again);
        let old = self.b.use_var(seen);
        let float = self.as_type(F32, old);
        let new = self.scalar_op(Prim::Binary(op), Ty::F32, Ty::F32, &[float, value]);
        let new = self.as_type(I32, new);
        let found = self.b.ins().atomic_cas(plain(), pointer, old, new);
        self.b.def_var(seen, found);
        let same = self.b.ins().icmp(IntCC::Equal, found, old);
        self.b.ins().brif(same, done, &[], again, &[]);
        self.b.switch_to_block(done);
        float
    }
}
