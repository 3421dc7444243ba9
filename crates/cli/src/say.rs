//! Standard output and standard error.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use log::{Level, LevelFilter, Log, Metadata, Record};
use seawall::diag::{Report, Severity};
use seawall::sanitize::Findings;

use crate::error::Error;
use crate::table::count;

/// Everything that `print` writes, to standard output. A reader that has seen enough and
/// closes the pipe is no failure.
pub(crate) fn out(print: impl FnOnce(&mut BufWriter<io::StdoutLock<'static>>) -> io::Result<()>) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    match print(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}

/// What `print` writes, to standard error: where standard output has data in it.
pub(crate) fn aside(print: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<(), Error> {
    let mut text = Vec::new();
    print(&mut text)?;
    if !is_quiet() {
        err(&String::from_utf8_lossy(&text));
    }
    Ok(())
}

/// How much is said on standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Volume {
    /// Errors.
    Quiet,
    /// Notes and warnings too.
    Usual,
    /// What the library logs too, up to this.
    More(LevelFilter),
}

static VOLUME: OnceLock<Volume> = OnceLock::new();

/// Decides, once, how much is said on standard error.
pub(crate) fn volume(quiet: bool, verbose: u8) {
    let volume = match (quiet, verbose) {
        (true, _) => Volume::Quiet,
        (false, 0) => Volume::Usual,
        (false, 1) => Volume::More(LevelFilter::Info),
        (false, 2) => Volume::More(LevelFilter::Debug),
        (false, _) => Volume::More(LevelFilter::Trace),
    };
    if let Volume::More(most) = *VOLUME.get_or_init(|| volume)
        && log::set_logger(&Logger).is_ok()
    {
        log::set_max_level(most);
    }
}

pub(crate) fn is_quiet() -> bool {
    VOLUME.get() == Some(&Volume::Quiet)
}

/// What the library logs, and with `-vvv` what the libraries beneath it do.
struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        log::max_level() == LevelFilter::Trace || metadata.target().starts_with("seawall")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let (name, style) = match record.level() {
                Level::Error | Level::Warn => ("warn", "33"),
                Level::Info => ("info", "32"),
                Level::Debug => ("debug", "34"),
                Level::Trace => ("trace", "90"),
            };
            err(&format!("{} {}: {}\n", paint(&format!("{name}:"), style), record.target(), record.args()));
        }
    }

    fn flush(&self) {}
}

/// What is probably not as meant.
pub(crate) fn warnings(report: &Report) {
    if !is_quiet() {
        err(&report.render(colours()));
    }
}

/// What the sanitizer found, where that is no error.
pub(crate) fn findings(findings: &Findings) {
    if !is_quiet() {
        err(&findings.render(colours()));
    }
}

/// What went to a file.
pub(crate) fn wrote(what: &str) {
    if !is_quiet() {
        err(&format!("{} {what}\n", paint("wrote:", "32")));
    }
}

/// A line that the user may want to know.
pub(crate) fn note(text: &str) {
    if is_quiet() {
        return;
    }
    err(&format!("{} {text}\n", paint("note:", "36")));
}

/// Why the command failed, and what to do about it.
pub(crate) fn failure(error: &Error) {
    err(&told(error));
}

/// The same, as text.
pub(crate) fn told(error: &Error) -> String {
    let mut text = match (error.findings(), error.report()) {
        (Some(findings), _) => {
            format!("{}{} {}\n", findings.render(colours()), paint("error:", "1;31"), summary(findings))
        }
        (None, Some(report)) => report.render(colours()),
        (None, None) => format!("{} {error}\n", paint("error:", "1;31")),
    };
    if let Some(help) = error.help() {
        text.extend([&*paint("help:", "36"), " ", &help, "\n"]);
    }
    text
}

/// Whether standard error takes colours: a terminal does, unless `NO_COLOR` is set.
fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn paint(text: &str, style: &str) -> String {
    if colours() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Where to say it while standard error is somebody else's.
static OURS: Mutex<Option<File>> = Mutex::new(None);

/// Says all that follows there, or on standard error again.
pub(crate) fn to(ours: Option<File>) {
    *OURS.lock().unwrap_or_else(PoisonError::into_inner) = ours;
}

/// A line that a driver printed.
pub(crate) fn driver(line: &str) {
    if !is_quiet() {
        err(&format!("{} {line}\n", paint("driver:", "90")));
    }
}

fn err(text: &str) {
    // With standard error gone there is nobody left to tell; the exit status still does.
    let _gone = match &mut *OURS.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(ours) => ours.write_all(text.as_bytes()),
        None => io::stderr().write_all(text.as_bytes()),
    };
}

/// What the sanitizer found, in one line.
pub(crate) fn summary(findings: &Findings) -> String {
    let told = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let some = told.map(|(severity, what)| (findings.count(severity) as u64, what)).into_iter().filter(|(n, _)| *n > 0);
    let told: Vec<String> = some.map(|(n, what)| count(n, what)).collect();
    let told = if told.is_empty() { "nothing wrong".to_owned() } else { told.join(", ") };
    let all = count(findings.workgroups, "workgroup");
    match findings.left_out() {
        None => format!("the sanitizer found {told} in {all}"),
        Some(left_out) => format!("the sanitizer found {told}; {left_out}"),
    }
}
