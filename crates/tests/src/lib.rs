//! What the tests share. Unpublished.

pub mod corpus;
pub mod kernels;
