//! What a job file says: as docs/job.md has it, with data that is shared out and waves that are exchanges.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a job file")]
pub(crate) struct File {
    /// The most bytes that a rank may take.
    pub(crate) budget: Option<u64>,
    #[serde(default)]
    pub(crate) buffers: BTreeMap<String, Buffer>,
    #[serde(default, rename = "wave")]
    pub(crate) waves: Vec<Wave>,
    #[serde(default)]
    pub(crate) loops: BTreeMap<String, Loop>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a buffer, such as { type = \"f32\", rows = 64 }")]
pub(crate) struct Buffer {
    #[serde(rename = "type")]
    pub(crate) ty: Type,
    /// Rows that are shared out in blocks,
    pub(crate) rows: Option<u64>,
    /// or between these, rank after rank.
    pub(crate) offsets: Option<Vec<u64>>,
    /// Elements in a row.
    pub(crate) width: Option<u64>,
    /// Rows of its neighbours that a rank sees on either side.
    pub(crate) halo: Option<u64>,
    /// Or: elements that all ranks have,
    pub(crate) replicated: Option<u64>,
    /// or that each has for itself.
    pub(crate) local: Option<u64>,
    /// What it holds at the start: `zeros`, `iota`, `fill:VALUE`, or a file of bytes.
    pub(crate) source: Option<String>,
    /// A file of bytes to write at the end.
    pub(crate) output: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Type {
    U32,
    I32,
    F32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a wave: [[wave]] with a program, or with an exchange")]
pub(crate) struct Wave {
    pub(crate) name: String,
    pub(crate) program: Option<String>,
    pub(crate) entry: Option<String>,
    #[serde(default)]
    pub(crate) set: BTreeMap<String, f64>,
    #[serde(default)]
    pub(crate) bind: BTreeMap<String, Bind>,
    pub(crate) over: Option<String>,
    pub(crate) threads: Option<Dims>,
    pub(crate) workgroups: Option<Dims>,
    pub(crate) exchange: Option<Exchange>,
    /// Of an exchange: what is sent,
    pub(crate) of: Option<String>,
    /// where it goes,
    pub(crate) into: Option<String>,
    /// how many elements go to each rank, and how many came,
    pub(crate) counts: Option<String>,
    pub(crate) received: Option<String>,
    /// and whether floats are added rank after rank.
    pub(crate) ordered: Option<bool>,
    #[serde(rename = "in")]
    pub(crate) within: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Exchange {
    Halo,
    AllGather,
    Sum,
    Min,
    Max,
    Or,
    AllToAll,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a buffer's name, { value = 1 }, or { first = \"BUFFER\" }")]
pub(crate) enum Bind {
    Data(String),
    Value(Value),
    First(First),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Value {
    pub(crate) value: Numbers,
}

/// The number of this rank's first row of a buffer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct First {
    pub(crate) first: String,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a list of them")]
pub(crate) enum Numbers {
    One(f64),
    Many(Vec<f64>),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "expected a number, or up to three in a list")]
pub(crate) enum Dims {
    X(u32),
    Xy([u32; 2]),
    Xyz([u32; 3]),
}

impl Dims {
    pub(crate) fn all(self) -> [u32; 3] {
        match self {
            Self::X(x) => [x, 1, 1],
            Self::Xy([x, y]) => [x, y, 1],
            Self::Xyz(all) => all,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a loop, such as { while = \"BUFFER\", limit = 100 }")]
pub(crate) struct Loop {
    #[serde(rename = "while")]
    pub(crate) while_nonzero: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) times: Option<u32>,
    pub(crate) limit: Option<u32>,
    #[serde(default)]
    pub(crate) must_end: bool,
    #[serde(default)]
    pub(crate) swap: Vec<[String; 2]>,
    #[serde(rename = "in")]
    pub(crate) within: Option<String>,
}
