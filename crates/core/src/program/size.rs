//! How large functions are: in operations on scalars, and in blocks inside one another.
//!
//! Devices write functions into their callers, or call them. Either way they want to know
//! what that comes to before they begin: a tree of twenty functions that each call the next
//! one twice is a thousand bytes of text and a million calls.

use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, BinaryOperator, Expression, Function, Handle, Module, Statement, TypeInner};

use super::walk;

/// What a function amounts to, without those that it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Operations on scalars, roughly.
    pub operations: u64,
    /// Blocks inside one another at the most.
    pub nesting: u32,
    /// Its calls, in the order of the text.
    pub calls: Vec<Call>,
}

/// Scalars of a value up to which it is taken apart into them in any case.
pub const LARGE: u64 = 1024;

/// Scalars of a value that is moved in memory as a whole, at the most.
const MOVED_MAX: u64 = 1 << 22;

/// Scalars of an array that are moved one after the other as they are written; more, in a loop.
const IN_A_ROW: u64 = 16;

/// One place that calls a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// Which.
    pub function: Handle<Function>,
    /// Blocks around the call.
    pub nesting: u32,
}

/// The size of one function.
pub fn of(module: &Module, info: &FunctionInfo, function: &Function) -> Size {
    let mut size = Size { operations: 0, nesting: 0, calls: Vec::new() };
    for (_, variable) in function.local_variables.iter() {
        size.add(variable.init.map_or(1, |_| scalars(module, &module.types[variable.ty].inner)));
    }
    let mut open = vec![(function.body.span_iter(), 0)];
    while let Some((block, nesting)) = open.last_mut() {
        let nesting = *nesting;
        let Some((statement, _)) = block.next() else {
            open.pop();
            continue;
        };
        size.nesting = size.nesting.max(nesting);
        size.add(1);
        match statement {
            Statement::Emit(range) => {
                range.clone().for_each(|handle| size.add(expression(module, info, function, handle)));
            }
            Statement::Block(body) => open.push((body.span_iter(), nesting)),
            Statement::If { accept, reject, .. } => {
                open.extend([reject, accept].map(|arm| (arm.span_iter(), nesting + 1)));
            }
            Statement::Switch { cases, .. } => {
                // They are told apart by halves.
                let inside = nesting + 2 + cases.len().max(1).ilog2();
                open.extend(cases.iter().rev().map(|case| (case.body.span_iter(), inside)));
            }
            // The loop, what leaves it and what goes on with its next turn.
            Statement::Loop { body, continuing, .. } => {
                open.extend([continuing, body].map(|block| (block.span_iter(), nesting + 3)));
            }
            Statement::Store { pointer, value } => {
                let each = access(module, info, *pointer);
                size.add(weight(module, info, function, *value).saturating_mul(each));
            }
            Statement::Call { function: called, arguments, result } => {
                let data = arguments.iter().chain(result).map(|&handle| weight(module, info, function, handle));
                size.add(data.fold(0, u64::saturating_add));
                size.calls.push(Call { function: *called, nesting });
            }
            Statement::Break
            | Statement::Continue
            | Statement::Return { .. }
            | Statement::Kill
            | Statement::ControlBarrier(_)
            | Statement::MemoryBarrier(_)
            | Statement::ImageStore { .. }
            | Statement::Atomic { .. }
            | Statement::ImageAtomic { .. }
            | Statement::WorkGroupUniformLoad { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. }
            | Statement::CooperativeStore { .. } => {}
        }
    }
    size
}

/// Operations of an entry point with every call written out.
pub fn written_out(module: &Module, info: &ModuleInfo) -> u64 {
    let entry = &module.entry_points[0].function;
    let mut all = vec![0_u64; module.functions.len()];
    let whole = |all: &[u64], size: Size| {
        let calls = size.calls.iter().map(|call| all[call.function.index()]);
        calls.fold(size.operations, u64::saturating_add)
    };
    // A function calls only those before it.
    for handle in walk::helpers(module, entry) {
        all[handle.index()] = whole(&all, of(module, &info[handle], &module.functions[handle]));
    }
    whole(&all, of(module, info.get_entry_point(0), entry))
}

impl Size {
    fn add(&mut self, operations: u64) {
        self.operations = self.operations.saturating_add(operations);
    }
}

