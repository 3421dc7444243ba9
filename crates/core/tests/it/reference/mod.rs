//! The reference device, from WGSL text to bytes.

mod barriers;
mod control;
mod language;
mod memory;
mod support;
