//! `--seconds N`: the command is over by then, whatever it is about. What runs on a device is
//! asked to end, and says where it was. All else cannot be asked: a file that is not there yet, a
//! text that takes long to read. So the command goes on a thread of its own, and is left behind.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use seawall::device::{Control, Reason};

use crate::args::Run;
use crate::error::Error;
use crate::phase::Phase;
use crate::trace::Trace;

/// As much as a process's first thread usually has.
const STACK_BYTES: usize = 8 << 20;

/// How long a run may take to end once it is asked to. It takes much less.
const GRACE: Duration = Duration::from_secs(2);

/// Runs a command within the time that its options give, if they do.
pub(crate) fn keep(args: Run, command: fn(&Run, Trace, &Control) -> Result<(), Error>) -> Result<(), Error> {
    let phase = Phase::default();
    let trace = Trace::new(phase.clone());
    let clock = (args.trace.is_some() || args.profile).then(|| trace.clock());
    let control = Control { steps_max: args.steps.unwrap_or(Control::STEPS_MAX), clock, ..Control::default() };
    let Some(time) = args.seconds else { return command(&args, trace, &control) };
    let control = Arc::new(control);
    let (send, done) = mpsc::channel();
    let shared = control.clone();
    let work = move || {
        // Nobody listens any more if it is too late.
        let _late = send.send(command(&args, trace, &shared));
    };
    let thread = thread::Builder::new().name("seawall run".to_owned()).stack_size(STACK_BYTES);
    let thread = thread.spawn(work).map_err(|error| seawall::Error::Thread { reason: error.to_string() })?;
    let in_time = done.recv_timeout(time).or_else(|error| {
        if error == RecvTimeoutError::Disconnected {
            return Err(error);
        }
        control.stop.ask(Reason::Deadline);
        done.recv_timeout(if phase.now().stops { GRACE } else { Duration::ZERO })
    });
    match in_time {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err(Error::Late { what: phase.now().what }),
        Err(RecvTimeoutError::Disconnected) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("invariant command: it says how it ended"),
        },
    }
}
