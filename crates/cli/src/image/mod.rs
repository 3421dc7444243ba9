//! Images in files: pictures (PNG and JPEG in, PNG out) and arrays of numbers (`.npy`), as texels of a texture.

mod decode;

use std::path::{Path, PathBuf};

use seawall::layout::Scalar;
use seawall::program::texture::Texture;
use seawall::texture::{self, Dim, Format, Kind, Shape};

use crate::{file, memory, npy};

/// What an image of a file is, and its texels.
pub(crate) type Texels = (Shape, Vec<u8>);

/// Why a file is no image for a texture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{}: {reason}", file::shown(path))]
    Picture { path: PathBuf, reason: String },
    #[error("a picture has two dimensions, and `{ty}` has another number")]
    Dims { ty: String },
    #[error("the colours of a picture cannot be `{format}` texels")]
    Colours { format: Format },
    #[error("{}: {error}", file::shown(path))]
    Npy { path: PathBuf, error: npy::Error },
    #[error("{}: an array of {scalar} with shape {shape} is no image for `{ty}`", file::shown(path))]
    Array { path: PathBuf, scalar: String, shape: String, ty: String },
    #[error("{0}")]
    Size(String),
    #[error("this is no image")]
    NoImage,
    #[error(transparent)]
    Shape(#[from] texture::Error),
    #[error(transparent)]
    File(#[from] file::Error),
    #[error("too large: {0}")]
    Memory(#[from] memory::Error),
}

impl Error {
    /// Whether it is the world that failed rather than the input.
    pub(crate) fn is_world(&self) -> bool {
        match self {
            Self::File(error) => error.is_world(),
            Self::Memory(_) => true,
            _ => false,
        }
    }

    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::NoImage => {
                Some("give it a picture (.png, .jpg), an array (.npy), or a size: zeros:640x480".to_owned())
            }
            Self::Array { .. } => Some(
                "the last dimension is x, or 1, 2 or 4 channels; elements are float32, float16, uint32 or int32"
                    .to_owned(),
            ),
            Self::Size(_) => Some("write it as in zeros:640x480".to_owned()),
            _ => None,
        }
    }
}

/// An image of zeros, of the size that was typed.
pub(crate) fn blank(texture: &Texture, size: &str) -> Result<Texels, Error> {
    let shape = Shape::parse(texture.dim, &format!("{} {size}", texture.format)).map_err(Error::Size)?;
    zeros(shape)
}

/// An image of zeros.
pub(crate) fn zeros(shape: Shape) -> Result<Texels, Error> {
    Ok((shape, memory::zeroed(Some(shape.bytes()))?))
}

/// A picture, for a texture.
pub(crate) fn picture(path: &Path, texture: &Texture) -> Result<Texels, Error> {
    let bytes = file::read(path, memory::BUFFER_BYTES_MAX)?;
    let picture = decode::picture(&bytes).map_err(|reason| Error::Picture { path: path.to_owned(), reason })?;
    if texture.dim != Dim::D2 {
        return Err(Error::Dims { ty: texture.ty() });
    }
    let format = match (texture.storage, texture.kind, picture.most) {
        (Some(_), ..) => texture.format,
        (None, Kind::Float, 255) => Format::Rgba8Unorm,
        (None, Kind::Float, _) => Format::Rgba16Unorm,
        (None, Kind::Uint, 255) => Format::Rgba8Uint,
        (None, Kind::Uint, _) => Format::Rgba16Uint,
        (None, Kind::Sint, 255) => Format::Rgba16Sint,
        (None, Kind::Sint, _) => Format::Rgba32Sint,
    };
    let (shape, mut texels) = zeros(Shape::d2(format, picture.width, picture.height)?)?;
    // Integers are the numbers of the file; others are from 0 to 1.
    let scale = if format.kind() == Kind::Float { 1.0 / f64::from(picture.most) } else { 1.0 };
    let words = format.words() as usize;
    for (texel, pixel) in texels.chunks_exact_mut(words * 4).zip(picture.pixels.chunks_exact(4)) {
        let colour = [0, 1, 2, 3].map(|channel: usize| f64::from(pixel[channel]) * scale);
        let encoded = format.encode(colour).ok_or(Error::Colours { format })?;
        for (to, word) in texel.chunks_exact_mut(4).zip(encoded) {
            to.copy_from_slice(&word.to_le_bytes());
        }
    }
    Ok((shape, texels))
}

/// An array of numbers, for a texture.
pub(crate) fn array(path: &Path, texture: &Texture) -> Result<Texels, Error> {
    let bytes = file::read(path, memory::BUFFER_BYTES_MAX)?;
    let split = npy::Header::split(&bytes).map_err(|error| Error::Npy { path: path.to_owned(), error });
    let (header, data) = split?;
    let refused = || Error::Array {
        path: path.to_owned(),
        scalar: header.scalar.to_string(),
        shape: npy::Shape(&header.shape).to_string(),
        ty: texture.ty(),
    };
    let axes = match texture.dim {
        Dim::D1 => 1,
        Dim::D2 => 2,
        Dim::D2Array | Dim::D3 => 3,
    };
    let (sizes, channels) = match header.shape.len() {
        n if n == axes => (&header.shape[..], 1),
        n if n == axes + 1 => (&header.shape[..axes], header.shape[axes]),
        _ => return Err(refused()),
    };
    let format = format_of(header.scalar, channels).ok_or_else(refused)?;
    let mut size = [1; 3];
    for (size, given) in size.iter_mut().zip(sizes.iter().rev()) {
        *size = u32::try_from(*given).map_err(|_| refused())?;
    }
    let shape = Shape::new(texture.dim, format, size)?;
    if texture.fits(shape).is_err() {
        return Err(refused());
    }
    Ok((shape, format.spread(data)))
}

/// The format of numbers that lie in a file as they do in a texel.
pub(crate) fn format_of(scalar: Scalar, channels: u64) -> Option<Format> {
    let all = match scalar {
        Scalar::F32 => [Format::R32Float, Format::Rg32Float, Format::Rgba32Float],
        Scalar::F16 => [Format::R16Float, Format::Rg16Float, Format::Rgba16Float],
        Scalar::U32 => [Format::R32Uint, Format::Rg32Uint, Format::Rgba32Uint],
        Scalar::I32 => [Format::R32Sint, Format::Rg32Sint, Format::Rgba32Sint],
        Scalar::Bool | Scalar::I64 | Scalar::U64 | Scalar::F64 => return None,
    };
    match channels {
        1 => Some(all[0]),
        2 => Some(all[1]),
        4 => Some(all[2]),
        _ => None,
    }
}
