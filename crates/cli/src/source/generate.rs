//! Buffers made on the spot. Every scalar of element `i` gets the same treatment, so
//! vectors and structs work as numbers do; the members before a struct's runtime-sized
//! array are treated as element 0.

use std::convert::Infallible;

use seawall_core::layout::{Scalar, Type};
use seawall_core::program::Buffer;
use seawall_kit::splitmix::SplitMix64;

use super::{Error, Source};
use crate::memory;
use crate::typed::{self, Extent, Path, read, scalar};

/// What to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Generator {
    /// Zero bytes.
    Zeros,
    /// Element `i` holds `i`, wrapped or rounded to its type.
    Iota,
    /// Every element holds this JSON value; a plain number goes into every scalar.
    Fill(String),
    /// Splitmix64 from this seed: floats in [0, 1), integers over their whole range.
    Random(u64),
}

/// `None` if `text` does not name a generator.
pub(super) fn parse(text: &str) -> Result<Option<Source>, Error> {
    let (word, rest) = match text.split_once(':') {
        Some((word, rest)) => (word, Some(rest)),
        None => (text, None),
    };
    let (generator, count) = match word {
        "zeros" if rest.is_some_and(is_size) => return Ok(Some(Source::Blank(rest.unwrap_or_default().to_owned()))),
        "zeros" => (Generator::Zeros, rest),
        "iota" => (Generator::Iota, rest),
        // The value may hold colons; the count never does.
        "fill" => match rest.map(|rest| (rest, rest.rsplit_once(':'))) {
            None => return Err(Error::NoValue { what: "fill" }),
            Some((_, Some((value, n)))) if !n.trim_end().ends_with('}') => (Generator::Fill(value.to_owned()), Some(n)),
            Some((value, _)) => (Generator::Fill(value.to_owned()), None),
        },
        "random" => match rest.and_then(|rest| rest.split_once(':')) {
            Some((n, seed)) => {
                let seed = seed.parse().map_err(|_| Error::Seed { text: seed.to_owned() })?;
                (Generator::Random(seed), Some(n))
            }
            None => (Generator::Random(0), rest),
        },
        _ => return Ok(None),
    };
    let count = count.map(|n| n.parse().map_err(|_| Error::Count { text: n.to_owned() })).transpose()?;
    Ok(Some(Source::Made(generator, count)))
}

/// `640x480`.
fn is_size(text: &str) -> bool {
    text.contains('x') && text.split('x').all(|part| part.parse::<u32>().is_ok())
}

impl Generator {
    pub(super) fn make(&self, buffer: &Buffer, count: Option<u64>) -> Result<Vec<u8>, Error> {
        let extent = Extent::of(&buffer.ty);
        let count = match (extent.fixed, count) {
            (Some(expected), Some(got)) if expected != got => return Err(Error::Elements { expected, got }),
            (Some(count), _) | (None, Some(count)) => count,
            (None, None) => return Err(Error::NoCount),
        };
        let mut bytes = memory::zeroed(extent.bytes(count))?;
        match self {
            Self::Zeros => {}
            Self::Iota => each(&buffer.ty, count, &mut bytes, |i, scalar| whole(scalar, i)),
            Self::Random(seed) => {
                let mut numbers = SplitMix64::new(*seed);
                each(&buffer.ty, count, &mut bytes, |_, scalar| random(scalar, numbers.word()));
            }
            Self::Fill(value) => fill(buffer, count, value, &mut bytes)?,
        }
        Ok(bytes)
    }
}

/// Sets every scalar of the buffer to `bits(element index, type)`.
fn each(ty: &Type, count: u64, bytes: &mut [u8], mut bits: impl FnMut(u64, Scalar) -> u64) {
    let extent = Extent::of(ty);
    let mut set = |i: u64, ty: &Type, at: u64| {
        let Ok(()) = typed::each_scalar::<Infallible>(ty, at, &mut |at, scalar| {
            scalar::put(bytes, at, scalar, bits(i, scalar));
            Ok(())
        });
    };
    if extent.head > 0 {
        set(0, ty, 0);
    }
    for i in 0..count {
        set(i, extent.element, extent.head + i * extent.stride);
    }
}

fn fill(buffer: &Buffer, count: u64, value: &str, bytes: &mut [u8]) -> Result<(), Error> {
    let path = Path::Root(&buffer.name).to_string();
    // A float that JSON has no number for may be in quotes, as it is in JSON.
    let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
    if !value.trim_start().starts_with(['[', '{']) {
        let mut wrong = None;
        each(&buffer.ty, count, bytes, |_, scalar| {
            if wrong.is_some() {
                return 0;
            }
            scalar::parse(scalar, value).unwrap_or_else(|error| {
                wrong = Some(error);
                0
            })
        });
        let Some(error) = wrong else { return Ok(()) };
        let got = format!("= {value}");
        return Err(read::Error { path, wrong: read::Wrong::Number { got, error }, at: None }.into());
    }
    let extent = Extent::of(&buffer.ty);
    let element = read::json(&buffer.name, extent.element, value)?;
    for i in 0..count {
        let at = (extent.head + i * extent.stride) as usize;
        bytes[at..at + element.len()].copy_from_slice(&element);
    }
    Ok(())
}

fn whole(scalar: Scalar, i: u64) -> u64 {
    match scalar {
        Scalar::Bool => i & 1,
        Scalar::I32 | Scalar::U32 => u64::from(i as u32),
        Scalar::I64 | Scalar::U64 => i,
        Scalar::F32 => u64::from((i as f32).to_bits()),
        Scalar::F64 => (i as f64).to_bits(),
        Scalar::F16 => u64::from(half::f16::from_f64(i as f64).to_bits()),
    }
}

/// The top bits of each word, as many as the type's significand holds.
fn random(scalar: Scalar, word: u64) -> u64 {
    match scalar {
        Scalar::Bool => word >> 63,
        Scalar::I32 | Scalar::U32 => word >> 32,
        Scalar::I64 | Scalar::U64 => word,
        Scalar::F32 => u64::from(((word >> 40) as f32 / (1 << 24) as f32).to_bits()),
        Scalar::F64 => ((word >> 11) as f64 / (1_u64 << 53) as f64).to_bits(),
        Scalar::F16 => u64::from(half::f16::from_f64((word >> 53) as f64 / 2048.0).to_bits()),
    }
}
