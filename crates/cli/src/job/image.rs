//! The images of a job: buffers that waves bind to textures.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use seawall::Kernel;
use seawall::program::texture::{SHAPES, Texture};
use seawall::texture::{Sampler, Shape};
use seawall_core::graph::{Bind as Bound, Grid, Key};
use toml::Spanned;

use super::bind::stands_for;
use super::data::Entry;
use super::fault::Fault;
use super::grid::Size;
use super::schema::{File, Wave};
use crate::error::Error;
use crate::image::{self, Texels};
use crate::source::Source;

/// The texture that each buffer is, by name. A storage texture says more of it than a sampled one.
pub(super) fn textures<'a>(
    file: &File,
    kernels: &[Arc<Kernel>],
    known: &HashSet<&'a str>,
) -> HashMap<&'a str, Texture> {
    let mut textures: HashMap<&str, Texture> = HashMap::new();
    for (wave, kernel) in file.waves.iter().zip(kernels) {
        for row in &kernel.buffers {
            let name = stands_for(wave, row, known).and_then(|name| known.get(name));
            let (Some(&name), Some(texture)) = (name, kernel.texture(&row.name)) else { continue };
            let better = textures.get(name).is_none_or(|other| other.storage.is_none() && texture.storage.is_some());
            if better {
                textures.insert(name, texture.clone());
            }
        }
    }
    textures
}

/// The images of all buffers that are textures, by name. One of which nothing is said is as large as the first of
/// its kind of which something is.
pub(super) fn load(entries: &[Entry<'_>], directory: &Path, fault: &Fault) -> Result<HashMap<String, Texels>, Error> {
    let mut images = HashMap::new();
    let mut first: Vec<Shape> = Vec::new();
    for entry in entries {
        let Some(texture) = &entry.texture else { continue };
        if let Some(texels) = said(entry, texture, directory, fault)? {
            first.push(texels.0);
            images.insert(entry.name.get_ref().clone(), texels);
        }
    }
    for entry in entries {
        let (Some(texture), name) = (&entry.texture, entry.name.get_ref()) else { continue };
        if images.contains_key(name) {
            continue;
        }
        let Some(like) = first.iter().find(|shape| shape.dim() == texture.dim) else {
            let message = format!("buffer `{name}: {}` has no size", texture.ty());
            let help = format!("say it, as in image = \"{} 640x480\", or give it a source", texture.format);
            return Err(fault.buffer(message, entry.name.span(), "how large?", Some(help)));
        };
        let wrong = |error: image::Error| Error::Load { name: name.clone(), error: Box::new(error.into()) };
        let shape = Shape::new(texture.dim, texture.format, like.size()).map_err(|error| wrong(error.into()))?;
        images.insert(name.clone(), image::zeros(shape).map_err(wrong)?);
    }
    Ok(images)
}

/// What the command line or the file says of an image.
fn said(entry: &Entry<'_>, texture: &Texture, directory: &Path, fault: &Fault) -> Result<Option<Texels>, Error> {
    let name = entry.name.get_ref();
    if let Some(given) = &entry.says.given {
        let loaded = given.image(texture);
        return loaded.map(Some).map_err(|error| Error::In { name: name.clone(), error: Box::new(error) });
    }
    if let Some(source) = &entry.says.source {
        let refuse = |message: String, help| fault.buffer(message, source.span(), "from here", help);
        let toml::Value::String(text) = source.get_ref() else {
            let error = image::Error::NoImage;
            return Err(refuse(format!("buffer `{name}`: {error}"), error.help()));
        };
        let loaded = Source::parse(text.as_ref()).and_then(|source| source.beneath(directory).image(texture));
        return loaded.map(Some).map_err(|error| {
            if error.is_world() {
                return Error::Load { name: name.clone(), error: Box::new(error) };
            }
            refuse(format!("buffer `{name}`: {error}"), error.help())
        });
    }
    let Some(text) = &entry.says.image else { return Ok(None) };
    let refuse = |message: String| fault.buffer(format!("buffer `{name}`: {message}"), text.span(), "this image", None);
    let shape = Shape::parse(texture.dim, text.get_ref()).map_err(refuse)?;
    image::zeros(shape).map(Some).map_err(|error| Error::Load { name: name.clone(), error: Box::new(error.into()) })
}

/// What a wave binds, and to what.
type Binds = Vec<(Key, Bound)>;

/// A wave for the images that it binds: its kernel for their formats, what that is told of them, and a grid over
/// texels.
pub(super) fn viewing<'a>(
    wave: &'a Wave,
    kernel: &Arc<Kernel>,
    (mut binds, size): (Binds, Size<'a>),
    shapes: &HashMap<&str, Shape>,
    fault: &Fault,
) -> Result<(Arc<Kernel>, Binds, Size<'a>), Error> {
    if kernel.textures.is_empty() && kernel.samplers.is_empty() {
        return Ok((kernel.clone(), binds, size));
    }
    let mut samplers: HashMap<&str, Sampler> = HashMap::new();
    for (name, says) in &wave.sampler {
        if kernel.sampler(name.get_ref()).is_none() {
            let known: Vec<&str> = kernel.samplers.iter().map(|sampler| sampler.name.as_str()).collect();
            return Err(fault.unknown("sampler", name.get_ref(), &known, name.span()));
        }
        let sampler = says.get_ref().parse();
        samplers.insert(
            name.get_ref(),
            sampler.map_err(|message| fault.wave(message, Spanned::span(says), "this sampler", None))?,
        );
    }
    let shape = |texture: &str| {
        let is_its = |(key, _): &&(Key, Bound)| matches!(key, Key::Name(name) if name == texture);
        match binds.iter().find(is_its)? {
            (_, Bound::Data { data: Key::Name(name), range: None }) => shapes.get(name.as_str()).copied(),
            _ => None,
        }
    };
    let sampler = |name: &str| samplers.get(name).copied().unwrap_or_else(Sampler::linear);
    let bound = kernel.viewing(|texture| shape(&texture.name), |slot| Some(sampler(&slot.name)));
    let (fitted, told) = bound.map_err(|misfit| fault.wave(misfit.to_string(), wave.name.span(), "this wave", None))?;
    let size = match size {
        Size::Grid(Grid::Over(Key::Name(name))) => {
            let over = kernel.texture(&name).and_then(|_| shape(&name));
            Size::Grid(over.map_or(Grid::Over(Key::Name(name)), |shape| Grid::Threads(shape.size())))
        }
        other @ (Size::Grid(_) | Size::Items(_)) => other,
    };
    if !told.is_empty() {
        binds.push((Key::from(SHAPES), Bound::Value(told)));
    }
    Ok((fitted, binds, size))
}
