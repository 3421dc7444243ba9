//! Where in the programs something happens, and what can be known about it before it does.

use naga::{AtomicFunction, Expression, Function, Handle, Module, TypeInner, valid::FunctionInfo};

use super::super::code::Code;
use super::super::flatten::Op;
use crate::diag::Span;
use crate::layout::Type;
use crate::program::Kernel;

/// An operation of a kernel of the schedule: operations of all kernels and functions, counted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Spot(pub(super) u32);

/// What is known of an access.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Fact {
    /// It is of an atomic.
    pub(super) atomic: bool,
    /// An update that takes no harm from zeros: they are its neutral element.
    pub(super) counts: bool,
    /// Bytes of the vector that it takes one component of, and what those start at a multiple of.
    pub(super) vector: Option<(usize, usize)>,
}

/// The operations of one kernel.
#[derive(Debug)]
pub(super) struct Sites {
    /// The spot of each function's first operation.
    pub(super) starts: Vec<u32>,
    pub(super) facts: Vec<Fact>,
}

impl Sites {
    /// Counted on from a spot.
    pub(super) fn new(kernel: &Kernel, code: &Code, first: u32) -> Self {
        let mut sites = Self { starts: Vec::new(), facts: Vec::new() };
        for (at, function) in code.functions.iter().enumerate() {
            sites.starts.push(first + sites.facts.len() as u32);
            let (source, info) = source(kernel, at);
            sites.facts.extend(function.body.ops.iter().map(|op| fact(kernel.module(), source, info, op)));
        }
        sites
    }

    pub(super) fn first(&self) -> u32 {
        self.starts[0]
    }

    pub(super) fn len(&self) -> usize {
        self.facts.len()
    }

    pub(super) fn spot(&self, function: usize, pc: usize) -> Spot {
        Spot(self.starts[function] + pc as u32)
    }

    pub(super) fn fact(&self, spot: Spot) -> Fact {
        self.facts[(spot.0 - self.first()) as usize]
    }

    /// Its function and operation.
    pub(super) fn place(&self, spot: Spot) -> (usize, usize) {
        let function = self.starts.partition_point(|&start| start <= spot.0) - 1;
        (function, (spot.0 - self.starts[function]) as usize)
    }
}

/// The text of a function, and what naga knows about it; the entry point comes last.
fn source(kernel: &Kernel, function: usize) -> (&Function, &FunctionInfo) {
    match kernel.module().functions.iter().nth(function) {
        Some((handle, source)) => (source, &kernel.info()[handle]),
        None => (&kernel.entry().function, kernel.info().get_entry_point(0)),
    }
}

fn fact(module: &Module, source: &Function, info: &FunctionInfo, op: &Op) -> Fact {
    match *op {
        Op::Load { pointer, .. } | Op::Store { pointer, .. } => {
            let atomic = atomic(module, info, pointer).is_some();
            Fact { atomic, counts: false, vector: vector(module, source, info, pointer) }
        }
        Op::Atomic { pointer, fun, .. } => {
            let signed = atomic(module, info, pointer).is_none_or(|scalar| scalar.kind != naga::ScalarKind::Uint);
            let counts = match fun {
                AtomicFunction::Add
                | AtomicFunction::Subtract
                | AtomicFunction::ExclusiveOr
                | AtomicFunction::InclusiveOr => true,
                AtomicFunction::Max => !signed,
                AtomicFunction::And | AtomicFunction::Min | AtomicFunction::Exchange { .. } => false,
            };
            Fact { atomic: true, counts, vector: None }
        }
        Op::Eval(..)
        | Op::Point { .. }
        | Op::Length { .. }
        | Op::Jump(_)
        | Op::Unless(..)
        | Op::Switch { .. }
        | Op::Barrier(_)
        | Op::GridBarrier
        | Op::Call { .. }
        | Op::Subgroup(_)
        | Op::Enter(_)
        | Op::Turn(_)
        | Op::Return(_) => Fact::default(),
    }
}

/// What an atomic behind a pointer holds.
fn atomic(module: &Module, info: &FunctionInfo, pointer: Handle<Expression>) -> Option<naga::Scalar> {
    let TypeInner::Pointer { base, .. } = *info[pointer].ty.inner_with(&module.types) else { return None };
    if let TypeInner::Atomic(scalar) = module.types[base].inner { Some(scalar) } else { None }
}

