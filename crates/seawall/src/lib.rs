//! Seawall runs multi-stage WGSL compute programs on the machine at hand.
//!
//! ```
//! # fn main() -> Result<(), seawall::Error> {
//! let runtime = seawall::Runtime::new()?;
//! let double = runtime.kernel(
//!     "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
//!      @compute @workgroup_size(64)
//!      fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }",
//! )?;
//! let mut v = [1u32, 2, 3];
//! runtime.call(&double).bind("v", &mut v).threads(3).run()?;
//! assert_eq!(v, [2, 4, 6]);
//! # Ok(())
//! # }
//! ```
//!
//! Several kernels over shared data make a [`Graph`]. It is planned and compiled once, and run
//! any number of times:
//!
//! ```
//! # fn main() -> Result<(), seawall::Error> {
//! let runtime = seawall::Runtime::new()?;
//! let square = runtime.kernel(
//!     "@group(0) @binding(0) var<storage, read> x: array<f32>;
//!      @group(0) @binding(1) var<storage, read_write> y: array<f32>;
//!      @compute @workgroup_size(64)
//!      fn main(@builtin(global_invocation_id) id: vec3<u32>) {
//!          if id.x < arrayLength(&y) { y[id.x] = x[id.x] * x[id.x]; }
//!      }",
//! )?;
//! let mut graph = seawall::Graph::new();
//! graph.input::<f32>("x", 100).transient::<f32>("x2", 100).output::<f32>("x4", 100);
//! graph.wave("once", &square).bind("x", "x").bind("y", "x2").over("y");
//! graph.wave("twice", &square).bind("x", "x2").bind("y", "x4").over("y");
//! graph.budget_bytes(1000);
//!
//! let compiled = runtime.compile(&graph)?;
//! let (x, mut x4) = (vec![3.0f32; 100], vec![0.0f32; 100]);
//! let finished = compiled.call().bind("x", &x).bind("x4", &mut x4).run()?;
//! assert_eq!(x4, [81.0; 100]);
//! assert!(finished.stats.peak_bytes <= 1000);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Runtime`] opens a device, a [`Kernel`] is one entry point of a [`Program`], and a
//! [`Call`] binds slices or resident [`Buffer`]s to it by name and runs it.

mod error;
mod process;
mod form;
mod buffer;
mod host;
mod image;
mod loaded;
mod runtime;
mod clock;
mod deadline;
mod dims;
mod call;
mod control;
mod graph;
pub mod queue;
mod compiled;
mod ticket;

pub use buffer::Buffer;
pub use call::{Call, Outcome};
pub use clock::clock;
pub use compiled::{Compiled, Finished, Loop, Run};
pub use control::{Repeat, When, Word};
pub use deadline::within;
pub use dims::Dims;
pub use error::Error;
pub use form::{Field, Form, Layout};
pub use graph::{Graph, Wave};
pub use host::{Bind, Bound, Element, Prefix};
pub use image::{Image, Texels};
pub use runtime::{Builder, DEVICE_VARIABLE, Runtime, THREADS_VARIABLE};
pub use ticket::{Give, Given, Job, Results, Ticket};

pub use seawall_core::graph as description;
pub use seawall_core::graph::Role;
pub use seawall_core::program::{Kernel, Overrides, Program};
pub use seawall_core::{cache, check, device, diag, layout, lint, plan, program, route, sanitize, schedule, texture};
pub use seawall_derive::Layout;

// For what `#[derive(Layout)]` writes.
#[doc(hidden)]
pub use form::Registered;
#[doc(hidden)]
pub use inventory;
