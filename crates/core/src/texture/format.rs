//! Texel formats: what the bits of a texel mean.
//!
//! A format is a row of channels, each so many bits at some place of the texel's words, all in one
//! encoding. What it takes to load or store one follows from that.

use std::fmt;

use naga::StorageFormat;

use super::Kind;

/// How the bits of a channel stand for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// 0 to 1 in equal steps.
    Unorm,
    /// -1 to 1 in equal steps; the lowest number stands for -1, too.
    Snorm,
    /// An unsigned integer.
    Uint,
    /// A signed integer, in two's complement.
    Sint,
    /// A float of 32 or 16 bits; of 11 or 10 it has no sign.
    Float,
    /// Three mantissas of 9 bits with one exponent of 5.
    SharedExponent,
}

/// Where the bits of a channel are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Channel {
    /// Which word of the texel.
    pub word: u32,
    /// Its lowest bit in that word.
    pub shift: u32,
    /// How many.
    pub bits: u32,
}

macro_rules! formats {
    ($($name:ident $text:literal $code:ident [$($bits:literal)*];)*) => {
        /// What a texel is made of, by WebGPU's names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Format {
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        impl Format {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// As WebGPU spells it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// How its channels are encoded.
            pub const fn code(self) -> Code {
                match self { $(Self::$name => Code::$code,)* }
            }

            /// Bits of each channel, as they lie one after the other.
            const fn bits(self) -> &'static [u32] {
                match self { $(Self::$name => &[$($bits),*],)* }
            }
        }
    };
}

