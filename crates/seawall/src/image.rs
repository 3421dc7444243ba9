//! Images: texels in a buffer, and what they are.

use std::sync::Arc;

use seawall_core::program::Kernel;
use seawall_core::program::texture::Texture;
use seawall_core::texture::{Sampler, Shape};

use crate::buffer::Buffer;
use crate::error::Error;
use crate::host::{Bind, Bound};

/// An image on a device, kept between calls; made by [`Runtime::image`](crate::Runtime::image). Bound to a
/// texture of a kernel it is read and written there; clones share the texels.
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// use seawall::texture::{Format, Shape};
///
/// let runtime = seawall::Runtime::new()?;
/// let grey = runtime.kernel(
///     "@group(0) @binding(0) var photo: texture_2d<f32>;
///      @group(0) @binding(1) var result: texture_storage_2d<r32float, write>;
///      @compute @workgroup_size(8, 8)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
///          let colour = textureLoad(photo, id.xy, 0);
///          textureStore(result, id.xy, vec4(dot(colour.rgb, vec3(0.25, 0.5, 0.25))));
///      }",
/// )?;
/// let photo = runtime.image_from(Shape::d2(Format::Rgba8Unorm, 2, 1)?, &[255, 255, 255, 255, 0, 255, 0, 255])?;
/// let result = runtime.image(Shape::d2(Format::R32Float, 2, 1)?)?;
/// runtime.call(&grey).bind("photo", &photo).bind("result", &result).over("result").run()?;
/// assert_eq!(result.buffer().view::<f32>()?.to_vec()?, [1.0, 0.5]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Image {
    texels: Buffer<u32>,
    shape: Shape,
}

impl Image {
    pub(crate) fn new(texels: Buffer<u32>, shape: Shape) -> Self {
        Self { texels, shape }
    }

    /// What it is, without its texels.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Its texels, each with the words that its format has.
    pub fn buffer(&self) -> &Buffer<u32> {
        &self.texels
    }

    /// Replaces all texels, which are as other programs lay them out: as many bytes as their format has for
    /// each, level after level.
    pub fn write(&self, texels: &[u8]) -> Result<(), Error> {
        let format = self.shape.format();
        let (words, bytes) = (u64::from(format.words()) * 4, u64::from(format.packed_bytes()));
        let expected_bytes = self.shape.bytes() / words * bytes;
        if texels.len() as u64 != expected_bytes {
            let (shape, got_bytes) = (self.shape.to_string(), texels.len() as u64);
            return Err(Error::Texels { shape, expected_bytes, got_bytes });
        }
        self.texels.view::<u8>()?.write(0, &format.spread(texels))
    }

    /// All texels, as other programs lay them out.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(self.shape.format().pack(&self.texels.view::<u8>()?.to_vec()?))
    }
}

impl<'a> Bind<'a> for &'a Image {
    fn bound(self) -> Bound<'a> {
        self.texels.bound().shaped(self.shape)
    }
}

/// Texels on the host, to be bound to a texture: each has the words that its format has
/// ([`Format::words`](seawall_core::texture::Format::words)).
///
/// ```
/// # fn main() -> Result<(), seawall::Error> {
/// use seawall::{Texels, texture::{Format, Shape}};
///
/// let runtime = seawall::Runtime::new()?;
/// let count = runtime.kernel(
///     "@group(0) @binding(0) var to: texture_storage_1d<r32uint, write>;
///      @compute @workgroup_size(4)
///      fn main(@builtin(global_invocation_id) id: vec3<u32>) { textureStore(to, id.x, vec4(id.x)); }",
/// )?;
/// let mut words = [9u32; 5];
/// runtime.call(&count).bind("to", Texels(Shape::d1(Format::R32Uint, 5)?, &mut words)).over("to").run()?;
/// assert_eq!(words, [0, 1, 2, 3, 4]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texels<B>(pub Shape, pub B);

impl<'a, B: Bind<'a>> Bind<'a> for Texels<B> {
    fn bound(self) -> Bound<'a> {
        self.1.bound().shaped(self.0)
    }
}

/// The kernel for the images that are bound to its textures, and what it is told of them and of its samplers.
pub(crate) fn viewing(
    kernel: &Arc<Kernel>,
    shape: impl Fn(&Texture) -> Option<Shape>,
    samplers: &[(String, Sampler)],
) -> Result<(Arc<Kernel>, Vec<u8>), Error> {
    for (at, (sampler, _)) in samplers.iter().enumerate() {
        if kernel.sampler(sampler).is_none() {
            let known = kernel.samplers.iter().map(|sampler| sampler.name.clone()).collect();
            return Err(Error::UnknownSampler { kernel: kernel.name.clone(), sampler: sampler.clone(), known });
        }
        if samplers[..at].iter().any(|(before, _)| before == sampler) {
            return Err(Error::BoundTwice { buffer: sampler.clone() });
        }
    }
    let sampler = |name: &str| samplers.iter().find(|(sampler, _)| sampler == name).map(|(_, sampler)| *sampler);
    Ok(kernel.viewing(shape, |slot| sampler(&slot.name))?)
}
