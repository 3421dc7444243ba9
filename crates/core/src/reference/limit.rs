//! What the caller is told when an invocation runs too long.

use super::dispatch::Dispatch;
use super::machine::Machine;
use crate::device::Error;
use crate::diag::{Diagnostic, Report};

/// The error for an invocation that has reached the step limit: it names the innermost
/// loop that the invocation is in, also when that loop is in a caller.
pub(super) fn reached(dispatch: &Dispatch<'_>, machine: &Machine) -> Error {
    let source = dispatch.kernel.source();
    let frames = machine.callers.iter().chain([&machine.top]).rev();
    // The counter stands after the operation that is under way.
    let around = frames.into_iter().find_map(|frame| dispatch.code.functions[frame.function].loops[frame.pc - 1]);
    let [x, y, z] = machine.global_id;
    let (entry, limit) = (&dispatch.kernel.name, dispatch.control.steps_max);
    let message = format!("invocation ({x}, {y}, {z}) of `{entry}` ran over the limit of {limit} statements");
    let diagnostic = Diagnostic::error("endless-loop", message)
        .at(around.map(|span| span.first_line(&source.text)), "in this loop")
        .help("if the loop does end, raise the step limit (`Control::steps_max`)");
    Error::StepLimit { report: Report { source: source.clone(), diagnostics: vec![diagnostic] } }
}
