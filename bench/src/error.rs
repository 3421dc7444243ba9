//! What can go wrong in a run.

use crate::plain;

/// Why a peer does not take part, and what would let it.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct Missing {
    pub(crate) reason: String,
}

/// Why a run ends early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Missing(#[from] Missing),
    #[error("there is no `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    #[error("{case}: {peer} gives another answer than seawall in `{buffer}`: {difference}")]
    Differs { case: &'static str, peer: &'static str, buffer: &'static str, difference: String },
    #[error("{peer}: {reason}")]
    Refused { peer: &'static str, reason: String },
    #[error("{peer}: {error}")]
    Pipe { peer: &'static str, error: std::io::Error },
    #[error(transparent)]
    Program(#[from] seawall_core::diag::Report),
    #[error(transparent)]
    Compile(#[from] seawall_cpu::CompileError),
    #[error(transparent)]
    Seawall(#[from] seawall::Error),
    #[error(transparent)]
    Kit(#[from] seawall_kit::Error),
    #[error(transparent)]
    Csr(#[from] seawall_kit::csr::Error),
    #[error(transparent)]
    Route(#[from] seawall::route::Error),
    #[error(transparent)]
    Check(#[from] seawall::check::Error),
    #[error(transparent)]
    Device(#[from] seawall::device::Error),
    #[error(transparent)]
    Plain(#[from] plain::Error),
    #[error("{path}: {error}")]
    File { path: String, error: std::io::Error },
}
