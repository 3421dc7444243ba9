//! What the caller is told when an invocation runs too long, or the run is ended.

use super::dispatch::Dispatch;
use crate::device::{self, Error};
use crate::diag::{Diagnostic, Report, Span};

/// Whether the run may go on; `around` is the loop that the invocation is in.
pub(super) fn asked(dispatch: &Dispatch<'_>, around: impl FnOnce() -> Option<Span>) -> Result<(), Error> {
    match dispatch.control.stop.asked() {
        None => Ok(()),
        Some(reason) => Err(device::stopped(dispatch.kernel, reason, around())),
    }
}

/// The error for an invocation that has reached the step limit in a loop.
pub(super) fn reached(dispatch: &Dispatch<'_>, [x, y, z]: [u32; 3], around: Option<Span>) -> Error {
    let source = dispatch.kernel.source();
    let (entry, limit) = (&dispatch.kernel.name, dispatch.control.steps_max);
    let message = format!("invocation ({x}, {y}, {z}) of `{entry}` ran over the limit of {limit} statements");
    let diagnostic = Diagnostic::error("endless-loop", message)
        .at(around.map(|span| span.first_line(&source.text)), "in this loop")
        .help("if the loop does end, raise the step limit (`Control::steps_max`)");
    Error::StepLimit { report: Report { source: source.clone(), diagnostics: vec![diagnostic] } }
}
