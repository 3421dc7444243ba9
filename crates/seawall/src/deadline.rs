//! A clock for devices, which have none.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use seawall_core::device::{Reason, Stop};

use crate::error::Error;

/// Does `work`; if that takes longer than `within`, asks it through `stop` to end.
pub(crate) fn watch<T>(within: Duration, stop: &Stop, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    thread::scope(|scope| {
        let (done, ended) = mpsc::channel::<()>();
        let watcher = move || {
            if ended.recv_timeout(within) == Err(RecvTimeoutError::Timeout) {
                stop.ask(Reason::Deadline);
            }
        };
        let refused = |error: std::io::Error| Error::Thread { reason: error.to_string() };
        thread::Builder::new().name("seawall deadline".to_owned()).spawn_scoped(scope, watcher).map_err(refused)?;
        let result = work();
        // Dropping the sender ends the watcher, also when `work` panics.
        drop(done);
        result
    })
}
