//! One number: its text, and its bits in the low bytes of a `u64`.

use half::f16;
use seawall_core::layout::Scalar;

/// Why a text is not a number of the wanted type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("is not a number")]
    NotNumber,
    #[error("is a fraction, where {0} takes whole numbers")]
    Fraction(Scalar),
    #[error("does not fit in {0}")]
    OutOfRange(Scalar),
}

/// The bits of the number that `text` spells. Floats are rounded once, from the decimal.
pub(crate) fn parse(scalar: Scalar, text: &str) -> Result<u64, Error> {
    Ok(match scalar {
        Scalar::Bool => integer(scalar, text, 0, 1)?,
        Scalar::I32 => u64::from(integer(scalar, text, i32::MIN.into(), i32::MAX.into())? as u32),
        Scalar::U32 => integer(scalar, text, 0, u32::MAX.into())?,
        Scalar::I64 => integer(scalar, text, i64::MIN.into(), i64::MAX.into())?,
        Scalar::U64 => integer(scalar, text, 0, u64::MAX.into())?,
        Scalar::F32 => {
            let value: f32 = text.parse().map_err(|_| Error::NotNumber)?;
            finite(scalar, text, value.is_infinite())?;
            u64::from(value.to_bits())
        }
        Scalar::F64 => {
            let value: f64 = text.parse().map_err(|_| Error::NotNumber)?;
            finite(scalar, text, value.is_infinite())?;
            value.to_bits()
        }
        Scalar::F16 => {
            let value = f16::from_f64(text.parse().map_err(|_| Error::NotNumber)?);
            finite(scalar, text, value.is_infinite())?;
            u64::from(value.to_bits())
        }
    })
}

/// `true` and `false` stand for 1 and 0 where the type is an integer.
fn integer(scalar: Scalar, text: &str, min: i128, max: i128) -> Result<u64, Error> {
    let value = match text {
        "true" => 1,
        "false" => 0,
        digits => digits.parse().or_else(|_| whole(scalar, digits))?,
    };
    if value < min || value > max {
        return Err(Error::OutOfRange(scalar));
    }
    Ok(value as u64)
}

/// A whole number that is written as a float: `2.0`, `1e6`; or one of very many digits.
fn whole(scalar: Scalar, text: &str) -> Result<i128, Error> {
    let value: f64 = text.parse().map_err(|_| Error::NotNumber)?;
    if value.is_nan() {
        return Err(Error::NotNumber);
    }
    if value.is_infinite() {
        return Err(Error::OutOfRange(scalar));
    }
    if value.fract() != 0.0 {
        return Err(Error::Fraction(scalar));
    }
    Ok(value as i128)
}

/// Infinity must have been spelled as such.
fn finite(scalar: Scalar, text: &str, infinite: bool) -> Result<(), Error> {
    let spelled = text.trim_start_matches(['+', '-']).starts_with(['i', 'I']);
    if infinite && !spelled { Err(Error::OutOfRange(scalar)) } else { Ok(()) }
}

/// The shortest text that [`parse`] reads back as the same bits (any NaN is `NaN`).
pub(crate) fn print(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::I32 => (bits as i32).to_string(),
        Scalar::U32 | Scalar::U64 => bits.to_string(),
        Scalar::I64 => (bits as i64).to_string(),
        Scalar::F32 => {
            let value = f32::from_bits(bits as u32);
            special(f64::from(value)).map_or_else(|| format!("{value:?}"), str::to_owned)
        }
        Scalar::F64 => {
            let value = f64::from_bits(bits);
            special(value).map_or_else(|| format!("{value:?}"), str::to_owned)
        }
        Scalar::F16 => {
            let value = f16::from_bits(bits as u16).to_f64();
            special(value).map_or_else(|| shortest_f16(value), str::to_owned)
        }
    }
}

/// What JSON has no number for.
pub(crate) fn special(value: f64) -> Option<&'static str> {
    match value {
        value if value.is_nan() => Some("NaN"),
        f64::INFINITY => Some("Infinity"),
        f64::NEG_INFINITY => Some("-Infinity"),
        _ => None,
    }
}

/// Five significant digits tell every `f16` from its neighbours.
fn shortest_f16(value: f64) -> String {
    (0..5)
        .map(|digits| format!("{value:.digits$e}").parse::<f64>().unwrap_or(value))
        .find(|&short| f16::from_f64(short) == f16::from_f64(value))
        .map_or_else(|| format!("{value:?}"), |short| format!("{short:?}"))
}

/// Whether [`print()`] gives a name rather than a JSON number.
pub(crate) fn is_special(scalar: Scalar, bits: u64) -> bool {
    match scalar {
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => false,
        Scalar::F32 => !f32::from_bits(bits as u32).is_finite(),
        Scalar::F64 => !f64::from_bits(bits).is_finite(),
        Scalar::F16 => !f16::from_bits(bits as u16).is_finite(),
    }
}

/// Reads the scalar at byte `at`; the caller has checked that it lies inside.
pub(crate) fn get(bytes: &[u8], at: u64, scalar: Scalar) -> u64 {
    let (at, size) = (at as usize, scalar.bytes() as usize);
    let mut word = [0; 8];
    word[..size].copy_from_slice(&bytes[at..at + size]);
    u64::from_le_bytes(word)
}

/// Writes the scalar at byte `at`; the caller has checked that it lies inside.
pub(crate) fn put(bytes: &mut [u8], at: u64, scalar: Scalar, bits: u64) {
    let (at, size) = (at as usize, scalar.bytes() as usize);
    bytes[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
}
