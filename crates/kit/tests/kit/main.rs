//! The kit on every device, against its verifiers.

mod devices;
mod reduce;
mod scan;
