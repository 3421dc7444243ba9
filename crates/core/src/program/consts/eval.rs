//! Operators on constants, by WGSL's rules for types, overflow and domains.

use naga::{BinaryOperator as Binary, UnaryOperator as Unary};

use super::value::{Const, Kind, Result, Stop, Ty, each, finite, integer};
use crate::ops::{self, Num, Value};

/// Applies a unary operator.
pub(super) fn unary(op: Unary, operand: &Const) -> Result<Const> {
    let kind = operand.kind()?;
    let takes = match op {
        Unary::Negate => kind.is_signed() && !matches!(operand.ty, Ty::Matrix(..)),
        Unary::LogicalNot => kind == Kind::Bool,
        Unary::BitwiseNot => kind.is_int(),
    };
    if !takes {
        return Err(Stop::Unknown);
    }
    if op == Unary::Negate && kind == Kind::AbstractInt {
        each(&operand.value, &mut |num| {
            if num == Num::I64(i64::MIN) { Err(overflow("the negation")) } else { Ok(()) }
        })?;
    }
    Ok(Const { ty: operand.ty.clone(), value: ops::unary(op, &operand.value) })
}

/// Applies a binary operator to two constants.
pub(super) fn binary(op: Binary, left: &Const, right: &Const) -> Result<Const> {
    if matches!(op, Binary::ShiftLeft | Binary::ShiftRight) {
        return shift(op, left, right);
    }
    let kind = left.kind()?.common(right.kind()?).ok_or(Stop::Unknown)?;
    let (left, right) = (left.of(kind)?, right.of(kind)?);
    let matrices = matches!(left.ty, Ty::Matrix(..)) || matches!(right.ty, Ty::Matrix(..));
    let same = left.ty == right.ty;
    // A scalar goes with each number of a vector.
    let mixed = matches!((&left.ty, &right.ty), (Ty::Scalar(_), Ty::Vector(..)) | (Ty::Vector(..), Ty::Scalar(_)));
    let (takes, result) = match op {
        Binary::Add | Binary::Subtract => (kind != Kind::Bool && (same || mixed), kind),
        Binary::Multiply => (kind != Kind::Bool && (factors(&left.ty, &right.ty) || same && !matrices || mixed), kind),
        Binary::Divide | Binary::Modulo => (kind != Kind::Bool && !matrices && (same || mixed), kind),
        Binary::Equal | Binary::NotEqual => (same && !matrices, Kind::Bool),
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
            (same && !matrices && kind != Kind::Bool, Kind::Bool)
        }
        Binary::And | Binary::InclusiveOr => (same && (kind.is_int() || kind == Kind::Bool), kind),
        Binary::ExclusiveOr => (same && kind.is_int(), kind),
        Binary::LogicalAnd | Binary::LogicalOr => (same && left.ty == Ty::Scalar(Kind::Bool), Kind::Bool),
        Binary::ShiftLeft | Binary::ShiftRight => unreachable!("invariant shifts: they are done above"),
    };
    if !takes {
        return Err(Stop::Unknown);
    }
    if kind.is_int() && result != Kind::Bool {
        pairs(&left.value, &right.value, &mut |a, b| checked(op, kind, a, b))?;
    }
    let value = ops::binary(op, &left.value, &right.value);
    finite(&value, || format!("the result is no finite number of {}", kind.name()))?;
    Ok(Const::shaped(result, value))
}

/// Whether two types, of which one is a matrix, can be multiplied.
fn factors(left: &Ty, right: &Ty) -> bool {
    match (left, right) {
        (Ty::Matrix(.., kind), Ty::Scalar(_)) | (Ty::Scalar(_), Ty::Matrix(.., kind)) => kind.is_float(),
        (Ty::Matrix(columns, ..), Ty::Vector(n, _)) => columns == n,
        (Ty::Vector(n, _), Ty::Matrix(_, rows, _)) => n == rows,
        (Ty::Matrix(columns, ..), Ty::Matrix(_, rows, _)) => columns == rows,
        _ => false,
    }
}

