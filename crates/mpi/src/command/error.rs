//! What can go wrong with a job.

use std::path::Path;

/// Why a job is not done.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Error {
    /// It is no job file.
    #[error("{path}: {message}")]
    Syntax { path: String, message: String },
    /// It says something that cannot be.
    #[error("{path}: {what} `{name}` {why}")]
    Wrong { path: String, what: &'static str, name: String, why: String },
    /// A program of it.
    #[error("{0}")]
    Program(String),
    /// The file system refused something.
    #[error("cannot {what} {path}: {reason}")]
    File { what: &'static str, path: String, reason: String },
    /// A time that is none.
    #[error("a deadline of {seconds} seconds: {error}")]
    Deadline { seconds: f64, error: String },
    /// Of this rank's device.
    #[error(transparent)]
    Here(#[from] seawall::Error),
    /// Of the ranks together.
    #[error(transparent)]
    Mpi(#[from] seawall_mpi::Error),
}

impl Error {
    pub(crate) fn file(what: &'static str, path: &Path, error: &std::io::Error) -> Self {
        Self::File { what, path: path.display().to_string(), reason: error.to_string() }
    }

    /// 1 for the job's mistakes, 3 for what happened to it.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Syntax { .. } | Self::Wrong { .. } | Self::Program(_) | Self::Deadline { .. } => 1,
            Self::File { .. } | Self::Here(_) | Self::Mpi(_) => 3,
        }
    }
}
