//! The reference device, from WGSL text to bytes.

mod barriers;
mod control;
mod grids;
mod language;
mod memory;
mod random_races;
mod sanitize;
mod support;
