//! What can go wrong.

use crate::csr;

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
    /// Rows that are too long to be taken in parts.
    #[error(
        "rows of `{data}` have {row} elements, and what is this long is worked on in parts whose rows have {max} at most"
    )]
    RowTooLong {
        /// Its name.
        data: String,
        /// Elements of a row.
        row: usize,
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
    /// A graph that is none.
    #[error(transparent)]
    Csr(#[from] csr::Error),
    /// Rows of a graph that do not follow each other.
    #[error("{count} of the rows in `{data}` begin before the one that they follow, or end beyond the edges")]
    Rows {
        /// The data that has them.
        data: String,
        /// How many there are.
        count: usize,
    },
    /// A vertex that there is not.
    #[error("there is no vertex {vertex}: the graph has {vertices}")]
    Vertex {
        /// The one that was asked for.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A graph whose edges have no weights.
    #[error("the edges of the graph have no weights")]
    NoWeights,
    /// A graph whose edges lead one way.
    #[error("the edges of the graph lead one way, and should lead both ways")]
    Directed,
    /// A graph whose rows are not sorted.
    #[error("{count} edges of the graph are not in the order of the vertices that they lead to")]
    Unsorted {
        /// How many are less than the one before them.
        count: usize,
    },
    /// Distances that are not below 2³² - 1.
    #[error("{count} edges lead to vertices whose distance is over {max}", max = u32::MAX - 1)]
    TooFar {
        /// How many edges.
        count: usize,
    },
    /// More shortest paths than a float can count.
    #[error("from vertex {vertex} there are more shortest paths to {count} vertices than an `f32` can count")]
    Paths {
        /// Where they begin.
        vertex: u32,
        /// How many vertices have that many.
        count: usize,
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
