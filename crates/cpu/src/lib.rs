//! Seawall's CPU device: WGSL compiled to vector code and run on worker threads.

mod helpers;
mod ir;
mod cost;
mod interval;
mod fold;
mod trip_count;
mod affine;
mod divergence;
mod range;
mod witness;
mod passes;
mod build;
mod width;
mod context;
mod fork;
mod crew;
mod exec;
mod emit;
mod walk;
mod effort;
#[cfg(cranelift)]
mod clif;
#[cfg(x64)]
mod x64;
mod target;
mod compile;
mod alias;
mod bank;
mod recipe;
mod lent;
mod run;
mod device;
mod dump;

#[cfg(test)]
mod mutants;

pub use build::Excess;
pub use compile::{Count, Error as CompileError, STACK_BYTES};
pub use crew::{Crew, Promise};
pub use device::{COMPILES_MAX, Config, Device, OpenError, THREADS_MAX, compilers};
pub use dump::{Pass, Stage, count, dump, times};
pub use effort::Effort;
pub use exec::fault::Case;
pub use exec::memory::Edge;
pub use fork::Process;
pub use lent::ID;
pub use target::Backend;
pub use width::Lanes;