/// Whether a value is moved in memory as a whole instead of being taken apart into scalars: loops make
/// that much shorter than it is.
pub fn is_large(module: &Module, inner: &TypeInner) -> bool {
    const SHORTER: u64 = 4;
    let all = scalars(module, inner);
    all > LARGE && moved(module, inner) <= all / SHORTER
}

/// Whether elements of an array are moved in a loop.
pub fn is_looped(module: &Module, array: &TypeInner) -> bool {
    scalars(module, array) > IN_A_ROW
}

/// What it takes to move a value of an expression: constants that are not zero are written out.
fn weight(module: &Module, info: &FunctionInfo, function: &Function, handle: Handle<Expression>) -> u64 {
    let inner = info[handle].ty.inner_with(&module.types);
    let all = scalars(module, inner);
    let is_zero = |constant| matches!(module.global_expressions[constant], Expression::ZeroValue(_));
    let is_written = matches!(
        function.expressions[handle],
        Expression::Constant(constant) if !is_zero(module.constants[constant].init)
    );
    if is_written || all > MOVED_MAX || !is_large(module, inner) { all } else { moved(module, inner) }
}

/// Operations that move a large value.
fn moved(module: &Module, inner: &TypeInner) -> u64 {
    /// Of a loop.
    const LOOP: u64 = 8;
    match inner {
        TypeInner::Array { base, .. } if is_looped(module, inner) => LOOP + moved(module, &module.types[*base].inner),
        TypeInner::Struct { members, .. } => {
            members.iter().map(|member| moved(module, &module.types[member.ty].inner)).sum()
        }
        TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. }
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Array { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. } => scalars(module, inner),
    }
}

/// What it takes to get at one scalar behind a pointer: in memory that others share, bounds are
/// checked, and lanes may go different ways.
fn access(module: &Module, info: &FunctionInfo, pointer: Handle<Expression>) -> u64 {
    const SHARED: u64 = 16;
    let space = info[pointer].ty.inner_with(&module.types).pointer_space();
    if matches!(space, Some(AddressSpace::Function | AddressSpace::Private)) { 1 } else { SHARED }
}

/// What one expression takes.
fn expression(module: &Module, info: &FunctionInfo, function: &Function, handle: Handle<Expression>) -> u64 {
    /// Operations for each scalar of a product of matrices, and of a function such as `sin`.
    const EACH: u64 = 8;
    let own = weight(module, info, function, handle);
    let is_matrix =
        |handle: Handle<Expression>| matches!(info[handle].ty.inner_with(&module.types), TypeInner::Matrix { .. });
    match function.expressions[handle] {
        Expression::Binary { op: BinaryOperator::Multiply, left, right } if is_matrix(left) || is_matrix(right) => {
            own.saturating_mul(EACH)
        }
        Expression::Math { .. } => own.saturating_mul(EACH),
        Expression::Load { pointer } => own.saturating_mul(access(module, info, pointer)),
        // By an index that is not known, out of a value: all of it goes into memory first.
        Expression::Access { base, .. } => own.saturating_add(weight(module, info, function, base)),
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::Compose { .. }
        | Expression::AccessIndex { .. }
        | Expression::Splat { .. }
        | Expression::Swizzle { .. }
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. }
        | Expression::Unary { .. }
        | Expression::Binary { .. }
        | Expression::Select { .. }
        | Expression::Derivative { .. }
        | Expression::Relational { .. }
        | Expression::As { .. }
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::ArrayLength(_)
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryProceedResult
        | Expression::RayQueryGetIntersection { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => own,
    }
}

/// How many scalars a value has; a pointer passes for one.
pub fn scalars(module: &Module, inner: &TypeInner) -> u64 {
    match inner {
        TypeInner::Vector { size, .. } => *size as u64,
        TypeInner::Matrix { columns, rows, .. } => *columns as u64 * *rows as u64,
        TypeInner::Array { base, size, .. } => {
            let len = match size {
                naga::ArraySize::Constant(len) => u64::from(len.get()),
                naga::ArraySize::Dynamic | naga::ArraySize::Pending(_) => 1,
            };
            scalars(module, &module.types[*base].inner).saturating_mul(len)
        }
        TypeInner::Struct { members, .. } => {
            let members = members.iter().map(|member| scalars(module, &module.types[member.ty].inner));
            members.fold(0, u64::saturating_add)
        }
        TypeInner::Scalar(_)
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. } => 1,
    }
}
