//! Tests of the core crate from outside, one binary.

mod allocations;
mod cache;
mod check;
mod flow;
mod graph;
mod lint;
mod plan;
mod program;
mod reference;
mod route;
