//! Numbers of every type, as text and as bits.

use half::f16;

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A byte.
    U8,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `f16`
    F16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

/// What is expected of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Want {
    /// These bits.
    Bits(u64),
    /// Any NaN.
    Nan,
    /// Anything.
    Any,
    /// Not known yet: to be blessed.
    Unknown,
}

impl Kind {
    /// Its name in the corpus.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I32 => "i32",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Its size.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// The value of a float's bits.
    pub fn float(self, bits: u64) -> f64 {
        match self {
            Self::F16 => f16::from_bits(bits as u16).to_f64(),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    /// The bits as a number that reads back as the same bits.
    pub fn show(self, bits: u64) -> String {
        match self {
            Self::U8 | Self::U32 | Self::U64 => bits.to_string(),
            Self::I32 => (bits as u32 as i32).to_string(),
            Self::I64 => (bits as i64).to_string(),
            Self::F16 | Self::F32 | Self::F64 if self.float(bits).is_nan() => "nan".to_owned(),
            Self::F16 => format!("{:?}", f16::from_bits(bits as u16).to_f32()),
            Self::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Self::F64 => format!("{:?}", f64::from_bits(bits)),
        }
    }

    /// The range of an integer type.
    fn range(self) -> (i128, i128) {
        match self {
            Self::U8 => (0, u8::MAX.into()),
            Self::I32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::I64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
            Self::F16 | Self::F32 | Self::F64 => (0, (1 << (8 * self.bytes())) - 1),
        }
    }

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::U8, Self::I32, Self::U32, Self::I64, Self::U64, Self::F16, Self::F32, Self::F64];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// An integer of the type as bits.
    pub fn mask(self, value: i128) -> u64 {
        (value & ((1 << (8 * self.bytes())) - 1)) as u64
    }

    /// The bits of the nearest float.
    pub fn float_bits(self, value: f64) -> u64 {
        match self {
            Self::F16 => f16::from_f64(value).to_bits().into(),
            Self::F32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        }
    }

    /// Reads an integer, or the bits of a float.
    pub fn integer(self, word: &str) -> Result<i128, String> {
        let (minus, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
        let parsed = match digits.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let value = parsed.map_err(|_| format!("`{word}` is not a number of type {}", self.name()))?;
        let value = if minus { -value } else { value };
        let (least, most) = self.range();
        if digits.starts_with(['-', '+']) || value < least || value > most {
            return Err(format!("`{word}` does not fit in {}", self.name()));
        }
        Ok(value)
    }

    /// Reads a number.
    pub fn want(self, word: &str) -> Result<Want, String> {
        match word {
            "_" => return Ok(Want::Any),
            "?" => return Ok(Want::Unknown),
            "nan" if self.is_float() => return Ok(Want::Nan),
            "inf" if self.is_float() => return Ok(Want::Bits(self.float_bits(f64::INFINITY))),
            "-inf" if self.is_float() => return Ok(Want::Bits(self.float_bits(f64::NEG_INFINITY))),
            _ => {}
        }
        if !self.is_float() || word.starts_with("0x") {
            return Ok(Want::Bits(self.mask(self.integer(word)?)));
        }
        let bad = || format!("`{word}` is not a number of type {}", self.name());
        let digits = word.strip_prefix('-').unwrap_or(word);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(bad());
        }
        // Straight to f32, since rounding twice may end elsewhere.
        let bits = match self {
            Self::F32 => u64::from(word.parse::<f32>().map_err(|_| bad())?.to_bits()),
            _ => self.float_bits(word.parse().map_err(|_| bad())?),
        };
        if self.float(bits).is_infinite() {
            return Err(format!("`{word}` does not fit in {}", self.name()));
        }
        Ok(Want::Bits(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_numbers_read_back() {
        for (kind, word) in
            [(Kind::F32, "1e-7"), (Kind::F32, "-0.0"), (Kind::F32, "-inf"), (Kind::F16, "0.1"), (Kind::I32, "-5")]
        {
            let Want::Bits(bits) = kind.want(word).unwrap() else { panic!("{word}") };
            assert_eq!(kind.want(&kind.show(bits)), Ok(Want::Bits(bits)));
        }
    }
}
