//! Tests of the core crate from outside, one binary.

mod allocations;
mod reference;
