//! The same for programs to read.

use seawall::Kernel;
use seawall::diag::{Diagnostic, Report};
use seawall::program::{Buffer, Need, Other, Override};
use serde_json::{Value, json};

use super::{Checked, value};
use crate::error::Error;
use crate::sanitize;
use crate::typed::Extent;

/// A valid program.
pub(super) fn of(checked: &Checked) -> Value {
    let entries = checked.kernels.iter().zip(checked.program.entries());
    let entries: Vec<Value> = entries
        .map(|(kernel, name)| match kernel {
            Some(kernel) => entry(checked, kernel),
            None => json!({ "name": name, "stage": "compute", "decided": false }),
        })
        .collect();
    let other = |other: &Other| json!({ "name": other.name, "stage": other.stage });
    let overrides: Vec<Value> = checked.declared.iter().map(|item| decided(item, checked)).collect();
    json!({
        "entries": entries,
        "others": checked.program.others().iter().map(other).collect::<Vec<_>>(),
        "overrides": overrides,
        "warnings": checked.warnings.iter().flat_map(list).collect::<Vec<_>>(),
    })
}

/// One that is not, with its mistakes where they are known by their places.
pub(super) fn refused(error: &Error) -> Value {
    match error.report() {
        Some(report) => json!({ "errors": list(report) }),
        None => json!({ "errors": [{ "message": error.to_string() }] }),
    }
}

fn list(report: &Report) -> Vec<Value> {
    report.diagnostics.iter().map(|told| diagnostic(report, told)).collect()
}

fn diagnostic(report: &Report, told: &Diagnostic) -> Value {
    let places: Vec<Value> = told.labels.iter().map(|label| sanitize::place(&report.source.text, label)).collect();
    json!({
        "code": told.code,
        "severity": told.severity.to_string(),
        "message": told.message,
        "file": report.source.name,
        "places": places,
        "notes": told.notes,
        "help": told.help,
    })
}

fn decided(item: &Override, checked: &Checked) -> Value {
    json!({
        "name": item.name,
        "id": item.id,
        "type": item.scalar.to_string(),
        "value": value(item, &checked.overrides),
        "has_default": item.has_default,
    })
}

fn entry(checked: &Checked, kernel: &Kernel) -> Value {
    let need = |(name, need): (&str, Need)| {
        let place = need.span.map(|span| checked.program.location(span));
        json!({ "feature": name, "line": place.map(|place| place.line), "column": place.map(|place| place.column) })
    };
    let refusal = |(device, why): (String, Vec<Diagnostic>)| {
        let why: Vec<String> = why.into_iter().map(|diagnostic| diagnostic.message).collect();
        json!({ "device": device, "why": why })
    };
    json!({
        "name": kernel.name,
        "stage": "compute",
        "decided": true,
        "workgroup_size": kernel.workgroup_size,
        "workgroup_bytes": kernel.workgroup_bytes,
        "buffers": kernel.buffers.iter().map(buffer).collect::<Vec<_>>(),
        "needs": kernel.needs.list().into_iter().map(need).collect::<Vec<_>>(),
        "refused": checked.refusals(kernel).into_iter().map(refusal).collect::<Vec<_>>(),
    })
}

fn buffer(buffer: &Buffer) -> Value {
    let place = |number: u32| (!buffer.immediate).then_some(number);
    json!({
        "name": buffer.name,
        "group": place(buffer.group),
        "binding": place(buffer.binding),
        "access": buffer.declared(),
        "type": buffer.ty.to_string(),
        "stride": Extent::of(&buffer.ty).stride,
        "min_bytes": buffer.min_bytes,
        "reads": buffer.effects.reads,
        "writes": buffer.effects.writes,
        "updates": buffer.effects.updates,
    })
}
