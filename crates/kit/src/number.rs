//! Elements, and how they are put together.

use std::cmp::Ordering;

use bytemuck::Pod;

/// Numbers that pieces work on: `u32`, `i32`, `f32`, `u64` and `i64`. Those of 64 bits need a device that has them.
pub trait Number: Pod + PartialEq + PartialOrd + std::fmt::Debug + private::Sealed {
    /// Its name in WGSL.
    const WGSL: &'static str;

    /// Statements of WGSL that return what changes nothing when it is combined with others.
    #[doc(hidden)]
    fn identity(op: Op) -> &'static str;

    /// The same on the host.
    #[doc(hidden)]
    fn start(op: Op) -> Self;

    /// Combined on the host.
    #[doc(hidden)]
    fn combined(op: Op, a: Self, b: Self) -> Self;

    /// The order that it is sorted in: of floats, the total one.
    #[doc(hidden)]
    fn order(self, other: Self) -> Ordering;

    /// For what is compared with some slack.
    #[doc(hidden)]
    fn real(self) -> f64;
}

/// How elements are combined. Sums of integers wrap around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Added.
    Sum,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

impl Op {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sum, Self::Min, Self::Max];

    /// Of `a` and `b`, as WGSL.
    pub(crate) fn wgsl(self) -> &'static str {
        match self {
            Self::Sum => "a + b",
            Self::Min => "min(a, b)",
            Self::Max => "max(a, b)",
        }
    }
}

mod private {
    pub trait Sealed {}
}

macro_rules! number {
    ($number:ident, $add:expr, $order:expr, $least:expr, $most:expr, $wgsl_least:literal, $wgsl_most:literal) => {
        impl private::Sealed for $number {}

        impl Number for $number {
            const WGSL: &'static str = stringify!($number);

            fn identity(op: Op) -> &'static str {
                match op {
                    Op::Sum => concat!("return ", stringify!($number), "();"),
                    Op::Min => $wgsl_most,
                    Op::Max => $wgsl_least,
                }
            }

            fn start(op: Op) -> Self {
                match op {
                    Op::Sum => Self::default(),
                    Op::Min => $most,
                    Op::Max => $least,
                }
            }

            fn combined(op: Op, a: Self, b: Self) -> Self {
                match op {
                    Op::Sum => $add(a, b),
                    Op::Min => a.min(b),
                    Op::Max => a.max(b),
                }
            }

            fn order(self, other: Self) -> Ordering {
                $order(&self, &other)
            }

            fn real(self) -> f64 {
                self as f64
            }
        }
    };
}

number!(u32, u32::wrapping_add, Ord::cmp, u32::MIN, u32::MAX, "return 0u;", "return 4294967295u;");
number!(i32, i32::wrapping_add, Ord::cmp, i32::MIN, i32::MAX, "return -2147483647i - 1i;", "return 2147483647i;");
number!(u64, u64::wrapping_add, Ord::cmp, u64::MIN, u64::MAX, "return 0lu;", "return 18446744073709551615lu;");
number!(
    i64,
    i64::wrapping_add,
    Ord::cmp,
    i64::MIN,
    i64::MAX,
    "return -9223372036854775807li - 1li;",
    "return 9223372036854775807li;"
);
// WGSL has no constant that is infinite.
number!(
    f32,
    std::ops::Add::add,
    f32::total_cmp,
    f32::NEG_INFINITY,
    f32::INFINITY,
    "var bits = 0xff800000u; return bitcast<f32>(bits);",
    "var bits = 0x7f800000u; return bitcast<f32>(bits);"
);
