//! A scratch directory to run the command in.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use expect_test::Expect;
use tempfile::TempDir;

/// Doubles `v`, which may hold anything that can be added to itself.
pub(crate) fn double(ty: &str) -> String {
    format!(
        "enable f16;
@group(0) @binding(0) var<storage, read_write> v: array<{ty}>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    if id.x < arrayLength(&v) {{ v[id.x] = v[id.x] + v[id.x]; }}
}}
"
    )
}

/// Leaves `v` as it is, whatever it holds.
pub(crate) fn keep(declarations: &str, ty: &str) -> String {
    format!(
        "{declarations}
@group(0) @binding(0) var<storage, read_write> v: {ty};
@compute @workgroup_size(1)
fn main() {{ v = v; }}
"
    )
}

/// Where a test runs the command.
pub(crate) struct Dir(TempDir);

impl Dir {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary directory"))
    }

    pub(crate) fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), bytes).expect("a file in the temporary directory");
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a file in the temporary directory")
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seawall"));
        command.args(args).current_dir(self.0.path()).env_remove("SEAWALL_DEVICE").env("COLUMNS", "100");
        // Mesa's chooser of devices complains where there is no desktop.
        command.env("NODEVICE_SELECT", "1");
        command
    }

    pub(crate) fn output(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().expect("the command starts")
    }

    pub(crate) fn output_with_stdin(&self, args: &[&str], stdin: &[u8]) -> Output {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        child.stdin.take().expect("a pipe").write_all(stdin).expect("the command reads its input");
        child.wait_with_output().expect("the command ends")
    }

    /// Everything that the command says, in one text.
    pub(crate) fn expect(&self, args: &[&str], expected: &Expect) {
        expected.assert_eq(&transcript(&self.output(args)));
    }

    /// Standard output of a command that must succeed.
    pub(crate) fn stdout(&self, args: &[&str]) -> String {
        let output = self.output(args);
        assert_eq!(output.status.code(), Some(0), "{}", transcript(&output));
        String::from_utf8(output.stdout).expect("text")
    }

    /// The `outputs` of a run with `--json` that must succeed.
    pub(crate) fn outputs(&self, args: &[&str]) -> String {
        let all: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let text = self.stdout(&all);
        serde_json::from_str::<serde_json::Value>(&text).expect("one JSON object");
        let start = text.find("\"outputs\":").expect("outputs") + "\"outputs\":".len();
        text[start..text.rfind(",\"stats\"").expect("stats")].to_owned()
    }

    /// Standard error of a command that must fail with `status`.
    pub(crate) fn failure(&self, status: i32, args: &[&str]) -> String {
        let output = self.output(args);
        assert_eq!(output.status.code(), Some(status), "{args:?}\n{}", transcript(&output));
        assert!(output.stdout.is_empty(), "{}", transcript(&output));
        String::from_utf8(output.stderr).expect("text")
    }
}

/// Status, standard output and standard error, with times left out.
pub(crate) fn transcript(output: &Output) -> String {
    let mut text = match output.status.code() {
        Some(0) => String::new(),
        Some(code) => format!("status {code}\n"),
        None => "ended by a signal\n".to_owned(),
    };
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !bytes.is_empty() {
            write!(text, "-- {stream}\n{}", without_times(&String::from_utf8_lossy(bytes))).expect("memory takes text");
        }
    }
    text
}

fn without_times(text: &str) -> String {
    let mut out = text.to_owned();
    for (before, after) in [("\"elapsed_ms\":", "}"), ("invocations in ", " ms"), ("invocation in ", " ms")] {
        let start = out.find(before).map(|at| at + before.len());
        let range = start.and_then(|start| Some(start..start + out[start..].find(after)?));
        if let Some(range) = range {
            out.replace_range(range, "…");
        }
    }
    out
}

/// An npy file of version 1 with this header and data.
pub(crate) fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend(u16::try_from(header.len()).expect("a short header").to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(data);
    file
}

/// The bytes of numbers.
pub(crate) fn le<const N: usize, T>(numbers: &[T], bytes: fn(T) -> [u8; N]) -> Vec<u8>
where
    T: Copy,
{
    numbers.iter().flat_map(|&number| bytes(number)).collect()
}
