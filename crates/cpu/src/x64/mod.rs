//! The emitter for x86-64: our own code in vectors of 256 bits with AVX2, of 512 with AVX-512.
//!
//! What the walk asks for becomes operations in SSA ([`form`], [`ssa`]), which [`place`] gives blocks.
//! [`select`] makes instructions of them, regalloc2 finds registers, and [`encode`] writes bytes with
//! iced-x86. A lane value is as many vectors as it takes; booleans are masks, as the processor has them ([`isa`]).
//! Half floats are the `f32` of the same value. What has no vector form is done lane by lane.

mod reg;
mod isa;
mod condition;
mod vector;
mod evex;
mod op;
mod form;
mod ssa;
mod number;
mod scalar;
mod convert;
mod lanes;
mod mask;
mod opmask;
mod arith;
mod pack;
mod permute;
mod prefix;
mod address;
mod memory;
mod interleave;
mod compress;
mod atomic;
mod emit;
mod place;
mod update;
mod function;
mod select;
mod instruct;
mod asm;
mod flags;
mod access;
mod locked;
mod call;
mod general;
mod encode;
mod pages;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use form::{Block, End, Form, Val};
use reg::{Bits, Class, Size};
use ssa::Variables;

use crate::ir::Ty;

pub(crate) use asm::Code;
pub(crate) use isa::Isa;
pub(crate) use pages::Pages;

use crate::walk::frame::Frame;
use crate::walk::{self, Part};
use asm::Error;

/// A mutable number, or one for each lane.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Same(u32),
    Each(Vec<u32>),
}

/// The operations of a function.
pub(crate) fn write(isa: Isa, Part { function, shapes, ranges }: &Part, frame: &Frame) -> X64 {
    let write = if function.is_callee { walk::callee } else { walk::walk };
    write(function, shapes, ranges, frame, X64::new(isa, shapes.width))
}

/// Writes one function.
pub(crate) struct X64 {
    form: Form,
    width: u32,
    /// Where code is being written.
    at: Block,
    rare: bool,
    variables: Variables,
    cells: usize,
    arguments: Vec<Val>,
    /// Masks in vectors that were made from those of 64-bit lanes, and those.
    wide_masks: HashMap<Val, Vec<Val>>,
}

impl X64 {
    fn new(isa: Isa, width: u32) -> Self {
        let mut form = Form::new(isa);
        let entry = form.block(false);
        form.order.push(entry);
        let arguments = (0..3).map(|i| form.pinned(entry, op::Op::Argument(i), form::args([]))).collect();
        Self {
            form,
            width,
            at: entry,
            rare: false,
            variables: Variables::default(),
            cells: 0,
            arguments,
            wide_masks: HashMap::new(),
        }
    }

    /// Operations so far.
    pub(crate) fn operations(&self) -> usize {
        self.form.nodes.len()
    }

    /// Machine code.
    pub(crate) fn finish(self, effort: crate::effort::Effort) -> Result<Code, Error> {
        let Self { mut form, variables, .. } = self;
        let flow = variables.finish(&mut form);
        let mut placed = place::place(&form, &flow);
        update::update(&mut form, &flow, &mut placed);
        let selected = select::select(&form, &flow, &placed);
        encode::encode(&form, &selected, effort)
    }

    /// Lanes of one machine vector of these numbers.
    fn lanes_of(&self, ty: Ty) -> u32 {
        self.width.min(self.form.isa.vector() / lane_bytes(ty))
    }

    fn parts(&self, ty: Ty) -> u32 {
        self.width / self.lanes_of(ty)
    }

    /// The registers of such lanes.
    fn bits_of(&self, ty: Ty) -> Bits {
        Bits::of(self.lanes_of(ty) * lane_bytes(ty))
    }

    fn end(&mut self, end: End) {
        // What follows an end is never run.
        let block = &mut self.form.blocks[self.at.index()];
        block.end.get_or_insert(end);
    }

    fn variable(&mut self, class: Class) -> u32 {
        let variable = self.variables.declare(class);
        let zero = ssa::zero(&mut self.form, class);
        self.variables.set(self.at, variable, zero);
        variable
    }
}

/// Bytes of a lane in a register.
fn lane_bytes(ty: Ty) -> u32 {
    ty.bytes().max(4)
}

fn size_of(ty: Ty) -> Size {
    if ty.bytes() == 8 { Size::Double } else { Size::Word }
}

fn class_of(ty: Ty) -> Class {
    if is_float(ty) { Class::Vector } else { Class::General }
}

fn is_float(ty: Ty) -> bool {
    matches!(ty, Ty::F16 | Ty::F32 | Ty::F64)
}

fn is_signed(ty: Ty) -> bool {
    matches!(ty, Ty::I32 | Ty::I64)
}
