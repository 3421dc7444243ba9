//! Arithmetic on two numbers of one type: integers wrap, floats follow IEEE 754.

use crate::math::f16_from_f32;

use super::Num;

/// One rule for the integer types and one for the floats, where `fp` is the room of
/// [`crate::math`] that fits the type.
macro_rules! numeric {
    ($(#[$doc:meta])* $name:ident($($arg:ident),+) int $int:expr, float $float:expr) => {
        $(#[$doc])*
        #[inline]
        #[allow(unused_imports)]
        pub(super) fn $name($($arg: Num),+) -> Num {
            use crate::math::{double, single};
            match ($($arg,)+) {
                ($(Num::I32($arg),)+) => Num::I32($int),
                ($(Num::U32($arg),)+) => Num::U32($int),
                ($(Num::I64($arg),)+) => Num::I64($int),
                ($(Num::U64($arg),)+) => Num::U64($int),
                ($(Num::F32($arg),)+) => {
                    use single as fp;
                    Num::F32($float)
                }
                ($(Num::F16($arg),)+) => {
                    use single as fp;
                    $(let $arg = $arg.to_f32();)+
                    Num::F16(f16_from_f32($float))
                }
                ($(Num::F64($arg),)+) => {
                    use double as fp;
                    Num::F64($float)
                }
                operands => unreachable!(
                    "invariant operand types: {} of {operands:?}", stringify!($name)
                ),
            }
        }
    };
}

numeric! {
    /// Their sum.
    add(a, b) int a.wrapping_add(b), float a + b
}

numeric! {
    /// Their difference.
    subtract(a, b) int a.wrapping_sub(b), float a - b
}

numeric! {
    /// Their product.
    multiply(a, b) int a.wrapping_mul(b), float a * b
}

numeric! {
    /// Their quotient; a / 0 is a for integers.
    divide(a, b) int if b == 0 { a } else { a.wrapping_div(b) }, float a / b
}

numeric! {
    /// The remainder of their quotient rounded to zero; a % 0 is 0 for integers.
    modulo(a, b) int if b == 0 { 0 } else { a.wrapping_rem(b) }, float fp::rem(a, b)
}

numeric! {
    /// The lesser.
    min(a, b) int if b < a { b } else { a }, float fp::min(a, b)
}

numeric! {
    /// The greater.
    max(a, b) int if a < b { b } else { a }, float fp::max(a, b)
}

numeric! {
    /// The first, held between the others; the upper bound wins.
    clamp(x, low, high) int x.max(low).min(high), float fp::clamp(x, low, high)
}

/// The number of opposite sign.
#[inline]
pub(super) fn negate(a: Num) -> Num {
    match a {
        Num::I32(a) => Num::I32(a.wrapping_neg()),
        Num::I64(a) => Num::I64(a.wrapping_neg()),
        Num::F32(a) => Num::F32(-a),
        Num::F16(a) => Num::F16(-a),
        Num::F64(a) => Num::F64(-a),
        Num::Bool(_) | Num::U32(_) | Num::U64(_) => {
            unreachable!("invariant operand types: negate of {a:?}")
        }
    }
}

/// The number without its sign; the least integer stays itself.
pub(super) fn abs(a: Num) -> Num {
    match a {
        Num::I32(a) => Num::I32(a.wrapping_abs()),
        Num::I64(a) => Num::I64(a.wrapping_abs()),
        Num::U32(_) | Num::U64(_) => a,
        Num::F32(a) => Num::F32(a.abs()),
        Num::F64(a) => Num::F64(a.abs()),
        Num::Bool(_) | Num::F16(_) => unreachable!("invariant operand types: abs of {a:?}"),
    }
}

/// -1, 0 or 1.
pub(super) fn sign(a: Num) -> Num {
    match a {
        Num::I32(a) => Num::I32(a.signum()),
        Num::I64(a) => Num::I64(a.signum()),
        Num::U32(a) => Num::U32(a.min(1)),
        Num::U64(a) => Num::U64(a.min(1)),
        Num::F32(a) => Num::F32(crate::math::single::sign(a)),
        Num::F64(a) => Num::F64(crate::math::double::sign(a)),
        Num::Bool(_) | Num::F16(_) => unreachable!("invariant operand types: sign of {a:?}"),
    }
}
