//! Arithmetic that WGSL defines, but that people hardly mean.

use naga::{BinaryOperator as Binary, Expression, Handle, MathFunction as Math, ScalarKind, UnaryOperator as Unary};

use crate::ops::{Num, Value};

/// Which of it to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Arithmetic {
    /// Integers divided by zero, which gives the dividend, or the remainder of that, which gives 0.
    pub division: bool,
    /// Shifts by as many bits as there are, or more: only the lowest bits of the number count.
    pub shift: bool,
    /// Floats beyond what an integer holds, which become the nearest one; NaN becomes 0.
    pub conversion: bool,
    /// NaN that is made from numbers.
    pub nan: bool,
    /// Integers that wrap around.
    pub overflow: bool,
}

impl Arithmetic {
    /// Everything.
    pub const ALL: Self = Self { division: true, shift: true, conversion: true, nan: true, overflow: true };

    /// Whether anything is looked for.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slip {
    Division,
    Shift,
    Conversion,
    Nan,
    Overflow,
}

/// What a pure expression did, of what is looked for.
pub(crate) fn slip<'a>(
    expression: &Expression,
    wanted: Arithmetic,
    get: impl Fn(Handle<Expression>) -> &'a Value,
    result: &Value,
) -> Option<Slip> {
    match *expression {
        Expression::Binary { op, left, right } => {
            let (left, right) = (get(left), get(right));
            let found = if wanted.division || wanted.shift || wanted.overflow {
                let (left, right) = (numbers(left), numbers(right));
                let pairs = (0..left.len().max(right.len())).map(|i| (left[i % left.len()], right[i % right.len()]));
                pairs.filter_map(|(a, b)| pair(op, a, b)).find(|slip| slip.is_in(wanted))
            } else {
                None
            };
            found.or_else(|| made_nan(wanted, &[left, right], result))
        }
        Expression::Unary { op: Unary::Negate, expr } => {
            numbers(get(expr)).into_iter().find_map(negated).filter(|slip| slip.is_in(wanted))
        }
        Expression::As { expr, kind: ScalarKind::Sint | ScalarKind::Uint, convert: Some(_) } if wanted.conversion => {
            let (from, to) = (numbers(get(expr)), numbers(result));
            from.into_iter().zip(to).any(|(from, to)| saturated(from, to)).then_some(Slip::Conversion)
        }
        Expression::Math { fun: Math::Abs, arg, .. } if wanted.overflow => {
            numbers(get(arg)).into_iter().find_map(negated)
        }
        Expression::Math { arg, arg1, arg2, .. } => {
            let args: Vec<&Value> = [Some(arg), arg1, arg2].into_iter().flatten().map(get).collect();
            made_nan(wanted, &args, result)
        }
        // No other expression computes numbers from numbers.
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::Compose { .. }
        | Expression::Access { .. }
        | Expression::AccessIndex { .. }
        | Expression::Splat { .. }
        | Expression::Swizzle { .. }
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::Load { .. }
        | Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. }
        | Expression::Unary { .. }
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
        | Expression::CooperativeMultiplyAdd { .. } => None,
    }
}

impl Slip {
    fn is_in(self, wanted: Arithmetic) -> bool {
        match self {
            Self::Division => wanted.division,
            Self::Shift => wanted.shift,
            Self::Conversion => wanted.conversion,
            Self::Nan => wanted.nan,
            Self::Overflow => wanted.overflow,
        }
    }
}

fn pair(op: Binary, a: Num, b: Num) -> Option<Slip> {
    let ((a, low, high), (b, ..)) = (integer(a)?, integer(b)?);
    let exact = match op {
        Binary::Divide | Binary::Modulo if b == 0 => return Some(Slip::Division),
        // The remainder of the one quotient that is too large is 0, as it should be.
        Binary::Divide => a / b,
        Binary::ShiftLeft | Binary::ShiftRight => {
            let bits = 128 - (high - low).leading_zeros();
            return (b >= i128::from(bits)).then_some(Slip::Shift);
        }
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        // 64 bits times 64 bits fit, but for one product that is beyond 64 bits as well.
        Binary::Multiply => a.saturating_mul(b),
        Binary::Modulo
        | Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::And
        | Binary::ExclusiveOr
        | Binary::InclusiveOr
        | Binary::LogicalAnd
        | Binary::LogicalOr => return None,
    };
    (exact < low || exact > high).then_some(Slip::Overflow)
}

/// The one integer whose opposite is none.
fn negated(number: Num) -> Option<Slip> {
    let (number, low, high) = integer(number)?;
    (low < 0 && -number > high).then_some(Slip::Overflow)
}

