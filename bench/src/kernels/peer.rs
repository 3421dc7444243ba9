//! Those who run the kernels.

use std::time::Duration;

use crate::error::Error;
use crate::kernels::case::Case;

pub(crate) const OURS: &str = "seawall";
pub(crate) const LAVAPIPE: &str = "lavapipe";
pub(crate) const POCL: &str = "PoCL";
pub(crate) const RAYON: &str = "rayon";
pub(crate) const GRAPH: &str = "the crate graph";

/// A contender.
pub(crate) trait Peer {
    /// Short, for the table's head.
    fn name(&self) -> &'static str;

    /// What exactly it is: device, driver, version.
    fn describe(&self) -> String;

    /// Makes ready to run a case on its first contents; drops what was loaded before.
    fn load(&mut self, case: &Case) -> Result<(), Error>;

    /// Runs what is loaded so many times, one after the other.
    fn run(&mut self, times: u32) -> Result<Duration, Error>;

    /// What a buffer of the loaded case holds now.
    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Error>;

    /// From this text to a result in the host's memory, on an open device that has never
    /// seen the text; `None` for who does not compile at run time.
    fn cold(&mut self, case: &Case, salt: u32) -> Result<Option<(Duration, Vec<u8>)>, Error>;
}
