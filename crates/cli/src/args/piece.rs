//! Pieces of the kit, as they are typed.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};

use super::{Assign, assign};

/// Names of inputs and outputs are those of `Piece`'s descriptions.
#[derive(Debug, Args)]
pub(crate) struct Data {
    /// An input: a file, a JSON value or a generator (as for `seawall run`)
    #[arg(long = "in", value_name = "NAME=SOURCE", value_parser = OsStringValueParser::new().try_map(assign))]
    pub(crate) ins: Vec<Assign>,
    /// Write an output to a file (.npy, .bin, .csv, .json)
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(assign))]
    pub(crate) outs: Vec<Assign>,
    /// The type of elements [default: u32; what a piece has in brackets is of that type]
    #[arg(long = "type", value_name = "TYPE", value_enum)]
    pub(crate) number: Option<Number>,
    /// Run on this device and no other
    #[arg(long, value_name = "ID")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) told: Told,
}

/// What else there is to say about a run.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Told {
    /// Also tell the plan: what ran together, what was chosen for the device, and why
    #[arg(long)]
    pub(crate) explain: bool,
    /// Draw the plan as a picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Number {
    U32,
    I32,
    F32,
    U64,
    I64,
    /// Of `matmul` alone
    F16,
    /// Of `matmul` alone: numbers from -128 to 127, given as i32
    I8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Op {
    Sum,
    Min,
    Max,
}

