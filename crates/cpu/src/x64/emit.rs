//! What the walk asks for, by the machine's operations.

use super::form::{Block, End, Val, args};
use super::op::{Op, Width};
use super::reg::Class;
use super::{Cell, X64, class_of};
use crate::emit::{Emit, Lanes, Prim};
use crate::helpers::LINE;
use crate::ir::{Atomic, Ty};

/// Memory that is asked for by instructions; for more there is a function.
const FETCH_MAX: u64 = 1024;

impl Emit for X64 {
    type S = Val;
    type V = Vec<Val>;
    type Block = Block;
    type Cell = Cell;

    fn width(&self) -> u32 {
        self.width
    }

    fn argument(&mut self, index: usize) -> Val {
        self.arguments[index]
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Val {
        match ty {
            Ty::F32 => self.pool(&(bits as u32).to_le_bytes()),
            Ty::F16 => self.pool(&half::f16::from_bits(bits as u16).to_f32().to_le_bytes()),
            Ty::F64 => self.pool(&bits.to_le_bytes()),
            Ty::Bool | Ty::I32 | Ty::U32 => self.int(i64::from(bits as u32)),
            Ty::I64 | Ty::U64 => self.int(bits as i64),
        }
    }

    fn scalar(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Val]) -> Val {
        self.scalar_op(prim, ty, of, args)
    }

    fn vector(&mut self, prim: Prim, ty: Ty, of: Ty, args: &[Lanes<Val, Vec<Val>>]) -> Vec<Val> {
        self.lane_op(prim, ty, of, args)
    }

    fn splat(&mut self, ty: Ty, value: Val) -> Vec<Val> {
        self.splat_lanes(ty, value)
    }

    fn ramp(&mut self, _: Ty, base: Val, stride: i64) -> Vec<Val> {
        self.ramp_lanes(base, stride)
    }

    fn lane(&mut self, ty: Ty, value: &Vec<Val>, lane: u32) -> Val {
        self.lane_at(ty, value, lane)
    }

    fn pack(&mut self, ty: Ty, lanes: &[Val]) -> Vec<Val> {
        self.pack_lanes(ty, lanes)
    }

    fn any(&mut self, mask: &Vec<Val>) -> Val {
        self.any_of(mask)
    }

    fn all(&mut self, mask: &Vec<Val>) -> Val {
        self.all_of(mask)
    }

    fn bits(&mut self, mask: &Vec<Val>, word: u32) -> Val {
        self.mask_bits(mask, word)
    }

    fn prefix_sums(&mut self, value: &Vec<Val>) -> Option<Vec<Val>> {
        Some(self.prefix_parts(value))
    }

    fn permute(&mut self, ty: Ty, value: &Vec<Val>, from: &[Option<u32>]) -> Vec<Val> {
        self.permuted(ty, value, from)
    }

    fn recomputes(&self) -> bool {
        false
    }

    fn pin(&mut self, _: &Vec<Val>) {
        unreachable!("invariant pins: nothing is computed twice")
    }

    fn load(&mut self, ty: Ty, pointer: Val) -> Val {
        self.load_number(ty, pointer)
    }

    fn pair(&mut self, pointer: Val) -> [Val; 2] {
        let both = self.load_as(Width::Double, pointer, 0);
        [
            self.form.pure(Op::Low, args([both])),
            self.shift_literal(super::op::Shift::Right, super::Size::Double, both, 32),
        ]
    }

    fn flag(&mut self, pointer: Val) -> Val {
        self.load_as(Width::Byte, pointer, 0)
    }

    fn store(&mut self, ty: Ty, pointer: Val, value: Val) {
        self.store_number(ty, pointer, value);
    }

    fn load_lanes(&mut self, ty: Ty, pointer: Val) -> Vec<Val> {
        self.load_parts(ty, pointer)
    }

    /// Loads do not float, not even these: so none leaves the questions behind that its place was asked about.
    fn load_fixed(&mut self, ty: Ty, pointer: Val) -> Vec<Val> {
        self.load_parts(ty, pointer)
    }

    fn store_lanes(&mut self, ty: Ty, pointer: Val, value: &Vec<Val>) {
        self.store_parts(ty, pointer, value);
    }

    fn streams(&self, ty: Ty) -> Option<u64> {
        let bits = self.bits_of(ty);
        let whole = bits == self.form.isa.widest() && matches!(ty.bytes(), 4 | 8);
        whole.then(|| bits.bytes().into())
    }

    fn stream_lanes(&mut self, ty: Ty, pointer: Val, value: &Vec<Val>) {
        let bits = self.bits_of(ty);
        for (part, &val) in (0..).zip(value) {
            let (place, [base, index]) = self.place_of(pointer, part * bits.bytes() as i32);
            self.form.pinned(self.at, Op::Stream(bits, place), args([base, index, val]));
        }
    }

    fn fence(&mut self) {
        self.form.pinned(self.at, Op::Fence, args([]));
    }

    fn gathers(&self) -> bool {
        self.form.isa.gathers()
    }

