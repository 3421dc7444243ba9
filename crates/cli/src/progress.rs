//! A bar on standard error for runs that take over a second, if somebody watches.

use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use seawall::device::Control;

const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// Does `work` and meanwhile shows how many of `workgroups` are done, or just how many if that is not
/// known before.
pub(crate) fn watch<T>(control: &Control, workgroups: Option<u64>, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, finished) = mpsc::channel::<()>();
        scope.spawn(move || {
            if finished.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let (bar, template) = match workgroups {
                Some(all) => (ProgressBar::new(all), "{bar:40} {percent}% of {len} workgroups, {eta} left"),
                None => (ProgressBar::no_length(), "{spinner} {pos} workgroups, {elapsed}"),
            };
            let style = ProgressStyle::with_template(template);
            let bar = bar
                .with_elapsed(PATIENCE)
                .with_style(style.unwrap_or_else(|_| unreachable!("invariant template: it is a literal")));
            while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(control.workgroups_done.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let result = work();
        // Dropping the sender ends the watcher, also when `work` panics.
        drop(done);
        result
    })
}
