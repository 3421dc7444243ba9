//! What a run leaves behind: files, a summary, or one JSON object.

use std::io::{self, Write};
use std::path::{Path, absolute};
use std::time::Duration;

use seawall::cache::Found;
use seawall::device::{Readback, Stats};
use seawall::layout::Type;
use seawall::route::Because;
use seawall::{Kernel, Outcome};

use super::inputs::row;
use crate::args::{Assign, Run};
use crate::error::Error;
use crate::format::is_pipe;
use crate::sanitize::{list, watched};
use crate::sink::Sink;
use crate::table;
use crate::typed::{Extent, write};

/// Elements of a buffer in the summary, unless the user says how many.
const SUMMARY_ELEMENTS: u64 = 8;

/// A buffer to print, by its row in the kernel's table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    row: usize,
    most: Option<u64>,
}

/// The files to write, each with the row of its buffer.
pub(super) fn files(args: &Run, kernel: &Kernel) -> Result<Vec<(usize, Sink)>, Error> {
    let files = sinks(&args.outs, args.json)?;
    files.into_iter().map(|(name, sink)| Ok((row(kernel, "--out", &name)?, sink))).collect()
}

/// What `--out` asks for: each file once, and not two things on standard output.
pub(crate) fn sinks(outs: &[Assign], json: bool) -> Result<Vec<(String, Sink)>, Error> {
    let mut sinks: Vec<(String, Sink)> = Vec::new();
    for Assign { name, value } in outs {
        let sink = Sink::parse(value).map_err(|error| Error::Out { name: name.clone(), error })?;
        let same = |other: &Path| matches!((absolute(&sink.path), absolute(other)), (Ok(a), Ok(b)) if a == b);
        if let Some((first, _)) = sinks.iter().find(|(_, before)| same(&before.path)) {
            return Err(Error::SameFile { path: sink.path, first: first.clone(), second: name.clone() });
        }
        if json && is_pipe(&sink.path) {
            return Err(Error::JsonAndData { name: name.clone() });
        }
        sinks.push((name.clone(), sink));
    }
    Ok(sinks)
}

/// The buffers to print: those asked for, or all that the kernel writes but pictures.
pub(super) fn shown(args: &Run, kernel: &Kernel, files: &[(usize, Sink)]) -> Result<Vec<Shown>, Error> {
    if args.shows.is_empty() {
        let picture = |row: usize| files.iter().any(|(of, sink)| *of == row && sink.is_picture());
        let written = kernel.buffers.iter().enumerate().filter(|(_, b)| b.effects.writes || b.effects.updates);
        let written = written.filter(|(row, buffer)| !picture(*row) && kernel.texture(&buffer.name).is_none());
        return Ok(written.map(|(row, _)| Shown { row, most: None }).collect());
    }
    let mut shown: Vec<Shown> = Vec::new();
    for show in &args.shows {
        let row = row(kernel, "--show", &show.name)?;
        if shown.iter().any(|before| before.row == row) {
            return Err(Error::Twice { option: "--show", name: show.name.clone() });
        }
        shown.push(Shown { row, most: show.most });
    }
    Ok(shown)
}

/// For people.
pub(super) fn text(
    out: &mut dyn Write,
    kernel: &Kernel,
    memory: &[Vec<u8>],
    shown: &[Shown],
    outcome: &Outcome,
) -> io::Result<()> {
    let ([x, y, z], [sx, sy, sz]) = (outcome.grid, kernel.workgroup_size);
    writeln!(out, "device {}: {}", outcome.device, outcome.because)?;
    writeln!(
        out,
        "grid {x},{y},{z} workgroups of {sx},{sy},{sz}: {} in {}",
        table::count(outcome.stats.invocations, "invocation"),
        table::time(outcome.elapsed)
    )?;
    values(kernel, memory, shown).try_for_each(|value| line(out, &value))
}

