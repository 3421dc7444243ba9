//! GAPBS (Beamer, Asanović and Patterson), built from sources that a variable names, on the same graphs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Csr, GAPBS};
use crate::error::{Error, Missing};

const VARIABLE: &str = "SEAWALL_GAPBS";
/// `pr_spmv` keeps the ranks of a turn apart from those of the next, as ours does.
const PROGRAMS: [&str; 4] = ["bfs", "sssp", "cc", "pr_spmv"];

/// Its programs, built.
pub(super) struct Gapbs {
    built: PathBuf,
}

impl Gapbs {
    /// Built beside the benchmark.
    pub(super) fn open() -> Result<Self, Missing> {
        let missing = |reason: String| Missing { reason };
        let sources = std::env::var_os(VARIABLE)
            .ok_or_else(|| missing(format!("{VARIABLE} does not name a folder with its sources")))?;
        let built = std::env::temp_dir().join(format!("seawall-gapbs-{}", std::process::id()));
        std::fs::create_dir_all(&built).map_err(|error| missing(format!("{}: {error}", built.display())))?;
        for program in PROGRAMS {
            let source = Path::new(&sources).join("src").join(program).with_extension("cc");
            let mut compiler = Command::new("g++");
            compiler.args(["-std=c++11", "-O3", "-march=native", "-fopenmp"]).arg(source);
            let output = compiler.arg("-o").arg(built.join(program)).output();
            let output = output.map_err(|error| missing(format!("g++: {error}")))?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned();
                return Err(missing(format!("g++ does not build {program}: {said}")));
            }
        }
        Ok(Self { built })
    }

    /// Writes a graph where its programs read it, with weights.
    pub(super) fn write(&self, name: &str, csr: &Csr) -> Result<PathBuf, Error> {
        let mut text = String::new();
        for v in 0..csr.vertices() as u32 {
            let edges = csr.offsets[v as usize] as usize..csr.offsets[v as usize + 1] as usize;
            for (u, weight) in csr.edges[edges.clone()].iter().zip(&csr.weights[edges]) {
                let _ = writeln!(text, "{v} {u} {weight}");
            }
        }
        let path = self.built.join(name).with_extension("wel");
        std::fs::write(&path, text).map_err(|error| Error::File { path: path.display().to_string(), error })?;
        Ok(path)
    }

    /// The best of some trials on a graph, after one whose answer it checks itself.
    pub(super) fn best(&self, program: &str, graph: &Path, trials: u32, more: &[&str]) -> Result<Duration, Error> {
        let run = |trials: u32, checked: bool| -> Result<String, Error> {
            let mut command = Command::new(self.built.join(program));
            command.arg("-f").arg(graph).args(["-n", &trials.to_string()]).args(more).env("OMP_NUM_THREADS", "2");
            if checked {
                command.arg("-v");
            }
            let output = command.output().map_err(|error| Error::Pipe { peer: GAPBS, error })?;
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let refused = |reason: String| Error::Refused { peer: GAPBS, reason };
        if !run(1, true)?.lines().any(|line| line.starts_with("Verification:") && line.ends_with("PASS")) {
            return Err(refused(format!("{program} does not pass its own check")));
        }
        let text = run(trials, false)?;
        let times = text.lines().filter_map(|line| line.strip_prefix("Trial Time:")?.trim().parse::<f64>().ok());
        let best = times.fold(f64::INFINITY, f64::min);
        Duration::try_from_secs_f64(best).map_err(|_| refused(format!("{program} tells no time")))
    }
}

impl Drop for Gapbs {
    fn drop(&mut self) {
        // A folder that stays is no reason to fail a run that is over.
        let _ = std::fs::remove_dir_all(&self.built);
    }
}
