//! What the files are that commands take.

use std::fmt;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Wgsl,
    Spirv,
    Glsl,
    Job,
    /// What the planners take, as JSON.
    Problem,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Wgsl => "a WGSL program",
            Self::Spirv => "a SPIR-V program",
            Self::Glsl => "a GLSL program",
            Self::Job => "a job file",
            Self::Problem => "a list of waves to plan",
        })
    }
}