/// The vector that a pointer to a component leads into. One of 64-bit numbers need not start at a
/// multiple of its size here, and is let be.
fn vector(
    module: &Module,
    source: &Function,
    info: &FunctionInfo,
    pointer: Handle<Expression>,
) -> Option<(usize, usize)> {
    let (Expression::Access { base, .. } | Expression::AccessIndex { base, .. }) = source.expressions[pointer] else {
        return None;
    };
    let mut inner = info[base].ty.inner_with(&module.types);
    if let TypeInner::Pointer { base, .. } = inner {
        inner = &module.types[*base].inner;
    }
    let (TypeInner::Vector { size, scalar } | TypeInner::ValuePointer { size: Some(size), scalar, .. }) = *inner else {
        return None;
    };
    let (count, width) = (size as usize, usize::from(scalar.width));
    (width <= 4).then(|| (count * width, count.next_power_of_two() * width))
}

/// Where an operation stands in the text.
pub(super) fn span(kernel: &Kernel, code: &Code, (function, pc): (usize, usize)) -> Option<Span> {
    let (source, _) = source(kernel, function);
    match code.functions[function].body.ops[pc] {
        Op::Eval(into, _) | Op::Point { into, .. } | Op::Load { into, .. } | Op::Length { into, .. } => {
            numbered(source, into).and_then(|handle| of(source, handle))
        }
        Op::Store { pointer, .. } => of(source, pointer),
        Op::Atomic { pointer, result, .. } => {
            result.and_then(|result| of(source, result)).or_else(|| of(source, pointer))
        }
        Op::Unless(condition, _) => of(source, condition),
        Op::Switch { selector, .. } => of(source, selector),
        Op::Jump(_)
        | Op::Barrier(_)
        | Op::GridBarrier
        | Op::Subgroup(_)
        | Op::Enter(_)
        | Op::Turn(_)
        | Op::Call { .. }
        | Op::Return(_) => None,
    }
}

/// What is indexed by an operation, as the text has it.
pub(super) fn indexed(kernel: &Kernel, code: &Code, (function, pc): (usize, usize)) -> Option<String> {
    let (source, _) = source(kernel, function);
    let (Op::Point { base, .. } | Op::Eval(_, Expression::Access { base, .. })) = code.functions[function].body.ops[pc]
    else {
        return None;
    };
    let span = of(source, base)?;
    let text = kernel.source().text.get(span.start as usize..span.end as usize)?;
    (!text.contains('\n') && !text.is_empty()).then(|| text.to_owned())
}

fn numbered(source: &Function, index: u32) -> Option<Handle<Expression>> {
    source.expressions.iter().nth(index as usize).map(|(handle, _)| handle)
}

fn of(source: &Function, handle: Handle<Expression>) -> Option<Span> {
    Span::of(source.expressions.get_span(handle))
}

/// Bytes of the smallest number in a type.
pub(super) fn smallest(ty: &Type) -> usize {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) | Type::Vector { scalar, .. } | Type::Matrix { scalar, .. } => {
            scalar.bytes() as usize
        }
        Type::Array { element, .. } => smallest(element),
        Type::Struct { members, .. } => members.iter().map(|member| smallest(&member.ty)).min().unwrap_or(4),
    }
}

/// The part of a type that has a byte, as in `[3].mass`.
pub(super) fn path(ty: &Type, offset: usize) -> String {
    match ty {
        Type::Scalar(_) | Type::Atomic(_) => String::new(),
        Type::Vector { scalar, .. } => {
            let letters = ["x", "y", "z", "w"];
            letters.get(offset / scalar.bytes() as usize).map_or(String::new(), |letter| format!(".{letter}"))
        }
        Type::Matrix { rows, scalar, column_stride, .. } => {
            let column = Type::Vector { len: *rows, scalar: *scalar };
            let stride = *column_stride as usize;
            format!("[{}]{}", offset / stride, path(&column, offset % stride))
        }
        Type::Array { element, stride, .. } => {
            let stride = *stride as usize;
            format!("[{}]{}", offset / stride, path(element, offset % stride))
        }
        Type::Struct { members, .. } => {
            let member = members.iter().rev().find(|member| member.offset as usize <= offset);
            member.map_or(String::new(), |member| {
                format!(".{}{}", member.name, path(&member.ty, offset - member.offset as usize))
            })
        }
    }
}
