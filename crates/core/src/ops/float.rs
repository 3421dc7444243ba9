//! Float functions of one, two and three numbers.
//!
//! Half floats never come here: the room above widens them.

use crate::math::{self, double, single};

use super::Num;

macro_rules! function {
    ($(#[$doc:meta])* $name:ident($($arg:ident),+) $result:expr) => {
        $(#[$doc])*
        pub(super) fn $name($($arg: Num),+) -> Num {
            match ($($arg,)+) {
                ($(Num::F32($arg),)+) => {
                    use single as fp;
                    Num::F32($result)
                }
                ($(Num::F64($arg),)+) => {
                    use double as fp;
                    Num::F64($result)
                }
                operands => unreachable!(
                    "invariant operand types: {} of {operands:?}", stringify!($name)
                ),
            }
        }
    };
}

/// The functions that carry the name they have in [`crate::math`].
macro_rules! functions {
    ($($name:ident($($arg:ident),+))+) => {
        $(function! { #[doc = concat!("[`single::", stringify!($name), "`]")] $name($($arg),+) fp::$name($($arg),+) })+
    };
}

functions! {
    acos(x) acosh(x) asin(x) asinh(x) atan(x) atan2(y, x) atanh(x)
    cos(x) cosh(x) sin(x) sinh(x) tan(x) tanh(x)
    exp(x) exp2(x) log(x) log2(x) pow(x, y)
    degrees(x) radians(x) fract(x) inverse_sqrt(x)
    fma(a, b, c) mix(a, b, t) step(edge, x) smoothstep(low, high, x)
}

function! {
    /// Held between 0 and 1.
    saturate(x) fp::clamp(x, 0.0, 1.0)
}

/// The functions that the hardware rounds exactly.
macro_rules! exact {
    ($($name:ident = $method:ident)+) => {
        $(
            #[doc = concat!("[`f32::", stringify!($method), "`]")]
            pub(super) fn $name(x: Num) -> Num {
                match x {
                    Num::F32(x) => Num::F32(x.$method()),
                    Num::F64(x) => Num::F64(x.$method()),
                    Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::F16(_) | Num::I64(_)
                    | Num::U64(_) => unreachable!(
                        "invariant operand types: {} of {x:?}", stringify!($name)
                    ),
                }
            }
        )+
    };
}

exact! {
    ceil = ceil
    floor = floor
    round = round_ties_even
    sqrt = sqrt
    trunc = trunc
}

function! {
    /// The part after the point.
    modf_fract(x) fp::modf(x).0
}

function! {
    /// The fraction in [½, 1).
    frexp_fract(x) fp::frexp(x).0
}

/// The power of two that goes with the fraction, an integer as wide as the float.
pub(super) fn frexp_exponent(x: Num) -> Num {
    match x {
        Num::F32(x) => Num::I32(single::frexp(x).1),
        Num::F64(x) => Num::I64(double::frexp(x).1.into()),
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::F16(_) | Num::I64(_) | Num::U64(_) => {
            unreachable!("invariant operand types: frexp of {x:?}")
        }
    }
}

/// A float times a power of two.
pub(super) fn ldexp(x: Num, n: Num) -> Num {
    match (x, n) {
        (Num::F32(x), Num::I32(n)) => Num::F32(single::ldexp(x, n)),
        (Num::F64(x), Num::I32(n)) => Num::F64(double::ldexp(x, n)),
        operands => unreachable!("invariant operand types: ldexp of {operands:?}"),
    }
}

/// As a half float would hold it.
pub(super) fn quantize(x: Num) -> Num {
    let Num::F32(x) = x else { unreachable!("invariant operand types: quantize of {x:?}") };
    Num::F32(math::quantize(x))
}
