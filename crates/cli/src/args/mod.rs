//! What was typed. What it means is decided in the module of each command.

mod piece;

use std::ffi::{OsStr, OsString};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand};
use clap_complete::Shell;
use seawall::device::SubgroupSize;
use seawall::sanitize::{Arithmetic, Workgroups};
use seawall_cpu::Pass;

pub(crate) use piece::{Data, Network, Number, Op, Piece};

/// Runs WGSL compute programs on the machine at hand
#[derive(Debug, Parser)]
#[command(name = "seawall", version, long_version = VERSION, max_term_width = 100, after_help = STATUS, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print nothing on standard error but errors
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 100)]
    pub(crate) quiet: bool,
    /// Print more: the choice of device and plan (-v), compiling and loading (-vv), what libraries log (-vvv)
    #[arg(short, long, global = true, action = ArgAction::Count, display_order = 101)]
    pub(crate) verbose: u8,
}

const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit ",
    env!("SEAWALL_COMMIT"),
    "\ntarget ",
    env!("SEAWALL_TARGET"),
    "\nfeatures ",
    env!("SEAWALL_FEATURES"),
);

const STATUS: &str = "\
Exit status: 0 success; 1 the program or its inputs are wrong; 2 the command line is wrong; \
3 a device, a file or memory failed";

const SOURCES: &str = "\
Sources (--in NAME=SOURCE):
  FILE.npy           little-endian numbers of the buffer's own type, shaped as its vectors are
  FILE.bin           bytes as they lie in the buffer
  FILE.csv           numbers row by row, no header line
  FILE.json, JSON    a value of the buffer's type: [1, 2, 3], {\"a\": 2.0, \"n\": 1000}; a matrix is
                     an array of columns; \"NaN\", \"Infinity\" and \"-Infinity\" are floats
  zeros:N            N elements of zero bytes
  iota:N             0, 1, 2, …
  fill:VALUE:N       N times the same number or JSON value
  FILE.png, .jpg     a picture, for a texture; .npy holds images of floats and integers
  zeros:640x480      an image of zeros, for a texture
  'linear repeat'    for a sampler: nearest or linear, and clamp, repeat or mirror
  random:N[:SEED]    SplitMix64 from SEED (0 if not given): floats in [0, 1), integers of any value
N counts the elements of the array and may be left out where the program fixes it.

Files (--out NAME=FILE), by extension: .npy, .bin, .csv (a row for each element), .json, and .png
(u32 elements are RGBA colours with red in the lowest byte, as pack4x8unorm gives them; f32 elements
are grey from 0 to 1). Textures go to .png, .npy and .bin.