    fn gather(&mut self, ty: Ty, base: Val, offsets: &Vec<Val>, mask: Option<&Vec<Val>>) -> Vec<Val> {
        self.gather_parts(ty, base, offsets, mask)
    }

    fn scatter(&mut self, ty: Ty, base: Val, offsets: &Vec<Val>, mask: Option<&Vec<Val>>, value: &Vec<Val>) {
        self.scatter_parts(ty, base, offsets, mask, value);
    }

    fn compresses(&self) -> bool {
        true
    }

    fn compress(&mut self, ty: Ty, pointer: Val, mask: &Vec<Val>, value: &Vec<Val>) {
        self.compress_parts(ty, pointer, mask, value);
    }

    fn store_over(&mut self, ty: Ty, pointer: Val, mask: &Vec<Val>, value: &Vec<Val>) {
        self.store_masked(ty, pointer, mask, value);
    }

    fn load_words(&mut self, pointer: Val, step: u32, words: &[(u32, Ty)]) -> Vec<Vec<Val>> {
        self.load_rows(pointer, step, words)
    }

    fn store_words(&mut self, pointer: Val, step: u32, words: &[(u32, Ty)], values: &[Vec<Val>]) {
        self.store_rows(pointer, step, words, values);
    }

    fn atomic(&mut self, fun: Atomic, ty: Ty, pointer: Val, value: Val, compare: Option<Val>) -> Val {
        self.modify(fun, ty, pointer, value, compare)
    }

    fn fetch(&mut self, pointer: Val, bytes: u64) {
        if bytes > FETCH_MAX {
            let bytes = self.int(bytes as i64);
            self.form.pinned(self.at, Op::Fetch, args([pointer, bytes]));
            return;
        }
        let last = bytes.saturating_sub(1);
        for ahead in (0..last).step_by(LINE as usize).chain([last]) {
            let (place, [base, index]) = self.place_of(pointer, ahead as i32);
            self.form.pinned(self.at, Op::Prefetch(place), args([base, index]));
        }
    }

    fn zero(&mut self, pointer: Val) {
        let bits = self.form.isa.widest();
        let zeros = self.words(bits, 0);
        for ahead in (0..LINE as i32).step_by(bits.bytes() as usize) {
            self.store_as(Width::Vector(bits), pointer, ahead, zeros);
        }
    }

    fn block(&mut self) -> Block {
        self.form.block(self.rare)
    }

    fn cold_block(&mut self) -> Block {
        self.form.block(true)
    }

    fn rare(&mut self, rare: bool) {
        self.rare = rare;
    }

    fn jump(&mut self, to: Block) {
        self.end(End::Jump(to));
    }

    fn branch(&mut self, condition: Val, accept: Block, reject: Block) {
        if let Some(known) = self.form.literal(condition) {
            self.end(End::Jump(if known == 0 { reject } else { accept }));
        } else if accept == reject {
            self.end(End::Jump(accept));
        } else {
            let (test, args) = self.test_of(condition);
            self.end(End::Branch { test, args, accept, reject });
        }
    }

    fn enter(&mut self, block: Block) {
        self.at = block;
        self.form.order.push(block);
    }

    fn ret(&mut self) {
        self.end(End::Return(None));
    }

    fn give(&mut self, status: Val) {
        self.end(End::Return(Some(status)));
    }

    fn run(&mut self, number: u32, [a, b, c]: [Val; 3]) -> Val {
        self.form.pinned(self.at, Op::Run(number), args([a, b, c]))
    }

    fn cell(&mut self, ty: Ty, lanes: bool) -> Cell {
        self.cells += 1;
        if !lanes {
            return Cell::Same(self.variable(class_of(ty)));
        }
        let class = if ty == Ty::Bool { self.form.isa.mask() } else { Class::Vector };
        Cell::Each((0..self.parts(ty)).map(|_| self.variable(class)).collect())
    }

    fn cells(&self) -> usize {
        self.cells
    }

    /// Cells that nobody reads cost nothing.
    fn give_up(&mut self, _: usize) {}

    fn set(&mut self, cell: &Cell, value: &Lanes<Val, Vec<Val>>) {
        match (cell, value) {
            (Cell::Same(variable), Lanes::Same(val)) => self.variables.set(self.at, *variable, *val),
            (Cell::Each(variables), Lanes::Each(parts)) => {
                variables.iter().zip(parts).for_each(|(&variable, &part)| self.variables.set(self.at, variable, part));
            }
            (Cell::Same(_), Lanes::Each(_)) | (Cell::Each(_), Lanes::Same(_)) => {
                unreachable!("invariant cells: {value:?} does not fit {cell:?}")
            }
        }
    }

    fn get(&mut self, cell: &Cell) -> Lanes<Val, Vec<Val>> {
        let mut get = |variable: u32| self.variables.get(&mut self.form, self.at, variable);
        match cell {
            Cell::Same(variable) => Lanes::Same(get(*variable)),
            Cell::Each(variables) => Lanes::Each(variables.iter().map(|&variable| get(variable)).collect()),
        }
    }
}
