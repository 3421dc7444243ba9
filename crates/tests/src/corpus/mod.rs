//! The corpus runner: reads a `.wgsl` file with directives, runs it and compares.
//! `corpus/README.md` says what the directives mean.
//!
//! Bytes are read and compared flat, without the product's layout rules, so that a
//! mistake in those cannot hide here.

pub mod number;
pub mod value;
pub mod compare;
pub mod accuracy;
pub mod case;
pub mod expect;
pub mod run;
pub mod mutate;
pub mod bless;
pub mod failures;
