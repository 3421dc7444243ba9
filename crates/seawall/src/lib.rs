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
//! A [`Runtime`] opens a device, a [`Kernel`] is one entry point of a [`Program`], and a
//! [`Call`] binds slices or resident [`Buffer`]s to it by name and runs it.

mod error;
mod host;
mod buffer;
mod runtime;
mod call;

pub use buffer::Buffer;
pub use call::{Call, Dims, Outcome};
pub use error::Error;
pub use host::{Bind, Bound};
pub use runtime::{Builder, DEVICE_VARIABLE, Runtime, THREADS_VARIABLE};

pub use seawall_core as core;
pub use seawall_core::program::{Kernel, Overrides, Program};
pub use seawall_core::{check, device, diag, layout, program, reference, route, schedule};
