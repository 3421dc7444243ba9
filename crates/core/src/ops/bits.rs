//! Integers as rows of bits.

use super::Num;

macro_rules! logical {
    ($(#[$doc:meta])* $name:ident, $op:tt) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name(a: Num, b: Num) -> Num {
            match (a, b) {
                (Num::Bool(a), Num::Bool(b)) => Num::Bool(a $op b),
                (Num::I32(a), Num::I32(b)) => Num::I32(a $op b),
                (Num::U32(a), Num::U32(b)) => Num::U32(a $op b),
                (Num::I64(a), Num::I64(b)) => Num::I64(a $op b),
                (Num::U64(a), Num::U64(b)) => Num::U64(a $op b),
                operands => unreachable!(
                    "invariant operand types: {} of {operands:?}", stringify!($name)
                ),
            }
        }
    };
}

logical! {
    /// `&`
    and, &
}

logical! {
    /// `|`
    or, |
}

logical! {
    /// `^`
    xor, ^
}

macro_rules! integer {
    ($(#[$doc:meta])* $name:ident($a:ident $(, $arg:ident: $kind:ty)*) $result:expr) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name($a: Num $(, $arg: $kind)*) -> Num {
            match $a {
                Num::I32($a) => Num::I32($result),
                Num::U32($a) => Num::U32($result),
                Num::I64($a) => Num::I64($result),
                Num::U64($a) => Num::U64($result),
                Num::Bool(_) | Num::F32(_) | Num::F16(_) | Num::F64(_) => unreachable!(
                    "invariant operand types: {} of {:?}", stringify!($name), $a
                ),
            }
        }
    };
}

integer! {
    /// `~`
    not(a) !a
}

integer! {
    /// `<<`, by the amount modulo the width.
    shift_left(a, amount: Num) a.wrapping_shl(u32_of(amount))
}

integer! {
    /// `>>`, by the amount modulo the width; signed integers keep their sign.
    shift_right(a, amount: Num) a.wrapping_shr(u32_of(amount))
}

integer! {
    /// How many zeros stand below the lowest one.
    trailing_zeros(a) a.trailing_zeros() as _
}

integer! {
    /// How many zeros stand above the highest one.
    leading_zeros(a) a.leading_zeros() as _
}

integer! {
    /// How many ones there are.
    count_ones(a) a.count_ones() as _
}

integer! {
    /// The bits from the other end.
    reverse(a) a.reverse_bits()
}

integer! {
    /// Where the lowest one stands; all ones when there is none.
    first_trailing(a) if a == 0 { !a } else { a.trailing_zeros() as _ }
}

/// Where the highest one stands (in a negative number: the highest zero); all ones when there is
/// none.
pub(super) fn first_leading(a: Num) -> Num {
    match a {
        Num::I32(a) => Num::I32(31 - (a ^ (a >> 31)).leading_zeros() as i32),
        Num::I64(a) => Num::I64(63 - i64::from((a ^ (a >> 63)).leading_zeros())),
        Num::U32(a) => Num::U32(31_u32.wrapping_sub(a.leading_zeros())),
        Num::U64(a) => Num::U64(63_u64.wrapping_sub(u64::from(a.leading_zeros()))),
        Num::Bool(_) | Num::F32(_) | Num::F16(_) | Num::F64(_) => {
            unreachable!("invariant operand types: first_leading of {a:?}")
        }
    }
}

/// A field of bits, in the low end of the result; signed integers extend its sign.
pub(super) fn extract(a: Num, offset: Num, count: Num) -> Num {
    let field = |width: u32| {
        let offset = u32_of(offset).min(width);
        (offset, u32_of(count).min(width - offset))
    };
    // The field is pushed against the high end and brought down, which fills what is above it.
    macro_rules! extract {
        ($num:path, $a:expr, $width:expr) => {{
            let (offset, count) = field($width);
            $num(if count == 0 { 0 } else { $a << ($width - offset - count) >> ($width - count) })
        }};
    }
    match a {
        Num::I32(a) => extract!(Num::I32, a, 32),
        Num::U32(a) => extract!(Num::U32, a, 32),
        Num::I64(a) => extract!(Num::I64, a, 64),
        Num::U64(a) => extract!(Num::U64, a, 64),
        Num::Bool(_) | Num::F32(_) | Num::F16(_) | Num::F64(_) => {
            unreachable!("invariant operand types: extract of {a:?}")
        }
    }
}

/// `old` with the low bits of `new` in a field.
pub(super) fn insert(old: Num, new: Num, offset: Num, count: Num) -> Num {
    let insert = |old: u64, new: u64, width: u32| {
        let offset = u32_of(offset).min(width);
        let count = u32_of(count).min(width - offset);
        if count == 0 {
            return old;
        }
        let mask = u64::MAX >> (64 - count) << offset;
        old & !mask | new << offset & mask
    };
    match (old, new) {
        (Num::I32(a), Num::I32(b)) => Num::I32(insert(a as u64, b as u64, 32) as i32),
        (Num::U32(a), Num::U32(b)) => Num::U32(insert(a.into(), b.into(), 32) as u32),
        (Num::I64(a), Num::I64(b)) => Num::I64(insert(a as u64, b as u64, 64) as i64),
        (Num::U64(a), Num::U64(b)) => Num::U64(insert(a, b, 64)),
        operands => unreachable!("invariant operand types: insert of {operands:?}"),
    }
}

/// An amount of bits.
#[inline]
fn u32_of(amount: Num) -> u32 {
    match amount {
        Num::U32(amount) => amount,
        // Only the low bits of a shift count, which is all that takes 64-bit amounts.
        Num::U64(amount) => amount as u32,
        Num::Bool(_) | Num::I32(_) | Num::F32(_) | Num::F16(_) | Num::I64(_) | Num::F64(_) => {
            unreachable!("invariant operand types: {amount:?} is no amount of bits")
        }
    }
}