/// A piece of the kit.
#[derive(Debug, Subcommand)]
pub(crate) enum Piece {
    /// Combine all of `x` into `sum`
    Reduce {
        #[command(flatten)]
        data: Data,
        /// How elements are combined
        #[arg(long, value_enum, default_value_t = Op::Sum)]
        op: Op,
    },
    /// Combine each element of `x` with all before it, into `y`
    Scan {
        #[command(flatten)]
        data: Data,
        /// How elements are combined
        #[arg(long, value_enum, default_value_t = Op::Sum)]
        op: Op,
        /// Leave out the element itself
        #[arg(long)]
        exclusive: bool,
    },
    /// Keep some elements of `x`, in order, as `y`
    Compact {
        #[command(flatten)]
        data: Data,
        /// Keep elements for which this is true, in WGSL, of `value` and its place `i`; instead of input `flags`
        #[arg(long = "where", value_name = "EXPRESSION")]
        keep: Option<String>,
    },
    /// Put some elements of `x` before all others, each in order, as `y`
    Partition {
        #[command(flatten)]
        data: Data,
        /// First elements for which this is true, in WGSL, of `value` and its place `i`; instead of input `flags`
        #[arg(long = "where", value_name = "EXPRESSION")]
        first: Option<String>,
    },
    /// Keep the first of equal elements in a row of `x`, as `y`
    Unique {
        #[command(flatten)]
        data: Data,
    },
    /// Tell the elements of runs in `x`, as `y`, and their `lengths`
    Runs {
        #[command(flatten)]
        data: Data,
    },
    /// Sort `keys`, and `values` (u32) with them if there are
    Sort {
        #[command(flatten)]
        data: Data,
        /// The greatest first
        #[arg(long)]
        descending: bool,
    },
    /// Count elements of `x` by bins, into `counts`
    Histogram {
        #[command(flatten)]
        data: Data,
        /// How many bins
        #[arg(long, value_name = "N")]
        bins: NonZeroU32,
        /// The bin of an element, in WGSL, of its `value`: a u32
        #[arg(long, value_name = "EXPRESSION", default_value = "u32(value)")]
        bin: String,
    },
    /// Turn the matrix `x` around, as `y`
    Transpose {
        #[command(flatten)]
        data: Data,
        /// How many rows it has
        #[arg(long, value_name = "N")]
        rows: NonZeroU32,
    },
    /// Take the elements of `x` that `indices` (u32) say, as `y`
    Gather {
        #[command(flatten)]
        data: Data,
    },
    /// Put the elements of `x` where `indices` (u32) say, in `y`
    Scatter {
        #[command(flatten)]
        data: Data,
    },
    /// Scan each segment of `x`, which begin where `heads` (u32) is not zero, into `y`
    SegmentScan {
        #[command(flatten)]
        data: Data,
        /// How elements are combined
        #[arg(long, value_enum, default_value_t = Op::Sum)]
        op: Op,
        /// Leave out the element itself
        #[arg(long)]
        exclusive: bool,
    },
    /// Combine each segment of `x`, from one of the `offsets` (u32) to the next, into `y`
    SegmentReduce {
        #[command(flatten)]
        data: Data,
        /// How elements are combined
        #[arg(long, value_enum, default_value_t = Op::Sum)]
        op: Op,
    },
    /// Find the greatest of `x` in order, as `keys`, and their `places`
    Top {
        #[command(flatten)]
        data: Data,
        /// How many
        #[arg(long, value_name = "K")]
        count: NonZeroU32,
        /// The least instead
        #[arg(long)]
        least: bool,
    },
    /// Multiply matrices in rows, `a` and `b` (f32, or f16 or i8 by --type), into `c` (f32, or i32 of i8)
    Matmul {
        #[command(flatten)]
        data: Data,
        /// How many rows `a` has
        #[arg(long, value_name = "N")]
        rows: NonZeroU32,
        /// How many columns `b` has
        #[arg(long, value_name = "N")]
        columns: NonZeroU32,
    },
    /// Transform complex numbers `x` (vec2<f32>) into frequencies `y`
    Fft {
        #[command(flatten)]
        data: Data,
        /// Of each transform: a power of two [default: all]
        #[arg(long, value_name = "N")]
        len: Option<NonZeroU32>,
        /// Back again
        #[arg(long)]
        inverse: bool,
    },
    /// Fill `y` with random numbers (u32, or f32 from 0 to 1)
    Random {
        #[command(flatten)]
        data: Data,
        /// How many
        #[arg(long, value_name = "N")]
        count: NonZeroU32,
        /// Other numbers for another one
        #[arg(long, value_name = "N", default_value_t = 0)]
        seed: u64,
        /// One of the seed's streams
        #[arg(long, value_name = "N", default_value_t = 0)]
        stream: u32,
    },
    /// Multiply a sparse matrix, in rows of `offsets`, `columns` and `entries`, and `x`, into `y` (f32)
    Spmv {
        #[command(flatten)]
        data: Data,
    },
    /// Tell how many edges each vertex is away from one of them, as `dist` (u32, 4294967295 if it cannot be reached)
    Bfs {
        #[command(flatten)]
        network: Network,
        /// Where to begin
        #[arg(long, value_name = "VERTEX")]
        from: u32,
    },
    /// Tell how far each vertex is from one of them, by the weights of edges, as `dist` (u32, 4294967295 if it cannot be
    /// reached)
    Sssp {
        #[command(flatten)]
        network: Network,
        /// Where to begin
        #[arg(long, value_name = "VERTEX")]
        from: u32,
        /// How wide buckets are [default: twice the longest edge, over the mean degree where it is 8 or more]
        #[arg(long, value_name = "N")]
        delta: Option<NonZeroU32>,
    },
    /// Tell the lowest vertex that each hangs together with, as `component` (u32)
    Components {
        #[command(flatten)]
        network: Network,
    },
    /// Rank vertices by how often somebody gets there who follows edges at random, as `ranks` (f32)
    Pagerank {
        #[command(flatten)]
        network: Network,
        /// How likely an edge is followed
        #[arg(long, value_name = "SHARE", default_value_t = 0.85)]
        damping: f32,
        /// How much ranks may still move in the end
        #[arg(long, value_name = "SUM", default_value_t = 1e-4)]
        tolerance: f32,
    },
    /// Count triangles, as `count` (u64)
    Triangles {
        #[command(flatten)]
        network: Network,
    },
    /// Tell which share of shortest paths leads through each vertex, as `scores` (f32)
    Betweenness {
        #[command(flatten)]
        network: Network,
        /// Only paths from these vertices [default: from all]
        #[arg(long, value_name = "VERTEX,...", value_delimiter = ',')]
        from: Vec<u32>,
    },
    /// Put a graph into rows: `offsets`, `edges` and, if it has them, `weights` (u32)
    Graph {
        #[command(flatten)]
        network: Network,
        /// Read weights from the file
        #[arg(long)]
        weights: bool,
    },
}

/// A graph, and where results go.
#[derive(Debug, Args)]
pub(crate) struct Network {
    /// A Matrix Market file or a list of edges (`-` for standard input), or kron:SCALE[:DEGREE[:SEED]],
    /// urand:SCALE[:DEGREE[:SEED]], grid:COLUMNSxROWS. Loops and edges that are there twice are left out
    #[arg(long, value_name = "GRAPH")]
    pub(crate) graph: OsString,
    /// Edges lead one way
    #[arg(long)]
    pub(crate) directed: bool,
    /// Write an output to a file (.npy, .bin, .csv, .json)
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(assign))]
    pub(crate) outs: Vec<Assign>,
    /// Run on this device and no other
    #[arg(long, value_name = "ID")]
    pub(crate) device: Option<String>,
    #[command(flatten)]
    pub(crate) told: Told,
}
