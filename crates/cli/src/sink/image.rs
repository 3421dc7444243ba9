//! Pictures: `u32` elements are RGBA colours with red in the lowest byte, as
//! `pack4x8unorm` gives them; `f32` elements are grey from 0 (black) to 1 (white).

use std::fmt;
use std::io::{self, Write};

use seawall_core::layout::{Scalar, Type};

use super::Error;
use crate::typed::{Extent, scalar};

/// What a buffer looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Picture {
    width: u32,
    height: u32,
    scalar: Scalar,
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a picture of {} by {} pixels", self.width, self.height)
    }
}

impl Picture {
    /// A buffer of `bytes` as rows of `width` pixels; an array of arrays knows its own width.
    pub(crate) fn of(ty: &Type, bytes: u64, width: Option<u64>) -> Result<Self, Error> {
        let no_picture = || Error::NoPicture { ty: ty.to_string() };
        let extent = Extent::of(ty);
        let (inner, scalar) = match (ty, extent.element) {
            (Type::Array { .. }, Type::Scalar(scalar) | Type::Atomic(scalar)) => (None, *scalar),
            (Type::Array { .. }, Type::Array { element, len: Some(len), .. }) => match **element {
                Type::Scalar(scalar) | Type::Atomic(scalar) => (Some(u64::from(*len)), scalar),
                _ => return Err(no_picture()),
            },
            _ => return Err(no_picture()),
        };
        if !matches!(scalar, Scalar::U32 | Scalar::F32) {
            return Err(no_picture());
        }
        let pixels = bytes / u64::from(scalar.bytes());
        let width = width.or(inner).ok_or(Error::NoWidth)?;
        if width == 0 || !pixels.is_multiple_of(width) {
            return Err(Error::Width { pixels, width });
        }
        let height = pixels / width;
        let side = |n: u64| u32::try_from(n).ok().filter(|&n| i32::try_from(n).is_ok());
        match (side(width), side(height)) {
            (Some(width), Some(height)) => Ok(Self { width, height, scalar }),
            _ => Err(Error::TooLarge { width, height }),
        }
    }

    pub(super) fn write(self, out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_depth(png::BitDepth::Eight);
        let grey: Vec<u8>;
        let data = if self.scalar == Scalar::U32 {
            encoder.set_color(png::ColorType::Rgba);
            bytes
        } else {
            encoder.set_color(png::ColorType::Grayscale);
            let level = |at| f32::from_bits(scalar::get(bytes, at, Scalar::F32) as u32);
            // A NaN is black: `as` gives 0 for it.
            grey = (0..bytes.len() as u64 / 4).map(|i| (level(i * 4).clamp(0.0, 1.0) * 255.0).round() as u8).collect();
            &grey
        };
        let mut writer = encoder.write_header()?;
        writer.write_image_data(data)?;
        writer.finish()?;
        Ok(())
    }
}
