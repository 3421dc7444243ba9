//! Questions about numbers, answered by booleans.

use super::Num;

macro_rules! comparison {
    ($(#[$doc:meta])* $name:ident, $op:tt) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name(a: Num, b: Num) -> Num {
            Num::Bool(match (a, b) {
                (Num::Bool(a), Num::Bool(b)) => a $op b,
                (Num::I32(a), Num::I32(b)) => a $op b,
                (Num::U32(a), Num::U32(b)) => a $op b,
                (Num::F32(a), Num::F32(b)) => a $op b,
                (Num::F16(a), Num::F16(b)) => a $op b,
                (Num::I64(a), Num::I64(b)) => a $op b,
                (Num::U64(a), Num::U64(b)) => a $op b,
                (Num::F64(a), Num::F64(b)) => a $op b,
                operands => unreachable!(
                    "invariant operand types: {} of {operands:?}", stringify!($name)
                ),
            })
        }
    };
}

comparison! {
    /// `==`
    equal, ==
}

comparison! {
    /// `!=`
    not_equal, !=
}

comparison! {
    /// `<`
    less, <
}

comparison! {
    /// `<=`
    less_equal, <=
}

comparison! {
    /// `>`
    greater, >
}

comparison! {
    /// `>=`
    greater_equal, >=
}

/// The boolean that a number is.
#[inline]
pub(super) fn truth(a: Num) -> bool {
    let Num::Bool(a) = a else { unreachable!("invariant operand types: {a:?} is not a bool") };
    a
}

/// `!`
#[inline]
pub(super) fn not(a: Num) -> Num {
    Num::Bool(!truth(a))
}

/// Whether a float is not a number.
pub(super) fn is_nan(a: Num) -> Num {
    Num::Bool(match a {
        Num::F32(a) => a.is_nan(),
        Num::F16(a) => a.is_nan(),
        Num::F64(a) => a.is_nan(),
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) => {
            unreachable!("invariant operand types: is_nan of {a:?}")
        }
    })
}

/// Whether a float is infinite.
pub(super) fn is_inf(a: Num) -> Num {
    Num::Bool(match a {
        Num::F32(a) => a.is_infinite(),
        Num::F16(a) => a.is_infinite(),
        Num::F64(a) => a.is_infinite(),
        Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) => {
            unreachable!("invariant operand types: is_inf of {a:?}")
        }
    })
}
