//! Seawall's GPU device: checked schedules on any Vulkan, Metal or DX12 adapter, through wgpu.
//!
//! The modules stand in the order of the journey: from an adapter to an open driver, from a
//! kernel to a pipeline, from a schedule to recorded commands, and from there to results.

pub mod fault;
mod gaps;
mod outer;
mod watch;
mod module;
mod memory;
mod flaw;
mod adapter;
mod driver;
mod pipeline;
mod staging;
mod within;
mod pieces;
mod record;
mod bound;
mod pack;
mod gate;
mod indirect;
mod landing;
mod bank;
mod timer;
mod slice;
mod progress;
mod device;
mod ready;
mod submit;
mod run;

pub use adapter::{Adapter, list};
pub use device::{Config, Device, ID, OpenError, SLICE, Usage};
