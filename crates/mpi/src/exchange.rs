//! What ranks can exchange between waves, as plain data.

use std::fmt;

use bytemuck::Pod;

/// Bytes in one message, at the most: MPI counts them in an `int`.
pub const MESSAGE_BYTES_MAX: usize = i32::MAX as usize;

/// How numbers of several ranks become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Added; integers wrap.
    Sum,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// Bit by bit, of integers.
    Or,
}

/// A type of number that can be reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `u32`
    U32,
    /// `i32`
    I32,
    /// `f32`
    F32,
    /// `u64`
    U64,
    /// `i64`
    I64,
    /// `f64`
    F64,
}

/// Numbers of Rust's that can be reduced.
pub trait Number: Pod {
    /// Which it is.
    const SCALAR: Scalar;
}

macro_rules! numbers {
    ($($ty:ty: $scalar:ident),*) => {$(
        impl Number for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
        }
    )*};
}
numbers!(u32: U32, i32: I32, f32: F32, u64: U64, i64: I64, f64: F64);

/// In which order floats are added: it decides the last bits of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// As MPI likes it: fastest, and the same on all ranks of a run, but not for every number of ranks or every
    /// MPI.
    Any,
    /// Rank after rank, so that each MPI gives the same bits.
    Ranks,
}

/// What is exchanged. Data is named by its place in the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The rows beside those of each rank, from their owners.
    Halo {
        /// Whose rows,
        data: usize,
        /// and where they go: the same data, or other data that has room for the halos only.
        into: usize,
    },
    /// What the ranks own of some rows becomes a whole on all of them.
    AllGather {
        /// The rows.
        from: usize,
        /// The whole.
        to: usize,
    },
    /// Numbers of all ranks become one, element by element.
    AllReduce {
        /// Where they are, and where the result goes.
        data: usize,
        /// How.
        op: Op,
        /// Of what.
        scalar: Scalar,
        /// In which order.
        order: Order,
    },
    /// Each rank sends some elements to each, as many as it has counted.
    AllToAll {
        /// Those for rank 0, those for rank 1, and so on.
        from: usize,
        /// A `u32` for each rank: how many.
        counts: usize,
        /// What came from rank 0, from rank 1, and so on.
        to: usize,
        /// A `u32` for each rank: how many came.
        received: usize,
    },
}

/// An exchange of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What messages call it.
    pub name: String,
    /// What it does.
    pub kind: Kind,
}

impl Kind {
    /// Data that it reads.
    pub fn reads(&self) -> Vec<usize> {
        match *self {
            Self::Halo { data, .. } | Self::AllReduce { data, .. } => vec![data],
            Self::AllGather { from, .. } => vec![from],
            Self::AllToAll { from, counts, .. } => vec![from, counts],
        }
    }

    /// Data that it changes.
    pub fn writes(&self) -> Vec<usize> {
        match *self {
            Self::Halo { into, .. } => vec![into],
            Self::AllReduce { data, .. } => vec![data],
            Self::AllGather { to, .. } => vec![to],
            Self::AllToAll { to, received, .. } => vec![to, received],
        }
    }

    /// In words, by the names of data.
    pub(crate) fn text(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Self::Halo { data, into } if data == into => format!("halo of {}", name(*data)),
            Self::Halo { data, into } => format!("halo of {} into {}", name(*data), name(*into)),
            Self::AllGather { from, to } => format!("all-gather of {} into {}", name(*from), name(*to)),
            Self::AllReduce { data, op, scalar, order } => {
                let order = if *order == Order::Ranks { " in the order of ranks" } else { "" };
                format!("all-reduce of {}, {op} of {scalar}{order}", name(*data))
            }
            Self::AllToAll { from, counts, to, received } => {
                let [from, counts, to, received] = [from, counts, to, received].map(|at| name(*at));
                format!("all-to-all of {from} by {counts} into {to} and {received}")
            }
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Or => "or",
        })
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F64 => "f64",
        })
    }
}

impl Scalar {
    /// Of each.
    pub fn bytes(self) -> u64 {
        match self {
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether it has bits that mean something one by one.
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}
