//! wgpu programs, on Seawall's CPU device.

mod gpu;

mod compute;
mod errors;
mod memory;
mod order;
mod textures;
mod time;
