//! What is wrong with a graph, by the caller's names.

use crate::schedule::{BINDING_ALIGN_BYTES, COPY_ALIGN_BYTES};

/// The caller's mistake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Two data of one name.
    #[error("data `{data}` is declared twice")]
    DataTwice {
        /// Which.
        data: String,
    },
    /// Two waves of one name.
    #[error("wave `{wave}` is declared twice")]
    WaveTwice {
        /// Which.
        wave: String,
    },
    /// Two loops or branches of one name.
    #[error("`{block}` is the name of two loops or branches")]
    BlockTwice {
        /// Which.
        block: String,
    },
    /// A kernel that cannot be cut at its grid barriers.
    #[error("wave `{wave}`: {report}")]
    Split {
        /// Which.
        wave: String,
        /// Why not.
        report: Box<crate::diag::Report>,
    },
    /// More is kept across grid barriers than there is room for.
    #[error(
        "wave `{wave}` keeps {bytes} bytes across its grid barriers, over the budget of {limit_bytes}: {}",
        values.join(", ")
    )]
    Spill {
        /// Which.
        wave: String,
        /// How much.
        bytes: u64,
        /// What there is.
        limit_bytes: u64,
        /// What takes it.
        values: Vec<String>,
    },
    /// Without a wave inside, nothing could end it.
    #[error("there is no wave in `{block}`")]
    NoWaves {
        /// Which.
        block: String,
    },
    /// Ranges of waves that are not inside each other, and not apart.
    #[error("the waves of `{block}` are not those of one place in the graph")]
    Unnested {
        /// Which.
        block: String,
    },
    /// Too deep.
    #[error("`{block}` is inside {most} loops and branches already")]
    TooDeep {
        /// Which.
        block: String,
        /// How many there may be.
        most: usize,
    },
    /// Nothing would end the loop, or decide the branch.
    #[error("nothing decides about `{block}`: {needs}")]
    Undecided {
        /// Which.
        block: String,
        /// What to say.
        needs: &'static str,
    },
    /// What is wrong with the word that decides.
    #[error("`{block}` is decided by the word at byte {offset} of `{data}`: {why}")]
    Word {
        /// Which.
        block: String,
        /// Where the word is said to be,
        data: String,
        /// from this byte on.
        offset: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// Data that cannot change places.
    #[error("`{block}` swaps `{first}` and `{second}`: {why}")]
    Swap {
        /// Which.
        block: String,
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// What is wrong.
        why: &'static str,
    },
    /// A queue that cannot be.
    #[error("queue `{queue}`: {why}")]
    Queue {
        /// Which.
        queue: String,
        /// What is wrong.
        why: String,
    },
    /// Data of no bytes.
    #[error("data `{data}` has no bytes")]
    Empty {
        /// Which.
        data: String,
    },
    /// A name that is no data.
    #[error("wave `{wave}` names data `{data}`, which is not declared")]
    UnknownData {
        /// Who.
        wave: String,
        /// The name.
        data: String,
    },
    /// A name that is no wave.
    #[error("wave `{wave}` comes after `{after}`, which is not declared")]
    UnknownWave {
        /// Who.
        wave: String,
        /// The name.
        after: String,
    },
    /// A name that the kernel does not use.
    #[error("wave `{wave}`: `{kernel}` uses no buffer `{buffer}`; it uses {}", or_none(known))]
    UnknownBuffer {
        /// Who.
        wave: String,
        /// The entry point.
        kernel: String,
        /// What was bound.
        buffer: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A buffer that the kernel uses and nobody bound.
    #[error("wave `{wave}`: `{buffer}: {ty}` is not bound")]
    Unbound {
        /// Who.
        wave: String,
        /// What is missing.
        buffer: String,
        /// Its type.
        ty: String,
    },
    /// One buffer, bound twice.
    #[error("wave `{wave}` binds `{buffer}` twice")]
    BoundTwice {
        /// Who.
        wave: String,
        /// Which.
        buffer: String,
    },
    /// A range that is not in the data.
    #[error("wave `{wave}` uses bytes {start}..{end} of `{data}`, which has {data_bytes}")]
    Outside {
        /// Who.
        wave: String,
        /// Of which data.
        data: String,
        /// First byte.
        start: u64,
        /// The byte after the last.
        end: u64,
        /// What there is.
        data_bytes: u64,
    },
    /// A range that starts where no device can bind.
    #[error(
        "wave `{wave}` binds `{buffer}` to `{data}` from byte {start} on, which is not a multiple of \
         {BINDING_ALIGN_BYTES}"
    )]
    Align {
        /// Who.
        wave: String,
        /// The kernel's buffer.
        buffer: String,
        /// The data.
        data: String,
        /// Where it starts.
        start: u64,
    },
    /// A size that the kernel's buffer cannot have.
    #[error(
        "wave `{wave}` binds {got_bytes} bytes of {what} to `{buffer}: {ty}`, which needs at least {min_bytes}{}",
        if *stride_bytes > 1 { format!(" and whole elements of {stride_bytes}") } else { String::new() }
    )]
    Size {
        /// Who.
        wave: String,
        /// The kernel's buffer.
        buffer: String,
        /// Its type.
        ty: String,
        /// What is bound: data by name, or a value.
        what: String,
        /// How much is bound.
        got_bytes: u64,
        /// The least.
        min_bytes: u64,
        /// Beyond the head, elements of so many.
        stride_bytes: u64,
    },
    /// A wave changes an input.
    #[error("wave `{wave}` changes `{data}` as `{buffer}`, but it is an input: an in-out may be changed")]
    ChangesInput {
        /// Who.
        wave: String,
        /// The kernel's buffer.
        buffer: String,
        /// The data.
        data: String,
    },
    /// A wave changes a value.
    #[error("wave `{wave}` changes `{buffer}`, which is bound to a value")]
    ChangesValue {
        /// Who.
        wave: String,
        /// The kernel's buffer.
        buffer: String,
    },
    /// A wave sees the same bytes under two names and changes them under one.
    #[error("wave `{wave}` binds overlapping bytes of `{data}` to `{first}` and `{second}`, and changes them")]
    Aliased {
        /// Who.
        wave: String,
        /// Of which data.
        data: String,
        /// One buffer of the kernel.
        first: String,
        /// The other.
        second: String,
    },
    /// Neither threads nor workgroups.
    #[error("wave `{wave}` has no grid")]
    NoGrid {
        /// Who.
        wave: String,
    },
    /// A grid over something without elements.
    #[error("wave `{wave}` has a grid over `{buffer}`, which is not bound to an array of elements")]
    GridOver {
        /// Who.
        wave: String,
        /// As named.
        buffer: String,
    },
    /// More invocations in a dimension than ids can count, or more workgroups.
    #[error("wave `{wave}` has over 2^32 invocations in dimension {dimension}")]
    GridTooLarge {
        /// Who.
        wave: String,
        /// 0, 1 or 2.
        dimension: usize,
    },
    /// A grid or count where no device can read it.
    #[error(
        "wave `{wave}` reads its grid from byte {offset} of `{data}`, which is not a multiple of {COPY_ALIGN_BYTES}"
    )]
    GridAlign {
        /// Who.
        wave: String,
        /// Of which data.
        data: String,
        /// Where.
        offset: u64,
    },
    /// A wave changes its own grid.
    #[error("wave `{wave}` changes the bytes of `{data}` that hold its grid")]
    ChangesGrid {
        /// Who.
        wave: String,
        /// Of which data.
        data: String,
    },
    /// Waves that wait for each other.
    #[error("waves wait for each other: {}", cycle(waves))]
    Cycle {
        /// Each comes after the next, and the last after the first.
        waves: Vec<String>,
    },
    /// An output that no wave changes.
    #[error("no wave writes output `{data}`")]
    NeverWritten {
        /// Which.
        data: String,
    },
    /// A length of something that is no output, or of a count that is not there.
    #[error("`{data}` cannot be counted by the word at byte {offset} of `{count}`: {why}")]
    Length {
        /// What is counted.
        data: String,
        /// By what.
        count: String,
        /// Where.
        offset: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// More than 32 bits count.
    #[error("{count} {what} are more than can be counted")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
    },
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn cycle(waves: &[String]) -> String {
    let names: Vec<String> = waves.iter().chain(waves.first()).map(|wave| format!("`{wave}`")).collect();
    names.join(" after ")
}
