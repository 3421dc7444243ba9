//! Conversions between the scalar types, and reinterpretations of their bits.

use half::f16;
use naga::ScalarKind as Kind;

use crate::layout::Scalar;
use crate::math::{double, f16_from_f64, single};

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

/// Integers wrap, and round to the nearest even float. Those that f64 cannot hold are far beyond
/// the largest f16, so going there through f64 rounds only once.
macro_rules! from_integer {
    ($a:expr, $to:expr) => {
        match $to {
            Scalar::Bool => Num::Bool($a != 0),
            Scalar::I32 => Num::I32($a as i32),
            Scalar::U32 => Num::U32($a as u32),
            Scalar::F32 => Num::F32($a as f32),
            Scalar::F16 => Num::F16(f16_from_f64($a as f64)),
            Scalar::I64 => Num::I64($a as i64),
            Scalar::U64 => Num::U64($a as u64),
            Scalar::F64 => Num::F64($a as f64),
        }
    };
}

/// Floats are held among the values of both types, and round to the nearest even float.
macro_rules! from_float {
    ($float:ident, $a:expr, $to:expr) => {
        match $to {
            Scalar::Bool => Num::Bool($a != 0.0),
            Scalar::I32 => Num::I32($float::to_i32($a)),
            Scalar::U32 => Num::U32($float::to_u32($a)),
            Scalar::F32 => Num::F32($a as f32),
            Scalar::F16 => Num::F16(f16_from_f64($a as f64)),
            Scalar::I64 => Num::I64($float::to_i64($a)),
            Scalar::U64 => Num::U64($float::to_u64($a)),
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
    match num {
        Num::Bool(a) => from_integer!(u32::from(a), to),
        Num::I32(a) => from_integer!(a, to),
        Num::U32(a) => from_integer!(a, to),
        Num::I64(a) => from_integer!(a, to),
        Num::U64(a) => from_integer!(a, to),
        Num::F32(a) => from_float!(single, a, to),
        Num::F64(a) => from_float!(double, a, to),
        Num::F16(a) => from_half(a, to),
    }
}

/// Infinity becomes the integer of the largest finite half float.
fn from_half(a: f16, to: Scalar) -> Num {
    let a = a.to_f32();
    match to {
        Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => {
            from_float!(single, single::clamp(a, -65504.0, 65504.0), to)
        }
        Scalar::Bool | Scalar::F32 | Scalar::F16 | Scalar::F64 => from_float!(single, a, to),
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
