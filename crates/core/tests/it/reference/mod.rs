//! The reference device, from WGSL text to bytes.

mod language;
mod support;
