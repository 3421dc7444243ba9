//! What the caller is told when an invocation runs too long, or the run is ended.

use super::dispatch::Dispatch;
use super::machine::Machine;
use crate::device::{self, Error};
use crate::diag::{Diagnostic, Report, Span};

/// The innermost loop that the invocation is in, also when that loop is in a caller.
fn around(dispatch: &Dispatch<'_>, machine: &Machine) -> Option<Span> {
    let frames = machine.callers.iter().chain([&machine.top]).rev();
    frames.into_iter().find_map(|frame| {
        // The counter stands after the operation that is under way.
        let under_way = frame.pc.checked_sub(1)?;
        dispatch.code.functions[frame.function].body.loops[under_way]
    })
}

/// Whether the run may go on.
pub(super) fn asked(dispatch: &Dispatch<'_>, machine: &Machine) -> Result<(), Error> {
    match dispatch.control.stop.asked() {
        None => Ok(()),
        Some(reason) => Err(device::stopped(dispatch.kernel, reason, around(dispatch, machine))),
    }
}

/// The error for an invocation that has reached the step limit.
pub(super) fn reached(dispatch: &Dispatch<'_>, machine: &Machine) -> Error {
    let source = dispatch.kernel.source();
    let around = around(dispatch, machine);
    let [x, y, z] = machine.global_id;
    let (entry, limit) = (&dispatch.kernel.name, dispatch.control.steps_max);
    let message = format!("invocation ({x}, {y}, {z}) of `{entry}` ran over the limit of {limit} statements");
    let diagnostic = Diagnostic::error("endless-loop", message)
        .at(around.map(|span| span.first_line(&source.text)), "in this loop")
        .help("if the loop does end, raise the step limit (`Control::steps_max`)");
    Error::StepLimit { report: Report { source: source.clone(), diagnostics: vec![diagnostic] } }
}
