//! What a job file says, with where it says it. Names are looked up later.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use crate::args;
use crate::sink::Sink;
use crate::source::Source;

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a job file")]
pub(super) struct File {
    /// The most device memory that the job may take.
    pub(super) budget: Option<Spanned<Bytes>>,
    /// By name.
    #[serde(default)]
    pub(super) buffers: BTreeMap<Spanned<String>, Buffer>,
    /// What waves read, by name; `--value` sets another one for a run.
    #[serde(default)]
    pub(super) values: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    /// In the order of the file.
    #[serde(default, rename = "wave")]
    pub(super) waves: Vec<Wave>,
    /// By name. Waves and blocks say what they are in.
    #[serde(default)]
    pub(super) loops: BTreeMap<Spanned<String>, Loop>,
    #[serde(default)]
    pub(super) branches: BTreeMap<Spanned<String>, Branch>,
    #[serde(default)]
    pub(super) drains: BTreeMap<Spanned<String>, Drain>,
    #[serde(default)]
    pub(super) queues: BTreeMap<Spanned<String>, Queue>,
}

/// `[buffers.NAME]`: with a source it is an input, with an output it is kept, with neither it
/// lives only between waves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a buffer, such as { elements = 64, output = true }")]
pub(super) struct Buffer {
    /// As after `--in NAME=`, or a TOML value.
    pub(super) source: Option<Spanned<toml::Value>>,
    /// Elements of the type that the first wave binds it as.
    pub(super) elements: Option<Spanned<u64>>,
    /// Size, where elements do not say it.
    pub(super) bytes: Option<Spanned<Bytes>>,
    /// Of what is bound to textures: format, size and levels.
    pub(super) image: Option<Spanned<String>>,
    /// A file to write at the end, or `true` to print it.
    pub(super) output: Option<Spanned<Output>>,
    /// Pixels in a row of a .png; of data that is shared out, elements in a row.
    pub(super) width: Option<Spanned<u64>>,
    /// Shared out among ranks: rows in blocks,
    pub(super) rows: Option<Spanned<u64>>,
    /// or between these, rank after rank,
    pub(super) offsets: Option<Spanned<Vec<u64>>>,
    /// with so many rows of its neighbours that a rank sees on either side;
    pub(super) halo: Option<Spanned<u64>>,
    /// or: elements that all ranks have,
    pub(super) replicated: Option<Spanned<u64>>,
    /// or that each has for itself.
    pub(super) local: Option<Spanned<u64>>,
    /// The numbers in it, where no wave says that.
    #[serde(rename = "type")]
    pub(super) ty: Option<Spanned<String>>,
    /// The buffer that says, in its first `u32`, how many elements of this one mean something.
    pub(super) count: Option<Spanned<String>>,
    /// It stands under `[values]`.
    #[serde(skip)]
    pub(super) is_value: bool,
    /// What the command line says that it holds at the start.
    #[serde(skip)]
    pub(super) given: Option<Source>,
    /// Where the command line says that it goes, and in rows of how many pixels.
    #[serde(skip)]
    pub(super) goes: Option<(Sink, Option<u64>)>,
}

impl File {
    /// Whether its data is shared out among ranks.
    pub(super) fn is_shared(&self) -> bool {
        self.buffers.values().any(|buffer| buffer.shared().is_some())
            || self.waves.iter().any(|wave| wave.exchange.is_some())
    }

    /// A buffer that is no value.
    pub(super) fn buffer_mut(&mut self, name: &str) -> Option<&mut Buffer> {
        let named = self.buffers.iter_mut().find(|(known, says)| known.get_ref() == name && !says.is_value);
        named.map(|(_, says)| says)
    }
}

impl Buffer {
    /// Where it says how it is shared out among ranks.
    pub(super) fn shared(&self) -> Option<Range<usize>> {
        let said = [&self.rows, &self.halo, &self.replicated, &self.local];
        let said = said.into_iter().flatten().map(Spanned::span);
        said.chain(self.offsets.as_ref().map(Spanned::span)).chain(self.ty.as_ref().map(Spanned::span)).next()
    }

    /// Of a value: an input that holds it.
    pub(super) fn value(value: &Spanned<toml::Value>) -> Self {
        Self { is_value: true, ..Self::source(value) }
    }

