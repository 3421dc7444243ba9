//! What users import.

pub use seawall_core as core;
