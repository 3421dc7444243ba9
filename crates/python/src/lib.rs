//! Seawall for Python: the half of the package `seawall` that is Rust.
//!
//! The other half is in `seawall/`, in Python: exceptions, graphs as they are described, tickets, and
//! what other libraries' arrays are. What is called often, and what must look at memory, is here. Memory of
//! Python's is only ever looked at through borrows of `rust-numpy`, so that nothing here is `unsafe`.

mod error;
mod dtype;
mod value;
mod array;
mod interrupt;
mod runtime;
mod buffer;
mod bind;
mod grid;
mod trace;
mod run;
mod kernel;
mod plan;
mod replay;
mod compiled;
mod csr;
mod kit;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _seawall {
    #[pymodule_export]
    use crate::buffer::Buffer;
    #[pymodule_export]
    use crate::compiled::{Compiled, Finished, plan};
    #[pymodule_export]
    use crate::csr::Csr;
    #[pymodule_export]
    use crate::interrupt::Control;
    #[pymodule_export]
    use crate::kernel::{Kernel, Program};
    #[pymodule_export]
    use crate::kit::Kit;
    #[pymodule_export]
    use crate::plan::Plan;
    #[pymodule_export]
    use crate::runtime::{Runtime, devices};

    /// Of the workspace.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
