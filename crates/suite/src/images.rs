//! What a case says of its textures and samplers, fitted to those of its kernel.

use std::sync::Arc;

use seawall_core::program::Kernel;
use seawall_core::program::texture::{Formats, SHAPES};
use seawall_core::texture::{Sampler, Shape};

use crate::case::{Case, Input, View};

/// The kernel for images of these formats, and what it is told of them.
pub(crate) fn bound(case: &Case, kernel: &Arc<Kernel>) -> Result<(Arc<Kernel>, Option<Input>), String> {
    let unknown = |view: &&View| kernel.texture(&view.name).is_none();
    if let Some(View { name, .. }) = case.images.iter().find(unknown) {
        return Err(format!("`{}` uses no texture `{name}`", kernel.name));
    }
    if let Some(View { name, .. }) = case.samplers.iter().find(|view| kernel.sampler(&view.name).is_none()) {
        return Err(format!("`{}` uses no sampler `{name}`", kernel.name));
    }
    let mut shapes = Vec::new();
    for texture in &kernel.textures {
        shapes.push(shape(case, kernel, &texture.name)?);
    }
    let mut samplers = Vec::new();
    for sampler in &kernel.samplers {
        let name = &sampler.name;
        let view = case.samplers.iter().find(|view| view.name == *name);
        let view = view.ok_or_else(|| format!("`{name}` has no `sampler`"))?;
        samplers.push(view.text.parse::<Sampler>().map_err(|error| format!("`{name}`: {error}"))?);
    }
    let formats: Formats =
        kernel.textures.iter().zip(&shapes).map(|(texture, shape)| (texture.name.clone(), shape.format())).collect();
    let kernel = kernel.with_formats(&formats);
    let bytes = kernel.shapes(&shapes, &samplers);
    let told = (!bytes.is_empty()).then(|| Input { name: SHAPES.to_owned(), bytes, ends_in_pad: false });
    Ok((kernel, told))
}

fn shape(case: &Case, kernel: &Kernel, name: &str) -> Result<Shape, String> {
    let (Some(texture), view) = (kernel.texture(name), case.images.iter().find(|view| view.name == name)) else {
        return Err(format!("`{}` uses no texture `{name}`", kernel.name));
    };
    let view = view.ok_or_else(|| format!("`{name}` has no `image`"))?;
    let shape = Shape::parse(texture.dim, &view.text).map_err(|error| format!("`{name}`: {error}"))?;
    let fits = if texture.storage.is_some() {
        shape.format() == texture.format
    } else {
        shape.format().kind() == texture.kind
    };
    if fits { Ok(shape) } else { Err(format!("`{name}` is `{}`, which {} is not", texture.ty(), shape.format())) }
}

/// Bytes of an image.
pub(crate) fn bytes(case: &Case, kernel: &Kernel, name: &str) -> Result<u64, String> {
    shape(case, kernel, name).map(|shape| shape.bytes())
}
