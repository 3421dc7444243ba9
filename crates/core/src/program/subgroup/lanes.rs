//! Lanes that are named by an `i32`.

use naga::front::Typifier;
use naga::proc::ResolveContext;
use naga::{
    Arena, Block, Expression, Function, GatherMode, Handle, Literal, Module, ScalarKind, Span as NagaSpan, Statement,
};

use super::{ELECT, EXTENSION, name};
use crate::diag::{Diagnostic, Span};
use crate::program::walk;

/// Lanes that a subgroup can have at most.
const LANES_MAX: u32 = 128;
const QUAD_LANES: u32 = 4;

/// Lanes may be named by an `i32` and by constants without a type, but naga wants a `u32`. Those that
/// no subgroup has are refused. What is declared here has no place in the text.
pub(in crate::program) fn mend(module: &mut Module) -> Result<(), Diagnostic> {
    let signed = |function: &Function| signed(module, function);
    let inside = module.functions.iter().map(|(_, function)| signed(function)).collect::<Result<Vec<_>, _>>()?;
    let points = module.entry_points.iter().map(|point| signed(&point.function)).collect::<Result<Vec<_>, _>>()?;
    let functions = module.functions.iter_mut().map(|(_, function)| function).zip(inside);
    let points = module.entry_points.iter_mut().map(|point| &mut point.function).zip(points);
    for (function, signed) in functions.chain(points) {
        let is_elect = function.name.as_deref() == Some(ELECT);
        if is_elect || !signed.is_empty() {
            Mend { expressions: &mut function.expressions, signed, is_elect }.block(&mut function.body);
        }
    }
    Ok(())
}

/// The expressions of a function that name lanes by an `i32`, or the first that names none.
fn signed(module: &Module, function: &Function) -> Result<Vec<Handle<Expression>>, Diagnostic> {
    let (mut signed, mut types) = (Vec::new(), Typifier::new());
    let context = ResolveContext::with_locals(module, &function.local_variables, &function.arguments);
    for (statement, _) in walk::statements(&function.body) {
        let Statement::SubgroupGather { mut mode, .. } = *statement else { continue };
        let most = if let GatherMode::QuadBroadcast(_) = mode { QUAD_LANES } else { LANES_MAX };
        let Some(&mut at) = lane(&mut mode) else { continue };
        let known = if let Expression::Literal(Literal::I32(number)) = function.expressions[at] {
            Some(i64::from(number))
        } else if let Expression::Literal(Literal::U32(number)) = function.expressions[at] {
            Some(number.into())
        } else {
            None
        };
        if let Some(number) = known.filter(|number| !(0..most.into()).contains(number)) {
            let what = name(statement).unwrap_or(EXTENSION);
            let span = Span::of(function.expressions.get_span(at));
            return Err(Diagnostic::error("invalid", format!("`{what}` cannot take {number}"))
                .at(span, format!("this has to be from 0 to {}", most - 1)));
        }
        // Numbers of lanes may be signed, distances only as literals that had no type; what cannot be typed
        // is naga's to refuse.
        let is_lane = matches!(mode, GatherMode::Broadcast(_) | GatherMode::Shuffle(_) | GatherMode::QuadBroadcast(_));
        let typed = types.grow(at, &function.expressions, &context).is_ok();
        if typed && types.get(at, &module.types).scalar() == Some(naga::Scalar::I32) && (is_lane || known.is_some()) {
            signed.push(at);
        }
    }
    Ok(signed)
}

/// The lane that is named, or how far away it is.
fn lane(mode: &mut GatherMode) -> Option<&mut Handle<Expression>> {
    match mode {
        GatherMode::Broadcast(at)
        | GatherMode::Shuffle(at)
        | GatherMode::ShuffleDown(at)
        | GatherMode::ShuffleUp(at)
        | GatherMode::ShuffleXor(at)
        | GatherMode::QuadBroadcast(at) => Some(at),
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => None,
    }
}

struct Mend<'a> {
    expressions: &'a mut Arena<Expression>,
    signed: Vec<Handle<Expression>>,
    is_elect: bool,
}

impl Mend<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut mended = Block::with_capacity(block.len());
        for (mut statement, span) in std::mem::take(block).span_into_iter() {
            for inner in walk::blocks_mut(&mut statement) {
                self.block(inner);
            }
            if let Statement::SubgroupGather { mode, .. } = &mut statement
                && let Some(at) = lane(mode).filter(|at| self.signed.contains(at))
            {
                mended.extend(self.unsigned(at).map(|emit| (emit, span)));
            }
            mended.push(statement, if self.is_elect { NagaSpan::UNDEFINED } else { span });
        }
        *block = mended;
    }

    /// The same number as a `u32`; one that is computed is so by the statement that comes back.
    fn unsigned(&mut self, at: &mut Handle<Expression>) -> Option<Statement> {
        let (span, old) = (self.expressions.get_span(*at), self.expressions.len());
        if let Expression::Literal(Literal::I32(number)) = self.expressions[*at] {
            *at = self.expressions.append(Expression::Literal(Literal::U32(number as u32)), span);
            return None;
        }
        let cast = Expression::As { expr: *at, kind: ScalarKind::Uint, convert: Some(4) };
        *at = self.expressions.append(cast, span);
        Some(Statement::Emit(self.expressions.range_from(old)))
    }
}
