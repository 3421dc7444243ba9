//! Seawall's core: from WGSL text to a checked schedule, the device contract, and the
//! reference device that defines every result.
//!
//! The modules stand in the order of the journey; each names only those above it.

pub mod diag;
pub mod layout;
pub mod math;
mod ops;
pub mod texture;
pub mod quiet;
pub mod program;
pub mod ids;
pub mod bytes;
pub mod barrier;
pub mod frontier;
pub mod queue;
pub mod readback;
pub mod schedule;
pub mod split;
pub mod lint;
pub mod sanitize;
pub mod graph;
pub mod stop;
pub mod turn;
pub mod cache;
pub mod check;
pub mod plan;
pub mod device;
pub mod route;
pub mod reference;
#[cfg(test)]
mod mutants;

pub use naga;
