//! What a run has come to, in files, so that another can go on from there.
//!
//! `DIR/step-N/rank-R` has all that a rank needs, and `DIR/latest` says which N is whole. Each file is written
//! beside its place and renamed, and `latest` only after all ranks have voted that theirs are on the disk: a run
//! that is killed at any time leaves the last whole checkpoint as it was.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"seawall1";

/// Why a checkpoint cannot be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file system refused something.
    #[error("cannot {what} {path}: {reason}")]
    File {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: String,
        /// What it says.
        reason: String,
    },
    /// There is none.
    #[error("there is no checkpoint in {dir}")]
    None {
        /// Where.
        dir: String,
    },
    /// It is not what was written.
    #[error("{path} is not a whole checkpoint: {why}")]
    Broken {
        /// Which file.
        path: String,
        /// What is wrong.
        why: &'static str,
    },
    /// Of another graph, or of another number of ranks.
    #[error("{path} is a checkpoint of another plan")]
    Other {
        /// Which file.
        path: String,
    },
    /// Ranks do not see the same files.
    #[error("ranks see different checkpoints: {steps:?}")]
    Differ {
        /// What each sees as the latest.
        steps: Vec<u64>,
    },
}

/// Where checkpoints go, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub(crate) dir: PathBuf,
    pub(crate) every: u64,
    pub(crate) keep_all: bool,
}

impl Checkpoint {
    /// Into this directory, which all ranks see, before each `every`-th exchange.
    pub fn new(dir: impl Into<PathBuf>, every: u64) -> Self {
        Self { dir: dir.into(), every: every.max(1), keep_all: false }
    }

    /// Earlier ones stay, too.
    #[must_use]
    pub fn keep_all(mut self) -> Self {
        self.keep_all = true;
        self
    }
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct State {
    /// The step that is next.
    pub(crate) op: usize,
    /// By loop.
    pub(crate) turns: Vec<u32>,
    /// Stages of exchanges that are over.
    pub(crate) exchanges: u64,
}

/// Which checkpoint is the latest that is whole.
pub(crate) fn latest(dir: &Path) -> Result<u64, Error> {
    let path = dir.join("latest");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::None { dir: dir.display().to_string() });
        }
        Err(error) => return Err(refused("read", &path)(error)),
    };
    text.trim().parse().map_err(|_| Error::Broken { path: path.display().to_string(), why: "it has no number" })
}

/// Says that a checkpoint is whole.
pub(crate) fn declare(dir: &Path, step: u64) -> Result<(), Error> {
    publish(&dir.join("latest"), format!("{step}\n").as_bytes())
}

/// Writes this rank's part of a checkpoint.
pub(crate) fn write(
    dir: &Path,
    step: u64,
    rank: usize,
    digest: u64,
    state: &State,
    data: &[(&str, Vec<u8>)],
) -> Result<(), Error> {
    let mut bytes = MAGIC.to_vec();
    let mut word = |word: u64| bytes.extend(word.to_le_bytes());
    word(digest);
    word(rank as u64);
    word(state.op as u64);
    word(state.exchanges);
    word(state.turns.len() as u64);
    state.turns.iter().for_each(|turns| word(u64::from(*turns)));
    word(data.len() as u64);
    for (name, of) in data {
        for part in [name.as_bytes(), of] {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
    }
    bytes.extend(sum(&bytes).to_le_bytes());
    let step = of_step(dir, step);
    fs::create_dir_all(&step).map_err(refused("make", &step))?;
    publish(&step.join(format!("rank-{rank}")), &bytes)
}

/// Data by name.
pub(crate) type Named = Vec<(String, Vec<u8>)>;

/// What this rank wrote.
pub(crate) fn read(dir: &Path, step: u64, rank: usize, digest: u64) -> Result<(State, Named), Error> {
    let path = of_step(dir, step).join(format!("rank-{rank}"));
    let broken = |why| Error::Broken { path: path.display().to_string(), why };
    let mut bytes = Vec::new();
    let mut file = File::open(&path).map_err(refused("open", &path))?;
    file.read_to_end(&mut bytes).map_err(refused("read", &path))?;
    let (body, check) = bytes.split_last_chunk().ok_or_else(|| broken("it is too short"))?;
    if sum(body) != u64::from_le_bytes(*check) {
        return Err(broken("its sum is another"));
    }
    let rest = body.strip_prefix(MAGIC).ok_or_else(|| broken("it begins with something else"))?;
    let mut parts = Parts(rest);
    let mut word = || parts.word().ok_or_else(|| broken("it ends early"));
    if (word()?, word()?) != (digest, rank as u64) {
        return Err(Error::Other { path: path.display().to_string() });
    }
    let (op, exchanges) = (word()? as usize, word()?);
    let turns = (0..word()?).map(|_| word().map(|turns| turns as u32)).collect::<Result<_, _>>()?;
    let many = word()?;
    let mut data = Vec::new();
    for _ in 0..many {
        let mut part = || parts.part().ok_or_else(|| broken("it ends early"));
        let (name, of) = (part()?.to_vec(), part()?.to_vec());
        data.push((String::from_utf8(name).map_err(|_| broken("a name is no text"))?, of));
    }
    Ok((State { op, turns, exchanges }, data))
}

/// Removes this rank's part of a checkpoint; the last rank removes the directory.
pub(crate) fn remove(dir: &Path, step: u64, rank: usize) -> Result<(), Error> {
    let step = of_step(dir, step);
    let path = step.join(format!("rank-{rank}"));
    fs::remove_file(&path).map_err(refused("remove", &path))?;
    match fs::remove_dir(&step) {
        Err(error) if error.kind() == std::io::ErrorKind::DirectoryNotEmpty => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(refused("remove", &step)),
    }
}

fn of_step(dir: &Path, step: u64) -> PathBuf {
    dir.join(format!("step-{step}"))
}

/// A file that is whole or as it was.
fn publish(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let beside = path.with_extension("part");
    let mut file = File::create(&beside).map_err(refused("make", &beside))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(refused("write", &beside))?;
    fs::rename(&beside, path).map_err(refused("rename", &beside))?;
    // So that the name lasts, too.
    let dir = path.parent().unwrap_or(Path::new("."));
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(refused("write", dir))
}

fn refused<'a>(what: &'static str, path: &'a Path) -> impl Fn(std::io::Error) -> Error + 'a {
    move |error| Error::File { what, path: path.display().to_string(), reason: error.to_string() }
}

/// FNV-1a, over words.
fn sum(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(0xcbf2_9ce4_8422_2325, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    fn part(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.word()?).ok()?;
        let (part, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(part)
    }
}
