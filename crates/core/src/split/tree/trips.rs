//! Trip counts: how many turns a loop takes whose counter starts, steps and ends at constants.
//!
//! The schedule runs such a loop so often, and no word has to be looked at after each turn. Only one
//! form is known, that of `for` and `while`: a test before everything else is the only way out, and
//! the only store to the counter adds a constant to it in `continuing`.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, LocalVariable, Module, ScalarKind, Statement,
    TypeInner,
};

use super::List;
use crate::program::walk;

/// The turns of a loop that stands behind these statements, if there are any and they can be counted.
pub(super) fn trips(
    module: &Module,
    function: &Function,
    before: &List<'_>,
    (body, continuing): (&Block, &Block),
) -> Option<u32> {
    let of = Of { module, function };
    let (condition, stays) = header(body)?;
    let Expression::Binary { op, left, right } = function.expressions[condition] else { return None };
    let (counter, is_left) = match (of.loaded(left), of.loaded(right)) {
        (Some(counter), None) => (counter, true),
        (None, Some(counter)) => (counter, false),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let bound = of.number(if is_left { right } else { left })?;
    if leaving(body) + leaving(continuing) != 1 {
        return None;
    }
    let inside = [body, continuing].map(|block| of.writes(counter, walk::statements(block)));
    let [0, 1] = inside else { return None };
    let step = continuing.iter().find_map(|statement| of.step(counter, statement))?;
    let op = if is_left { op } else { turned(op) };
    count(if stays { op } else { negated(op)? }, of.first(counter, before)?, step, bound)
}

/// How often a number, from the first on, is in a relation to a bound before it is not; `None` if never,
/// and if it wraps around before.
fn count(op: BinaryOperator, first: Number, step: Number, bound: Number) -> Option<u32> {
    let (low, high) = match (first, step, bound) {
        (Number::U32(_), Number::U32(_), Number::U32(_)) => (0, i64::from(u32::MAX)),
        (Number::I32(_), Number::I32(_), Number::I32(_)) => (i32::MIN.into(), i32::MAX.into()),
        _ => return None,
    };
    let (first, step, bound) = (first.value(), step.by(), bound.value());
    let way = match op {
        BinaryOperator::Less if step > 0 => bound - first,
        BinaryOperator::LessEqual if step > 0 => bound - first + 1,
        BinaryOperator::Greater if step < 0 => first - bound,
        BinaryOperator::GreaterEqual if step < 0 => first - bound + 1,
        BinaryOperator::NotEqual if step != 0 && (bound - first) % step == 0 => (bound - first) / step * step.abs(),
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterEqual
        | BinaryOperator::And
        | BinaryOperator::ExclusiveOr
        | BinaryOperator::InclusiveOr
        | BinaryOperator::LogicalAnd
        | BinaryOperator::LogicalOr
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight => return None,
    };
    let turns = (way + step.abs() - 1).div_euclid(step.abs());
    let last = first + turns * step;
    u32::try_from(turns).ok().filter(|&turns| turns > 0 && (low..=high).contains(&last))
}

/// A number of a counter's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    U32(u32),
    I32(i32),
}

impl Number {
    fn value(self) -> i64 {
        match self {
            Self::U32(n) => n.into(),
            Self::I32(n) => n.into(),
        }
    }

    /// What adding it does: a large `u32` goes down.
    fn by(self) -> i64 {
        match self {
            Self::U32(n) => n.cast_signed().into(),
            Self::I32(n) => n.into(),
        }
    }

    fn negated(self) -> Self {
        match self {
            Self::U32(n) => Self::U32(n.wrapping_neg()),
            Self::I32(n) => Self::I32(n.wrapping_neg()),
        }
    }
}

/// The comparison that says the same with its sides changed.
fn turned(op: BinaryOperator) -> BinaryOperator {
    match op {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::And
        | BinaryOperator::ExclusiveOr
        | BinaryOperator::InclusiveOr
        | BinaryOperator::LogicalAnd
        | BinaryOperator::LogicalOr
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight => op,
    }
}