/// For programs: exactly one object.
pub(super) fn json(
    out: &mut dyn Write,
    kernel: &Kernel,
    memory: &[Vec<u8>],
    shown: &[Shown],
    outcome: &Outcome,
) -> io::Result<()> {
    let Outcome { device, because, code, stats, elapsed, .. } = outcome;
    let account = Account { device, because, code, stats, elapsed: *elapsed, blocks: None };
    object(out, &account, values(kernel, memory, shown))
}

fn values<'a>(kernel: &'a Kernel, memory: &'a [Vec<u8>], shown: &'a [Shown]) -> impl Iterator<Item = Value<'a>> {
    shown.iter().map(|Shown { row, most }| {
        let buffer = &kernel.buffers[*row];
        Value { name: &buffer.name, ty: &buffer.ty, bytes: &memory[*row], most: *most }
    })
}

/// A buffer as it is printed, its first elements or all.
pub(crate) struct Value<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: &'a Type,
    pub(crate) bytes: &'a [u8],
    pub(crate) most: Option<u64>,
}

/// What is told of a run beside its results.
pub(crate) struct Account<'a> {
    pub(crate) device: &'a str,
    pub(crate) because: &'a Because,
    pub(crate) code: &'a [Found],
    pub(crate) stats: &'a Stats,
    pub(crate) elapsed: Duration,
    /// Of a job: what became of its loops and branches, and of its queues.
    pub(crate) blocks: Option<[(&'static str, serde_json::Value); 2]>,
}

/// `name: type = value`
pub(crate) fn line(out: &mut dyn Write, value: &Value<'_>) -> io::Result<()> {
    let count = Extent::of(value.ty).count(value.bytes.len() as u64);
    let most = value.most.unwrap_or(SUMMARY_ELEMENTS);
    write!(out, "{}: {} = ", value.name, value.ty)?;
    write::text(out, value.ty, value.bytes, most, value.most.is_none())?;
    let cut = matches!(value.ty, Type::Array { .. }) && most < count;
    writeln!(out, "{}", if cut { format!(" ({})", table::count(count, "element")) } else { String::new() })
}

/// `{"device": …, "because": …, "outputs": …, "stats": …}`
pub(crate) fn object<'a>(
    out: &mut dyn Write,
    account: &Account<'_>,
    values: impl Iterator<Item = Value<'a>>,
) -> io::Result<()> {
    let text = |value: &str| serde_json::Value::from(value).to_string();
    let because = text(&account.because.to_string());
    write!(out, "{{\"device\":{},\"because\":{because},\"outputs\":{{", text(account.device))?;
    for (i, value) in values.enumerate() {
        write!(out, "{}{}:", if i == 0 { "" } else { "," }, text(value.name))?;
        write::json(out, value.ty, value.bytes, value.most)?;
    }
    let code: Vec<String> = account.code.iter().map(ToString::to_string).collect();
    let mut stats = serde_json::json!({
        "code": code,
        "dispatches": account.stats.dispatches,
        "workgroups": account.stats.workgroups,
        "invocations": account.stats.invocations,
        "barriers": account.stats.barriers,
        "uploaded_bytes": account.stats.uploaded_bytes,
        "downloaded_bytes": account.stats.downloaded_bytes,
        "peak_bytes": account.stats.peak_bytes,
        "elapsed_ms": milliseconds(account.elapsed),
    });
    for (what, became) in account.blocks.iter().flatten() {
        stats[*what] = became.clone();
    }
    let Readback { copies, selected_bytes, avoided_bytes } = account.stats.readback;
    if copies > 0 {
        stats["readback"] =
            serde_json::json!({ "copies": copies, "selected_bytes": selected_bytes, "avoided_bytes": avoided_bytes });
    }
    let found = account.stats.findings.as_ref();
    let found = found.map(|found| format!(",\"findings\":{},\"watched\":{}", list(found), watched(found)));
    writeln!(out, "}},\"stats\":{stats}{}}}", found.unwrap_or_default())
}

pub(crate) fn milliseconds(elapsed: Duration) -> f64 {
    elapsed.as_secs_f64() * 1e3
}
