//! Variables as words: part by part, arrays by loops.

use naga::{
    BinaryOperator, Block, Expression, Handle, LocalVariable, Scalar, Span, Statement, Type, TypeInner, VectorSize,
};

use super::{Code, Offset, Way};
use crate::split::Scope;
use crate::split::layout::{self, words};
use crate::split::place::Place;

/// Elements of an array that are moved one by one; more of them by a loop.
const WRITTEN_OUT_MAX: u32 = 4;

impl Code<'_> {
    /// From one side to the other, as it is: before anything is stored there, so that all between the
    /// first and the last may go along if there are many.
    pub(super) fn forward(&mut self, scope: Scope, places: &[(Place, Scope, u32)]) {
        let end = |code: &Self, place: Place, at: u32| at + words(code.module, place.ty(code.module, &code.function));
        let mut ranges: Vec<(u32, u32)> = places.iter().map(|&(place, _, at)| (at, end(self, place, at))).collect();
        if ranges.len() > WRITTEN_OUT_MAX as usize {
            let first = ranges.iter().map(|range| range.0).min().unwrap_or(0);
            let last = ranges.iter().map(|range| range.1).max().unwrap_or(0);
            ranges = vec![(first, last)];
        }
        for (first, end) in ranges {
            self.each(end - first, Offset { fixed: first, more: None }, 1, None, &mut |code, offset, _| {
                let value = code.read(scope, offset);
                code.write(scope, offset, value);
            });
        }
    }

    pub(super) fn variable(&mut self, way: Way, place: Place, scope: Scope, at: u32) {
        let ty = place.ty(self.module, &self.function);
        let pointer = self.push(place.expression());
        let at = Offset { fixed: at, more: None };
        if scope != Scope::Shared {
            return self.value(way, pointer, ty, scope, at);
        }
        // The invocations of the workgroup share the elements.
        let local = self.bases.local;
        if let TypeInner::Array { base, size: naga::ArraySize::Constant(len), .. } = self.module.types[ty].inner
            && len.get() > 1
        {
            let own = words(self.module, base);
            self.each(len.get(), at, own, local, &mut |code, offset, index| {
                let element = code.push(Expression::Access { base: pointer, index });
                code.value(way, element, base, scope, offset);
            });
        } else {
            let local = local.unwrap_or_else(|| unreachable!("invariant prepared: {scope:?}"));
            self.only(local, |code| code.value(way, pointer, ty, scope, at));
        }
    }

    /// Does something for each of many elements, by a loop if they are more than a few, or if each
    /// invocation of a workgroup is to begin with its own.
    fn each(
        &mut self,
        many: u32,
        at: Offset,
        own: u32,
        local: Option<Handle<Expression>>,
        act: &mut dyn FnMut(&mut Self, Offset, Handle<Expression>),
    ) {
        if many <= WRITTEN_OUT_MAX && local.is_none() {
            for index in 0..many {
                let place = self.number(index);
                act(self, at.plus(index * own), place);
            }
            return;
        }
        let counter = LocalVariable { name: None, ty: self.memory.word, init: None };
        let counter = self.function.local_variables.append(counter, Span::UNDEFINED);
        let counter = self.push(Expression::LocalVariable(counter));
        let first = local.unwrap_or_else(|| self.number(0));
        self.statement(Statement::Store { pointer: counter, value: first });
        let by = if local.is_some() { self.group } else { 1 };
        let mut index = first;
        let body = self.within(|code| {
            index = code.push(Expression::Load { pointer: counter });
            let end = code.number(many);
            let condition = code.binary(BinaryOperator::Less, index, end);
            let reject = code.within(|code| code.statement(Statement::Break));
            code.statement(Statement::If { condition, accept: Block::new(), reject });
            let width = code.number(own);
            let down = code.times(index, width);
            let more = match at.more {
                Some(more) => code.add(more, down),
                None => down,
            };
            act(code, Offset { fixed: at.fixed, more: Some(more) }, index);
        });
        let continuing = self.within(|code| {
            let by = code.number(by);
            let next = code.add(index, by);
            code.statement(Statement::Store { pointer: counter, value: next });
        });
        self.statement(Statement::Loop { body, continuing, break_if: None });
    }

    /// Moves what is behind a pointer, part by part.
    fn value(&mut self, way: Way, pointer: Handle<Expression>, ty: Handle<Type>, scope: Scope, at: Offset) {
        match self.module.types[ty].inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => self.whole(way, pointer, |code, value| {
                match value {
                    Some(value) => code.write_scalar(scalar, value, scope, at),
                    None => return Some(code.read_scalar(scalar, scope, at)),
                }
                None
            }),
            TypeInner::Vector { size, scalar } => {
                self.whole(way, pointer, |code, value| code.vector((size, scalar), ty, value, scope, at));
            }
            TypeInner::Matrix { columns, rows, scalar } => {
                let own = rows as u32 * layout::scalar_words(scalar);
                self.whole(way, pointer, |code, value| {
                    let column = code.vector_type(rows, scalar);
                    let one = |code: &mut Self, index: u32| {
                        let value = value.map(|base| code.push(Expression::AccessIndex { base, index }));
                        code.vector((rows, scalar), column, value, scope, at.plus(index * own))
                    };
                    let components: Vec<_> = (0..columns as u32).map(|index| one(code, index)).collect();
                    let components: Option<Vec<_>> = components.into_iter().collect();
                    components.map(|components| code.push(Expression::Compose { ty, components }))
                });
            }
            TypeInner::Array { base, size: naga::ArraySize::Constant(len), .. } => {
                let own = words(self.module, base);
                self.each(len.get(), at, own, None, &mut |code, offset, index| {
                    let element = code.push(Expression::Access { base: pointer, index });
                    code.value(way, element, base, scope, offset);
                });
            }
            TypeInner::Struct { ref members, .. } => {
                let mut at = at;
                for (index, member) in members.iter().enumerate() {
                    let part = self.push(Expression::AccessIndex { base: pointer, index: index as u32 });
                    self.value(way, part, member.ty, scope, at);
                    at = at.plus(words(self.module, member.ty));
                }
            }
            ref other => unreachable!("invariant variable-type: no variable is {other:?}"),
        }
    }

    /// Loads a value whole, or stores it: `act` is given what to keep, or gives what was kept.
    fn whole(
        &mut self,
        way: Way,
        pointer: Handle<Expression>,
        act: impl FnOnce(&mut Self, Option<Handle<Expression>>) -> Option<Handle<Expression>>,
    ) {
        match way {
            Way::Store => {
                let value = self.push(Expression::Load { pointer });
                act(self, Some(value));
            }
            Way::Load => {
                let value = act(self, None).unwrap_or_else(|| unreachable!("invariant moved: a load gives a value"));
                self.statement(Statement::Store { pointer, value });
            }
        }
    }

    fn vector_type(&self, size: VectorSize, scalar: Scalar) -> Handle<Type> {
        let found = self.module.types.get(&Type { name: None, inner: TypeInner::Vector { size, scalar } });
        found.unwrap_or_else(|| unreachable!("invariant column-types: those of matrices are there"))
    }

    fn vector(
        &mut self,
        (size, scalar): (VectorSize, Scalar),
        ty: Handle<Type>,
        value: Option<Handle<Expression>>,
        scope: Scope,
        at: Offset,
    ) -> Option<Handle<Expression>> {
        let own = layout::scalar_words(scalar);
        let mut components = Vec::new();
        for index in 0..size as u32 {
            let place = at.plus(index * own);
            if let Some(base) = value {
                let part = self.push(Expression::AccessIndex { base, index });
                self.write_scalar(scalar, part, scope, place);
            } else {
                components.push(self.read_scalar(scalar, scope, place));
            }
        }
        value.is_none().then(|| self.push(Expression::Compose { ty, components }))
    }
}
