//! What the tests share. Unpublished.

pub mod corpus;
pub mod kernels;

/// The README's code is a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

/// So is that of the page on graphs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/graphs.md")]
pub struct Graphs;
