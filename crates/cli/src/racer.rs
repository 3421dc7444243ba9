//! One device among those that are measured side by side.

use std::time::Duration;

use seawall::Runtime;

use crate::args::Run;
use crate::driver;
use crate::error::Error;

/// A device that is measured.
pub(crate) struct Racer {
    pub(crate) device: String,
    /// Bytes that a run reads and writes, as far as its bindings say.
    pub(crate) bytes: u64,
    pub(crate) invocations: u64,
    pub(crate) once: Box<dyn FnMut() -> Result<Duration, Error>>,
}

/// The runtime that measures a device.
pub(crate) fn open(args: &Run, device: Option<&str>) -> Result<Runtime, Error> {
    let subgroup = args.subgroup_size.unwrap_or_default();
    let mut builder = Runtime::builder().contract(args.contract).subgroup_size(subgroup);
    if let Some(id) = device {
        builder = builder.device(id);
    }
    if let Some(seed) = args.seed {
        builder = builder.seed(seed);
    }
    Ok(driver::heard(|| builder.open())?)
}
