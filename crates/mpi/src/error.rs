//! What can go wrong.

use crate::checkpoint;

/// Why something cannot be done. What went wrong on one rank is told on all of them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// MPI can be started once in a process.
    #[error("MPI was started before in this process")]
    Started,
    /// Offsets that are none.
    #[error("offsets must ascend from 0, with one more of them than ranks: {offsets:?}")]
    Offsets {
        /// Those.
        offsets: Vec<u64>,
    },
    /// Data that is not as long as its rows.
    #[error("the rows have {expected} elements, not {len}")]
    Whole {
        /// What there is.
        len: u64,
        /// What there should be.
        expected: u64,
    },
    /// Rows for another number of ranks.
    #[error("the rows of `{data}` are for {parts} ranks, and there are {ranks}")]
    Ranks {
        /// Whose.
        data: String,
        /// Ranks that they are for.
        parts: usize,
        /// Ranks that there are.
        ranks: usize,
    },
    /// A name that leads nowhere.
    #[error("there is no data `{data}`; there is {}", list(known))]
    UnknownData {
        /// What was asked for.
        data: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A name for two things.
    #[error("there are two data `{data}`")]
    Twice {
        /// The name.
        data: String,
    },
    /// Data that cannot be exchanged so.
    #[error("exchange `{exchange}`: `{data}` {why}")]
    Exchange {
        /// Which.
        exchange: String,
        /// What of.
        data: String,
        /// What it is not.
        why: &'static str,
    },
    /// A loop that no exchange, word or number ends.
    #[error("loop `{name}` has neither a word that ends it nor a limit")]
    Endless {
        /// Which.
        name: String,
    },
    /// A loop that should have ended before.
    #[error("loop `{name}` did not end within its limit of {limit} turns")]
    LoopLimit {
        /// Which.
        name: String,
        /// How many it may take.
        limit: u32,
    },
    /// Data that cannot change places.
    #[error("`{first}` and `{second}` cannot change places: {why}")]
    Swap {
        /// The one.
        first: String,
        /// The other.
        second: String,
        /// What is wrong.
        why: &'static str,
    },
    /// Data that waves brought along, and that waves of several stages need.
    #[error("`{data}` is needed on both sides of an exchange: add it as local data of the graph")]
    Crosses {
        /// Which.
        data: String,
    },
    /// Data that waves brought along and that is not theirs alone.
    #[error("`{data}` is to come from the caller or to go there: add it as data of the cluster's graph")]
    Role {
        /// Which.
        data: String,
    },
    /// A work queue, which would be each rank's own.
    #[error("work queue `{queue}` cannot be in the graph of a cluster")]
    Queue {
        /// Which.
        queue: String,
    },
    /// More than the budget allows.
    #[error(
        "rank {rank} needs {data_bytes} bytes for data and {staging_bytes} for exchanges, over the budget of \
         {limit_bytes}"
    )]
    Budget {
        /// Where.
        rank: usize,
        /// For data.
        data_bytes: u64,
        /// For what is sent and received.
        staging_bytes: u64,
        /// What there is.
        limit_bytes: u64,
    },
    /// A host type that is not the data's.
    #[error("`{data}` has elements of `{expected}`, not `{got}`")]
    Type {
        /// Which.
        data: String,
        /// Its elements.
        expected: String,
        /// The caller's.
        got: String,
    },
    /// Another length than the data's.
    #[error("`{data}` has {expected} elements on rank {rank}, not {len}")]
    Length {
        /// Which.
        data: String,
        /// Where.
        rank: usize,
        /// What it has.
        expected: u64,
        /// What the caller has.
        len: u64,
    },
    /// Counts of an all-to-all that do not fit.
    #[error("exchange `{exchange}`: {count} elements in all, but `{data}` has {len}")]
    Counts {
        /// Which.
        exchange: String,
        /// What does not hold them.
        data: String,
        /// How many the counts are in all.
        count: u64,
        /// How many it has.
        len: u64,
    },
    /// A rank has another plan.
    #[error("rank {rank} has another plan than rank 0")]
    Plans {
        /// The first that has.
        rank: usize,
    },
    /// A rank has left while this one goes on.
    #[error("rank {rank} has left")]
    Left {
        /// The first that has.
        rank: usize,
    },
    /// What another rank says.
    #[error("rank {rank}: {message}")]
    There {
        /// Who.
        rank: usize,
        /// Its error, as text.
        message: String,
    },
    /// Of this rank's runtime.
    #[error(transparent)]
    Here(#[from] seawall::Error),
    /// Checkpoints.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::Error),
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
