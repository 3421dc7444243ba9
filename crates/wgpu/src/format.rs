//! Texel formats: wgpu's, as far as kernels have them.

use seawall_core::texture::{Code, Format, Kind};
use wgpu::TextureFormat;
use wgpu::hal::TextureFormatCapabilities as Capabilities;

macro_rules! formats {
    ($($name:ident)*) => {
        /// Ours of the same name, if there is one.
        pub(crate) fn of(format: TextureFormat) -> Option<Format> {
            match format {
                $(TextureFormat::$name => Some(Format::$name),)*
                _ => None,
            }
        }
    };
}

formats! {
    R8Unorm R8Snorm R8Uint R8Sint Rg8Unorm Rg8Snorm Rg8Uint Rg8Sint
    Rgba8Unorm Rgba8Snorm Rgba8Uint Rgba8Sint Bgra8Unorm
    R16Unorm R16Snorm R16Uint R16Sint R16Float Rg16Unorm Rg16Snorm Rg16Uint Rg16Sint Rg16Float
    Rgba16Unorm Rgba16Snorm Rgba16Uint Rgba16Sint Rgba16Float
    R32Uint R32Sint R32Float Rg32Uint Rg32Sint Rg32Float Rgba32Uint Rgba32Sint Rgba32Float
    Rgb10a2Uint Rgb10a2Unorm Rg11b10Ufloat Rgb9e5Ufloat
}

/// What can be done with texels of a format: nothing is drawn on, or has several samples.
pub(crate) fn capabilities(format: TextureFormat) -> Capabilities {
    let Some(format) = of(format) else { return Capabilities::empty() };
    let mut all = Capabilities::SAMPLED | Capabilities::COPY_SRC | Capabilities::COPY_DST;
    all.set(Capabilities::SAMPLED_LINEAR, format.kind() == Kind::Float);
    let storage = Capabilities::STORAGE_READ_ONLY | Capabilities::STORAGE_WRITE_ONLY | Capabilities::STORAGE_READ_WRITE;
    // Nothing is stored with a shared exponent.
    all.set(storage, format.code() != Code::SharedExponent);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_of_ours_is_one_of_wgpus() {
        // By WebGPU's names, which both know.
        let names = Format::ALL.iter().map(|format| (format, format.name()));
        for (format, name) in names {
            let theirs = all().find(|theirs| format!("{theirs:?}").to_lowercase() == name);
            assert_eq!(theirs.and_then(of), Some(*format), "{name}");
        }
        assert_eq!(all().filter_map(of).count(), Format::ALL.len());
        assert_eq!(capabilities(TextureFormat::Rgba8UnormSrgb), Capabilities::empty());
        assert_eq!(capabilities(TextureFormat::Depth32Float), Capabilities::empty());
    }

    /// Those of one sample and one plane that are not compressed, and some more.
    fn all() -> impl Iterator<Item = TextureFormat> {
        use TextureFormat::*;
        [
            R8Unorm,
            R8Snorm,
            R8Uint,
            R8Sint,
            R16Uint,
            R16Sint,
            R16Unorm,
            R16Snorm,
            R16Float,
            Rg8Unorm,
            Rg8Snorm,
            Rg8Uint,
            Rg8Sint,
            R32Uint,
            R32Sint,
            R32Float,
            Rg16Uint,
            Rg16Sint,
            Rg16Unorm,
            Rg16Snorm,
            Rg16Float,
            Rgba8Unorm,
            Rgba8UnormSrgb,
            Rgba8Snorm,
            Rgba8Uint,
            Rgba8Sint,
            Bgra8Unorm,
            Bgra8UnormSrgb,
            Rgb9e5Ufloat,
            Rgb10a2Uint,
            Rgb10a2Unorm,
            Rg11b10Ufloat,
            R64Uint,
            Rg32Uint,
            Rg32Sint,
            Rg32Float,
            Rgba16Uint,
            Rgba16Sint,
            Rgba16Unorm,
            Rgba16Snorm,
            Rgba16Float,
            Rgba32Uint,
            Rgba32Sint,
            Rgba32Float,
            Stencil8,
            Depth16Unorm,
            Depth24Plus,
            Depth32Float,
            NV12,
        ]
        .into_iter()
    }
}