A format may be named before a file of any extension, as in npy:weights.dat; `-` is then standard
input or output, as in --in x=npy:- and --out y=csv:-.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a program, or a job file of several (see docs/job.md)
    #[command(after_help = SOURCES)]
    Run(Box<Run>),
    /// Measure how long a program or a job takes, on one device or on several side by side
    Bench(Box<Bench>),
    /// Run WGSL files as tests, with inputs and expected outputs in their comments (see docs/test.md)
    Test(Test),
    /// Check a program, and list its entry points and buffers
    Check(Check),
    /// List the devices and whether they can run here
    Devices(Devices),
    /// Print a stage of a program's compilation
    Dump(Dump),
    /// Plan a job file, or waves under a budget, result slots and a queue (see docs/plan.md)
    Plan(Plan),
    /// Explain a job file's plan, and which device it would run on
    Explain(Explain),
    /// Run a ready program on data: sort it, scan it, compact it and so on (see docs/kit.md)
    #[command(arg_required_else_help = true)]
    Kit {
        #[command(subcommand)]
        piece: Piece,
    },
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page, in roff
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The program (`-` for standard input), or a job file (.toml)
    pub(crate) file: PathBuf,
    /// The entry point, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// The initial contents of a buffer (see below)
    #[arg(long = "in", value_name = "NAME=SOURCE", value_parser = OsStringValueParser::new().try_map(assign))]
    pub(crate) ins: Vec<Assign>,
    /// Write a buffer to a file at the end (see below)
    #[arg(long = "out", value_name = "NAME=FILE", value_parser = OsStringValueParser::new().try_map(assign))]
    pub(crate) outs: Vec<Assign>,
    /// Print this buffer instead of all that are written, its first N elements
    #[arg(long = "show", value_name = "NAME[:N]", value_parser = show)]
    pub(crate) shows: Vec<Show>,
    /// Set an `override`, by name or by @id
    #[arg(long = "set", value_name = "OVERRIDE=VALUE", value_parser = decide)]
    pub(crate) sets: Vec<Decide>,
    /// Workgroups in each dimension [default: cover the longest runtime-sized buffer that is written]
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dims, allow_hyphen_values = true, conflicts_with = "threads")]
    pub(crate) grid: Option<Dims>,
    /// Invocations in each dimension, rounded up to whole workgroups
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = dims, allow_hyphen_values = true)]
    pub(crate) threads: Option<Dims>,
    /// Run on this device and no other
    #[arg(long, value_name = "ID")]
    pub(crate) device: Option<String>,
    /// Interleave invocations in an order chosen by this seed, on the reference device
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Find races, reads and writes out of bounds, and reads of what nobody wrote, on the reference
    /// device (see docs/sanitizer.md)
    #[arg(long)]
    pub(crate) sanitize: bool,
    /// Take all that --sanitize finds for errors
    #[arg(long, requires = "sanitize")]
    pub(crate) strict: bool,
    /// Let --sanitize watch only these workgroups of each dispatch
    #[arg(long, value_name = "A..B", value_parser = workgroups, requires = "sanitize")]
    pub(crate) workgroups: Option<Workgroups>,
    /// Let --sanitize look at arithmetic too: division, shift, conversion, nan, overflow, or all
    #[arg(long, value_name = "WHAT,…", value_parser = arithmetic, requires = "sanitize", num_args = 0..=1,
        require_equals = true, default_missing_value = "all")]
    pub(crate) arithmetic: Option<Arithmetic>,
    /// Stop an invocation that executes more statements than this, on the reference device
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// Stop after N seconds, whatever is going on: reading, compiling, running, writing
    #[arg(long, value_name = "N", value_parser = seconds)]
    pub(crate) seconds: Option<Duration>,
    /// Invocations of a subgroup, from 4 to 128 (CPU and reference device) [default: 32]
    #[arg(long, value_name = "N", value_parser = subgroup)]
    pub(crate) subgroup_size: Option<SubgroupSize>,
    /// Allow fused multiply-add where that is faster (CPU device): not the reference's bits
    #[arg(long)]
    pub(crate) contract: bool,
    /// The most bytes on the device at once, as in 64MiB (job files)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) budget: Option<u64>,
    /// Set one of the file's values for this run, as JSON (job files)
    #[arg(long = "value", value_name = "NAME=JSON", value_parser = OsStringValueParser::new().try_map(assign))]
    pub(crate) values: Vec<Assign>,
    /// Write checkpoints into this directory, which all ranks see (jobs shared out among ranks; see docs/mpi.md)
    #[arg(long, value_name = "DIR", requires = "every")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// A checkpoint before each N-th stage of exchanges
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) every: Option<u64>,
    /// Go on from the latest checkpoint in the directory of --checkpoint
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
    /// Pixels in a row of a .png
    #[arg(long, value_name = "W")]
    pub(crate) width: Option<u64>,
    /// Record when each step ran, as a trace for Chrome or Perfetto (.svg: as a picture)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Print where the time went: by kernel, or by wave of a job
    #[arg(long, conflicts_with = "json")]
    pub(crate) profile: bool,
    /// Print one JSON object: device, because, outputs, stats
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) run: Run,
    /// Measure this device as well, taking turns
    #[arg(long, value_name = "ID")]
    pub(crate) against: Vec<String>,
    /// Measured repetitions
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) repeat: NonZeroU32,
    /// Warm-up repetitions before those
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) warmup: u32,
    /// Operations in one run, to report operations per second, as in 2e9
    #[arg(long, value_name = "N")]
    pub(crate) operations: Option<f64>,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Files, or folders to search for .wgsl files with directives
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Run on this device, and on each further one that is named; `all` is every device that can run
    /// here [default: the one that `seawall run` takes]
    #[arg(long = "device", value_name = "ID")]
    pub(crate) devices: Vec<String>,
    /// Run only tests with this in their path; with several, those that have any of them
    #[arg(long = "filter", value_name = "TEXT")]
    pub(crate) filters: Vec<String>,
    /// Stop a test that takes longer than N seconds
    #[arg(long, value_name = "N", value_parser = seconds, default_value = "60")]
    pub(crate) seconds: Duration,
    /// Invocations of a subgroup, from 4 to 128 (CPU device) [default: 32]
    #[arg(long, value_name = "N", value_parser = subgroup)]
    pub(crate) subgroup_size: Option<SubgroupSize>,
    /// Look for races, accesses out of bounds and the like, and compare what is found with what `finds`
    /// says; on devices only if they are named
    #[arg(long)]
    pub(crate) sanitize: bool,
    /// First write what the reference device gives into each `out` that differs, as `SEAWALL_BLESS=1` does
    #[arg(long)]
    pub(crate) bless: bool,
    /// Print one JSON object: tests, passed, failed, expected, skipped
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The program (`-` for standard input)
    pub(crate) file: PathBuf,
    /// Exit with status 1 if there are warnings
    #[arg(long)]
    pub(crate) deny_warnings: bool,
    /// Print JSON, errors and warnings included; for programs
    #[arg(long)]
    pub(crate) json: bool,
    /// Set an `override`, by name or by @id
    #[arg(long = "set", value_name = "OVERRIDE=VALUE", value_parser = decide)]
    pub(crate) sets: Vec<Decide>,
}

