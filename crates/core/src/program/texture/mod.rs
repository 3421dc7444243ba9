//! Textures and samplers, lowered to buffers.
//!
//! A texture becomes a storage buffer of its words at the same group and binding, and each operation on
//! one a call of a function that computes where a texel lies, stays inside the texture, and converts between
//! bits and numbers (`helper`). What such functions have to know of images and samplers stands in one
//! uniform buffer for all of them. Everything after this, from uniformity to devices, sees buffers only,
//! and so every device has textures, with the same bits.
//!
//! The format of a storage texture is in its type. That of a sampled one is a property of the image that is
//! bound: the one function that depends on it is written again for other formats (`reformat`).
//!
//! Functions that take textures are written once for each combination that they are called with (`special`).

#[cfg(test)]
pub(crate) mod mutant;
mod texel;
mod op;
mod helper;
mod sample;
mod function;
mod link;
mod special;
mod find;
mod write;
mod bind;

use naga::Module;
use naga::valid::ModuleInfo;

pub use bind::Misfit;

use super::Access;
use crate::diag::{Diagnostic, Span};
use crate::texture::{Dim, Format, Kind, SHAPE_WORDS, View};

/// The name of the uniform buffer that tells kernels of images and samplers. No variable can be called so.
pub const SHAPES: &str = "image shapes";

/// Textures and samplers of a program together, at most.
pub const VIEWS_MAX: u32 = 256;

/// A texture of a program. Its texels are a buffer of the same name, group and binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// The variable's name (`g0b1` where the source has none).
    pub name: String,
    /// `@group`
    pub group: u32,
    /// `@binding`
    pub binding: u32,
    /// How its texels are found.
    pub dim: Dim,
    /// What they are seen as.
    pub kind: Kind,
    /// What may be done with them, of a storage texture; `None` of one that is sampled.
    pub storage: Option<Storage>,
    /// What they are: as declared by a storage texture, as bound to others.
    pub format: Format,
    /// Where it is declared.
    pub span: Option<Span>,
    /// Its place among the shapes.
    pub(super) slot: u32,
}

/// What may be done with the texels of a storage texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// `read`
    Read,
    /// `write`
    Write,
    /// `read_write`
    ReadWrite,
}

impl Texture {
    /// Its type, as WGSL has it.
    pub fn ty(&self) -> String {
        let access = match self.storage {
            None => return format!("texture_{}<{}>", self.dim, self.kind.name()),
            Some(Storage::Read) => "read",
            Some(Storage::Write) => "write",
            Some(Storage::ReadWrite) => "read_write",
        };
        format!("texture_storage_{}<{}, {access}>", self.dim, self.format)
    }

    /// What its buffer is declared as.
    fn access(&self) -> Access {
        match self.storage {
            None | Some(Storage::Read) => Access::Read,
            Some(Storage::Write | Storage::ReadWrite) => Access::ReadWrite,
        }
    }
}

/// A sampler of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampler {
    /// The variable's name.
    pub name: String,
    /// `@group`
    pub group: u32,
    /// `@binding`
    pub binding: u32,
    /// Where it is declared.
    pub span: Option<Span>,
    /// The row of the shapes at which it is told.
    pub(super) at: u32,
    /// The entry points that use it.
    pub(super) entries: Vec<String>,
}

/// What was lowered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Views {
    pub(super) textures: Vec<Texture>,
    pub(super) samplers: Vec<Sampler>,
}

/// Writes functions for the textures that they are called with, and refuses what only other stages can do: of
/// that naga does not say where it is. The module need not be valid.
pub(super) fn specialise(module: &mut Module) -> Result<(), Vec<Diagnostic>> {
    special::specialise(module).map_err(|told| vec![told])?;
    let wrong = find::implicit(module);
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Makes buffers of the textures that compute entry points use; a module without any stays as it is.
pub(super) fn lower(module: &mut Module, info: &ModuleInfo) -> Result<Views, Vec<Diagnostic>> {
    let found = find::all(module)?;
    if found.is_empty() {
        return Ok(Views::default());
    }
    Ok(write::lower(module, info, found))
}

/// The function that a texture's format decides.
fn texel_name(texture: &str) -> String {
    format!("{texture} {}", op::Op::Texel.name())
}

/// Writes the texels of these textures in the formats that they have now.
pub(super) fn reformat<'a>(module: &mut Module, textures: impl Iterator<Item = &'a Texture>) {
    for texture in textures {
        let name = texel_name(&texture.name);
        let known = module.functions.iter().find(|(_, function)| function.name.as_deref() == Some(&name));
        // One that is only asked for its size has none.
        let Some((handle, _)) = known else { continue };
        let place = naga::ResourceBinding { group: texture.group, binding: texture.binding };
        let is_its = |(_, variable): &(_, &naga::GlobalVariable)| variable.binding == Some(place);
        let Some((variable, _)) = module.global_variables.iter().find(is_its) else { continue };
        let function = write::texel(module, texture, variable);
        module.functions[handle] = function;
    }
}

/// Writes shapes and samplers where the functions of a program look for them: all its samplers come after all its
/// textures, of which a kernel may use a part.
pub(super) fn tell(
    words: &mut [u32],
    (textures, images): (&[Texture], &[View]),
    (slots, samplers): (&[Sampler], &[crate::texture::Sampler]),
) {
    let mut put = |at: usize, told: &[u32]| {
        if let Some(place) = words.get_mut(at..at + told.len()) {
            place.copy_from_slice(told);
        }
    };
    for (texture, image) in textures.iter().zip(images) {
        put(texture.slot as usize * SHAPE_WORDS, &image.words());
    }
    for (slot, sampler) in slots.iter().zip(samplers) {
        put(slot.at as usize * 4, &sampler.words());
    }
}
