//! Why there is nothing to show.

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A plan with more columns than a picture can have.
    #[error("{stages} stages are too many to draw; at most {most} are")]
    TooManyStages {
        /// Of the plan.
        stages: usize,
        /// Of a picture.
        most: usize,
    },
    /// The device has no clock.
    #[error("device `{device}` cannot tell when its steps are done, so there is nothing to trace")]
    NoTimes {
        /// Which.
        device: String,
    },
}