    /// An input that holds this.
    pub(super) fn source(source: &Spanned<toml::Value>) -> Self {
        Self {
            source: Some(source.clone()),
            elements: None,
            bytes: None,
            image: None,
            output: None,
            width: None,
            rows: None,
            offsets: None,
            halo: None,
            replicated: None,
            local: None,
            ty: None,
            count: None,
            is_value: false,
            given: None,
            goes: None,
        }
    }
}

/// `output = "FILE"` or `output = true`.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a file name, or true to print it")]
pub(super) enum Output {
    File(String),
    Print(bool),
}

/// `[[wave]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a wave: [[wave]] and its name, program, bind and grid")]
pub(super) struct Wave {
    pub(super) name: Spanned<String>,
    /// A file, from the directory of the job file,
    pub(super) program: Option<Spanned<String>>,
    /// or what ranks exchange:
    pub(super) exchange: Option<Spanned<Exchange>>,
    /// what is sent,
    pub(super) of: Option<Spanned<String>>,
    /// where it goes,
    pub(super) into: Option<Spanned<String>>,
    /// how many elements go to each rank, and how many came,
    pub(super) counts: Option<Spanned<String>>,
    pub(super) received: Option<Spanned<String>>,
    /// and whether floats are added rank after rank.
    pub(super) ordered: Option<Spanned<bool>>,
    /// Where the program has several.
    pub(super) entry: Option<Spanned<String>>,
    /// Decides overrides, by name or @id.
    #[serde(default)]
    pub(super) set: BTreeMap<Spanned<String>, Spanned<Number>>,
    /// What each of the program's buffers is.
    #[serde(default)]
    pub(super) bind: BTreeMap<Spanned<String>, Spanned<Bind>>,
    /// What its samplers do, where that is not linear.
    #[serde(default)]
    pub(super) sampler: BTreeMap<Spanned<String>, Spanned<String>>,
    pub(super) workgroups: Option<Spanned<Dims>>,
    pub(super) threads: Option<Spanned<Dims>>,
    /// One invocation for each element of what is bound to this buffer of the program.
    pub(super) over: Option<Spanned<String>>,
    /// As three `u32` on the device say.
    pub(super) indirect: Option<Spanned<Indirect>>,
    /// One for each item of this queue's window.
    pub(super) items: Option<Spanned<String>>,
    /// Which queues stand for those that the program knows.
    #[serde(default)]
    pub(super) queue: BTreeMap<Spanned<String>, Spanned<String>>,
    /// Waves that must be over before.
    #[serde(default)]
    pub(super) after: Vec<Spanned<String>>,
    /// The loop or branch that it is in.
    #[serde(rename = "in")]
    pub(super) within: Option<Spanned<String>>,
}

/// `exchange = "halo"`
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Exchange {
    Halo,
    AllGather,
    Sum,
    Min,
    Max,
    Or,
    AllToAll,
}

/// `[loops.NAME]`: waves that run turn after turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a loop, such as { while = \"BUFFER\", limit = 100 }")]
pub(super) struct Loop {
    /// Another turn as long as this is not zero,
    #[serde(rename = "while")]
    pub(super) while_nonzero: Option<Spanned<Word>>,
    /// or until it is.
    pub(super) until: Option<Spanned<Word>>,
    /// So many turns.
    pub(super) times: Option<Spanned<u32>>,
    /// No more turns than this, whatever decides.
    pub(super) limit: Option<Spanned<u32>>,
    /// Whether reaching the limit is a failure.
    pub(super) must_end: Option<Spanned<bool>>,
    /// Buffers that change places after each turn.
    #[serde(default)]
    pub(super) swap: Vec<Spanned<[String; 2]>>,
    #[serde(rename = "in")]
    pub(super) within: Option<Spanned<String>>,
}

/// `[branches.NAME]`: waves that run if a word says so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a branch, such as { if = \"BUFFER\" }")]
pub(super) struct Branch {
    /// They run if this is not zero,
    #[serde(rename = "if")]
    pub(super) if_nonzero: Option<Spanned<Word>>,
    /// or if it is.
    pub(super) unless: Option<Spanned<Word>>,
    #[serde(rename = "in")]
    pub(super) within: Option<Spanned<String>>,
}

