//! Peers that are programs of their own, built when they are needed: `OpenCL` C on `PoCL`, whose
//! interface cannot be called without `unsafe`, Rust that is compiled for this processor, and libraries over wgpu
//! that stand on much. They are spoken to over a pipe; `bench/README.md` has the protocol.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::error::{Error, Missing};
use crate::kernels::case::{Case, salted};
use crate::kernels::peer::{GRAPH, POCL, Peer, RAYON};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/peers");

/// A peer in another process, which ends when this is dropped.
pub(crate) struct Process {
    name: &'static str,
    /// Whether it compiles kernels while it runs.
    compiles: bool,
    about: String,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// `OpenCL` C on a CPU device.
pub(crate) fn pocl() -> Result<Process, Missing> {
    let program = built()?.join("pocl");
    let source = Path::new(SOURCES).join("pocl.c");
    // The old name of a function is what every platform has.
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-Wno-deprecated-declarations"]).arg(source).arg("-o").arg(&program).arg("-lOpenCL");
    finish(&mut compiler).map_err(|reason| Missing {
        reason: format!(
            "{reason} (a C compiler and the OpenCL loader are needed: apt-get install gcc ocl-icd-opencl-dev)"
        ),
    })?;
    Process::start(POCL, &mut Command::new(program), true)
        .map_err(|error| Missing { reason: format!("{error} (apt-get install pocl-opencl-icd)") })
}

/// Rust by hand.
pub(crate) fn rayon() -> Result<Process, Missing> {
    let program = cargo("native", &[], Some("-C target-cpu=native"))?;
    Process::start(RAYON, &mut Command::new(program), false).map_err(|error| Missing { reason: error.to_string() })
}

/// The crate `graph`.
pub(crate) fn graphs() -> Result<Process, Missing> {
    let program = cargo("graphs", &[], Some("-C target-cpu=native"))?;
    Process::start(GRAPH, &mut Command::new(program), false).map_err(|error| Missing { reason: error.to_string() })
}

/// Libraries over wgpu, on the instance of that name.
pub(crate) fn libraries(instance: &'static str) -> Result<Process, Error> {
    let program = cargo("libraries", &[], None)?;
    Process::start(instance, Command::new(program).arg(instance), false)
}

/// The same without tensors and without our own instance, which take long to compile.
pub(crate) fn primitives(instance: &'static str) -> Result<Process, Error> {
    let program = cargo("libraries", &["--no-default-features"], None)?;
    Process::start(instance, Command::new(program).arg(instance), false)
}

/// Builds a peer that is a package, and says where it is.
fn cargo(name: &str, more: &[&str], flags: Option<&str>) -> Result<PathBuf, Missing> {
    let target = built()?.join(name);
    let manifest = Path::new(SOURCES).join(name).join("Cargo.toml");
    let mut cargo = Command::new(std::env::var_os("CARGO").as_deref().unwrap_or(OsStr::new("cargo")));
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(manifest);
    cargo.arg("--target-dir").arg(&target).args(more);
    if let Some(flags) = flags {
        cargo.env("RUSTFLAGS", flags);
    }
    finish(&mut cargo).map_err(|reason| Missing { reason })?;
    Ok(target.join("release").join(name))
}

/// Where peers are built: beside this program.
fn built() -> Result<PathBuf, Missing> {
    let here = std::env::current_exe().map_err(|error| Missing { reason: error.to_string() })?;
    let directory = here.with_file_name("peers");
    fs::create_dir_all(&directory).map_err(|error| Missing { reason: format!("{}: {error}", directory.display()) })?;
    Ok(directory)
}

/// Runs a compiler to its end; an error is the first line of its complaint that says so.
fn finish(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let line = complaint.lines().find(|line| line.contains("error")).or_else(|| complaint.lines().next());
    Err(format!("{program}: {}", line.unwrap_or("failed without a word")))
}

impl Process {
    fn start(name: &'static str, command: &mut Command, compiles: bool) -> Result<Self, Error> {
        let pipe = |error| Error::Pipe { peer: name, error };
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(pipe)?;
        let output = child.stdout.take().expect("invariant piped: the output was asked for");
        let (input, output) = (child.stdin.take(), BufReader::new(output));
        let mut process = Self { name, compiles, about: String::new(), child, input, output };
        process.about = process.ask("about", &[])?;
        Ok(process)
    }

    /// A command, what follows it, and the line of the reply.
    fn ask(&mut self, command: &str, parts: &[&[u8]]) -> Result<String, Error> {
        let peer = self.name;
        let pipe = |error| Error::Pipe { peer, error };
        let mut line = String::new();
        // Whoever has ended may have said why.
        let sent = self.send(command, parts);
        self.output.read_line(&mut line).map_err(pipe)?;
        if let Some(reason) = line.strip_prefix("error ") {
            return Err(Error::Refused { peer, reason: reason.trim().to_owned() });
        }
        sent.map_err(pipe)?;
        if line.is_empty() {
            return Err(Error::Refused { peer, reason: "it ended".to_owned() });
        }
        Ok(line.trim().to_owned())
    }

    fn send(&mut self, command: &str, parts: &[&[u8]]) -> std::io::Result<()> {
        let input = self.input.as_mut().expect("invariant piped: the input is open until the end");
        writeln!(input, "{command}")?;
        parts.iter().try_for_each(|part| input.write_all(part))?;
        input.flush()
    }

    fn number(&self, reply: &str) -> Result<u64, Error> {
        reply.parse().map_err(|_| Error::Refused { peer: self.name, reason: format!("`{reply}` is not a number") })
    }

    /// `load` and `cold` bring the text and the buffers with them.
    fn bring(&mut self, command: &str, case: &Case, text: &str) -> Result<String, Error> {
        let mut line = format!("{command} {}", case.name);
        let lengths = case.buffers.iter().map(|buffer| buffer.bytes.len());
        let sizes = case.grid.into_iter().chain(case.workgroup).map(|size| size as usize);
        for number in sizes.chain([text.len()]).chain(lengths) {
            line = format!("{line} {number}");
        }
        let buffers = case.buffers.iter().map(|buffer| buffer.bytes.as_slice());
        let parts: Vec<&[u8]> = [text.as_bytes()].into_iter().chain(buffers).collect();
        self.ask(&line, &parts)
    }
}

impl Peer for Process {
    fn name(&self) -> &'static str {
        self.name
    }

    fn describe(&self) -> String {
        self.about.clone()
    }

    fn load(&mut self, case: &Case) -> Result<(), Error> {
        self.bring("load", case, case.opencl).map(drop)
    }

    fn run(&mut self, times: u32) -> Result<Duration, Error> {
        let reply = self.ask(&format!("run {times}"), &[])?;
        Ok(Duration::from_nanos(self.number(&reply)?))
    }

    fn read(&mut self, buffer: usize) -> Result<Vec<u8>, Error> {
        let reply = self.ask(&format!("read {buffer}"), &[])?;
        let mut bytes = vec![0; self.number(&reply)? as usize];
        self.output.read_exact(&mut bytes).map_err(|error| Error::Pipe { peer: self.name, error })?;
        Ok(bytes)
    }

    fn cold(&mut self, case: &Case, salt: u32) -> Result<Option<(Duration, Vec<u8>)>, Error> {
        if !self.compiles {
            return Ok(None);
        }
        let reply = self.bring("cold", case, &salted(case.opencl, salt))?;
        Ok(Some((Duration::from_nanos(self.number(&reply)?), self.read(0)?)))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It ends with its input; a peer that does not is a bug in the peer, not worth a panic.
        self.input = None;
        let _ = self.child.wait();
    }
}
