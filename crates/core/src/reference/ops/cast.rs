//! Conversions between the scalar types, and reinterpretations of their bits.

use naga::ScalarKind as Kind;

use crate::layout::Scalar;
use crate::math::f16_from_f64;

use super::Num;

/// The type of a kind in so many bytes.
pub(super) fn scalar(kind: Kind, width: u8) -> Scalar {
    match (kind, width) {
        (Kind::Bool, _) => Scalar::Bool,
        (Kind::Sint, 4) => Scalar::I32,
        (Kind::Sint, 8) => Scalar::I64,
        (Kind::Uint, 4) => Scalar::U32,
        (Kind::Uint, 8) => Scalar::U64,
        (Kind::Float, 2) => Scalar::F16,
        (Kind::Float, 4) => Scalar::F32,
        (Kind::Float, 8) => Scalar::F64,
        (Kind::Sint | Kind::Uint | Kind::Float | Kind::AbstractInt | Kind::AbstractFloat, _) => {
            unreachable!("invariant scalar types: {kind:?} of {width} bytes")
        }
    }
}

/// Integers wrap, floats saturate to integers (NaN to 0) and round to nearest even.
macro_rules! convert {
    ($to:expr, $a:ident, bool $bool:expr, half $half:expr) => {
        match $to {
            Scalar::Bool => Num::Bool($bool),
            Scalar::I32 => Num::I32($a as i32),
            Scalar::U32 => Num::U32($a as u32),
            Scalar::F32 => Num::F32($a as f32),
            Scalar::F16 => Num::F16($half),
            Scalar::I64 => Num::I64($a as i64),
            Scalar::U64 => Num::U64($a as u64),
            Scalar::F64 => Num::F64($a as f64),
        }
    };
}

/// The same number in another type.
#[inline]
pub(super) fn convert(num: Num, to: Scalar) -> Num {
    if num.scalar() == to {
        return num;
    }
    // An integer that f64 cannot hold is far beyond the largest f16, so going through f64
    // rounds only once.
    match num {
        Num::Bool(a) => convert(Num::U32(u32::from(a)), to),
        Num::I32(a) => convert!(to, a, bool a != 0, half f16_from_f64(a as f64)),
        Num::U32(a) => convert!(to, a, bool a != 0, half f16_from_f64(a as f64)),
        Num::I64(a) => convert!(to, a, bool a != 0, half f16_from_f64(a as f64)),
        Num::U64(a) => convert!(to, a, bool a != 0, half f16_from_f64(a as f64)),
        Num::F32(a) => convert!(to, a, bool a != 0.0, half f16_from_f64(a as f64)),
        Num::F64(a) => convert!(to, a, bool a != 0.0, half f16_from_f64(a)),
        Num::F16(a) => convert(Num::F32(a.to_f32()), to),
    }
}

/// The same bits in another kind of number.
pub(super) fn bitcast(num: Num, kind: Kind) -> Num {
    match num {
        Num::I32(a) => bits32(a as u32, kind),
        Num::U32(a) => bits32(a, kind),
        Num::F32(a) => bits32(a.to_bits(), kind),
        Num::I64(a) => bits64(a as u64, kind),
        Num::U64(a) => bits64(a, kind),
        Num::F64(a) => bits64(a.to_bits(), kind),
        // There is no other type of their width.
        Num::Bool(_) | Num::F16(_) => num,
    }
}

fn bits32(bits: u32, kind: Kind) -> Num {
    match kind {
        Kind::Sint => Num::I32(bits as i32),
        Kind::Uint => Num::U32(bits),
        Kind::Float => Num::F32(f32::from_bits(bits)),
        Kind::Bool | Kind::AbstractInt | Kind::AbstractFloat => {
            unreachable!("invariant scalar types: {kind:?} of 4 bytes")
        }
    }
}

fn bits64(bits: u64, kind: Kind) -> Num {
    match kind {
        Kind::Sint => Num::I64(bits as i64),
        Kind::Uint => Num::U64(bits),
        Kind::Float => Num::F64(f64::from_bits(bits)),
        Kind::Bool | Kind::AbstractInt | Kind::AbstractFloat => {
            unreachable!("invariant scalar types: {kind:?} of 8 bytes")
        }
    }
}
