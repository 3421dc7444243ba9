//! From a file to a kernel.

use std::path::Path;
use std::sync::Arc;

use seawall::{Kernel, Overrides, Program};

use crate::args::Decide;
use crate::error::Error;
use crate::format::is_pipe;
use crate::given::Given;
use crate::kind::Kind;

/// The program in `path`.
pub(crate) fn program(path: &Path) -> Result<Program, Error> {
    program_with(Given::read(path)?, "")
}

/// The program that was given, with more WGSL after it, which only WGSL can have.
pub(crate) fn program_with(given: Given, more: &str) -> Result<Program, Error> {
    match given.kind {
        Kind::Spirv | Kind::Glsl if !more.is_empty() => Err(Error::NotWgsl { path: given.path }),
        Kind::Spirv => spirv(given),
        Kind::Glsl => glsl(given),
        Kind::Job => Err(given.refused("a program", "`seawall run`, `plan`, `explain` and `check` take it")),
        Kind::Problem => Err(given.refused("a program", "`seawall plan` takes it")),
        Kind::Wgsl => {
            let name = name(&given.path);
            Ok(Program::wgsl_named(&name, &(given.text()? + more))?)
        }
    }
}

/// What diagnostics call it.
pub(crate) fn name(path: &Path) -> String {
    if is_pipe(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

#[cfg(feature = "spirv")]
fn spirv(given: Given) -> Result<Program, Error> {
    let Given { bytes, .. } = given;
    Ok(Program::spirv(&bytes)?)
}

#[cfg(not(feature = "spirv"))]
fn spirv(given: Given) -> Result<Program, Error> {
    Err(Error::Language { path: given.path, language: "SPIR-V", feature: "spirv" })
}

#[cfg(feature = "glsl")]
fn glsl(given: Given) -> Result<Program, Error> {
    Ok(Program::glsl(&given.text()?)?)
}

#[cfg(not(feature = "glsl"))]
fn glsl(given: Given) -> Result<Program, Error> {
    Err(Error::Language { path: given.path, language: "GLSL", feature: "glsl" })
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
pub(crate) fn kernel(
    path: &Path,
    program: &Program,
    entry: Option<&str>,
    sets: &[Decide],
) -> Result<Arc<Kernel>, Error> {
    let entries: Vec<String> = program.entries().map(str::to_owned).collect();
    let entry = match (entry, entries.as_slice()) {
        (Some(entry), _) if entries.iter().any(|known| known == entry) => entry,
        (Some(entry), _) => return Err(Error::UnknownEntry { entry: entry.to_owned(), known: entries }),
        (None, [only]) => only,
        (None, _) => return Err(Error::SeveralEntries { path: path.to_owned(), entries }),
    };
    Ok(program.kernel(entry, &overrides(sets)?)?)
}
