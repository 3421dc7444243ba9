//! The file that a command is given, and what it is: a program, a job or something to plan. The
//! content says it, and the extension where the content does not.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::file::{self, PROGRAM_BYTES_MAX};
use crate::kind::Kind;

/// The most that a file of waves to plan may take.
const PLAN_BYTES_MAX: u64 = 1 << 30;

/// The first word of SPIR-V, in either order of bytes.
const SPIRV: [[u8; 4]; 2] = [0x0723_0203_u32.to_le_bytes(), 0x0723_0203_u32.to_be_bytes()];

/// A file, read whole.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: Kind,
}

impl Given {
    /// Reads it; `-` is standard input.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let bytes = file::without_mark(file::read(path, PLAN_BYTES_MAX)?);
        let kind = kind(path, &bytes);
        if kind != Kind::Problem && bytes.len() as u64 > PROGRAM_BYTES_MAX {
            return Err(file::Error::TooLarge { path: path.to_owned(), limit_bytes: PROGRAM_BYTES_MAX }.into());
        }
        Ok(Self { path: path.to_owned(), bytes, kind })
    }

    /// As text.
    pub(crate) fn text(self) -> Result<String, Error> {
        Ok(file::text(&self.path, self.bytes)?)
    }

    /// It is not what the command takes.
    pub(crate) fn refused(&self, takes: &'static str, instead: &'static str) -> Error {
        Error::OtherKind { path: self.path.clone(), kind: self.kind, takes, instead }
    }
}

fn kind(path: &Path, bytes: &[u8]) -> Kind {
    if SPIRV.iter().any(|magic| bytes.starts_with(magic)) {
        return Kind::Spirv;
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let text = str::from_utf8(bytes).unwrap_or_default().trim_start();
    match extension {
        "spv" => Kind::Spirv,
        "comp" | "glsl" => Kind::Glsl,
        _ if text.starts_with("#version") => Kind::Glsl,
        // No WGSL and no job begins with a brace.
        _ if text.starts_with('{') => Kind::Problem,
        "wgsl" => Kind::Wgsl,
        "toml" => Kind::Job,
        "json" => Kind::Problem,
        _ => by_tables(text),
    }
}

/// Without an extension, a TOML text that has what jobs have is a job.
fn by_tables(text: &str) -> Kind {
    let job = |table: &toml::Table| ["wave", "buffers"].iter().any(|key| table.contains_key(*key));
    // Most of WGSL is no TOML from its first line on.
    match toml::from_str::<toml::Table>(text) {
        Ok(table) if job(&table) => Kind::Job,
        Ok(_) | Err(_) => Kind::Wgsl,
    }
}
