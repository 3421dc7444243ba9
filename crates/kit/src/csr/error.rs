//! What is wrong with a graph.

/// Why there is no such graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// More vertices than kernels can count.
    #[error("there are {vertices} vertices, and at most {max} can be worked on")]
    Vertices {
        /// How many.
        vertices: usize,
        /// What can be.
        max: usize,
    },
    /// More edges than kernels can count.
    #[error("the rows of the graph have {edges} places, and at most {max} can be worked on")]
    Edges {
        /// How many: two for an edge that leads both ways.
        edges: usize,
        /// What can be.
        max: usize,
    },
    /// More than the host has room for.
    #[error("there is no memory for rows of {bytes} bytes")]
    Memory {
        /// How many.
        bytes: usize,
    },
    /// An edge of a vertex that there is not.
    #[error("edge {at} leads from {from} to {to}, and there are {vertices} vertices")]
    Outside {
        /// Which edge, counted from 0.
        at: usize,
        /// Where it begins.
        from: u32,
        /// Where it ends.
        to: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A line of a file that does not say what it should.
    #[error("line {line}: {what}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        what: Wrong,
    },
    /// A file that ends too early.
    #[error("there is no line with the size of the matrix")]
    NoSize,
    /// A file with other entries than it announced.
    #[error("there are {found} entries, and line {line} says {said}")]
    Entries {
        /// How many there are.
        found: usize,
        /// How many there should be,
        said: usize,
        /// as this line says.
        line: usize,
    },
    /// A generator that has no such graph.
    #[error("`{text}` is no graph: {why}")]
    Generator {
        /// What was asked for.
        text: String,
        /// What there is.
        why: &'static str,
    },
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It has no two vertices.
    #[error("`{0}` does not begin with two vertices")]
    Vertices(String),
    /// They are none of the graph.
    #[error("there is no such vertex")]
    Outside,
    /// It has no weight.
    #[error("`{0}` has no third number, which is the weight")]
    NoWeight(String),
    /// Its weight is less than nothing.
    #[error("the weight {0} is negative")]
    Negative(String),
    /// Its weight is none that can be added up.
    #[error("the weight {0} is no whole number below 4294967295")]
    Weight(String),
    /// The first line of a Matrix Market file.
    #[error("it is not `%%MatrixMarket matrix coordinate …`")]
    Header,
    /// What the entries of a Matrix Market file are.
    #[error("entries of kind `{0}` are no weights")]
    Field(String),
    /// The size of a matrix.
    #[error("`{0}` is not the size of a square matrix and its number of entries")]
    Size(String),
}
