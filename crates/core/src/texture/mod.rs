//! Images as kernels see them: a typed view of a buffer.
//!
//! Texels lie one after the other, `x` fastest, then `y`, then depth or layers, and level after
//! level; each has one, two or four words ([`Format::words`]). What a shape says is handed to a
//! kernel as a few words of a uniform buffer, so that an image of another size needs no other code.

mod format;
mod host;
mod text;

use std::fmt;

pub use format::{Channel, Code, Format};

/// What a texture is seen to hold: the `T` of `texture_2d<T>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `f32`
    Float,
    /// `u32`
    Uint,
    /// `i32`
    Sint,
}

impl Kind {
    /// Its WGSL name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Float => "f32",
            Self::Uint => "u32",
            Self::Sint => "i32",
        }
    }
}

/// How many coordinates a texel has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `texture_1d`
    D1,
    /// `texture_2d`
    D2,
    /// `texture_2d_array`
    D2Array,
    /// `texture_3d`
    D3,
}

impl Dim {
    /// As in `texture_2d_array`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::D1 => "1d",
            Self::D2 => "2d",
            Self::D2Array => "2d_array",
            Self::D3 => "3d",
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Levels at most.
pub const LEVELS_MAX: u32 = 16;
/// Texels in each direction at most.
pub const SIZE_MAX: u32 = 1 << (LEVELS_MAX - 1);
/// Bytes at most: each texel can be found by a `u32`.
pub const BYTES_MAX: u64 = u32::MAX as u64;

/// An image without its texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    dim: Dim,
    format: Format,
    size: [u32; 3],
    levels: u32,
}

/// Why there is no such image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// In some direction.
    #[error("an image has 1 to {SIZE_MAX} texels in each direction, not {size}")]
    Size {
        /// The number.
        size: u32,
    },
    /// A dimension that it does not have.
    #[error("a {dim} image has no more than {most} dimensions")]
    Dims {
        /// Of it.
        dim: Dim,
        /// It has.
        most: u32,
    },
    /// More than halving the size gives, or none.
    #[error("an image of this size has 1 to {most} levels, not {levels}")]
    Levels {
        /// The number.
        levels: u32,
        /// That there can be.
        most: u32,
    },
    /// All in all.
    #[error("an image has at most {BYTES_MAX} bytes; this one would have {bytes}")]
    Bytes {
        /// Their number.
        bytes: u64,
    },
}

impl Shape {
    /// One row.
    pub fn d1(format: Format, width: u32) -> Result<Self, Error> {
        Self::new(Dim::D1, format, [width, 1, 1])
    }

    /// Rows.
    pub fn d2(format: Format, width: u32, height: u32) -> Result<Self, Error> {
        Self::new(Dim::D2, format, [width, height, 1])
    }

    /// Layers of rows.
    pub fn d2_array(format: Format, width: u32, height: u32, layers: u32) -> Result<Self, Error> {
        Self::new(Dim::D2Array, format, [width, height, layers])
    }

    /// A block.
    pub fn d3(format: Format, width: u32, height: u32, depth: u32) -> Result<Self, Error> {
        Self::new(Dim::D3, format, [width, height, depth])
    }

    /// Of any kind, with one level; dimensions that it does not have are 1.
    pub fn new(dim: Dim, format: Format, size: [u32; 3]) -> Result<Self, Error> {
        if let Some(&size) = size.iter().find(|&&size| size == 0 || size > SIZE_MAX) {
            return Err(Error::Size { size });
        }
        let most = match dim {
            Dim::D1 => 1,
            Dim::D2 => 2,
            Dim::D2Array | Dim::D3 => 3,
        };
        if size[most as usize..].iter().any(|&size| size != 1) {
            return Err(Error::Dims { dim, most });
        }
        Self { dim, format, size, levels: 1 }.checked()
    }

    /// The same with so many levels, each half as large as the one before in every direction.
    pub fn levels(self, levels: u32) -> Result<Self, Error> {
        let halved = match self.dim {
            Dim::D1 => return if levels == 1 { Ok(self) } else { Err(Error::Levels { levels, most: 1 }) },
            Dim::D2 | Dim::D2Array => &self.size[..2],
            Dim::D3 => &self.size[..],
        };
        let most = 1 + halved.iter().map(|size| size.ilog2()).max().unwrap_or(0);
        if levels == 0 || levels > most {
            return Err(Error::Levels { levels, most });
        }
        Self { levels, ..self }.checked()
    }

    fn checked(self) -> Result<Self, Error> {
        let texels = |level| self.level_size(level).map(u128::from).iter().product::<u128>();
        let bytes = (0..self.levels).map(texels).sum::<u128>() * u128::from(self.format.words()) * 4;
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if bytes > BYTES_MAX { Err(Error::Bytes { bytes }) } else { Ok(self) }
    }

    /// How its texels are found.
    pub const fn dim(&self) -> Dim {
        self.dim
    }

    /// What they are.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Texels in each direction, on the first level; the last one may be layers.
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// How many.
    pub const fn level_count(&self) -> u32 {
        self.levels
    }

