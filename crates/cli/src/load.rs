//! From a file to a kernel.

use std::path::Path;

use seawall::{Kernel, Overrides, Program};

use crate::args::Decide;
use crate::error::Error;
use crate::file::{self, PROGRAM_BYTES_MAX};

/// The program in `path`, read by its extension: SPIR-V, GLSL, and WGSL for all others.
pub(crate) fn program(path: &Path) -> Result<Program, Error> {
    program_with(path, "")
}

/// The same with more WGSL after it, which only WGSL can have.
pub(crate) fn program_with(path: &Path, more: &str) -> Result<Program, Error> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("spv" | "comp" | "glsl") if !more.is_empty() => Err(Error::NotWgsl { path: path.to_owned() }),
        Some("spv") => spirv(path),
        Some("comp" | "glsl") => glsl(path),
        _ => Ok(Program::wgsl_named(&name(path), &(file::read_text(path, PROGRAM_BYTES_MAX)? + more))?),
    }
}

/// What diagnostics call it.
fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

#[cfg(feature = "spirv")]
fn spirv(path: &Path) -> Result<Program, Error> {
    Ok(Program::spirv(&file::read(path, PROGRAM_BYTES_MAX)?)?)
}

#[cfg(not(feature = "spirv"))]
fn spirv(path: &Path) -> Result<Program, Error> {
    Err(Error::Language { path: path.to_owned(), language: "SPIR-V", feature: "spirv" })
}

#[cfg(feature = "glsl")]
fn glsl(path: &Path) -> Result<Program, Error> {
    Ok(Program::glsl(&file::read_text(path, PROGRAM_BYTES_MAX)?)?)
}

#[cfg(not(feature = "glsl"))]
fn glsl(path: &Path) -> Result<Program, Error> {
    Err(Error::Language { path: path.to_owned(), language: "GLSL", feature: "glsl" })
}

/// What was decided, each once.
pub(crate) fn overrides(sets: &[Decide]) -> Result<Overrides, Error> {
    let mut overrides = Overrides::new();
    for Decide { name, value } in sets {
        if overrides.insert(name.clone(), *value).is_some() {
            return Err(Error::Twice { option: "--set", name: name.clone() });
        }
    }
    Ok(overrides)
}

/// The entry point that was asked for, or the only one.
pub(crate) fn kernel(path: &Path, program: &Program, entry: Option<&str>, sets: &[Decide]) -> Result<Kernel, Error> {
    let entries: Vec<String> = program.entries().map(str::to_owned).collect();
    let entry = match (entry, entries.as_slice()) {
        (Some(entry), _) if entries.iter().any(|known| known == entry) => entry,
        (Some(entry), _) => return Err(Error::UnknownEntry { entry: entry.to_owned(), known: entries }),
        (None, [only]) => only,
        (None, _) => return Err(Error::SeveralEntries { path: path.to_owned(), entries }),
    };
    Ok(program.kernel(entry, &overrides(sets)?)?)
}
