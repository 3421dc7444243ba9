//! Functions that generated code calls for one number at a time: the shared algorithms of
//! `seawall_core::math`, so that this device gives the reference's bits. And one that asks for memory,
//! for which code generators have no instruction.

use half::f16;
use seawall_core::layout::Scalar;
use seawall_core::math::machine::Rare;
use seawall_core::math::{self, double, single};

macro_rules! helpers {
    ($($name:ident($($arg:ident: $ty:ident),+) -> $result:ident = $body:expr;)*) => {
        /// A function with one address and one signature of scalars.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(clippy::missing_docs_in_private_items)]
        pub(crate) enum Helper {
            $($name,)*
        }

        impl Helper {
            /// Every one.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// Where the code is.
            pub(crate) fn address(self) -> *const u8 {
                match self {
                    $(Self::$name => {
                        extern "C" fn call($($arg: $ty),+) -> $result {
                            $body
                        }
                        call as *const u8
                    })*
                }
            }

            /// Machine types of the arguments and the result.
            pub(crate) fn signature(self) -> (&'static [Machine], Machine) {
                match self {
                    $(Self::$name => (&[$(Machine::$ty),+], Machine::$result),)*
                }
            }
        }
    };
}

/// How a number is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub(crate) enum Machine {
    u32,
    i32,
    i64,
    f32,
    f64,
}

impl Machine {
    /// The type of the language that is passed so.
    pub(crate) fn ty(self) -> Scalar {
        match self {
            Self::u32 => Scalar::U32,
            Self::i32 => Scalar::I32,
            Self::i64 => Scalar::I64,
            Self::f32 => Scalar::F32,
            Self::f64 => Scalar::F64,
        }
    }
}

helpers! {
    Acos(x: f32) -> f32 = single::acos(x);
    Acosh(x: f32) -> f32 = single::acosh(x);
    Asin(x: f32) -> f32 = single::asin(x);
    Asinh(x: f32) -> f32 = single::asinh(x);
    Atan(x: f32) -> f32 = single::atan(x);
    Atan2(y: f32, x: f32) -> f32 = single::atan2(y, x);
    Atanh(x: f32) -> f32 = single::atanh(x);
    Cos(x: f32) -> f32 = single::cos(x);
    Cosh(x: f32) -> f32 = single::cosh(x);
    Exp(x: f32) -> f32 = single::exp(x);
    Exp2(x: f32) -> f32 = single::exp2(x);
    Log(x: f32) -> f32 = single::log(x);
    Log2(x: f32) -> f32 = single::log2(x);
    Pow(x: f32, y: f32) -> f32 = single::pow(x, y);
    Sin(x: f32) -> f32 = single::sin(x);
    Sinh(x: f32) -> f32 = single::sinh(x);
    Tan(x: f32) -> f32 = single::tan(x);
    Tanh(x: f32) -> f32 = single::tanh(x);
    Fma(a: f32, b: f32, c: f32) -> f32 = single::fma(a, b, c);
    Ldexp(x: f32, n: i32) -> f32 = single::ldexp(x, n);
    FrexpFract(x: f32) -> f32 = single::frexp(x).0;
    FrexpExponent(x: f32) -> i32 = single::frexp(x).1;
    SinRare(x: f32) -> f32 = Rare::Sin.of(x);
    CosRare(x: f32) -> f32 = Rare::Cos.of(x);
    TanRare(x: f32) -> f32 = Rare::Tan.of(x);
    AcosD(x: f64) -> f64 = double::acos(x);
    AcoshD(x: f64) -> f64 = double::acosh(x);
    AsinD(x: f64) -> f64 = double::asin(x);
    AsinhD(x: f64) -> f64 = double::asinh(x);
    AtanD(x: f64) -> f64 = double::atan(x);
    Atan2D(y: f64, x: f64) -> f64 = double::atan2(y, x);
    AtanhD(x: f64) -> f64 = double::atanh(x);
    CosD(x: f64) -> f64 = double::cos(x);
    CoshD(x: f64) -> f64 = double::cosh(x);
    ExpD(x: f64) -> f64 = double::exp(x);
    Exp2D(x: f64) -> f64 = double::exp2(x);
    LogD(x: f64) -> f64 = double::log(x);
    Log2D(x: f64) -> f64 = double::log2(x);
    PowD(x: f64, y: f64) -> f64 = double::pow(x, y);
    SinD(x: f64) -> f64 = double::sin(x);
    SinhD(x: f64) -> f64 = double::sinh(x);
    TanD(x: f64) -> f64 = double::tan(x);
    TanhD(x: f64) -> f64 = double::tanh(x);
    FmaD(a: f64, b: f64, c: f64) -> f64 = double::fma(a, b, c);
    LdexpD(x: f64, n: i32) -> f64 = double::ldexp(x, n);
    FrexpFractD(x: f64) -> f64 = double::frexp(x).0;
    FrexpExponentD(x: f64) -> i64 = i64::from(double::frexp(x).1);
    // Half floats live as the f32 of the same value.
    Quantize(x: f32) -> f32 = math::quantize(x);
    HalfFromDouble(x: f64) -> f32 = math::f16_from_f64(x).to_f32();
    HalfFromBits(x: u32) -> f32 = f16::from_bits(x as u16).to_f32();
    HalfToBits(x: f32) -> u32 = u32::from(f16::from_f32(x).to_bits());
    // floor(0.5 + scale·x), which is exact in f64; NaN becomes 0.
    Norm(x: f32, scale: f32) -> i32 = (0.5 + f64::from(scale) * f64::from(x)).floor() as i32;
}

/// Bytes of a cache line: such come from memory together.
pub(crate) const LINE: u64 = 64;

/// Asks for `bytes` from an address on to be brought near. Any address will do: what cannot be
/// read is not brought.
pub(crate) extern "C" fn fetch(from: u64, bytes: u64) {
    #[cfg(target_arch = "x86_64")]
    for line in (from & !(LINE - 1)..from.saturating_add(bytes)).step_by(LINE as usize) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, which accesses nothing and never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line as *const i8) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (from, bytes, LINE);
}
