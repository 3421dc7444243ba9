//! The expressions that an expression or a statement names.

use naga::{AtomicFunction, Block, Expression, GatherMode, Handle, ImageQuery, SampleLevel, Statement};

type Visit<'a> = dyn FnMut(&mut Handle<Expression>) + 'a;

/// What an expression names, to be read only.
pub fn named(expression: &Expression) -> Vec<Handle<Expression>> {
    let mut named = Vec::new();
    of_expression(&mut expression.clone(), &mut |handle| named.push(*handle));
    named
}

/// What a statement names, without those inside of it.
pub fn used(statement: &Statement) -> Vec<Handle<Expression>> {
    let mut used = Vec::new();
    of_statement(&mut shallow(statement), &mut |handle| used.push(*handle));
    used
}

/// What a statement makes, without those inside of it.
pub fn made(statement: &Statement) -> Vec<Handle<Expression>> {
    if let Statement::Emit(range) = statement {
        return range.clone().collect();
    }
    result(&mut shallow(statement)).map(|result| *result).into_iter().collect()
}

/// Those of an expression, to be changed.
pub(crate) fn of_expression(expression: &mut Expression, visit: &mut Visit<'_>) {
    match expression {
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. }
        // Refused where their resources are bound: nobody asks for more.
        | Expression::RayQueryProceedResult
        | Expression::RayQueryVertexPositions { .. }
        | Expression::RayQueryGetIntersection { .. }
        | Expression::CooperativeLoad { .. }
        | Expression::CooperativeMultiplyAdd { .. } => {}
        Expression::Compose { components, .. } => components.iter_mut().for_each(visit),
        Expression::Access { base, index } => [base, index].into_iter().for_each(visit),
        Expression::AccessIndex { base, .. } => visit(base),
        Expression::Splat { value, .. } => visit(value),
        Expression::Swizzle { vector, .. } => visit(vector),
        Expression::Load { pointer } | Expression::ArrayLength(pointer) => visit(pointer),
        Expression::Unary { expr, .. } | Expression::As { expr, .. } | Expression::Derivative { expr, .. } => {
            visit(expr);
        }
        Expression::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
        Expression::Select { condition, accept, reject } => {
            [condition, accept, reject].into_iter().for_each(visit);
        }
        Expression::Relational { argument, .. } => visit(argument),
        Expression::Math { arg, arg1, arg2, arg3, .. } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        Expression::ImageSample { image, sampler, coordinate, array_index, offset, level, depth_ref, .. } => {
            [image, sampler, coordinate].into_iter().for_each(&mut *visit);
            [array_index, offset, depth_ref].into_iter().flatten().for_each(&mut *visit);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => visit(level),
                SampleLevel::Gradient { x, y } => [x, y].into_iter().for_each(visit),
            }
        }
        Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
            [image, coordinate].into_iter().for_each(&mut *visit);
            [array_index, sample, level].into_iter().flatten().for_each(visit);
        }
        Expression::ImageQuery { image, query } => {
            visit(image);
            match query {
                ImageQuery::Size { level } => level.iter_mut().for_each(visit),
                ImageQuery::NumLevels | ImageQuery::NumLayers | ImageQuery::NumSamples => {}
            }
        }
    }
}

/// Those of a statement itself: not of statements inside of it, and none that it emits or makes.
pub(crate) fn of_statement(statement: &mut Statement, visit: &mut Visit<'_>) {
    match statement {
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::CooperativeStore { .. } => {}
        Statement::ImageStore { image, coordinate, array_index, value } => {
            [image, coordinate, value].into_iter().for_each(&mut *visit);
            array_index.iter_mut().for_each(visit);
        }
        Statement::ImageAtomic { image, coordinate, array_index, fun, value } => {
            [image, coordinate, value].into_iter().for_each(&mut *visit);
            array_index.iter_mut().for_each(&mut *visit);
            if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
                visit(compare);
            }
        }
        Statement::If { condition, .. } => visit(condition),
        Statement::Switch { selector, .. } => visit(selector),
        Statement::Loop { break_if, .. } => break_if.iter_mut().for_each(visit),
        Statement::Return { value } => value.iter_mut().for_each(visit),
        Statement::Store { pointer, value } => [pointer, value].into_iter().for_each(visit),
        Statement::Atomic { pointer, fun, value, .. } => {
            [&mut *pointer, value].into_iter().for_each(&mut *visit);
            if let AtomicFunction::Exchange { compare: Some(compare) } = fun {
                visit(compare);
            }
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => visit(pointer),
        Statement::Call { arguments, .. } => arguments.iter_mut().for_each(visit),
        Statement::SubgroupBallot { predicate, .. } => predicate.iter_mut().for_each(visit),
        Statement::SubgroupCollectiveOperation { argument, .. } => visit(argument),
        Statement::SubgroupGather { mode, argument, .. } => {
            visit(argument);
            match mode {
                GatherMode::Broadcast(lane)
                | GatherMode::Shuffle(lane)
                | GatherMode::ShuffleDown(lane)
                | GatherMode::ShuffleUp(lane)
                | GatherMode::ShuffleXor(lane)
                | GatherMode::QuadBroadcast(lane) => visit(lane),
                GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => {}
            }
        }
    }
}

/// The expression that a statement makes.
pub(crate) fn result(statement: &mut Statement) -> Option<&mut Handle<Expression>> {
    match statement {
        Statement::Atomic { result, .. } | Statement::Call { result, .. } => result.as_mut(),
        Statement::WorkGroupUniformLoad { result, .. }
        | Statement::SubgroupBallot { result, .. }
        | Statement::SubgroupGather { result, .. }
        | Statement::SubgroupCollectiveOperation { result, .. } => Some(result),
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::If { .. }
        | Statement::Switch { .. }
        | Statement::Loop { .. }
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::ImageAtomic { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::CooperativeStore { .. } => None,
    }
}

/// A statement without those inside of it.
pub(crate) fn shallow(statement: &Statement) -> Statement {
    let case = |case: &naga::SwitchCase| naga::SwitchCase {
        value: case.value,
        body: Block::new(),
        fall_through: case.fall_through,
    };
    match statement {
        Statement::Block(_) => Statement::Block(Block::new()),
        Statement::If { condition, .. } => {
            Statement::If { condition: *condition, accept: Block::new(), reject: Block::new() }
        }
        Statement::Switch { selector, cases } => {
            Statement::Switch { selector: *selector, cases: cases.iter().map(case).collect() }
        }
        Statement::Loop { break_if, .. } => {
            Statement::Loop { body: Block::new(), continuing: Block::new(), break_if: *break_if }
        }
        Statement::Emit(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::ImageStore { .. }
        | Statement::Atomic { .. }
        | Statement::ImageAtomic { .. }
        | Statement::WorkGroupUniformLoad { .. }
        | Statement::Call { .. }
        | Statement::RayQuery { .. }
        | Statement::RayPipelineFunction(_)
        | Statement::SubgroupBallot { .. }
        | Statement::SubgroupGather { .. }
        | Statement::SubgroupCollectiveOperation { .. }
        | Statement::CooperativeStore { .. } => statement.clone(),
    }
}