#[derive(Debug, Args)]
pub(crate) struct Devices {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = stages())]
pub(crate) struct Dump {
    /// The program (`-` for standard input)
    pub(crate) file: PathBuf,
    /// Which stage: program, split, remarks, vector, clif, asm, or after=PASS (see below)
    #[arg(long, value_parser = stage)]
    pub(crate) stage: Stage,
    /// Tell what each pass of the CPU device's compiler takes
    #[arg(long)]
    pub(crate) time_passes: bool,
    /// The entry point, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    /// Set an `override`, by name or by @id
    #[arg(long = "set", value_name = "OVERRIDE=VALUE", value_parser = decide)]
    pub(crate) sets: Vec<Decide>,
    /// Invocations of a subgroup [default: 32]
    #[arg(long, value_name = "N", value_parser = subgroup)]
    pub(crate) subgroup_size: Option<SubgroupSize>,
    /// With fused multiply-add, as in `run --contract`
    #[arg(long)]
    pub(crate) contract: bool,
}

/// A stage of compilation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stage {
    /// Entry points, buffers and overrides
    Program,
    /// The segments between grid barriers, and what is kept across each barrier
    Split,
    /// The CPU device's IR after a pass over it
    After(Pass),
    /// The CPU device's IR: which values are uniform, and how many lanes run together
    Vector,
    /// What the passes of the CPU device's compiler did or could not do, and why
    Remarks,
    /// The CPU device's Cranelift IR
    Clif,
    /// The CPU device's machine code
    Asm,
}

#[derive(Debug, Args)]
pub(crate) struct Plan {
    /// What to plan, as JSON (`-` for standard input), or a job file (.toml)
    pub(crate) file: PathBuf,
    /// The most bytes on the device at once, as in 64MiB (job files)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) budget: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the groups
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The job file
    pub(crate) file: PathBuf,
    /// The most bytes on the device at once, as in 64MiB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub(crate) budget: Option<u64>,
    /// For this device and no other
    #[arg(long, value_name = "ID")]
    pub(crate) device: Option<String>,
}

/// `NAME=VALUE`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assign {
    pub(crate) name: String,
    /// A path need not be text.
    pub(crate) value: OsString,
}

/// `NAME[:N]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Show {
    pub(crate) name: String,
    pub(crate) most: Option<u64>,
}

/// `OVERRIDE=VALUE`
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decide {
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// `X[,Y[,Z]]`, none of them zero.
pub(crate) type Dims = [u32; 3];

#[expect(clippy::needless_pass_by_value, reason = "the parser hands it over")]
fn assign(text: OsString) -> Result<Assign, String> {
    match split(&text, b'=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => Ok(Assign { name, value }),
        _ => Err("expected NAME=…".to_owned()),
    }
}

/// What stands before the first of these bytes, and what after it: which need not be text.
#[cfg(unix)]
pub(crate) fn split(text: &OsStr, at: u8) -> Option<(String, OsString)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = text.as_bytes();
    let place = bytes.iter().position(|&byte| byte == at)?;
    let before = str::from_utf8(&bytes[..place]).ok()?;
    Some((before.to_owned(), OsStr::from_bytes(&bytes[place + 1..]).to_owned()))
}

/// The same, of what is text.
#[cfg(not(unix))]
pub(crate) fn split(text: &OsStr, at: u8) -> Option<(String, OsString)> {
    let (before, after) = text.to_str()?.split_once(char::from(at))?;
    Some((before.to_owned(), after.into()))
}

fn show(text: &str) -> Result<Show, String> {
    let (name, most) = match text.split_once(':') {
        Some((name, n)) => (name, Some(n.parse().map_err(|_| format!("`{n}` is not a number of elements"))?)),
        None => (text, None),
    };
    if name.is_empty() {
        return Err("expected NAME[:N]".to_owned());
    }
    Ok(Show { name: name.to_owned(), most })
}

