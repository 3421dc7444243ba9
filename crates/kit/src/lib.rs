//! Ready programs over data on a device: scans, sorts, compaction, searches in graphs and others.
//!
//! Each piece is a module: a page of Rust, a file of WGSL, and a verifier of what it promises. It is a call
//! over resident [buffers](seawall::Buffer), and a `stage` that adds the same waves to a [graph](seawall::Graph)
//! of one's own:
//!
//! ```
//! # fn main() -> Result<(), seawall_kit::Error> {
//! use seawall_kit::{Kit, Op, scan};
//!
//! let runtime = seawall::Runtime::new()?;
//! let kit = Kit::new(&runtime);
//! let (x, y) = (runtime.buffer_from(&[3u32, 1, 4, 1, 5])?, runtime.buffer::<u32>(5)?);
//! scan::inclusive(&kit, Op::Sum, &x, &y)?;
//! assert_eq!(y.to_vec()?, [3, 4, 8, 9, 14]);
//!
//! let mut graph = seawall::Graph::new();
//! graph.input::<u32>("lengths", 5).output::<u32>("offsets", 5);
//! scan::stage::<u32>(&kit, &mut graph, "offsets of lengths", scan::Kind::Exclusive, Op::Sum, "lengths", "offsets")?;
//! let mut offsets = [0u32; 5];
//! runtime.compile(&graph)?.call().bind("lengths", &[3u32, 1, 4, 1, 5]).bind("offsets", &mut offsets).run()?;
//! assert_eq!(offsets, [0, 3, 4, 8, 9]);
//! # Ok(())
//! # }
//! ```
//!
//! A stage finds the lengths of data in the graph, puts what it needs for itself into transient data that begin
//! with its name, and works for any length that a device can bind. A graph has no empty data; calls take empty buffers,
//! too, and cut what is longer into parts. Calls keep the graphs that they compile in their [`Kit`], for the next call of
//! the same piece and length. What a piece chose for the device, and why, is told by the plan of its graph
//! ([`Kept::plans`]).

pub mod splitmix;
pub mod csr;
mod error;
mod number;
mod text;
mod part;
mod kit;
pub mod row;
mod window;
pub mod reduce;
pub mod scan;
pub mod compact;
pub mod partition;
pub mod unique;
pub mod runs;
pub mod histogram;
pub mod gather;
pub mod sort;
pub mod transpose;
pub mod segment;
pub mod spmv;
pub mod matmul;
pub mod fft;
pub mod random;
pub mod top;
pub mod resident;
pub mod bfs;
pub mod sssp;
pub mod components;
pub mod pagerank;
pub mod triangles;
pub mod betweenness;

pub use error::Error;
pub use kit::{Kept, Kit};
pub use number::{Number, Op};
pub use resident::Resident;
