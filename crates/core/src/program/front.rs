//! From bytes or text to a valid module: WGSL, and SPIR-V and GLSL by cargo feature.

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Module, ShaderStage};

use super::texture::{self, Views};
#[cfg(any(feature = "spirv", feature = "glsl"))]
use super::words;
use super::{
    Other, Overrides, attributes, bindable, consts, explain, extent, filters, grid, guard, immediate, mend, offsets,
    pointers, requires, subgroup, uniform,
};
use crate::diag::{Diagnostic, Source};
use crate::quiet::quietly;

/// What the language may use: all of compute WGSL and the numeric extensions of naga,
/// and whatever can be bound, so that we and not naga say why it cannot be bound here.
/// A device that lacks one of them says so when it is chosen.
pub(super) fn capabilities() -> Capabilities {
    Capabilities::FLOAT64
        | Capabilities::SHADER_INT64
        | Capabilities::SHADER_INT64_ATOMIC_MIN_MAX
        | Capabilities::SHADER_INT64_ATOMIC_ALL_OPS
        | Capabilities::SHADER_FLOAT32_ATOMIC
        | Capabilities::SHADER_FLOAT16
        | Capabilities::SHADER_FLOAT16_IN_FLOAT32
        | Capabilities::SUBGROUP
        | Capabilities::SUBGROUP_BARRIER
        | Capabilities::IMMEDIATES
        | Capabilities::RAY_QUERY
        | Capabilities::CUBE_ARRAY_TEXTURES
        | Capabilities::TEXTURE_EXTERNAL
        | Capabilities::TEXTURE_ATOMIC
        | Capabilities::STORAGE_TEXTURE_16BIT_NORM_FORMATS
        | Capabilities::TEXTURE_AND_SAMPLER_BINDING_ARRAY
        | Capabilities::BUFFER_BINDING_ARRAY
        | Capabilities::STORAGE_TEXTURE_BINDING_ARRAY
        | Capabilities::STORAGE_BUFFER_BINDING_ARRAY
}

/// Parses WGSL.
pub(super) fn wgsl(text: &str) -> Result<Module, Vec<Diagnostic>> {
    guard::check(text).map_err(|diagnostic| vec![diagnostic])?;
    parse(&consts::fold(text, None)?)
}

/// Parses WGSL that was parsed before, with overrides as the constants that they are decided to be.
pub(super) fn decided(source: &Source, values: &Overrides) -> Result<(Module, ModuleInfo), Decided> {
    let text = consts::fold(&source.text, Some(values)).map_err(Decided::Wrong)?;
    let mut module = parse(&text).map_err(Decided::Refused)?;
    let info = check(source, &mut module).map_err(Decided::Refused)?;
    let (_, info) = lower(&mut module, info).map_err(Decided::Refused)?;
    Ok((module, info))
}

/// Why a program is none with its overrides decided: by a rule of constants, or by one of naga's.
pub(super) enum Decided {
    Wrong(Vec<Diagnostic>),
    Refused(Vec<Diagnostic>),
}

/// What naga makes of a text, with structs laid out by WGSL's rules.
fn parse(text: &str) -> Result<Module, Vec<Diagnostic>> {
    let read = || {
        let (text, enabled) = subgroup::enable(text);
        let (rest, required) = requires::take(&text)?;
        let rest = filters::take(rest);
        let (rest, members) = attributes::take(&rest)?;
        let mut module = naga_parse(&grid::declare(subgroup::declare(rest)))?;
        offsets::lay_out(&mut module, &members)?;
        if let (false, Some(diagnostic)) = (enabled, subgroup::unasked(&module, &text)) {
            return Err(diagnostic);
        }
        subgroup::mend(&mut module)?;
        pointers::write_out(&mut module)?;
        required.apply(&mut module);
        Ok(module)
    };
    read().map_err(|diagnostic| vec![diagnostic])
}

/// Some wrong operands of constants reach an `unreachable!` of naga's evaluator.
fn naga_parse(text: &str) -> Result<Module, Diagnostic> {
    let read = quietly(|| naga::front::wgsl::parse_str(text).map_err(|error| explain::parse(&error)));
    let unfit = |_| Err(Diagnostic::error("invalid", "a constant expression has operands that do not fit"));
    read.unwrap_or_else(unfit)
}

/// Parses a SPIR-V binary.
#[cfg(feature = "spirv")]
pub(super) fn spirv(bytes: &[u8]) -> Result<Module, Vec<Diagnostic>> {
    let refuse = |message: String| vec![Diagnostic::error("syntax", message)];
    if bytes.len() > guard::SOURCE_BYTES_MAX {
        let message = format!("the SPIR-V has {} bytes; the limit is {}", bytes.len(), guard::SOURCE_BYTES_MAX);
        return Err(vec![Diagnostic::error("too-large", message)]);
    }
    if !bytes.len().is_multiple_of(4) {
        return Err(refuse(format!("SPIR-V is made of 4-byte words, but there are {} bytes", bytes.len())));
    }
    if bytes.get(..4) != Some(&0x0723_0203_u32.to_le_bytes()) {
        return Err(refuse("this is not SPIR-V: the magic number is not there".to_owned()));
    }
    if !whole(bytes) {
        return Err(refuse("the SPIR-V ends in the middle of an instruction".to_owned()));
    }
    // naga's SPIR-V reader indexes by what it reads: no check short of doing its work again
    // keeps it from panicking on a broken binary, so this one panic is caught.
    let read = quietly(|| {
        naga::front::spv::parse_u8_slice(bytes, &naga::front::spv::Options::default())
            .map_err(|error| words::plain(&error.to_string()))
    });
    read.unwrap_or_else(|_| Err("it is broken or incomplete".to_owned()))
        .map_err(|reason| refuse(format!("the SPIR-V cannot be read: {reason}")))
}

