//! The textures and samplers that compute entry points use, and those that cannot be lowered.

use std::collections::BTreeMap;

use naga::{
    Expression, GlobalVariable, Handle, ImageClass, ImageDimension, Module, SampleLevel, StorageAccess, TypeInner,
};

use super::{Sampler, Storage, Texture, VIEWS_MAX, Views, helper};
use crate::diag::{Diagnostic, Span};
use crate::program::{effects, walk};
use crate::texture::{Dim, Format, Kind};

/// Those that are used, with their variables.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) views: Views,
    pub(super) textures: BTreeMap<Handle<GlobalVariable>, usize>,
    pub(super) samplers: BTreeMap<Handle<GlobalVariable>, usize>,
}

impl Found {
    pub(super) fn is_empty(&self) -> bool {
        self.textures.is_empty() && self.samplers.is_empty()
    }
}

/// All of them, or why not: one diagnostic for each variable.
pub(super) fn all(module: &Module) -> Result<Found, Vec<Diagnostic>> {
    let mut used: BTreeMap<usize, (Handle<GlobalVariable>, Vec<String>)> = BTreeMap::new();
    for point in &module.entry_points {
        for &handle in effects::of(module, &point.function).keys() {
            let entries = &mut used.entry(handle.index()).or_insert_with(|| (handle, Vec::new())).1;
            entries.push(point.name.clone());
        }
    }
    let (mut found, mut wrong) = (Found::default(), Vec::new());
    for (handle, entries) in used.into_values() {
        let span = Span::of(module.global_variables.get_span(handle));
        match view(module, handle, span, entries) {
            Ok(None) => {}
            Ok(Some(View::Texture(mut texture))) => {
                texture.slot = found.views.textures.len() as u32;
                found.textures.insert(handle, found.views.textures.len());
                found.views.textures.push(texture);
            }
            Ok(Some(View::Sampler(sampler))) => {
                found.samplers.insert(handle, found.views.samplers.len());
                found.views.samplers.push(sampler);
            }
            Err((what, help)) => {
                let name = module.global_variables[handle].name.as_deref().unwrap_or("a variable");
                let message = format!("`{name}` is {what}, which cannot be bound");
                let told = Diagnostic::error("unsupported-binding", message);
                wrong.push(told.at(span, "used by a compute entry point").help(help));
            }
        }
    }
    let first = found.textures.len() as u32 * helper::SHAPE_ROWS;
    for (sampler, at) in found.views.samplers.iter_mut().zip((first..).step_by(helper::SAMPLER_ROWS as usize)) {
        sampler.at = at;
    }
    let views = (found.textures.len() + found.samplers.len()) as u32;
    if wrong.is_empty() && views > VIEWS_MAX {
        let message = format!("the program has {views} textures and samplers; the limit is {VIEWS_MAX}");
        wrong.push(Diagnostic::error("too-large", message));
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

/// Samples that leave their level to the pixels around them, which a compute shader does not have.
pub(super) fn implicit(module: &Module) -> Vec<Diagnostic> {
    let mut found = BTreeMap::new();
    for point in &module.entry_points {
        let helpers = walk::helpers(module, &point.function).into_iter().map(|helper| &module.functions[helper]);
        for function in helpers.chain([&point.function]) {
            for (handle, expression) in function.expressions.iter() {
                if let Expression::ImageSample { level: SampleLevel::Auto | SampleLevel::Bias(_), .. } = expression {
                    let span = Span::of(function.expressions.get_span(handle));
                    let message = "a compute shader has no neighbouring pixels to choose a level by";
                    let told = Diagnostic::error("implicit-level", message).at(span, "no level is given");
                    found.insert(span, told.help("use `textureSampleLevel`, which is given one"));
                }
            }
        }
    }
    found.into_values().collect()
}

enum View {
    Texture(Texture),
    Sampler(Sampler),
}

type Refusal = (&'static str, &'static str);

const COLOURS: &str =
    "textures are 1d, 2d, 2d_array and 3d, of one sample and of colours: `texture_2d<f32>` and the like";

fn view(
    module: &Module,
    handle: Handle<GlobalVariable>,
    span: Option<Span>,
    entries: Vec<String>,
) -> Result<Option<View>, Refusal> {
    let variable = &module.global_variables[handle];
    let (group, binding) = variable.binding.map_or((0, 0), |place| (place.group, place.binding));
    let name = variable.name.clone().unwrap_or_else(|| format!("g{group}b{binding}"));
    match module.types[variable.ty].inner {
        TypeInner::Image { dim, arrayed, class } => {
            let dim = dimension(dim, arrayed)?;
            let (kind, storage, format) = class_of(class)?;
            Ok(Some(View::Texture(Texture { name, group, binding, dim, kind, storage, format, span, slot: 0 })))
        }
        TypeInner::Sampler { comparison: true } => Err(("a comparison sampler", COLOURS)),
        TypeInner::Sampler { comparison: false } => {
            Ok(Some(View::Sampler(Sampler { name, group, binding, span, at: 0, entries })))
        }
        TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. }
        | TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. }
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Array { .. }
        | TypeInner::Struct { .. } => Ok(None),
    }
}

fn dimension(dim: ImageDimension, arrayed: bool) -> Result<Dim, Refusal> {
    match (dim, arrayed) {
        (ImageDimension::D1, false) => Ok(Dim::D1),
        (ImageDimension::D2, false) => Ok(Dim::D2),
        (ImageDimension::D2, true) => Ok(Dim::D2Array),
        (ImageDimension::D3, false) => Ok(Dim::D3),
        (ImageDimension::D1 | ImageDimension::D3, true) => Err(("an array of textures that are not 2d", COLOURS)),
        (ImageDimension::Cube, _) => Err(("a cube texture", COLOURS)),
    }
}

/// What is not said is 8 bits for each channel.
fn class_of(class: ImageClass) -> Result<(Kind, Option<Storage>, Format), Refusal> {
    match class {
        ImageClass::Sampled { multi: true, .. } => Err(("a multisampled texture", COLOURS)),
        ImageClass::Sampled { kind, multi: false } => {
            let kind = helper::kind(kind).ok_or(("a texture of no numbers", COLOURS))?;
            let format = match kind {
                Kind::Float => Format::Rgba8Unorm,
                Kind::Uint => Format::Rgba8Uint,
                Kind::Sint => Format::Rgba8Sint,
            };
            Ok((kind, None, format))
        }
        ImageClass::Depth { .. } => Err(("a depth texture", COLOURS)),
        ImageClass::External => Err(("an external texture", COLOURS)),
        ImageClass::Storage { format, access } => {
            let format = Format::of(format).ok_or(("a texture of 64-bit integers", COLOURS))?;
            if access.contains(StorageAccess::ATOMIC) {
                return Err(("a texture for atomics", "use atomics of a `var<storage>` buffer"));
            }
            let storage = match (access.contains(StorageAccess::LOAD), access.contains(StorageAccess::STORE)) {
                (true, true) => Storage::ReadWrite,
                (false, true) => Storage::Write,
                (_, false) => Storage::Read,
            };
            Ok((format.kind(), Some(storage), format))
        }
    }
}
