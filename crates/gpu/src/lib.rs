//! Seawall's GPU device: checked schedules on any Vulkan, Metal or DX12 adapter, through wgpu.
//!
//! The modules stand in the order of the journey: from an adapter to an open driver, from a
//! kernel to a pipeline, from a schedule to recorded commands, and from there to results.

pub mod fault;
mod memory;
mod gaps;
mod outer;
mod watch;
mod module;
mod flaw;
mod adapter;
mod driver;
mod pipeline;
mod open;
mod staging;
mod within;
mod pieces;
mod record;
mod bound;
mod pack;
mod indirect;
mod gate;
mod landing;
mod bank;
mod timer;
mod slice;
mod progress;
mod ready;
mod submit;
mod run;
mod device;

pub use adapter::ID;
pub use adapter::{Adapter, list};
pub use device::{Device, OpenError, SLICE, Usage};
pub use open::Config;