/// `[drains.NAME]`: waves that work on one window of items after the other, until there are none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a drain, such as { queues = [\"QUEUE\"] }")]
pub(super) struct Drain {
    /// The first that has items comes first.
    pub(super) queues: Spanned<Vec<Spanned<String>>>,
    /// No more windows than this.
    pub(super) limit: Option<Spanned<u32>>,
    /// Whether reaching the limit is a failure.
    pub(super) must_end: Option<Spanned<bool>>,
    #[serde(rename = "in")]
    pub(super) within: Option<Spanned<String>>,
}

/// `[queues.NAME]`: items that waves push and take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a queue, such as { capacity = 1000, entry = \"u32\" }")]
pub(super) struct Queue {
    /// Items that there may be at once.
    pub(super) capacity: Spanned<u32>,
    /// The WGSL type of each.
    pub(super) entry: Spanned<String>,
    /// The most that are taken at once.
    pub(super) window: Option<Spanned<u32>>,
    /// What it begins with, as a buffer's.
    pub(super) source: Option<Spanned<toml::Value>>,
}

/// `"BUFFER"`, whose first `u32` decides, or `{ buffer = NAME, offset }`.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a buffer's name, or { buffer = NAME, offset }")]
pub(super) enum Word {
    First(String),
    At(WordAt),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordAt {
    pub(super) buffer: String,
    /// In bytes.
    #[serde(default)]
    pub(super) offset: u64,
}

impl Word {
    pub(super) fn buffer(&self) -> &str {
        match self {
            Self::First(buffer) => buffer,
            Self::At(at) => &at.buffer,
        }
    }

    pub(super) fn offset(&self) -> u64 {
        match self {
            Self::First(_) => 0,
            Self::At(at) => at.offset,
        }
    }
}

/// `bind.NAME = …`
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a buffer's name, { buffer = NAME, offset, bytes } or { value = … }")]
pub(super) enum Bind {
    /// All of a buffer.
    Whole(String),
    /// A part of a buffer, in bytes.
    Part(Part),
    /// A value of the type that the program declares.
    Value(Value),
    /// The number of a rank's first row of a buffer.
    First(First),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct First {
    pub(super) first: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Part {
    pub(super) buffer: String,
    #[serde(default)]
    pub(super) offset: u64,
    pub(super) bytes: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Value {
    pub(super) value: toml::Value,
}

/// `indirect = "BUFFER"`, or with where it is and how large it may be.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a buffer's name, or { buffer = NAME, offset, limit }")]
pub(super) enum Indirect {
    Start(String),
    At(IndirectAt),
}

impl Indirect {
    pub(super) fn buffer(&self) -> &str {
        match self {
            Self::Start(buffer) => buffer,
            Self::At(at) => &at.buffer,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndirectAt {
    pub(super) buffer: String,
    #[serde(default)]
    pub(super) offset: u64,
    pub(super) limit: Option<Dims>,
}

/// `64` or `[16, 16]`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "expected one to three whole numbers, as in 64 or [16, 16]")]
pub(super) enum Dims {
    X(u32),
    Xy([u32; 2]),
    Xyz([u32; 3]),
    /// As `[64]`.
    One([u32; 1]),
}

impl Dims {
    pub(super) fn all(self) -> [u32; 3] {
        match self {
            Self::X(x) | Self::One([x]) => [x, 1, 1],
            Self::Xy([x, y]) => [x, y, 1],
            Self::Xyz(all) => all,
        }
    }
}

/// An override's value.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "expected a number, true or false")]
pub(super) enum Number {
    Bool(bool),
    Int(i64),
    Float(f64),
}

impl Number {
    pub(super) fn value(self) -> f64 {
        match self {
            Self::Bool(value) => f64::from(u8::from(value)),
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

/// `65536` or `"64 KiB"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Amount")]
pub(super) struct Bytes(pub(super) u64);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected bytes, as in 65536 or \"64KiB\"")]
enum Amount {
    Number(u64),
    Text(String),
}

impl TryFrom<Amount> for Bytes {
    type Error = String;

    fn try_from(amount: Amount) -> Result<Self, String> {
        match amount {
            Amount::Number(bytes) => Ok(Self(bytes)),
            Amount::Text(text) => args::bytes(&text).map(Self),
        }
    }
}

/// Reads the text, or says what is wrong and where.
pub(super) fn parse(text: &str) -> Result<File, (String, Option<Range<usize>>)> {
    toml::from_str(text).map_err(|error| (error.message().to_owned(), error.span()))
}
