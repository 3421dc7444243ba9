//! What the traits want a type for and this device does not have.

use std::borrow::Borrow;

use wgpu::hal::DynTexture;

/// What is never made: whatever is shown, drawn with or traced.
#[derive(Debug)]
pub(crate) enum Never {}

/// What can be made, and tells the device nothing: a layout says what the shader and the bind groups say already,
/// kernels have a cache of their own.
#[derive(Debug)]
pub(crate) struct Unused;

/// Where nothing is ever shown.
#[derive(Debug)]
pub(crate) struct Surface;

impl Borrow<dyn DynTexture> for Never {
    fn borrow(&self) -> &dyn DynTexture {
        match *self {}
    }
}
