//! What a schedule gets wrong about its graph.

/// What a schedule gets wrong about its graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It is not sound in itself.
    #[error(transparent)]
    Schedule(#[from] crate::check::Error),
    /// The placement is of another schedule.
    #[error("the placement does not name what the schedule has")]
    Placement,
    /// A wave runs never, or more than once.
    #[error("wave `{wave}` runs {times} times")]
    NotOnce {
        /// Which.
        wave: String,
        /// How often.
        times: usize,
    },
    /// A dispatch that is no wave's, or a change of data that is no dispatch.
    #[error("step {step} is no part of the graph")]
    Stray {
        /// Which.
        step: usize,
    },
    /// A dispatch with another kernel, grid or binding than its wave.
    #[error("step {step} does not run wave `{wave}` as it is written")]
    Differs {
        /// Which.
        step: usize,
        /// The wave.
        wave: String,
    },
    /// A loop or a branch that is not the graph's, or not where it stands there.
    #[error("step {step} is no part of a loop or branch as it is written")]
    Control {
        /// Which.
        step: usize,
    },
    /// A loop or a branch of the graph that is not there.
    #[error("`{block}` is not run")]
    NoBlock {
        /// Which.
        block: String,
    },
    /// Two waves in the wrong order.
    #[error("wave `{after}` must come after `{before}`, with a barrier between them{}", over(data.as_ref()))]
    Order {
        /// The earlier wave.
        before: String,
        /// The later wave.
        after: String,
        /// What both touch; `None` if the caller says so.
        data: Option<String>,
    },
    /// A step uses a buffer or slice that does not hold what the data is by then.
    #[error("step {step} uses `{data}` where it is not up to date")]
    Stale {
        /// Which.
        step: usize,
        /// What it should hold.
        data: String,
    },
    /// The caller does not get a result.
    #[error("`{data}` does not come back as the waves leave it")]
    NotReturned {
        /// Which.
        data: String,
    },
}

fn over(data: Option<&String>) -> String {
    data.map_or(String::new(), |data| format!(", because of `{data}`"))
}
