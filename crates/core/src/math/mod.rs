//! The float algorithms that every device on the host shares: the same bits on every machine.
//!
//! The standard library calls whatever math library the system has. So the elementary functions of
//! `f32` are written here, once for numbers and for compilers ([`elementary`]), and those of `f64` come
//! from `libm`, in Rust alone. Square root, rounding and the conversions below are exact by IEEE 754, so
//! they may use the hardware. Nothing is contracted.
//!
//! [`single`] and [`double`] hold the same functions for `f32` and `f64`. An operation on `f16`
//! is the one on `f32`, its result rounded once by [`f16_from_f32`].

pub mod machine;
pub mod elementary;

use ::half::f16;

/// Rounds to the nearest half float, ties to even.
#[inline]
pub fn f16_from_f32(x: f32) -> f16 {
    f16::from_f32(x)
}

/// Rounds to the nearest half float, ties to even.
///
/// Goes through an `f32` rounded to odd, which keeps enough of what is lost for the second
/// rounding to be right (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums").
pub fn f16_from_f64(x: f64) -> f16 {
    let near = x as f32;
    if near.is_nan() || f64::from(near) == x {
        return f16::from_f32(near);
    }
    let away = f64::from(near).abs() > x.abs();
    let toward_zero = near.to_bits() - u32::from(away);
    f16::from_f32(f32::from_bits(toward_zero | 1))
}

/// The value of an `f32` after a journey through `f16`.
#[inline]
pub fn quantize(x: f32) -> f32 {
    f16::from_f32(x).to_f32()
}

