//! `seawall run --sanitize`: what to look for, and what was found, for people and for programs.

use std::io::Write;

use seawall::device;
use seawall::diag::{Label, Location};
use seawall::sanitize::{Config, Example, Finding, Findings};
use serde_json::{Value, json};

use crate::args::Run;
use crate::error::Error;
use crate::say;

/// What the options ask for.
pub(crate) fn config(args: &Run) -> Option<Config> {
    let arithmetic = args.arithmetic.unwrap_or_default();
    args.sanitize.then_some(Config { arithmetic, strict: args.strict, workgroups: args.workgroups })
}

/// Tells what was found in a run that went on to its end, as a whole; errors are left to be told as
/// such.
pub(crate) fn tell<T>(
    args: &Run,
    result: Result<T, Error>,
    findings: impl FnOnce(&T) -> Option<&Findings>,
) -> Result<T, Error> {
    match &result {
        Ok(done) => {
            if let Some(found) = findings(done) {
                say::findings(found);
                say::note(&say::summary(found));
            }
        }
        Err(error) => {
            if let (Some(found), true) = (error.findings(), args.json) {
                say::out(|out| writeln!(out, "{}", json!({ "findings": list(found), "watched": watched(found) })))?;
            }
        }
    }
    result
}

/// Workgroups that were looked at, and all.
pub(crate) fn watched(findings: &Findings) -> Value {
    json!({ "workgroups": findings.watched, "of": findings.workgroups })
}

/// Each finding as an object.
pub(crate) fn list(findings: &Findings) -> Value {
    findings.list.iter().map(object).collect()
}

fn object(finding: &Finding) -> Value {
    let told = &finding.diagnostic;
    let places: Vec<Value> = told.labels.iter().map(|label| place(&finding.source.text, label)).collect();
    let mut object = json!({
        "code": told.code,
        "severity": told.severity.to_string(),
        "message": told.message,
        "file": finding.source.name,
        "places": places,
        "count": finding.count,
        "notes": told.notes,
        "help": told.help,
    });
    if let Some(Example { kernel, workgroup, invocation, other, element }) = &finding.example {
        object["example"] =
            json!({ "kernel": kernel, "workgroup": workgroup, "invocation": invocation, "element": element });
        if let Some((workgroup, invocation)) = other {
            object["example"]["other"] = json!({ "workgroup": workgroup, "invocation": invocation });
        }
    }
    object
}

pub(crate) fn place(text: &str, label: &Label) -> Value {
    let Location { line, column } = Location::of(text, label.span.start as usize);
    let source = text.lines().nth(line - 1).unwrap_or_default().trim();
    json!({ "line": line, "column": column, "source": source, "text": label.text, "primary": label.primary })
}

impl Error {
    /// What the sanitizer found, if that is the error.
    pub(crate) fn findings(&self) -> Option<&Findings> {
        match self {
            Self::Run(seawall::Error::Device(device::Error::Unsound(findings))) => Some(findings),
            _ => None,
        }
    }
}
