//! Images and samplers, bound to a kernel.

use std::sync::Arc;

use super::{Sampler as Slot, Texture};
use crate::program::Kernel;
use crate::texture::{Sampler, Shape, View};

/// Why an image or a sampler is not bound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A texture to which nothing, or no image, is bound.
    #[error("no image is bound to `{texture}: {ty}`")]
    NoImage {
        /// Which.
        texture: String,
        /// Its type.
        ty: String,
    },
    /// An image that a texture cannot be.
    #[error("`{texture}: {ty}` cannot be bound to {image}: {why}")]
    Image {
        /// Which.
        texture: String,
        /// Its type.
        ty: String,
        /// What was bound.
        image: String,
        /// What does not match.
        why: String,
    },
    /// A sampler that is not said.
    #[error("nothing is bound to `{sampler}: sampler`")]
    NoSampler {
        /// Which.
        sampler: String,
    },
}

impl Texture {
    /// Whether it can be this image.
    pub fn fits(&self, shape: Shape) -> Result<(), Misfit> {
        let why = if shape.dim() != self.dim {
            format!("that is a {} image", shape.dim())
        } else if self.storage.is_some() && shape.format() != self.format {
            format!("its texels are {}", self.format)
        } else if shape.format().kind() != self.kind {
            format!("such texels are seen as {}", shape.format().kind().name())
        } else if self.storage.is_some() && shape.level_count() > 1 {
            "a storage texture has one level".to_owned()
        } else {
            return Ok(());
        };
        Err(Misfit::Image { texture: self.name.clone(), ty: self.ty(), image: shape.to_string(), why })
    }
}

impl Kernel {
    /// The kernel for the formats of the images that are bound to its textures, and the bytes of
    /// [`SHAPES`](super::SHAPES) that tell it of them and of its samplers: none if it has no use for them.
    pub fn viewing<V: Into<View>>(
        self: &Arc<Self>,
        view: impl Fn(&Texture) -> Option<V>,
        sampler: impl Fn(&Slot) -> Option<Sampler>,
    ) -> Result<(Arc<Self>, Vec<u8>), Misfit> {
        let (mut views, mut formats, mut samplers) = (Vec::<View>::new(), Vec::new(), Vec::new());
        for texture in &self.textures {
            let missing = || Misfit::NoImage { texture: texture.name.clone(), ty: texture.ty() };
            let view = view(texture).ok_or_else(missing)?.into();
            texture.fits(view.shape())?;
            formats.push(view.shape().format());
            views.push(view);
        }
        for slot in &self.samplers {
            let missing = || Misfit::NoSampler { sampler: slot.name.clone() };
            samplers.push(sampler(slot).ok_or_else(missing)?);
        }
        let kernel = self.with_formats(&formats);
        let told = kernel.shapes(&views, &samplers);
        Ok((kernel, told))
    }
}