/// The elementary functions of both types.
mod of {
    macro_rules! all {
        ($($name:ident($($arg:ident),+): $doc:literal;)*) => {
            pub(super) mod single {
                use crate::math::{elementary, machine::Scalar};
                $(#[doc = $doc] pub fn $name($($arg: f32),+) -> f32 { elementary::$name(&mut Scalar, $($arg),+) })*
            }

            pub(super) mod double {
                $(#[doc = $doc] pub fn $name($($arg: f64),+) -> f64 { all!(@libm $name $($arg),+) })*
            }
        };
        // libm gives numbers for some arguments far outside the domain.
        (@libm acosh $x:ident) => { if $x < 1.0 { f64::NAN } else { libm::acosh($x) } };
        (@libm $name:ident $($arg:ident),+) => { libm::$name($($arg),+) };
    }

    all! {
        acos(x): "Arc cosine; NaN outside [-1, 1].";
        acosh(x): "Inverse hyperbolic cosine; NaN below 1.";
        asin(x): "Arc sine; NaN outside [-1, 1].";
        asinh(x): "Inverse hyperbolic sine.";
        atan(x): "Arc tangent.";
        atan2(y, x): "The angle of the point (x, y), in (-π, π].";
        atanh(x): "Inverse hyperbolic tangent; NaN outside [-1, 1].";
        cos(x): "Cosine.";
        cosh(x): "Hyperbolic cosine.";
        exp(x): "e to the power x.";
        exp2(x): "2 to the power x.";
        log(x): "Natural logarithm.";
        log2(x): "Logarithm to base 2.";
        pow(x, y): "x to the power y, as C defines it for zeros, infinities and negative x.";
        sin(x): "Sine.";
        sinh(x): "Hyperbolic sine.";
        tan(x): "Tangent.";
        tanh(x): "Hyperbolic tangent.";
    }
}

macro_rules! functions {
    ($(#[$doc:meta])* $room:ident, $float:ident,
     $fma:ident $frexp:ident $ldexp:ident,
     largest $i32:literal $u32:literal $i64:literal $u64:literal) => {
        $(#[$doc])*
        // Constants are written for the wider type.
        #[allow(clippy::excessive_precision)]
        pub mod $room {
            pub use super::of::$room::*;

            /// a·b + c, rounded once.
            #[inline]
            pub fn fma(a: $float, b: $float, c: $float) -> $float {
                libm::$fma(a, b, c)
            }

            /// x·2ⁿ, rounded once, for any n.
            #[inline]
            pub fn ldexp(x: $float, n: i32) -> $float {
                libm::$ldexp(x, n)
            }

            /// A fraction in [½, 1) and a power of two; zeros, infinities and NaN come back
            /// with the power 0.
            #[inline]
            pub fn frexp(x: $float) -> ($float, i32) {
                if x == 0.0 || !x.is_finite() { (x, 0) } else { libm::$frexp(x) }
            }

            /// The part after the point, and the part before it.
            #[inline]
            pub fn modf(x: $float) -> ($float, $float) {
                let whole = x.trunc();
                (x - whole, whole)
            }

            /// The remainder of a division that rounds to zero.
            #[inline]
            pub fn rem(a: $float, b: $float) -> $float {
                a - b * (a / b).trunc()
            }

            /// The lesser; the first if one is NaN or both are zeros.
            #[inline]
            pub fn min(a: $float, b: $float) -> $float {
                if b < a { b } else { a }
            }

            /// The greater; the first if one is NaN or both are zeros.
            #[inline]
            pub fn max(a: $float, b: $float) -> $float {
                if a < b { b } else { a }
            }

            /// x held between two bounds; NaN stays NaN.
            #[inline]
            pub fn clamp(x: $float, low: $float, high: $float) -> $float {
                min(max(x, low), high)
            }

            /// -1, 0 or 1; 0 for NaN.
            #[inline]
            pub fn sign(x: $float) -> $float {
                if x > 0.0 {
                    1.0
                } else if x < 0.0 {
                    -1.0
                } else {
                    0.0
                }
            }

            /// The distance from the next lower whole number.
            #[inline]
            pub fn fract(x: $float) -> $float {
                x - x.floor()
            }

            /// 1 / √x.
            #[inline]
            pub fn inverse_sqrt(x: $float) -> $float {
                1.0 / x.sqrt()
            }

            /// Degrees to radians.
            #[inline]
            pub fn radians(x: $float) -> $float {
                x * 0.017_453_292_519_943_295
            }

            /// Radians to degrees.
            #[inline]
            pub fn degrees(x: $float) -> $float {
                x * 57.295_779_513_082_32
            }

            /// The straight line from a (t = 0) to b (t = 1).
            #[inline]
            pub fn mix(a: $float, b: $float, t: $float) -> $float {
                a * (1.0 - t) + b * t
            }

            /// 1 from the edge on, 0 before it.
            #[inline]
            pub fn step(edge: $float, x: $float) -> $float {
                if edge <= x { 1.0 } else { 0.0 }
            }

            /// A smooth rise from 0 at `low` to 1 at `high`.
            #[inline]
            pub fn smoothstep(low: $float, high: $float, x: $float) -> $float {
                let t = clamp((x - low) / (high - low), 0.0, 1.0);
                t * t * (3.0 - 2.0 * t)
            }

            /// Rounded to zero and held among the values that both types can represent; NaN is 0.
            #[inline]
            pub fn to_i32(x: $float) -> i32 {
                min(x, $i32) as i32
            }

            /// Rounded to zero and held among the values that both types can represent; NaN is 0.
            #[inline]
            pub fn to_u32(x: $float) -> u32 {
                min(x, $u32) as u32
            }

            /// Rounded to zero and held among the values that both types can represent; NaN is 0.
            #[inline]
            pub fn to_i64(x: $float) -> i64 {
                min(x, $i64) as i64
            }

            /// Rounded to zero and held among the values that both types can represent; NaN is 0.
            #[inline]
            pub fn to_u64(x: $float) -> u64 {
                min(x, $u64) as u64
            }
        }
    };
}

functions! {
    /// The functions of `f32`.
    single, f32,
    fmaf frexpf ldexpf,
    largest 2_147_483_520.0 4_294_967_040.0 9_223_371_487_098_961_920.0 18_446_742_974_197_923_840.0
}

functions! {
    /// The functions of `f64`.
    double, f64,
    fma frexp ldexp,
    largest 2_147_483_647.0 4_294_967_295.0 9_223_372_036_854_774_784.0 18_446_744_073_709_549_568.0
}

#[cfg(test)]
mod tests {
    use super::{double, f16, f16_from_f64, single};

    #[test]
    fn every_half_float_and_the_middle_to_the_next_one() {
        for bits in 0..0x7c00_u16 {
            let value = f16::from_bits(bits).to_f64();
            // After the last finite number comes the one that infinity stands for.
            let next = if bits == 0x7bff { 65536.0 } else { f16::from_bits(bits + 1).to_f64() };
            let middle = f64::midpoint(value, next);
            let even = bits + bits % 2;
            for (x, expected) in
                [(value, bits), (middle.next_down(), bits), (middle, even), (middle.next_up(), bits + 1)]
            {
                assert_eq!(f16_from_f64(x).to_bits(), expected, "{x:e}");
                assert_eq!(f16_from_f64(-x).to_bits(), expected | 0x8000, "{:e}", -x);
            }
        }
    }

    /// Floats in a row: neighbours differ by one, both zeros are 0.
    fn rank(x: f32) -> i64 {
        let magnitude = i64::from(x.to_bits() & 0x7fff_ffff);
        if x.is_sign_negative() { -magnitude } else { magnitude }
    }

    #[track_caller]
    fn close(name: &str, args: &[f32], actual: f32, expected: f64) {
        let near = expected as f32;
        let same = if near.is_nan() { actual.is_nan() } else { rank(actual).abs_diff(rank(near)) <= 4 };
        assert!(same, "{name}{args:?} = {actual:e}, not {expected:e}");
    }

    /// Numbers of every magnitude and both signs.
    fn sweep(step: usize) -> impl Iterator<Item = f32> {
        (0..=0x7f80_0000_u32).step_by(step).map(f32::from_bits).flat_map(|x| [x, -x])
    }

    #[test]
    fn single_functions_are_near_the_double_ones() {
        for x in sweep(99_991) {
            close("degrees", &[x], single::degrees(x), double::degrees(x.into()));
            close("radians", &[x], single::radians(x), double::radians(x.into()));
            close("inverse_sqrt", &[x], single::inverse_sqrt(x), double::inverse_sqrt(x.into()));
        }
    }

    /// By how many of its last places a number is wrong.
    fn places(actual: f32, exact: f64) -> f64 {
        let near = (exact.abs() as f32).max(f32::MIN_POSITIVE);
        let place = f64::from(near.next_up()) - f64::from(near);
        (f64::from(actual) - exact).abs() / place
    }

    /// Half of the last place is what rounding takes.
    #[track_caller]
    fn nearest(name: &str, args: &[f32], actual: f32, exact: f64) {
        const MOST: f64 = 0.501_5;
        let near = exact as f32;
        let same = match near {
            _ if near.is_nan() => actual.is_nan(),
            _ if near.is_infinite() || near == 0.0 => actual.to_bits() == near.to_bits(),
            _ => places(actual, exact) <= MOST,
        };
        assert!(same, "{name}{args:?} = {actual:e}, not {exact:e}");
    }

    #[test]
    fn elementary_functions_are_rounded_once() {
        macro_rules! check {
            ($($name:ident)+) => {
                for x in sweep(99_991) {
                    $(nearest(stringify!($name), &[x], single::$name(x), double::$name(x.into()));)+
                }
            };
        }
        check!(acos acosh asin asinh atan atanh cos cosh exp exp2 log log2 sin sinh tan tanh);
        let special = [0.0, 1.0, 0.5, 2.0, 3.0, 1e-45, 1e-38, f32::MAX, f32::INFINITY, 16_777_215.0, f32::NAN];
        let special = special.into_iter().flat_map(|x| [x, -x]).collect::<Vec<f32>>();
        for x in sweep(9_999_991).chain(special.clone()) {
            for y in sweep(9_999_973).chain(special.clone()) {
                nearest("pow", &[x, y], single::pow(x, y), double::pow(x.into(), y.into()));
                nearest("atan2", &[x, y], single::atan2(x, y), double::atan2(x.into(), y.into()));
            }
        }
    }
}
