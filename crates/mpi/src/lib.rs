//! Seawall's graphs on many machines, by MPI.
//!
//! The program is the same on each rank. Data is shared out, waves work on what their rank has, and exchanges
//! bring it from rank to rank between them:
//!
//! ```no_run
//! # fn main() -> Result<(), seawall_mpi::Error> {
//! use seawall_mpi::{Cluster, Op};
//!
//! let cluster = Cluster::world()?; // as many ranks as `mpirun -n` started
//! let runtime = seawall::Runtime::new()?;
//! let smooth = runtime.kernel(
//!     "@group(0) @binding(0) var<storage, read> now: array<f32>;
//!      @group(0) @binding(1) var<storage, read_write> next: array<f32>;
//!      @compute @workgroup_size(64)
//!      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
//!          let i = id.x + 1u; // a halo of one on either side
//!          if i + 1u < arrayLength(&now) { next[i] = 0.5 * (now[i - 1u] + now[i + 1u]); }
//!      }",
//! )?;
//!
//! let cells = cluster.block(1_000_000).halo(1);
//! let mut graph = cluster.graph();
//! graph.rows::<f32>("now", &cells).rows::<f32>("next", &cells);
//! graph
//!     .repeat("steps", |body| {
//!         body.halo("edges", "now");
//!         body.wave("smooth", &smooth).bind("now", "now").bind("next", "next").over("next");
//!         body.swap("now", "next");
//!     })
//!     .times(100);
//! let compiled = cluster.compile(&runtime, &graph)?;
//! compiled.write("now", &vec![1.0f32; cells.local_len(cluster.rank()) as usize])?;
//! compiled.call().run()?;
//! let mine = compiled.read::<f32>("now")?;
//! # Ok(())
//! # }
//! ```
//!
//! An error on one rank ends the run on all of them, with that rank's message. See `docs/mpi.md`.

pub mod checkpoint;
mod error;
mod part;
mod exchange;
mod graph;
mod touch;
mod stage;
mod evict;
mod plan;
mod check;
mod cluster;
mod memory;
mod segment;
mod carve;
mod reduce;
mod transfer;
mod run;

pub use checkpoint::Checkpoint;
pub use cluster::Cluster;
pub use error::Error;
pub use exchange::{Exchange, Kind, MESSAGE_BYTES_MAX, Number, Op, Order, Scalar};
pub use graph::{Graph, Repeat};
pub use part::{Part, Rows};
pub use plan::{Node, Op as Step, Plan, Reason};
pub use run::{Compiled, Finished, Run};
pub use touch::Why;

/// The page about it, whose code is compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/mpi.md")]
struct Page;
