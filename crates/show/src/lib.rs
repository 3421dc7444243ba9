//! Pictures of plans and traces of runs, as text, for whoever shows them: the command and Python.

mod error;
pub mod paint;
pub mod picture;
pub mod trace;

pub use error::Error;
