//! Seawall's errors as Python's exceptions, whose classes are in `seawall/_errors.py`.

use pyo3::prelude::*;
use pyo3::types::PyModule;
use seawall::Error;
use seawall::device::{self, Reason};
use seawall::diag::{Diagnostic, Report};
use seawall_core::split;

fn raise(py: Python<'_>, class: &str, args: impl for<'py> pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = || PyModule::import(py, "seawall._errors")?.getattr(class)?.call1(args);
    made().map_or_else(|error| error, PyErr::from_value)
}

/// What the caller hands in is wrong.
pub(crate) fn bind(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raise(py, "BindError", (message.into(),))
}

/// The device cannot do it.
pub(crate) fn device(py: Python<'_>, message: &str) -> PyErr {
    raise(py, "DeviceError", (message.to_owned(),))
}

/// What an exception is made of.
pub(crate) trait Raise {
    fn raise(&self, py: Python<'_>) -> PyErr;
}

impl Raise for Error {
    fn raise(&self, py: Python<'_>) -> PyErr {
        of(py, self)
    }
}

impl Raise for seawall_kit::Error {
    fn raise(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Seawall(error) => of(py, error),
            own => bind(py, own.to_string()),
        }
    }
}

/// The exception for an error.
pub(crate) fn of(py: Python<'_>, error: &Error) -> PyErr {
    let class = match error {
        Error::Program(report) | Error::Split(split::Error::Kernel(report)) => return program(py, report),
        Error::Device(error) | Error::Route(seawall::route::Error::Unfit(error)) => return of_device(py, error),
        Error::Route(_)
        | Error::Thread { .. }
        | Error::ReferenceOnly { .. }
        | Error::Split(split::Error::TooLarge { .. }) => "DeviceError",
        Error::Check(_)
        | Error::Graph(_)
        | Error::Plan(_)
        | Error::Wave { .. }
        | Error::StraySwap { .. }
        | Error::Resident { .. } => "GraphError",
        Error::LoopLimit { .. }
        | Error::QueueOverflow { .. }
        | Error::GridLimit { .. }
        | Error::CallGridLimit { .. } => "LimitError",
        Error::SeveralEntries { .. }
        | Error::UnknownBuffer { .. }
        | Error::Unbound { .. }
        | Error::BoundTwice { .. }
        | Error::Type { .. }
        | Error::Size { .. }
        | Error::ReadOnly { .. }
        | Error::NoGrid { .. }
        | Error::TooLong { .. }
        | Error::Length { .. }
        | Error::Outside { .. }
        | Error::Range { .. }
        | Error::RangeAlign { .. }
        | Error::Threads { .. }
        | Error::UnknownData { .. }
        | Error::UnboundData { .. }
        | Error::DataSize { .. }
        | Error::DataType { .. }
        | Error::DataReadOnly { .. }
        | Error::Unset { .. }
        | Error::UnknownValue { .. }
        | Error::Grid { .. }
        | Error::GridBuffer { .. }
        | Error::GridOver { .. }
        | Error::Elements { .. }
        | Error::OtherDevice { .. }
        | Error::Texture(_)
        | Error::UnknownSampler { .. }
        | Error::Shape(_)
        | Error::Texels { .. }
        | Error::DataShape { .. } => "BindError",
    };
    raise(py, class, (error.to_string(),))
}

fn of_device(py: Python<'_>, error: &device::Error) -> PyErr {
    match error {
        device::Error::Stopped { reason: Reason::Deadline, .. } => raise(py, "DeadlineError", (error.to_string(),)),
        device::Error::Stopped { reason: Reason::Caller, .. } => raise(py, "StoppedError", (error.to_string(),)),
        _ => raise(py, "DeviceError", (error.to_string(),)),
    }
}

/// A program's diagnostics: their text, and each of them as data.
pub(crate) fn program(py: Python<'_>, report: &Report) -> PyErr {
    let text = &report.source.text;
    let place = |at: u32| {
        let before = text.get(..at as usize).unwrap_or(text);
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        (before.matches('\n').count() + 1, before[line..].chars().count() + 1)
    };
    let data = |diagnostic: &Diagnostic| {
        let severity = diagnostic.severity.to_string();
        let span = |label: &seawall::diag::Label| {
            let (line, column) = place(label.span.start);
            (label.span.start, label.span.end, line, column, label.text.clone(), label.primary)
        };
        let spans: Vec<_> = diagnostic.labels.iter().map(span).collect();
        (severity, diagnostic.code, diagnostic.message.clone(), spans, diagnostic.help.clone())
    };
    let diagnostics: Vec<_> = report.diagnostics.iter().map(data).collect();
    raise(py, "ProgramError", (report.to_string(), diagnostics))
}
