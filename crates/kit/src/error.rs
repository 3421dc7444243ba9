//! What can go wrong.

/// Why a piece of the kit cannot be used as asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The runtime's own: of a device, a plan or a program.
    #[error(transparent)]
    Seawall(#[from] seawall::Error),
    /// A stage names data that its graph does not have.
    #[error("the graph has no data `{data}`")]
    UnknownData {
        /// Its name.
        data: String,
    },
    /// Data that is no array of what the stage works on.
    #[error("`{data}` has {bytes} bytes, which is no number of `{element}`s")]
    Elements {
        /// Its name.
        data: String,
        /// Its size.
        bytes: u64,
        /// What the stage works on.
        element: &'static str,
    },
    /// Two lengths do not fit together.
    #[error("`{data}` has {got} elements, but {expected} are needed")]
    Length {
        /// Its name.
        data: String,
        /// Its elements.
        got: usize,
        /// What is needed.
        expected: usize,
    },
    /// More than kernels can count.
    #[error("`{data}` has {len} elements, and at most {max} can be worked on at once")]
    TooLong {
        /// Its name.
        data: String,
        /// Its elements.
        len: usize,
        /// What can be.
        max: usize,
    },
    /// More was found than there is room for.
    #[error("`{data}` has room for {capacity} elements, and there are {count}")]
    Overflow {
        /// Its name.
        data: String,
        /// What was found.
        count: usize,
        /// What there is room for.
        capacity: usize,
    },
    /// Indices that lead nowhere.
    #[error("{count} of the indices in `{data}` are not below {len}")]
    Outside {
        /// The data that has them.
        data: String,
        /// How many there are.
        count: usize,
        /// What they should lead to has so many elements.
        len: usize,
    },
    /// A transform of a length that there is not.
    #[error("`{data}` has {all} elements, which are no transforms of {len}: the length is a power of two")]
    Transform {
        /// Its name.
        data: String,
        /// Its elements.
        all: usize,
        /// Of a transform.
        len: usize,
    },
}
