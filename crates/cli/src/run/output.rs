//! What a run leaves behind: files, a summary, or one JSON object.

use std::io::{self, Write};
use std::path::{Path, absolute};

use seawall::{Kernel, Outcome};

use super::inputs::row;
use crate::args::Run;
use crate::error::Error;
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
    let mut files: Vec<(usize, Sink)> = Vec::new();
    for (i, assign) in args.outs.iter().enumerate() {
        let path = Path::new(&assign.value);
        let same = |other: &str| matches!((absolute(path), absolute(other)), (Ok(a), Ok(b)) if a == b);
        if let Some(before) = args.outs[..i].iter().find(|before| same(&before.value)) {
            let (first, second) = (before.name.clone(), assign.name.clone());
            return Err(Error::SameFile { path: path.to_owned(), first, second });
        }
        let row = row(kernel, "--out", &assign.name)?;
        let sink = Sink::parse(path).map_err(|error| Error::Out { name: assign.name.clone(), error })?;
        files.push((row, sink));
    }
    Ok(files)
}

/// The buffers to print: those asked for, or all that the kernel writes.
pub(super) fn shown(args: &Run, kernel: &Kernel) -> Result<Vec<Shown>, Error> {
    if args.shows.is_empty() {
        let written = kernel.buffers.iter().enumerate().filter(|(_, b)| b.effects.writes || b.effects.updates);
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
    out: &mut impl Write,
    kernel: &Kernel,
    memory: &[Vec<u8>],
    shown: &[Shown],
    outcome: &Outcome,
) -> io::Result<()> {
    let ([x, y, z], [sx, sy, sz]) = (outcome.grid, kernel.workgroup_size);
    writeln!(out, "device {}: {}", outcome.device, outcome.because)?;
    writeln!(
        out,
        "grid {x},{y},{z} workgroups of {sx},{sy},{sz}: {} in {:.1} ms",
        table::count(outcome.stats.invocations, "invocation"),
        milliseconds(outcome)
    )?;
    for Shown { row, most } in shown {
        let (buffer, bytes) = (&kernel.buffers[*row], &memory[*row]);
        let extent = Extent::of(&buffer.ty);
        let count = extent.count(bytes.len() as u64);
        let most = most.unwrap_or(SUMMARY_ELEMENTS);
        write!(out, "{}: {} = ", buffer.name, buffer.ty)?;
        write::json(out, &buffer.ty, bytes, Some(most))?;
        writeln!(
            out,
            "{}",
            if most < count { format!(" … {}", table::count(count, "element")) } else { String::new() }
        )?;
    }
    Ok(())
}

/// For programs: exactly one object.
pub(super) fn json(
    out: &mut impl Write,
    kernel: &Kernel,
    memory: &[Vec<u8>],
    shown: &[Shown],
    outcome: &Outcome,
) -> io::Result<()> {
    let text = |value: &str| serde_json::Value::from(value).to_string();
    let because = text(&outcome.because.to_string());
    write!(out, "{{\"device\":{},\"because\":{because},\"outputs\":{{", text(&outcome.device))?;
    for (i, Shown { row, most }) in shown.iter().enumerate() {
        let buffer = &kernel.buffers[*row];
        write!(out, "{}{}:", if i == 0 { "" } else { "," }, text(&buffer.name))?;
        write::json(out, &buffer.ty, &memory[*row], *most)?;
    }
    let code: Vec<String> = outcome.code.iter().map(ToString::to_string).collect();
    let stats = serde_json::json!({
        "code": code,
        "dispatches": outcome.stats.dispatches,
        "workgroups": outcome.stats.workgroups,
        "invocations": outcome.stats.invocations,
        "barriers": outcome.stats.barriers,
        "uploaded_bytes": outcome.stats.uploaded_bytes,
        "downloaded_bytes": outcome.stats.downloaded_bytes,
        "peak_bytes": outcome.stats.peak_bytes,
        "elapsed_ms": milliseconds(outcome),
    });
    writeln!(out, "}},\"stats\":{stats}}}")
}

fn milliseconds(outcome: &Outcome) -> f64 {
    outcome.elapsed.as_secs_f64() * 1e3
}
