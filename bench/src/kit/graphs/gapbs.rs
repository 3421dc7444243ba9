//! GAPBS (Beamer, Asanović and Patterson), built from sources that a variable names, on the same graphs.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use seawall_kit::csr::Csr;

use super::{Answer, GAPBS};
use crate::error::{Error, Missing};

const VARIABLE: &str = "SEAWALL_GAPBS";
const PROGRAMS: [&str; 6] = ["bfs", "sssp", "cc", "pr", "tc", "bc"];

/// Where the graph is, without weights and with them.
const PLAIN: &str = "graph.sg";
const WEIGHTED: &str = "graph.wsg";

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

    /// Writes an undirected graph where its programs read it, in the form that they serialise: whether it is directed,
    /// how many edges and vertices, where rows begin, and where edges lead, with weights beside them in a second file.
    pub(super) fn write(&self, csr: &Csr) -> Result<(), Error> {
        for (name, weighted) in [(PLAIN, false), (WEIGHTED, true)] {
            let path = self.built.join(name);
            let failed = |error| Error::File { path: path.display().to_string(), error };
            let mut file = BufWriter::new(File::create(&path).map_err(failed)?);
            let mut write = |bytes: &[u8]| file.write_all(bytes).map_err(failed);
            write(&[0])?;
            write(&(csr.edges().len() as i64).to_ne_bytes())?;
            write(&(csr.vertices() as i64).to_ne_bytes())?;
            csr.offsets().iter().try_for_each(|&offset| write(&i64::from(offset).to_ne_bytes()))?;
            for (to, weight) in csr.edges().iter().zip(csr.weights()) {
                write(&to.to_ne_bytes())?;
                if weighted {
                    write(&weight.to_ne_bytes())?;
                }
            }
            file.flush().map_err(failed)?;
        }
        Ok(())
    }

    /// The best of some trials on the graph, after one whose answer is asked about.
    pub(super) fn best(
        &self,
        program: &str,
        trials: u32,
        more: &[&str],
        answer: Answer<'_>,
    ) -> Result<Duration, Error> {
        let run = |trials: u32, asks: &[&str]| -> Result<String, Error> {
            let graph = if program == "sssp" { WEIGHTED } else { PLAIN };
            let mut command = Command::new(self.built.join(program));
            command.arg("-f").arg(self.built.join(graph)).args(["-n", &trials.to_string()]).args(more).args(asks);
            let output = command.env("OMP_NUM_THREADS", "2").output();
            let output = output.map_err(|error| Error::Pipe { peer: GAPBS, error })?;
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        };
        let refused = |reason: String| Error::Refused { peer: GAPBS, reason };
        let right = match answer {
            Answer::Own => {
                run(1, &["-v"])?.lines().any(|line| line.starts_with("Verification:") && line.ends_with("PASS"))
            }
            Answer::Says(expected) => run(1, &["-a"])?.lines().any(|line| line == expected),
        };
        if !right {
            return Err(refused(format!("{program} does not pass its own check, or has another answer")));
        }
        let text = run(trials, &[])?;
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
