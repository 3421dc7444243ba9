//! Tests of the core crate from outside, one binary.

mod allocations;
mod check;
mod order;
mod program;
mod reference;
mod route;
