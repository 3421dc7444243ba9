//! Standard output and standard error.

use std::io::{self, BufWriter, IsTerminal, Write};

use crate::error::Error;

/// Everything that `print` writes, to standard output. A reader that has seen enough and
/// closes the pipe is no failure.
pub(crate) fn out(print: impl FnOnce(&mut BufWriter<io::StdoutLock<'static>>) -> io::Result<()>) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    match print(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Stdout(error)),
        _ => Ok(()),
    }
}

/// A line that the user may want to know.
pub(crate) fn note(text: &str) {
    err(&format!("{} {text}\n", paint("note:", "36")));
}

/// Why the command failed, and what to do about it.
pub(crate) fn failure(error: &Error) {
    match error.report() {
        Some(report) => err(&report.render(colours())),
        None => err(&format!("{} {error}\n", paint("error:", "1;31"))),
    }
    if let Some(help) = error.help() {
        err(&format!("{} {help}\n", paint("help:", "36")));
    }
}

/// Whether standard error takes colours: a terminal does, unless `NO_COLOR` is set.
fn colours() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn paint(text: &str, style: &str) -> String {
    if colours() { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

fn err(text: &str) {
    // With standard error gone there is nobody left to tell; the exit status still does.
    let _gone = io::stderr().write_all(text.as_bytes());
}