    /// The size of a level that it has.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        let half = |size: u32| (size >> level).max(1);
        let [x, y, z] = self.size;
        [half(x), half(y), if self.dim == Dim::D3 { half(z) } else { z }]
    }

    fn texels(&self, level: u32) -> u64 {
        self.level_size(level).map(u64::from).iter().product()
    }

    /// Texels before those of a level.
    pub fn level_start(&self, level: u32) -> u64 {
        (0..level.min(self.levels)).map(|before| self.texels(before)).sum()
    }

    /// All its texels, in a buffer.
    pub fn bytes(&self) -> u64 {
        self.level_start(self.levels) * u64::from(self.format.words()) * 4
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.size;
        match self.dim {
            Dim::D1 => write!(f, "{x}")?,
            Dim::D2 => write!(f, "{x} x {y}")?,
            Dim::D2Array => write!(f, "{z} layers of {x} x {y}")?,
            Dim::D3 => write!(f, "{x} x {y} x {z}")?,
        }
        write!(f, " texels of {}", self.format)?;
        if self.levels > 1 { write!(f, " in {} levels", self.levels) } else { Ok(()) }
    }
}

/// An image in a buffer that may hold more: some levels or layers of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    shape: Shape,
    /// Texels before those of each level.
    starts: [u32; LEVELS_MAX as usize],
}

impl View {
    /// One whose levels start after so many texels of what is bound. Within a level there are no gaps.
    pub fn new(shape: Shape, start: impl Fn(u32) -> u32) -> Self {
        let mut starts = [0; LEVELS_MAX as usize];
        starts.iter_mut().zip(0..shape.levels).for_each(|(at, level)| *at = start(level));
        Self { shape, starts }
    }

    /// What it is seen as.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// What a kernel is told of it: size and levels, then where each level starts.
    pub(crate) fn words(&self) -> [u32; SHAPE_WORDS] {
        let mut words = [0; SHAPE_WORDS];
        words[..3].copy_from_slice(&self.shape.size);
        words[3] = self.shape.levels;
        words[4..].copy_from_slice(&self.starts);
        words
    }
}

/// All of an image that has its buffer to itself.
impl From<Shape> for View {
    fn from(shape: Shape) -> Self {
        // A shape has no more texels than a `u32` counts.
        Self::new(shape, |level| shape.level_start(level) as u32)
    }
}

/// Words that tell a shape.
pub(crate) const SHAPE_WORDS: usize = 4 + LEVELS_MAX as usize;
/// Words that tell a sampler.
pub(crate) const SAMPLER_WORDS: usize = 8;

/// How texels between which a coordinate lies make up a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The nearest one.
    #[default]
    Nearest,
    /// All of them, by distance.
    Linear,
}

/// What is found beyond the edge of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Address {
    /// The texels at the edge.
    #[default]
    ClampToEdge,
    /// The image again.
    Repeat,
    /// The image again, every other time as in a mirror.
    MirrorRepeat,
}

/// How an image is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sampler {
    /// Beyond the edge, in x, y and z.
    pub address: [Address; 3],
    /// Where a texel covers more than what is asked for: level 0 and below.
    pub mag: Filter,
    /// Where it covers less.
    pub min: Filter,
    /// Between levels.
    pub mip: Filter,
    /// The finest level that is looked at.
    pub lod_min: f32,
    /// The coarsest; 0 stays with the first.
    pub lod_max: f32,
}

impl Sampler {
    /// Of the nearest texel, clamped to the edge, on any level.
    pub fn nearest() -> Self {
        Self { lod_max: 32.0, ..Self::default() }
    }

    /// Linear in all, clamped to the edge.
    pub fn linear() -> Self {
        Self { mag: Filter::Linear, min: Filter::Linear, mip: Filter::Linear, ..Self::nearest() }
    }

    /// The same, in all directions.
    #[must_use]
    pub fn addressed(self, address: Address) -> Self {
        Self { address: [address; 3], ..self }
    }

    pub(crate) fn words(&self) -> [u32; SAMPLER_WORDS] {
        let [u, v, w] = self.address.map(|address| address as u32);
        let (mag, min, mip) = (self.mag as u32, self.min as u32, self.mip as u32);
        [u, v, w, mag, min, mip, self.lod_min.to_bits(), self.lod_max.to_bits()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve() {
        let shape = Shape::d2(Format::Rgba16Float, 5, 3).unwrap().levels(3).unwrap();
        assert_eq!((shape.level_size(1), shape.level_size(2)), ([2, 1, 1], [1, 1, 1]));
        assert_eq!((shape.level_start(1), shape.level_start(2), shape.bytes()), (15, 17, 18 * 8));
        let block = Shape::d3(Format::R8Uint, 4, 4, 8).unwrap().levels(4).unwrap();
        assert_eq!((block.level_size(1), block.bytes()), ([2, 2, 4], (128 + 16 + 2 + 1) * 4));
        let layers = Shape::d2_array(Format::R32Float, 4, 2, 8).unwrap().levels(2).unwrap();
        assert_eq!(layers.level_size(1), [2, 1, 8]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let size = |size| Shape::d1(Format::R8Unorm, size).unwrap_err();
        assert_eq!((size(0), size(SIZE_MAX + 1)), (Error::Size { size: 0 }, Error::Size { size: SIZE_MAX + 1 }));
        let shape = Shape::d2(Format::R8Unorm, 4, 7).unwrap();
        assert_eq!(shape.levels(4), Err(Error::Levels { levels: 4, most: 3 }));
        assert_eq!(shape.levels(0), Err(Error::Levels { levels: 0, most: 3 }));
        assert_eq!(Shape::new(Dim::D2, Format::R8Unorm, [1, 1, 2]), Err(Error::Dims { dim: Dim::D2, most: 2 }));
        let large = Shape::d2(Format::Rgba32Float, SIZE_MAX, SIZE_MAX);
        assert_eq!(large, Err(Error::Bytes { bytes: 1 << 34 }));
    }
}
