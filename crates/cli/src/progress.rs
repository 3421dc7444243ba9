//! A bar on standard error for runs that take over a second, if somebody watches.

use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use seawall::device::Control;

use crate::say;

const PATIENCE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(100);

/// Does `work` and meanwhile shows how many of `workgroups` are done, or just how many if that is not
/// known before.
pub(crate) fn watch<T>(control: &Control, workgroups: Option<u64>, work: impl FnOnce() -> T) -> T {
    if say::is_quiet() || !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, finished) = mpsc::channel::<()>();
        let begin = Instant::now();
        scope.spawn(move || {
            if finished.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let (bar, template) = match workgroups {
                Some(all) => (ProgressBar::new(all), "{bar:40} {percent}% of {len} workgroups{msg}"),
                None => (ProgressBar::no_length(), "{spinner} {pos} workgroups, {elapsed}"),
            };
            let style = ProgressStyle::with_template(template);
            let bar = bar
                .with_elapsed(PATIENCE)
                .with_style(style.unwrap_or_else(|_| unreachable!("invariant template: it is a literal")));
            while finished.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let position = control.workgroups_done.load(Ordering::Relaxed);
                if let Some(left) = workgroups.and_then(|all| left(begin.elapsed(), position, all)) {
                    bar.set_message(format!(", {} left", HumanDuration(left)));
                }
                bar.set_position(position);
            }
            bar.finish_and_clear();
        });
        let result = work();
        // Dropping the sender ends the watcher, also when `work` panics.
        drop(done);
        result
    })
}

/// How long the rest takes if it goes on as it did; nothing is known before the first is done.
fn left(elapsed: Duration, done: u64, all: u64) -> Option<Duration> {
    let share = (done > 0).then(|| all.saturating_sub(done) as f64 / done as f64)?;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * share).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_told_before_something_is_known() {
        let second = Duration::from_secs(1);
        assert_eq!(left(second, 0, 100), None);
        assert_eq!(left(second, 1, 100), Some(99 * second));
        assert_eq!(left(second, 50, 100), Some(second));
        assert_eq!(left(second, 100, 100), Some(Duration::ZERO));
        assert_eq!(left(second, 101, 100), Some(Duration::ZERO));
        assert_eq!(left(Duration::MAX, 1, u64::MAX), None);
    }
}
