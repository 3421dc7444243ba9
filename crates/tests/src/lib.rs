//! What the tests share. Unpublished.

pub mod corpus;
