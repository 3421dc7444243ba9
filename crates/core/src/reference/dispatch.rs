//! One dispatch: what all its invocations share.

use super::code::Code;
use super::constant::Constants;
use super::memory::Bound;
use super::watch::Watch;
use crate::device::{Control, Error};
use crate::program::Kernel;

#[derive(Debug)]
pub(super) struct Dispatch<'a> {
    /// The device's id, for errors.
    pub(super) device: &'a str,
    pub(super) kernel: &'a Kernel,
    pub(super) code: &'a Code,
    pub(super) constants: Constants,
    pub(super) grid: [u32; 3],
    /// Invocations of a subgroup.
    pub(super) subgroup: u32,
    pub(super) bound: Bound<'a>,
    pub(super) control: &'a Control,
    /// Whether invocations stop after each access to memory that others see.
    pub(super) pauses: bool,
    /// The sanitizer, if it looks on.
    pub(super) watch: Option<&'a mut Watch>,
}

impl Dispatch<'_> {
    pub(super) fn out_of_memory(&self, what: &str, bytes: u64) -> Error {
        let what = format!("{what} of `{}`", self.kernel.name);
        Error::OutOfMemory { device: self.device.to_owned(), what, bytes }
    }
}
