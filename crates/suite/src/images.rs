//! What a case says of its textures and samplers, fitted to those of its kernel.

use std::collections::BTreeMap;
use std::sync::Arc;

use seawall_core::program::Kernel;
use seawall_core::program::texture::{SHAPES, Texture};
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
    let mut shapes = BTreeMap::new();
    for texture in &kernel.textures {
        shapes.insert(texture.name.clone(), shape(case, kernel, &texture.name)?);
    }
    let mut samplers = BTreeMap::new();
    for View { name, text } in &case.samplers {
        samplers.insert(name.clone(), text.parse::<Sampler>().map_err(|error| format!("`{name}`: {error}"))?);
    }
    let shape = |texture: &Texture| shapes.get(&texture.name).copied();
    let bound = kernel.viewing(shape, |slot| samplers.get(&slot.name).copied());
    let (kernel, bytes) = bound.map_err(|misfit| misfit.to_string())?;
    let told = (!bytes.is_empty()).then(|| Input { name: SHAPES.to_owned(), bytes, ends_in_pad: false });
    Ok((kernel, told))
}

fn shape(case: &Case, kernel: &Kernel, name: &str) -> Result<Shape, String> {
    let (Some(texture), view) = (kernel.texture(name), case.images.iter().find(|view| view.name == name)) else {
        return Err(format!("`{}` uses no texture `{name}`", kernel.name));
    };
    let view = view.ok_or_else(|| format!("`{name}` has no `image`"))?;
    Shape::parse(texture.dim, &view.text).map_err(|error| format!("`{name}`: {error}"))
}

/// Bytes of an image.
pub(crate) fn bytes(case: &Case, kernel: &Kernel, name: &str) -> Result<u64, String> {
    shape(case, kernel, name).map(|shape| shape.bytes())
}