/// Calls for every pair of numbers; a scalar goes with each number of the other.
fn pairs(left: &Value, right: &Value, see: &mut impl FnMut(Num, Num) -> Result<()>) -> Result<()> {
    match (left, right) {
        (Value::Num(a), _) => each(right, &mut |b| see(*a, b)),
        (_, Value::Num(b)) => each(left, &mut |a| see(a, *b)),
        (Value::Vector(a), Value::Vector(b)) => a.items().iter().zip(b.items()).try_for_each(|(&a, &b)| see(a, b)),
        (Value::Vector(_) | Value::Composite(_), Value::Vector(_) | Value::Composite(_)) => Ok(()),
    }
}

/// Division by zero is an error, and so is whatever abstract integers cannot hold; concrete ones
/// wrap, but for a quotient that has no value.
fn checked(op: Binary, kind: Kind, a: Num, b: Num) -> Result<()> {
    let (Some(a), Some(b)) = (integer(a), integer(b)) else { return Ok(()) };
    if matches!(op, Binary::Divide | Binary::Modulo) {
        if b == 0 {
            return Err(Stop::Wrong("an integer is divided by zero".to_owned()));
        }
        let least = match kind {
            Kind::I32 => i128::from(i32::MIN),
            Kind::I64 | Kind::AbstractInt => i128::from(i64::MIN),
            Kind::U32 | Kind::U64 | Kind::AbstractFloat | Kind::Bool | Kind::F32 | Kind::F16 | Kind::F64 => 0,
        };
        if least != 0 && a == least && b == -1 {
            return Err(overflow("the quotient"));
        }
    }
    if kind != Kind::AbstractInt {
        return Ok(());
    }
    let (what, result) = match op {
        Binary::Add => ("the sum", a + b),
        Binary::Subtract => ("the difference", a - b),
        Binary::Multiply => ("the product", a * b),
        Binary::Divide
        | Binary::Modulo
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
        | Binary::LogicalOr
        | Binary::ShiftLeft
        | Binary::ShiftRight => return Ok(()),
    };
    if i64::try_from(result).is_err() { Err(overflow(what)) } else { Ok(()) }
}

fn overflow(what: &str) -> Stop {
    Stop::Wrong(format!("{what} overflows"))
}

/// `<<` and `>>`: abstract integers are shifted by any amount, concrete ones by less than they
/// have bits, and to the left no bit may be lost that differs from the sign.
fn shift(op: Binary, left: &Const, right: &Const) -> Result<Const> {
    let kind = left.kind()?;
    let amounts = right.of(Kind::U32)?;
    if !kind.is_int() || left.ty.of(Kind::U32) != amounts.ty {
        return Err(Stop::Unknown);
    }
    let bits: i128 = match kind {
        Kind::I32 | Kind::U32 => 32,
        _ => 64,
    };
    let shifted = |a: Num, by: Num| -> Result<Num> {
        let (Some(a), Some(by)) = (integer(a), integer(by)) else { return Err(Stop::Unknown) };
        if kind != Kind::AbstractInt && by >= bits {
            return Err(Stop::Wrong(format!("{} has {bits} bits: it cannot be shifted by {by}", kind.name())));
        }
        let result = if op == Binary::ShiftRight {
            a >> by.min(64)
        } else if a == 0 {
            0
        } else if by >= 64 {
            return Err(overflow("the shifted number"));
        } else {
            a << by
        };
        let num = match kind {
            Kind::I32 => i32::try_from(result).map(Num::I32).ok(),
            Kind::U32 => u32::try_from(result).map(Num::U32).ok(),
            Kind::U64 => u64::try_from(result).map(Num::U64).ok(),
            _ => i64::try_from(result).map(Num::I64).ok(),
        };
        num.ok_or_else(|| overflow("the shifted number"))
    };
    let mut results = Vec::new();
    pairs(&left.value, &amounts.value, &mut |a, by| {
        results.push(shifted(a, by)?);
        Ok(())
    })?;
    Ok(Const { ty: left.ty.clone(), value: collect(&results) })
}

/// One number, or a vector of several.
pub(super) fn collect(nums: &[Num]) -> Value {
    match nums {
        [num] => Value::Num(*num),
        nums => Value::Vector(ops::Vector::new(nums.iter().copied())),
    }
}