fn saturated(from: Num, to: Num) -> bool {
    let from = match from {
        Num::F32(x) => f64::from(x),
        Num::F16(x) => f64::from(x),
        Num::F64(x) => x,
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) => return false,
    };
    // Past 2^53 a float has no fraction, and the conversion of an integer to it says if they differ.
    integer(to).is_some_and(|(to, ..)| from.is_nan() || (from.trunc() - to as f64).abs() >= 1.0)
}

fn made_nan(wanted: Arithmetic, operands: &[&Value], result: &Value) -> Option<Slip> {
    let nan = |value: &Value| numbers(value).into_iter().any(is_nan);
    (wanted.nan && nan(result) && !operands.iter().any(|value| nan(value))).then_some(Slip::Nan)
}

fn is_nan(number: Num) -> bool {
    match number {
        Num::F32(x) => x.is_nan(),
        Num::F16(x) => x.is_nan(),
        Num::F64(x) => x.is_nan(),
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) => false,
    }
}

/// An integer with the least and the greatest of its type.
fn integer(number: Num) -> Option<(i128, i128, i128)> {
    match number {
        Num::I32(x) => Some((x.into(), i32::MIN.into(), i32::MAX.into())),
        Num::U32(x) => Some((x.into(), 0, u32::MAX.into())),
        Num::I64(x) => Some((x.into(), i64::MIN.into(), i64::MAX.into())),
        Num::U64(x) => Some((x.into(), 0, u64::MAX.into())),
        Num::Bool(_) | Num::F32(_) | Num::F16(_) | Num::F64(_) => None,
    }
}

/// All numbers of a value.
fn numbers(value: &Value) -> Vec<Num> {
    match value {
        Value::Num(number) => vec![*number],
        Value::Vector(vector) => vector.items().to_vec(),
        Value::Composite(parts) => parts.iter().flat_map(numbers).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(op: Binary, a: Num, b: Num) -> Option<Slip> {
        pair(op, a, b)
    }

    #[test]
    fn integers_that_wrap_are_told() {
        assert_eq!(both(Binary::Add, Num::U32(u32::MAX), Num::U32(1)), Some(Slip::Overflow));
        assert_eq!(both(Binary::Add, Num::U32(u32::MAX - 1), Num::U32(1)), None);
        assert_eq!(both(Binary::Subtract, Num::U32(0), Num::U32(1)), Some(Slip::Overflow));
        assert_eq!(both(Binary::Multiply, Num::I32(-65536), Num::I32(32768)), None);
        assert_eq!(both(Binary::Multiply, Num::I32(65536), Num::I32(32768)), Some(Slip::Overflow));
        assert_eq!(both(Binary::Multiply, Num::U64(u64::MAX), Num::U64(u64::MAX)), Some(Slip::Overflow));
        assert_eq!(both(Binary::Divide, Num::I32(i32::MIN), Num::I32(-1)), Some(Slip::Overflow));
        assert_eq!(both(Binary::Modulo, Num::I32(i32::MIN), Num::I32(-1)), None);
        assert_eq!((negated(Num::I32(i32::MIN)), negated(Num::I32(i32::MAX))), (Some(Slip::Overflow), None));
        assert_eq!(both(Binary::Add, Num::F32(f32::MAX), Num::F32(f32::MAX)), None);
    }

    #[test]
    fn zero_and_widths_are_told() {
        assert_eq!(both(Binary::Divide, Num::I32(1), Num::I32(0)), Some(Slip::Division));
        assert_eq!(both(Binary::Modulo, Num::U32(1), Num::U32(0)), Some(Slip::Division));
        assert_eq!(both(Binary::Divide, Num::F32(1.0), Num::F32(0.0)), None);
        assert_eq!(both(Binary::ShiftLeft, Num::U32(1), Num::U32(32)), Some(Slip::Shift));
        assert_eq!(both(Binary::ShiftRight, Num::I32(-1), Num::U32(31)), None);
        assert_eq!(both(Binary::ShiftLeft, Num::U64(1), Num::U32(32)), None);
        assert_eq!(both(Binary::ShiftLeft, Num::I64(1), Num::U32(64)), Some(Slip::Shift));
    }

    #[test]
    fn floats_beyond_integers_are_told() {
        assert!(saturated(Num::F32(-1.0), Num::U32(0)));
        assert!(!saturated(Num::F32(-0.5), Num::U32(0)));
        assert!(saturated(Num::F32(f32::NAN), Num::I32(0)));
        assert!(!saturated(Num::F32(2_147_483_520.0), Num::I32(2_147_483_520)));
        assert!(saturated(Num::F32(2_147_483_648.0), Num::I32(2_147_483_520)));
        assert!(saturated(Num::F32(f32::INFINITY), Num::U32(u32::MAX)));
        assert!(!saturated(Num::U32(7), Num::I32(7)));
    }
}
