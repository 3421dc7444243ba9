//! The kit on every device, against its verifiers.

mod devices;
mod control;
mod reduce;
mod scan;
mod compact;
mod sort;
mod segment;
mod places;
mod matrices;
mod numbers;
mod parts;
mod top;
mod fft;
mod graphs;
mod budgets;
mod large;
