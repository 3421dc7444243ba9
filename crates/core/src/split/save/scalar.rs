//! Numbers as words.

use naga::{BinaryOperator, Expression, Handle, Scalar, ScalarKind};

use super::{Code, Offset};
use crate::split::Scope;

impl Code<'_> {
    fn cast(&mut self, expr: Handle<Expression>, kind: ScalarKind, convert: Option<u8>) -> Handle<Expression> {
        self.push(Expression::As { expr, kind, convert })
    }

    pub(super) fn write_scalar(&mut self, scalar: Scalar, value: Handle<Expression>, scope: Scope, at: Offset) {
        let (word, long) = match (scalar.kind, scalar.width) {
            (ScalarKind::Bool, _) => {
                let [accept, reject] = [1, 0].map(|value| self.number(value));
                (self.push(Expression::Select { condition: value, accept, reject }), None)
            }
            (ScalarKind::Uint, 4) => (value, None),
            (ScalarKind::Float, 2) => {
                let wide = self.cast(value, ScalarKind::Float, Some(4));
                (self.cast(wide, ScalarKind::Uint, None), None)
            }
            (_, 8) => {
                let bits =
                    if scalar.kind == ScalarKind::Uint { value } else { self.cast(value, ScalarKind::Uint, None) };
                let by = self.number(32);
                let high = self.binary(BinaryOperator::ShiftRight, bits, by);
                (self.cast(bits, ScalarKind::Uint, Some(4)), Some(self.cast(high, ScalarKind::Uint, Some(4))))
            }
            (
                ScalarKind::Sint
                | ScalarKind::Uint
                | ScalarKind::Float
                | ScalarKind::AbstractInt
                | ScalarKind::AbstractFloat,
                _,
            ) => (self.cast(value, ScalarKind::Uint, None), None),
        };
        self.write(scope, at, word);
        if let Some(high) = long {
            self.write(scope, at.plus(1), high);
        }
    }

    pub(super) fn read_scalar(&mut self, scalar: Scalar, scope: Scope, at: Offset) -> Handle<Expression> {
        let word = self.read(scope, at);
        match (scalar.kind, scalar.width) {
            (ScalarKind::Bool, _) => {
                let zero = self.number(0);
                self.binary(BinaryOperator::NotEqual, word, zero)
            }
            (ScalarKind::Uint, 4) => word,
            (ScalarKind::Float, 2) => {
                let wide = self.cast(word, ScalarKind::Float, None);
                self.cast(wide, ScalarKind::Float, Some(2))
            }
            (kind, 8) => {
                let high = self.read(scope, at.plus(1));
                let [low, high] = [word, high].map(|word| self.cast(word, ScalarKind::Uint, Some(8)));
                let by = self.number(32);
                let high = self.binary(BinaryOperator::ShiftLeft, high, by);
                let bits = self.binary(BinaryOperator::InclusiveOr, low, high);
                if kind == ScalarKind::Uint { bits } else { self.cast(bits, kind, None) }
            }
            (
                kind @ (ScalarKind::Sint
                | ScalarKind::Uint
                | ScalarKind::Float
                | ScalarKind::AbstractInt
                | ScalarKind::AbstractFloat),
                _,
            ) => self.cast(word, kind, None),
        }
    }
}