formats! {
    R8Unorm "r8unorm" Unorm [8];
    R8Snorm "r8snorm" Snorm [8];
    R8Uint "r8uint" Uint [8];
    R8Sint "r8sint" Sint [8];
    Rg8Unorm "rg8unorm" Unorm [8 8];
    Rg8Snorm "rg8snorm" Snorm [8 8];
    Rg8Uint "rg8uint" Uint [8 8];
    Rg8Sint "rg8sint" Sint [8 8];
    Rgba8Unorm "rgba8unorm" Unorm [8 8 8 8];
    Rgba8Snorm "rgba8snorm" Snorm [8 8 8 8];
    Rgba8Uint "rgba8uint" Uint [8 8 8 8];
    Rgba8Sint "rgba8sint" Sint [8 8 8 8];
    Bgra8Unorm "bgra8unorm" Unorm [8 8 8 8];
    R16Unorm "r16unorm" Unorm [16];
    R16Snorm "r16snorm" Snorm [16];
    R16Uint "r16uint" Uint [16];
    R16Sint "r16sint" Sint [16];
    R16Float "r16float" Float [16];
    Rg16Unorm "rg16unorm" Unorm [16 16];
    Rg16Snorm "rg16snorm" Snorm [16 16];
    Rg16Uint "rg16uint" Uint [16 16];
    Rg16Sint "rg16sint" Sint [16 16];
    Rg16Float "rg16float" Float [16 16];
    Rgba16Unorm "rgba16unorm" Unorm [16 16 16 16];
    Rgba16Snorm "rgba16snorm" Snorm [16 16 16 16];
    Rgba16Uint "rgba16uint" Uint [16 16 16 16];
    Rgba16Sint "rgba16sint" Sint [16 16 16 16];
    Rgba16Float "rgba16float" Float [16 16 16 16];
    R32Uint "r32uint" Uint [32];
    R32Sint "r32sint" Sint [32];
    R32Float "r32float" Float [32];
    Rg32Uint "rg32uint" Uint [32 32];
    Rg32Sint "rg32sint" Sint [32 32];
    Rg32Float "rg32float" Float [32 32];
    Rgba32Uint "rgba32uint" Uint [32 32 32 32];
    Rgba32Sint "rgba32sint" Sint [32 32 32 32];
    Rgba32Float "rgba32float" Float [32 32 32 32];
    Rgb10a2Uint "rgb10a2uint" Uint [10 10 10 2];
    Rgb10a2Unorm "rgb10a2unorm" Unorm [10 10 10 2];
    Rg11b10Ufloat "rg11b10ufloat" Float [11 11 10];
    Rgb9e5Ufloat "rgb9e5ufloat" SharedExponent [9 9 9];
}

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// naga's, as ours; `None` for one that WebGPU does not have.
    pub(crate) fn of(format: StorageFormat) -> Option<Self> {
        Some(match format {
            StorageFormat::R8Unorm => Self::R8Unorm,
            StorageFormat::R8Snorm => Self::R8Snorm,
            StorageFormat::R8Uint => Self::R8Uint,
            StorageFormat::R8Sint => Self::R8Sint,
            StorageFormat::R16Uint => Self::R16Uint,
            StorageFormat::R16Sint => Self::R16Sint,
            StorageFormat::R16Float => Self::R16Float,
            StorageFormat::Rg8Unorm => Self::Rg8Unorm,
            StorageFormat::Rg8Snorm => Self::Rg8Snorm,
            StorageFormat::Rg8Uint => Self::Rg8Uint,
            StorageFormat::Rg8Sint => Self::Rg8Sint,
            StorageFormat::R32Uint => Self::R32Uint,
            StorageFormat::R32Sint => Self::R32Sint,
            StorageFormat::R32Float => Self::R32Float,
            StorageFormat::Rg16Uint => Self::Rg16Uint,
            StorageFormat::Rg16Sint => Self::Rg16Sint,
            StorageFormat::Rg16Float => Self::Rg16Float,
            StorageFormat::Rgba8Unorm => Self::Rgba8Unorm,
            StorageFormat::Rgba8Snorm => Self::Rgba8Snorm,
            StorageFormat::Rgba8Uint => Self::Rgba8Uint,
            StorageFormat::Rgba8Sint => Self::Rgba8Sint,
            StorageFormat::Bgra8Unorm => Self::Bgra8Unorm,
            StorageFormat::Rgb10a2Uint => Self::Rgb10a2Uint,
            StorageFormat::Rgb10a2Unorm => Self::Rgb10a2Unorm,
            StorageFormat::Rg11b10Ufloat => Self::Rg11b10Ufloat,
            StorageFormat::R64Uint => return None,
            StorageFormat::Rg32Uint => Self::Rg32Uint,
            StorageFormat::Rg32Sint => Self::Rg32Sint,
            StorageFormat::Rg32Float => Self::Rg32Float,
            StorageFormat::Rgba16Uint => Self::Rgba16Uint,
            StorageFormat::Rgba16Sint => Self::Rgba16Sint,
            StorageFormat::Rgba16Float => Self::Rgba16Float,
            StorageFormat::Rgba32Uint => Self::Rgba32Uint,
            StorageFormat::Rgba32Sint => Self::Rgba32Sint,
            StorageFormat::Rgba32Float => Self::Rgba32Float,
            StorageFormat::R16Unorm => Self::R16Unorm,
            StorageFormat::R16Snorm => Self::R16Snorm,
            StorageFormat::Rg16Unorm => Self::Rg16Unorm,
            StorageFormat::Rg16Snorm => Self::Rg16Snorm,
            StorageFormat::Rgba16Unorm => Self::Rgba16Unorm,
            StorageFormat::Rgba16Snorm => Self::Rgba16Snorm,
        })
    }

    /// What a shader sees of it.
    pub const fn kind(self) -> Kind {
        match self.code() {
            Code::Unorm | Code::Snorm | Code::Float | Code::SharedExponent => Kind::Float,
            Code::Uint => Kind::Uint,
            Code::Sint => Kind::Sint,
        }
    }

    /// Red, green, blue and alpha, as far as it has them.
    pub fn channels(self) -> Vec<Channel> {
        let mut at = 0;
        let place = |bits: &u32| {
            let channel = Channel { word: at / 32, shift: at % 32, bits: *bits };
            at += bits;
            channel
        };
        let mut channels: Vec<Channel> = self.bits().iter().map(place).collect();
        if self == Self::Bgra8Unorm {
            channels.swap(0, 2);
        }
        channels
    }

    /// Bytes of a texel as other programs lay it out.
    pub const fn packed_bytes(self) -> u32 {
        let (bits, mut sum, mut at) = (self.bits(), 0, 0);
        while at < bits.len() {
            sum += bits[at];
            at += 1;
        }
        // The shared exponent is no channel.
        sum.next_multiple_of(8).next_power_of_two() / 8
    }

    /// Words of a texel in a buffer. One of less than four bytes has a word to itself: neighbours
    /// can then be stored by different invocations without knowing of each other.
    pub const fn words(self) -> u32 {
        self.packed_bytes().div_ceil(4)
    }

    /// Texels as other programs lay them out, with the words that they have in a buffer; what is left over of
    /// the last one is dropped.
    pub fn spread(self, packed: &[u8]) -> Vec<u8> {
        let (bytes, words) = (self.packed_bytes() as usize, self.words() as usize);
        let mut texels = vec![0; packed.len() / bytes * words * 4];
        for (texel, from) in texels.chunks_exact_mut(words * 4).zip(packed.chunks_exact(bytes)) {
            texel[..bytes].copy_from_slice(from);
        }
        texels
    }

    /// The other way.
    pub fn pack(self, texels: &[u8]) -> Vec<u8> {
        let (bytes, words) = (self.packed_bytes() as usize, self.words() as usize);
        texels.chunks_exact(words * 4).flat_map(|texel| &texel[..bytes]).copied().collect()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_have_the_bytes_of_webgpu() {
        let bytes = |name: &str| Format::named(name).unwrap().packed_bytes();
        for (name, expected) in [
            ("r8unorm", 1),
            ("rg8snorm", 2),
            ("rgba8uint", 4),
            ("bgra8unorm", 4),
            ("r16float", 2),
            ("rg16sint", 4),
            ("rgba16unorm", 8),
            ("r32float", 4),
            ("rg32uint", 8),
            ("rgba32float", 16),
            ("rgb10a2unorm", 4),
            ("rg11b10ufloat", 4),
            ("rgb9e5ufloat", 4),
        ] {
            assert_eq!(bytes(name), expected, "{name}");
        }
        assert_eq!(Format::named("rgba8"), None);
    }

    #[test]
    fn small_texels_have_words_to_themselves() {
        let spread = Format::Rg8Unorm.spread(&[1, 2, 3, 4, 5]);
        assert_eq!(spread, [1, 2, 0, 0, 3, 4, 0, 0]);
        assert_eq!(Format::Rg8Unorm.pack(&spread), [1, 2, 3, 4]);
    }

    #[test]
    fn channels_lie_one_after_the_other() {
        let channel = |word, shift, bits| Channel { word, shift, bits };
        assert_eq!(Format::Bgra8Unorm.channels()[0], channel(0, 16, 8));
        assert_eq!(Format::Rgba16Float.channels()[3], channel(1, 16, 16));
        assert_eq!(Format::Rg11b10Ufloat.channels()[2], channel(0, 22, 10));
        assert_eq!(Format::Rgba32Sint.channels()[2], channel(2, 0, 32));
    }
}
