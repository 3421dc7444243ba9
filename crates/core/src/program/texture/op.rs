//! Operations on textures that a function is written for.

/// A type of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Whole {
    Signed,
    Unsigned,
}

impl Whole {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Signed => "i32",
            Self::Unsigned => "u32",
        }
    }
}

/// Which level is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Lod {
    Zero,
    /// A number of the program's.
    Exact,
    /// By how fast coordinates change.
    Gradient,
}

/// An operation, as far as it decides what its function looks like. A sampler is the row that tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// The numbers of a texel that is there. All that depends on the format of a sampled texture.
    Texel,
    Load {
        at: Whole,
        layer: Option<Whole>,
        level: Option<Whole>,
    },
    Store {
        at: Whole,
        layer: Option<Whole>,
    },
    Size {
        level: Option<Whole>,
    },
    Levels,
    Layers,
    /// Where a coordinate beyond the edge is found, by a sampler's rule.
    Wrap,
    /// The texel at any coordinates.
    Fetch {
        sampler: u32,
    },
    /// One level, by a sampler's filter.
    Filtered {
        sampler: u32,
    },
    Sample {
        sampler: u32,
        layer: Option<Whole>,
        lod: Lod,
        offset: bool,
        clamped: bool,
    },
    Gather {
        sampler: u32,
        layer: Option<Whole>,
        offset: bool,
        component: u32,
    },
}

impl Op {
    /// What its function calls, by the names that the text has for them.
    pub(super) fn calls(self) -> Vec<(&'static str, Self)> {
        match self {
            Self::Texel | Self::Store { .. } | Self::Size { .. } | Self::Levels | Self::Layers | Self::Wrap => vec![],
            Self::Load { .. } => vec![("texel", Self::Texel)],
            Self::Fetch { .. } => vec![("wrap", Self::Wrap), ("texel", Self::Texel)],
            Self::Filtered { sampler } | Self::Gather { sampler, .. } => vec![("fetch", Self::Fetch { sampler })],
            Self::Sample { sampler, .. } => vec![("filtered", Self::Filtered { sampler })],
        }
    }

    /// What it is called in listings, after the texture's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Texel => "texel",
            Self::Load { .. } => "load",
            Self::Store { .. } => "store",
            Self::Size { .. } => "size",
            Self::Levels => "levels",
            Self::Layers => "layers",
            Self::Wrap => "wrap",
            Self::Fetch { .. } => "fetch",
            Self::Filtered { .. } => "filtered",
            Self::Sample { .. } => "sample",
            Self::Gather { .. } => "gather",
        }
    }
}
