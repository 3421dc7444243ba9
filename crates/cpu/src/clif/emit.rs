//! Operations of an emitter, by Cranelift's.

use cranelift_codegen::ir::types::{I8, I32, I32X4, I64};
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, StackSlotData, StackSlotKind, Value};

use super::cell::Cell;
use super::{Clif, PART, part_type, plain, scalar_type};
use crate::cost;
use crate::emit::{Emit, Lanes, Prim};
use crate::helpers::LINE;
use crate::helpers::{self, Helper};
use crate::ir::{Atomic, Ty};

/// Bytes of a machine vector.
const VECTOR: u32 = 16;

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
        self.splat_lanes(ty, value)
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
        self.lane_at(ty, value, lane)
    }

    fn pack(&mut self, ty: Ty, lanes: &[Value]) -> Vec<Value> {
        self.pack_lanes(ty, lanes)
    }

    fn any(&mut self, mask: &Vec<Value>) -> Value {
        let all = mask[1..].iter().fold(mask[0], |a, &b| self.b.ins().bor(a, b));
        self.b.ins().vany_true(all)
    }

    fn all(&mut self, mask: &Vec<Value>) -> Value {
        let all = mask[1..].iter().fold(mask[0], |a, &b| self.b.ins().band(a, b));
        self.b.ins().vall_true(all)
    }

    fn bits(&mut self, mask: &Vec<Value>, word: u32) -> Value {
        self.sign_bits(mask, word)
    }

    fn prefix_sums(&mut self, _: &Self::V) -> Option<Self::V> {
        None
    }

    fn permute(&mut self, ty: Ty, value: &Vec<Value>, from: &[Option<u32>]) -> Vec<Value> {
        self.permuted(ty, value, from)
    }

    fn recomputes(&self) -> bool {
        true
    }

    fn pin(&mut self, value: &Vec<Value>) {
        if self.pins == cost::PINS {
            return;
        }
        self.pins += 1;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, value.len() as u32 * VECTOR, 4);
        let slot = self.b.create_sized_stack_slot(data);
        // A store has an effect, and so stands where it is, unless another goes to the same place. Nobody reads it.
        for (part, at) in value.iter().zip((0..).step_by(VECTOR as usize)) {
            self.b.ins().stack_store(I64, *part, slot, at);
        }
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
        if matches!(ty, Ty::Bool | Ty::F16) {
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

    fn load_fixed(&mut self, ty: Ty, pointer: Value) -> Vec<Value> {
        if matches!(ty, Ty::Bool | Ty::F16) {
            return self.load_lanes(ty, pointer);
        }
        // Read where it is wanted, it is often a part of the instruction that wants it.
        let (part, fixed) = (part_type(ty), plain().with_readonly().with_can_move());
        (0..self.parts(ty)).map(|i| self.b.ins().load(part, fixed, pointer, i as i32 * 16)).collect()
    }

    fn store_lanes(&mut self, ty: Ty, pointer: Value, value: &Vec<Value>) {
        if matches!(ty, Ty::Bool | Ty::F16) {
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

    fn streams(&self, _: Ty) -> Option<u64> {
        None
    }

    fn stream_lanes(&mut self, _: Ty, _: Self::S, _: &Self::V) {
        unreachable!("invariant streams: there are none")
    }

    fn fence(&mut self) {}

    fn gathers(&self) -> bool {
        false
    }

    fn gather(&mut self, _: Ty, _: Self::S, _: &Self::V, _: Option<&Self::V>) -> Self::V {
        unreachable!("invariant gathers: there are none")
    }

    fn scatter(&mut self, _: Ty, _: Self::S, _: &Self::V, _: Option<&Self::V>, _: &Self::V) {
        unreachable!("invariant gathers: there are none")
    }

    fn compresses(&self) -> bool {
        false
    }

    fn compress(&mut self, _: Ty, _: Self::S, _: &Self::V, _: &Self::V) {
        unreachable!("invariant compression: there is none")
    }

    fn store_over(&mut self, ty: Ty, pointer: Value, mask: &Vec<Value>, value: &Vec<Value>) {
        for (i, (&mask, &new)) in mask.iter().zip(value).enumerate() {
            let (at, known) = (i as i32 * 16, self.known(mask));
            let mut whole = new;
            match known {
                Some([0, 0, 0, 0]) => continue,
                Some([u32::MAX, u32::MAX, u32::MAX, u32::MAX]) => {}
                Some(_) | None => {
                    let old = self.b.ins().load(part_type(ty), plain(), pointer, at);
                    whole = self.part_select(ty, mask, new, old);
                }
            }
            self.b.ins().store(plain(), whole, pointer, at);
        }
    }

    fn load_words(&mut self, pointer: Value, step: u32, words: &[(u32, Ty)]) -> Vec<Vec<Value>> {
        self.load_rows(pointer, step, words)
    }

    fn store_words(&mut self, pointer: Value, step: u32, words: &[(u32, Ty)], values: &[Vec<Value>]) {
        self.store_rows(pointer, step, words, values);
    }

    fn atomic(&mut self, fun: Atomic, ty: Ty, pointer: Value, value: Value, compare: Option<Value>) -> Value {
        self.modify(fun, ty, pointer, value, compare)
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
        if self.rare { self.cold_block() } else { self.b.create_block() }
    }

    fn cold_block(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    fn rare(&mut self, rare: bool) {
        self.rare = rare;
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

    fn give(&mut self, status: Value) {
        self.b.ins().return_(&[status]);
    }

    fn run(&mut self, number: u32, args: [Value; 3]) -> Value {
        let function = self.callee(number);
        let call = self.b.ins().call(function, &args);
        self.b.inst_results(call)[0]
    }

    fn cell(&mut self, ty: Ty, lanes: bool) -> Cell {
        self.declare(ty, lanes)
    }

    fn cells(&self) -> usize {
        self.variables.used.len()
    }

    fn give_up(&mut self, since: usize) {
        self.variables.give_up(since);
    }

    fn set(&mut self, cell: &Cell, value: &Lanes<Value, Vec<Value>>) {
        self.assign(cell, value);
    }

    fn get(&mut self, cell: &Cell) -> Lanes<Value, Vec<Value>> {
        self.read(cell)
    }
}