/// The comparison that holds where this one does not.
fn negated(op: BinaryOperator) -> Option<BinaryOperator> {
    match op {
        BinaryOperator::Less => Some(BinaryOperator::GreaterEqual),
        BinaryOperator::LessEqual => Some(BinaryOperator::Greater),
        BinaryOperator::Greater => Some(BinaryOperator::LessEqual),
        BinaryOperator::GreaterEqual => Some(BinaryOperator::Less),
        BinaryOperator::Equal => Some(BinaryOperator::NotEqual),
        BinaryOperator::NotEqual => Some(BinaryOperator::Equal),
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::And
        | BinaryOperator::ExclusiveOr
        | BinaryOperator::InclusiveOr
        | BinaryOperator::LogicalAnd
        | BinaryOperator::LogicalOr
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight => None,
    }
}

/// The test that a loop's turn begins with, and what it is where the loop goes on.
fn header(body: &Block) -> Option<(Handle<Expression>, bool)> {
    let first = body.iter().find(|statement| !matches!(statement, Statement::Emit(_)))?;
    let Statement::If { condition, accept, reject } = first else { return None };
    let breaks = |arm: &Block| matches!(&arm[..], [Statement::Break]);
    match (accept.is_empty(), reject.is_empty()) {
        (true, false) if breaks(reject) => Some((*condition, true)),
        (false, true) if breaks(accept) => Some((*condition, false)),
        _ => None,
    }
}

/// Ways out of a loop with this body.
fn leaving(body: &Block) -> usize {
    fn count(statement: &Statement, own: bool) -> usize {
        let own_inside = own && !matches!(statement, Statement::Loop { .. } | Statement::Switch { .. });
        let here = match statement {
            Statement::Break => usize::from(own),
            Statement::Return { .. } | Statement::Kill => 1,
            Statement::Emit(_)
            | Statement::Block(_)
            | Statement::If { .. }
            | Statement::Switch { .. }
            | Statement::Loop { .. }
            | Statement::Continue
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
            | Statement::CooperativeStore { .. } => 0,
        };
        here + walk::blocks(statement)
            .iter()
            .flat_map(|block| block.iter())
            .map(|one| count(one, own_inside))
            .sum::<usize>()
    }
    body.iter().map(|statement| count(statement, true)).sum()
}

