//! The kit on every device, against its verifiers.

mod compact;
mod devices;
mod reduce;
mod scan;
mod sort;
