//! How far a GPU's floats may be from the reference device's: what WGSL's table of accuracy allows
//! the operations of a kernel, each counted once. Results that nobody computed (copies, selections,
//! whole numbers below a float's precision that were only moved) have no slack.
//!
//! Functions that the table derives from others get the sum of their parts.

use seawall_core::naga::valid::FunctionInfo;
use seawall_core::naga::{BinaryOperator, Expression, Function, Handle, MathFunction, Module, ScalarKind, TypeInner};
use seawall_core::program::{Kernel, walk};

use crate::value::Within;

/// The largest exponent that the accuracy of `exp` is reckoned for, in units of `3 + 2 * |x|`.
const EXP_ULP: u64 = 3 + 2 * 128;

/// `sin` and `cos`, between -π and π.
const TRIG_ABS: f64 = 1.0 / 2048.0;

/// `log`, between one half and two.
const LOG_ABS: f64 = 1.0 / 2_097_152.0;

/// `asin` and `acos`.
const ARC_ABS: f64 = 6.77e-5;

/// `tanh`.
const TANH_ABS: f64 = 1e-5;

/// What a kernel's operations may be off by in all.
pub fn of(kernel: &Kernel) -> Within {
    let (module, info) = (kernel.module(), kernel.info());
    let entry = &kernel.entry().function;
    let helpers = walk::helpers(module, entry).into_iter().map(|handle| (&module.functions[handle], &info[handle]));
    let functions = helpers.chain([(entry, info.get_entry_point(0))]);
    functions.fold(Within::default(), |sum, (function, info)| plus(sum, of_function(module, function, info)))
}

fn plus(a: Within, b: Within) -> Within {
    Within { ulp: a.ulp + b.ulp, abs: a.abs + b.abs }
}

fn of_function(module: &Module, function: &Function, info: &FunctionInfo) -> Within {
    let inner = |handle: Handle<Expression>| info[handle].ty.inner_with(&module.types);
    let matrix = |handle: Handle<Expression>| matches!(inner(handle), TypeInner::Matrix { .. });
    let float = |handle: Handle<Expression>| matches!(inner(handle), TypeInner::Scalar(scalar) | TypeInner::Vector { scalar, .. } if scalar.kind == ScalarKind::Float);
    let operations = function.expressions.iter().filter(|(handle, _)| float(*handle) || matrix(*handle));
    let errors = operations.map(|(_, expression)| {
        if let Expression::Binary { op, left, right } = expression {
            // A product of matrices adds up to four products.
            let products = if matrix(*left) || matrix(*right) { 8 } else { 1 };
            Within { ulp: products * binary(*op), abs: 0.0 }
        } else if let Expression::Math { fun, .. } = expression {
            math(*fun)
        } else if let Expression::As { .. } = expression {
            Within { ulp: 1, abs: 0.0 }
        } else {
            Within::default()
        }
    });
    errors.fold(Within::default(), plus)
}

/// "Correctly rounded" means either neighbour of the exact result.
fn binary(op: BinaryOperator) -> u64 {
    match op {
        BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => 1,
        BinaryOperator::Divide | BinaryOperator::Modulo => 3,
        BinaryOperator::Equal
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
        | BinaryOperator::ShiftRight => 0,
    }
}

fn math(fun: MathFunction) -> Within {
    use MathFunction as F;
    let (ulp, abs) = match fun {
        F::Cos | F::Sin => (0, TRIG_ABS),
        F::Tan => (3, 2.0 * TRIG_ABS),
        F::Acos | F::Asin => (4096, ARC_ABS),
        F::Atan | F::Atan2 => (4096, 0.0),
        F::Exp | F::Exp2 => (EXP_ULP, 0.0),
        F::Cosh | F::Sinh | F::Pow => (2 * EXP_ULP, 0.0),
        F::Tanh => (2 * EXP_ULP, TANH_ABS),
        F::Log | F::Log2 => (3, LOG_ABS),
        F::Asinh | F::Acosh | F::Atanh => (16, LOG_ABS),
        F::InverseSqrt | F::Fma => (2, 0.0),
        F::Sqrt => (5, 0.0),
        F::Radians | F::Degrees | F::Fract | F::QuantizeToF16 => (1, 0.0),
        F::Mix => (4, 0.0),
        F::Dot | F::Cross | F::Outer => (8, 0.0),
        F::Distance | F::Length => (16, 0.0),
        F::Normalize | F::Reflect | F::Refract | F::SmoothStep => (24, 0.0),
        F::Determinant | F::Inverse => (64, 0.0),
        F::Unpack4x8snorm | F::Unpack4x8unorm | F::Unpack2x16snorm | F::Unpack2x16unorm => (3, 0.0),
        F::Abs
        | F::Min
        | F::Max
        | F::Clamp
        | F::Saturate
        | F::Ceil
        | F::Floor
        | F::Round
        | F::Trunc
        | F::Modf
        | F::Frexp
        | F::Ldexp
        | F::FaceForward
        | F::Sign
        | F::Step
        | F::Transpose
        | F::Dot4I8Packed
        | F::Dot4U8Packed
        | F::CountTrailingZeros
        | F::CountLeadingZeros
        | F::CountOneBits
        | F::ReverseBits
        | F::ExtractBits
        | F::InsertBits
        | F::FirstTrailingBit
        | F::FirstLeadingBit
        | F::Pack4x8snorm
        | F::Pack4x8unorm
        | F::Pack2x16snorm
        | F::Pack2x16unorm
        | F::Pack2x16float
        | F::Pack4xI8
        | F::Pack4xU8
        | F::Pack4xI8Clamp
        | F::Pack4xU8Clamp
        | F::Unpack2x16float
        | F::Unpack4xI8
        | F::Unpack4xU8 => (0, 0.0),
    };
    Within { ulp, abs }
}

#[cfg(test)]
mod tests {
    use seawall_core::program::{Overrides, Program};

    use super::*;

    fn slack(expression: &str) -> Within {
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> b: array<f32>;\n\
             @compute @workgroup_size(1) fn main() {{ let x = b[1]; let y = b[2]; b[0] = {expression}; }}"
        );
        of(&Program::wgsl(&text).unwrap().kernel("main", &Overrides::new()).unwrap())
    }

    #[test]
    fn operations_add_up() {
        assert_eq!(slack("x"), Within::default());
        assert_eq!(slack("max(abs(x), floor(y))"), Within::default());
        assert_eq!(slack("x + y"), Within { ulp: 1, abs: 0.0 });
        assert_eq!(slack("x / y - sqrt(x)"), Within { ulp: 9, abs: 0.0 });
        assert_eq!(slack("sin(x)"), Within { ulp: 0, abs: TRIG_ABS });
        assert_eq!(slack("select(0.0, 1.0, x < y)"), Within::default());
    }
}