struct Of<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl Of<'_> {
    fn is_pointer(&self, counter: Handle<LocalVariable>, pointer: Handle<Expression>) -> bool {
        matches!(self.function.expressions[pointer], Expression::LocalVariable(variable) if variable == counter)
    }

    /// The variable of 32-bit integers that an expression has read.
    fn loaded(&self, expression: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        let Expression::Load { pointer } = self.function.expressions[expression] else { return None };
        let Expression::LocalVariable(variable) = self.function.expressions[pointer] else { return None };
        let inner = &self.module.types[self.function.local_variables[variable].ty].inner;
        let TypeInner::Scalar(scalar) = inner else { return None };
        (matches!(scalar.kind, ScalarKind::Uint | ScalarKind::Sint) && scalar.width == 4).then_some(variable)
    }

    fn number(&self, expression: Handle<Expression>) -> Option<Number> {
        let mut expression = &self.function.expressions[expression];
        if let Expression::Constant(constant) = expression {
            expression = &self.module.global_expressions[self.module.constants[*constant].init];
        }
        let Expression::Literal(literal) = expression else { return None };
        match *literal {
            Literal::U32(n) => Some(Number::U32(n)),
            Literal::I32(n) => Some(Number::I32(n)),
            Literal::F64(_)
            | Literal::F32(_)
            | Literal::F16(_)
            | Literal::U16(_)
            | Literal::I16(_)
            | Literal::U64(_)
            | Literal::I64(_)
            | Literal::Bool(_)
            | Literal::AbstractInt(_)
            | Literal::AbstractFloat(_) => None,
        }
    }

    /// How many of these statements may write a variable.
    fn writes<'s>(
        &self,
        counter: Handle<LocalVariable>,
        statements: impl IntoIterator<Item = (&'s Statement, naga::Span)>,
    ) -> usize {
        let writes = |statement: &Statement| match statement {
            Statement::Store { pointer, .. } => self.is_pointer(counter, *pointer),
            Statement::Call { arguments, .. } => arguments.iter().any(|&argument| self.is_pointer(counter, argument)),
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
            | Statement::ImageStore { .. }
            | Statement::Atomic { .. }
            | Statement::ImageAtomic { .. }
            | Statement::WorkGroupUniformLoad { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. }
            | Statement::CooperativeStore { .. } => false,
        };
        statements.into_iter().filter(|(statement, _)| writes(statement)).count()
    }

    /// What a statement adds to the counter, if it is the one that does.
    fn step(&self, counter: Handle<LocalVariable>, statement: &Statement) -> Option<Number> {
        let Statement::Store { pointer, value } = statement else { return None };
        if !self.is_pointer(counter, *pointer) {
            return None;
        }
        let Expression::Binary { op, left, right } = self.function.expressions[*value] else { return None };
        let own = |side: Handle<Expression>| self.loaded(side) == Some(counter);
        match op {
            BinaryOperator::Add if own(left) => self.number(right),
            BinaryOperator::Add if own(right) => self.number(left),
            BinaryOperator::Subtract if own(left) => self.number(right).map(Number::negated),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
            | BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual
            | BinaryOperator::And
            | BinaryOperator::ExclusiveOr
            | BinaryOperator::InclusiveOr
            | BinaryOperator::LogicalAnd
            | BinaryOperator::LogicalOr
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight => None,
        }
    }

    /// What the counter is behind these statements, `sink`'s stores among them.
    fn first(&self, counter: Handle<LocalVariable>, before: &List<'_>) -> Option<Number> {
        for (statement, _) in before.iter().rev() {
            if let Statement::Store { pointer, value } = statement
                && self.is_pointer(counter, *pointer)
            {
                return self.number(*value);
            }
            let all = walk::blocks(statement).into_iter().flat_map(|block| walk::statements(block));
            if self.writes(counter, all.chain([(*statement, naga::Span::UNDEFINED)])) > 0 {
                return None;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Relation = fn(i64, i64) -> bool;

    /// Against counting turn by turn, in numbers that wrap.
    #[test]
    fn counts_are_those_of_the_loop() {
        const OPS: [(BinaryOperator, Relation); 6] = [
            (BinaryOperator::Less, |a, b| a < b),
            (BinaryOperator::LessEqual, |a, b| a <= b),
            (BinaryOperator::Greater, |a, b| a > b),
            (BinaryOperator::GreaterEqual, |a, b| a >= b),
            (BinaryOperator::NotEqual, |a, b| a != b),
            (BinaryOperator::Equal, |a, b| a == b),
        ];
        let mut known = 0;
        let ends = [0, 1, 2, 5, 9, 1 << 31, (1 << 31) - 3, u32::MAX, u32::MAX - 6];
        let steps = [0, 1, 2, 3, 7, u32::MAX, u32::MAX - 1, u32::MAX - 4, 1 << 31];
        for (op, holds) in OPS {
            for (first, step, bound) in
                ends.into_iter().flat_map(|a| steps.into_iter().flat_map(move |s| ends.map(|b| (a, s, b))))
            {
                for make in [Number::U32 as fn(u32) -> Number, |n: u32| Number::I32(n.cast_signed())] {
                    let Some(turns) = count(op, make(first), make(step), make(bound)) else { continue };
                    known += 1;
                    // Long loops are looked at where they end.
                    let from = turns.saturating_sub(20);
                    let at = |turn: u32| make(first.wrapping_add(turn.wrapping_mul(step))).value();
                    let bound = make(bound).value();
                    assert!(
                        (0..turns.min(20)).chain(from..turns).all(|turn| holds(at(turn), bound)),
                        "{op:?} {first} {step} {bound}"
                    );
                    assert!(!holds(at(turns), bound), "{op:?} {first} {step} {bound}: {turns}");
                }
            }
        }
        assert!(known > 300, "{known}");
    }
}
