//! Tests of the core crate from outside, one binary.

mod allocations;
mod program;
mod reference;
