//! WGSL files as tests: what goes into a kernel and what must come out of it stands in comments of
//! the same file (`docs/test.md` says how). `seawall test` runs them, and so does the corpus.
//!
//! Bytes are read and compared flat, without the product's layout rules, so that a mistake in those
//! cannot hide here. Failures are texts, for a person to read.
//!
//! ```
//! use seawall_suite::{case, run};
//!
//! let source = "//! in a = u32[1, 2, 3]
//! //! out a = u32[2, 4, 6]
//! @group(0) @binding(0) var<storage, read_write> a: array<u32>;
//! @compute @workgroup_size(3)
//! fn main(@builtin(local_invocation_index) i: u32) { a[i] *= 2u; }
//! ";
//! let case = case::parse(source)?;
//! run::on(&run::Bench::reference(), "double", source, &case)?;
//! # Ok::<(), String>(())
//! ```

pub mod number;
pub mod value;
pub mod compare;
pub mod accuracy;
pub mod case;
pub mod expect;
mod images;
pub mod run;
pub mod sanitize;
pub mod bless;
pub mod failures;
pub mod find;
