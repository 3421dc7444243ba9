//! What the elementary functions are written over, so that they are written once: numbers, or the code
//! that a compiler makes for numbers.

/// Operations on numbers of IEEE 754, each rounded once. Names are those of `f64` and `u64`.
pub trait Machine {
    /// An `f32`.
    type Single: Copy;
    /// An `f64`.
    type Double: Copy;
    /// The bits of an `f64`, as a `u64` that wraps around.
    type Word: Copy;
    /// Whether something holds.
    type Test: Copy;

    /// A literal.
    fn number(&mut self, x: f64) -> Self::Double;
    /// A literal.
    fn word(&mut self, bits: u64) -> Self::Word;

    /// The same number.
    fn widen(&mut self, x: Self::Single) -> Self::Double;
    /// The nearest number; an infinity beyond the largest.
    fn narrow(&mut self, x: Self::Double) -> Self::Single;

    /// a + b
    fn add(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// a - b
    fn sub(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// a · b
    fn mul(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// a / b
    fn div(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// √x
    fn sqrt(&mut self, x: Self::Double) -> Self::Double;
    /// The next lower whole number.
    fn floor(&mut self, x: Self::Double) -> Self::Double;
    /// |x|
    fn abs(&mut self, x: Self::Double) -> Self::Double;
    /// The second if it is less, else the first.
    fn min(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// The second if it is greater, else the first.
    fn max(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;

    /// The bits of a number.
    fn bits(&mut self, x: Self::Double) -> Self::Word;
    /// The number of some bits.
    fn float(&mut self, bits: Self::Word) -> Self::Double;
    /// a + b
    fn plus(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// a - b
    fn minus(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The bits of both.
    fn and(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The bits of one of them.
    fn xor(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Bits moved up, zeros behind them.
    fn shl(&mut self, bits: Self::Word, by: u32) -> Self::Word;
    /// Bits moved down, zeros before them.
    fn shr(&mut self, bits: Self::Word, by: u32) -> Self::Word;

    /// a < b; never with a NaN.
    fn less(&mut self, a: Self::Double, b: Self::Double) -> Self::Test;
    /// a = b; never with a NaN.
    fn equal(&mut self, a: Self::Double, b: Self::Double) -> Self::Test;
    /// No bit is set.
    fn is_zero(&mut self, bits: Self::Word) -> Self::Test;
    /// The first where the test holds, else the second. Both are computed.
    fn pick(&mut self, test: Self::Test, then: Self::Double, or: Self::Double) -> Self::Double;

    /// `usual` where the test holds, else what another algorithm gives, which is rarely needed.
    fn usually(&mut self, test: Self::Test, usual: Self::Single, rare: Rare, x: Self::Single) -> Self::Single;
}

/// What is too long to be written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rare {
    /// The sine of a large number, of an infinity, or of none.
    Sin,
    /// Such a cosine.
    Cos,
    /// Such a tangent.
    Tan,
}

impl Rare {
    /// For one number.
    pub fn of(self, x: f32) -> f32 {
        let wide = match self {
            Self::Sin => libm::sin(x.into()),
            Self::Cos => libm::cos(x.into()),
            Self::Tan => libm::tan(x.into()),
        };
        wide as f32
    }
}

/// Numbers themselves.
pub(super) struct Scalar;

impl Machine for Scalar {
    type Single = f32;
    type Double = f64;
    type Word = u64;
    type Test = bool;

    fn number(&mut self, x: f64) -> f64 {
        x
    }

    fn word(&mut self, bits: u64) -> u64 {
        bits
    }

    fn widen(&mut self, x: f32) -> f64 {
        f64::from(x)
    }

    fn narrow(&mut self, x: f64) -> f32 {
        x as f32
    }

    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }

    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }

    fn div(&mut self, a: f64, b: f64) -> f64 {
        a / b
    }

    fn sqrt(&mut self, x: f64) -> f64 {
        x.sqrt()
    }

    fn floor(&mut self, x: f64) -> f64 {
        x.floor()
    }

    fn abs(&mut self, x: f64) -> f64 {
        x.abs()
    }

    fn min(&mut self, a: f64, b: f64) -> f64 {
        super::double::min(a, b)
    }

    fn max(&mut self, a: f64, b: f64) -> f64 {
        super::double::max(a, b)
    }

    fn bits(&mut self, x: f64) -> u64 {
        x.to_bits()
    }

    fn float(&mut self, bits: u64) -> f64 {
        f64::from_bits(bits)
    }

    fn plus(&mut self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }

    fn minus(&mut self, a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }

    fn and(&mut self, a: u64, b: u64) -> u64 {
        a & b
    }

    fn xor(&mut self, a: u64, b: u64) -> u64 {
        a ^ b
    }

    fn shl(&mut self, bits: u64, by: u32) -> u64 {
        bits << by
    }

    fn shr(&mut self, bits: u64, by: u32) -> u64 {
        bits >> by
    }

    fn less(&mut self, a: f64, b: f64) -> bool {
        a < b
    }

    fn equal(&mut self, a: f64, b: f64) -> bool {
        a == b
    }

    fn is_zero(&mut self, bits: u64) -> bool {
        bits == 0
    }

    fn pick(&mut self, test: bool, then: f64, or: f64) -> f64 {
        if test { then } else { or }
    }

    fn usually(&mut self, test: bool, usual: f32, rare: Rare, x: f32) -> f32 {
        if test { usual } else { rare.of(x) }
    }
}