/// Whether the instructions after the header fill the binary exactly.
#[cfg(feature = "spirv")]
fn whole(bytes: &[u8]) -> bool {
    const HEADER_WORDS: usize = 5;
    let words = bytes.len() / 4;
    let mut at = HEADER_WORDS;
    while at < words {
        // An instruction starts with its opcode and, in the upper half, its length in words.
        let length = u16::from_le_bytes([bytes[4 * at + 2], bytes[4 * at + 3]]) as usize;
        at += length.max(1);
    }
    at == words
}

/// Parses a GLSL compute shader.
#[cfg(feature = "glsl")]
pub(super) fn glsl(text: &str) -> Result<Module, Vec<Diagnostic>> {
    guard::check(text).map_err(|diagnostic| vec![diagnostic])?;
    let options = naga::front::glsl::Options::from(ShaderStage::Compute);
    naga::front::glsl::Frontend::default().parse(&options, text).map_err(|errors| {
        let tell = |error: &naga::front::glsl::Error| {
            Diagnostic::error("syntax", words::plain(&error.kind.to_string())).at(crate::diag::Span::of(error.meta), "")
        };
        errors.errors.iter().map(tell).collect()
    })
}

/// Everything that is asked of a module, whatever it was written in; for `follow_private`
/// see [`uniform::check`].
pub(super) fn validate(
    source: &Source,
    mut module: Module,
    others: &[Other],
    (follow_private, rule): (bool, &subgroup::Rule),
) -> Result<(Module, ModuleInfo, Views), Vec<Diagnostic>> {
    let info = check(source, &mut module)?;
    if module.entry_points.is_empty() {
        return Err(vec![no_entry_point(others)]);
    }
    let mut found = extent::check(&module);
    found.extend(bindable::check(&module));
    let (views, info) = if found.is_empty() { lower(&mut module, info)? } else { (Views::default(), info) };
    found.extend(uniform::check(&module, follow_private, rule));
    if found.is_empty() { Ok((module, info, views)) } else { Err(found) }
}

/// Textures as buffers.
fn lower(module: &mut Module, info: ModuleInfo) -> Result<(Views, ModuleInfo), Vec<Diagnostic>> {
    let views = texture::lower(module, &info)?;
    let info = if views == Views::default() { info } else { valid(&mend::undecided(module)) };
    Ok((views, info))
}

fn no_entry_point(others: &[Other]) -> Diagnostic {
    let told = Diagnostic::error("no-entry-point", "the program has no compute entry point");
    let told = others.iter().fold(told, |told, Other { name, stage, span }| match span {
        Some(_) => told.at(*span, format!("this is a {stage} entry point")),
        None => told.note(format!("`{name}` is a {stage} entry point")),
    });
    told.help("add one: `@compute @workgroup_size(64) fn main() { … }`")
}

/// The entry points that are for other stages.
pub(super) fn others(source: &Source, module: &Module) -> Vec<Other> {
    let other = |point: &naga::EntryPoint| {
        let stage = match point.stage {
            ShaderStage::Compute => return None,
            ShaderStage::Vertex => "vertex",
            ShaderStage::Fragment => "fragment",
            ShaderStage::Task => "task",
            ShaderStage::Mesh => "mesh",
            ShaderStage::RayGeneration => "ray generation",
            ShaderStage::Miss => "miss",
            ShaderStage::AnyHit => "any-hit",
            ShaderStage::ClosestHit => "closest-hit",
        };
        Some(Other { name: point.name.clone(), stage, span: guard::function_span(&source.text, &point.name) })
    };
    module.entry_points.iter().filter_map(other).collect()
}

/// Validates a module that was made of a valid one.
pub(super) fn valid(module: &Module) -> ModuleInfo {
    let info = Validator::new(ValidationFlags::all(), capabilities()).validate(module);
    info.unwrap_or_else(|error| unreachable!("invariant rewritten-valid: {:?}", error.as_inner()))
}

/// Validates what naga's front end gave.
fn check(source: &Source, module: &mut Module) -> Result<ModuleInfo, Vec<Diagnostic>> {
    // What other stages do is not our business, and they may use what we do not allow.
    module.entry_points.retain(|point| point.stage == ShaderStage::Compute);
    if let Some(diagnostic) = extent::many_members(module) {
        return Err(vec![diagnostic]);
    }
    if let Some(diagnostic) = immediate::refused(module) {
        return Err(vec![diagnostic]);
    }
    mend::returns(module);
    texture::specialise(module)?;
    let validate = |module: &Module| {
        Validator::new(ValidationFlags::all(), capabilities()).validate(&mend::undecided(module)).map_err(Box::new)
    };
    validate(module)
        .and_then(|info| immediate::lower(module, info, validate))
        .map_err(|error| vec![explain::validation(source, module, &error)])
}