fn decide(text: &str) -> Result<Decide, String> {
    let (name, value) =
        text.split_once('=').filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or("expected NAME=…")?;
    let number = match value {
        "true" => 1.0,
        "false" => 0.0,
        text => text.parse().map_err(|_| format!("`{text}` is neither a number nor true or false"))?,
    };
    if !f64::is_finite(number) {
        return Err(format!("`{value}` is not finite"));
    }
    Ok(Decide { name: name.to_owned(), value: number })
}

fn workgroups(text: &str) -> Result<Workgroups, String> {
    let refused = || format!("`{text}` is no range such as 0..64");
    let (first, end) = text.split_once("..").ok_or_else(refused)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| refused());
    let (first, end) = (number(first)?, number(end)?);
    if first < end { Ok(Workgroups { first, end }) } else { Err(format!("`{text}` has no workgroup in it")) }
}

fn arithmetic(text: &str) -> Result<Arithmetic, String> {
    let mut wanted = Arithmetic::default();
    for word in text.split(',') {
        match word {
            "division" => wanted.division = true,
            "shift" => wanted.shift = true,
            "conversion" => wanted.conversion = true,
            "nan" => wanted.nan = true,
            "overflow" => wanted.overflow = true,
            "all" => wanted = Arithmetic::ALL,
            other => return Err(format!("`{other}` is none of division, shift, conversion, nan, overflow and all")),
        }
    }
    Ok(wanted)
}

/// What `dump` can show, for its help.
fn stages() -> String {
    let passes: Vec<&str> = Pass::all().into_iter().map(Pass::name).collect();
    format!(
        "Stages:\n  program      entry points, buffers and overrides\n  split        the segments between grid barriers, and \
         what is kept across each\n  remarks      what the CPU device's compiler did or could not do, where in the source, and why\n  after=PASS   the CPU device's IR after a pass over it: {}\n  vector       the same \
         at last: which values are uniform, and how many lanes run together\n  clif         the CPU device's Cranelift \
         IR\n  asm          the CPU device's machine code",
        passes.join(", ")
    )
}

fn stage(text: &str) -> Result<Stage, String> {
    match text {
        "program" => Ok(Stage::Program),
        "split" => Ok(Stage::Split),
        "remarks" => Ok(Stage::Remarks),
        "vector" => Ok(Stage::Vector),
        "clif" => Ok(Stage::Clif),
        "asm" => Ok(Stage::Asm),
        _ => {
            let pass =
                text.strip_prefix("after=").ok_or("it is program, split, remarks, vector, clif, asm or after=PASS")?;
            let passes = Pass::all();
            let names = || passes.iter().map(|pass| pass.name()).collect::<Vec<_>>().join(", ");
            let found = passes.iter().find(|other| other.name() == pass);
            found.map(|&pass| Stage::After(pass)).ok_or_else(|| format!("the passes are {}", names()))
        }
    }
}

fn subgroup(text: &str) -> Result<SubgroupSize, String> {
    let refused = || format!("`{text}` is none of {:?}", SubgroupSize::ALL);
    text.parse().ok().and_then(SubgroupSize::new).ok_or_else(refused)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let refused = || format!("`{text}` is not a positive number of seconds");
    let seconds = text.parse().map_err(|_| refused())?;
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(refused)
}

/// `64MiB`, `64 MB`, `64`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    const UNITS: [(&str, u64); 8] = [
        ("", 1),
        ("B", 1),
        ("KB", 1_000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("KIB", 1 << 10),
        ("MIB", 1 << 20),
        ("GIB", 1 << 30),
    ];
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = (&text[..digits], text[digits..].trim().to_ascii_uppercase());
    let (Some((_, each)), Ok(number)) = (UNITS.iter().find(|(name, _)| *name == unit), number.parse::<u64>()) else {
        return Err(format!("`{text}` is not a number of bytes, such as 65536, 64KiB or 1GiB"));
    };
    number.checked_mul(*each).ok_or_else(|| format!("`{text}` is over 2^64 bytes"))
}

fn dims(text: &str) -> Result<Dims, String> {
    let mut dims = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > dims.len() {
        return Err("at most three dimensions".to_owned());
    }
    for (dim, part) in dims.iter_mut().zip(parts) {
        *dim = part.parse().map_err(|_| format!("`{part}` is not a number from 1 to {}", u32::MAX))?;
        if *dim == 0 {
            return Err("a dimension of 0 runs nothing".to_owned());
        }
    }
    Ok(dims)
}
