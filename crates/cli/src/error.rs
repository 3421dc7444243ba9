//! Everything that ends a command early, and the exit status that says whose fault it is.

use std::io;
use std::path::PathBuf;

use seawall::device::Reason;
use seawall::diag::{Report, closest};
use seawall::{device, route};

use crate::kind::Kind;
use crate::table::count;
use crate::{file, problem, sink, source};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0}")]
    Program(Box<Report>),
    #[error(transparent)]
    File(#[from] file::Error),
    #[cfg_attr(all(feature = "spirv", feature = "glsl"), expect(dead_code, reason = "that build reads them all"))]
    #[error("this build reads no {language} (`{}`)", path.display())]
    Language { path: PathBuf, language: &'static str, feature: &'static str },
    #[error("{} is {kind}, and not {takes}", file::shown(path))]
    OtherKind { path: PathBuf, kind: Kind, takes: &'static str, instead: &'static str },
    #[error("standard input is read twice: {first} and {second}")]
    StdinTwice { first: String, second: String },
    #[error("both --json and `--out {name}` go to standard output")]
    JsonAndData { name: String },
    #[error("--in: the job has no buffer `{name}`; it has {}", or_none(known))]
    NoJobBuffer { name: String, known: Vec<String> },
    #[error("{option}: `{name}` is no output of the job; those are {}", or_none(known))]
    NoJobOutput { option: &'static str, name: String, known: Vec<String> },
    #[error("--set: no program of the job has an override `{name}`; there is {}", or_none(known))]
    NoJobOverride { name: String, known: Vec<String> },
    #[error("`{}` is not WGSL, and so cannot have the functions of queues", path.display())]
    NotWgsl { path: PathBuf },
    #[error("`{}` has several entry points: {}", path.display(), entries.join(", "))]
    SeveralEntries { path: PathBuf, entries: Vec<String> },
    #[error("there is no entry point `{entry}`; there is {}", known.join(", "))]
    UnknownEntry { entry: String, known: Vec<String> },
    #[error("{option}: `{kernel}` uses no buffer `{name}`; it uses {}", or_none(known))]
    UnknownBuffer { option: &'static str, kernel: String, name: String, known: Vec<String> },
    #[error("`{kernel}` {} `{name}: {ty}`, {}", if *written { "writes" } else { "reads" },
        if *written { "which has no size yet" } else { "which has no value" })]
    Unbound { kernel: String, name: String, ty: String, written: bool, example: String },
    #[error("--in {name}: {error}")]
    In { name: String, error: Box<source::Error> },
    #[error("--out {name}: {error}")]
    Out { name: String, error: sink::Error },
    #[error("--value {name}: {error}")]
    Value { name: String, error: String },
    #[error("--value: the job has no value `{name}`; it has {}", or_none(known))]
    UnknownValue { name: String, known: Vec<String> },
    #[error("buffer `{name}`: {error}")]
    Load { name: String, error: Box<source::Error> },
    #[error("buffer `{name}`: {error}")]
    Save { name: String, error: sink::Error },
    #[error("`{option}` is not for job files: {why}")]
    InJob { option: &'static str, why: &'static str },
    #[error("`{option}` is for job files (.toml) only")]
    JobOnly { option: &'static str },
    #[error(
        "the data of this job is shared out among ranks, and `seawall-mpi`, which runs it, is neither beside `seawall` nor on the path"
    )]
    NoMpi,
    #[error("cannot start `{}`: {error}", command.display())]
    NotStarted { command: PathBuf, error: io::Error },
    #[error("a job that is shared out among ranks is read by each of them, and cannot come from standard input")]
    SharedStdin,
    #[error("{ranks} ranks were started ({variable}), and each would do all of it: nothing is shared out among them")]
    Ranks { variable: &'static str, ranks: u64 },
    #[error("`{option}` is for jobs that are shared out among ranks")]
    SharedOnly { option: &'static str },
    #[error("{} is shared out among ranks, which only `seawall run` and `seawall plan` take", file::shown(path))]
    IsShared { path: PathBuf },
    #[error("`{option}` is not for jobs that are shared out among ranks")]
    NotShared { option: &'static str },
    #[error("{option} says `{name}` twice")]
    Twice { option: &'static str, name: String },
    #[error("`{first}` and `{second}` both go to {}", file::written(path))]
    SameFile { path: PathBuf, first: String, second: String },
    #[error("`{kernel}` writes no runtime-sized buffer to take the grid from")]
    NoGrid { kernel: String },
    #[error("{groups} workgroups of {size} invocations in dimension {dimension} are over 2^32 invocations")]
    GridTooLarge { dimension: usize, groups: u64, size: u32 },
    #[error("{option} is not for `seawall bench`, which only measures")]
    NotMeasured { option: &'static str },
    #[error(transparent)]
    Find(#[from] seawall_suite::find::Error),
    #[error("there is no test {}", in_paths(paths, filters))]
    NoTest { paths: Vec<PathBuf>, filters: Vec<String> },
    #[error("{list}")]
    ExpectedFailures { list: String },
    #[error("{failed} of {} failed", count(*tests as u64, "test"))]
    Failed { failed: usize, tests: usize },
    #[error("--set is for programs and jobs, which have overrides")]
    NoOverrides,
    #[error("{option} is for a kernel, but --stage program shows all of the program")]
    NoKernel { option: &'static str },
    #[error("the segments cannot be written as WGSL: {why}")]
    NotWritten { why: String },
    #[error(transparent)]
    Compile(#[from] seawall_cpu::CompileError),
    #[error("`{}`: {error}", path.display())]
    Plan { path: PathBuf, error: problem::Error },
    #[error(transparent)]
    Show(#[from] seawall_show::Error),
    #[error("there {} {}", if *warnings == 1 { "is" } else { "are" }, count(*warnings as u64, "warning"))]
    Warnings { warnings: usize },
    #[error(transparent)]
    Run(#[from] seawall::Error),
    #[error(transparent)]
    Kit(seawall_kit::Error),
    #[error("`{piece}` needs {what}")]
    KitNeeds { piece: &'static str, what: &'static str },
    #[error("elements of `{number}` are for `matmul` alone")]
    KitType { number: &'static str },
    #[error("`{name}` has {number} at {at}, which is no i8: they go from -128 to 127")]
    KitByte { name: String, at: usize, number: i32 },
    #[error("--graph {graph}: {error}")]
    Graph { graph: String, error: seawall_kit::csr::Error },
    #[error("graphs that are made up lead both ways, so none of them is --directed")]
    GeneratedDirected,
    #[error("the run was not done at its deadline: it still had to {what}")]
    Late { what: &'static str },
    #[error("cannot write to standard output: {0}")]
    Stdout(#[from] io::Error),
}

/// Whose fault it is, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// The program or its inputs are wrong.
    Wrong = 1,
    /// The command line makes no sense by itself.
    Usage = 2,
    /// Device, file, memory.
    World = 3,
}

impl From<Report> for Error {
    fn from(report: Report) -> Self {
        Self::Program(Box::new(report))
    }
}

/// What the runtime says is told as it is elsewhere.
impl From<seawall_kit::Error> for Error {
    fn from(error: seawall_kit::Error) -> Self {
        match error {
            seawall_kit::Error::Seawall(error) => Self::Run(error),
            error => Self::Kit(error),
        }
    }
}

impl Error {
    pub(crate) fn status(&self) -> Status {
        let world = |world| if world { Status::World } else { Status::Wrong };
        match self {
            Self::Program(_)
            | Self::NotWgsl { .. }
            | Self::OtherKind { .. }
            | Self::IsShared { .. }
            | Self::NoJobBuffer { .. }
            | Self::NoJobOutput { .. }
            | Self::NoJobOverride { .. }
            | Self::SeveralEntries { .. }
            | Self::UnknownEntry { .. }
            | Self::UnknownBuffer { .. }
            | Self::Value { .. }
            | Self::UnknownValue { .. }
            | Self::Unbound { .. }
            | Self::NoGrid { .. }
            | Self::Show(seawall_show::Error::TooManyStages { .. })
            | Self::Warnings { .. }
            | Self::NoTest { .. }
            | Self::ExpectedFailures { .. }
            | Self::Failed { .. }
            | Self::GridTooLarge { .. }
            | Self::Kit(_)
            | Self::Graph { .. }
            | Self::KitByte { .. }
            | Self::Late { .. } => Status::Wrong,
            Self::Twice { .. }
            | Self::KitNeeds { .. }
            | Self::KitType { .. }
            | Self::GeneratedDirected
            | Self::StdinTwice { .. }
            | Self::JsonAndData { .. }
            | Self::SameFile { .. }
            | Self::NoKernel { .. }
            | Self::NoOverrides
            | Self::NotMeasured { .. }
            | Self::InJob { .. }
            | Self::JobOnly { .. }
            | Self::SharedStdin
            | Self::SharedOnly { .. }
            | Self::NotShared { .. }
            | Self::Ranks { .. } => Status::Usage,
            Self::Language { .. }
            | Self::NoMpi
            | Self::NotStarted { .. }
            | Self::Stdout(_)
            | Self::NotWritten { .. }
            | Self::Compile(_)
            | Self::Find(_)
            | Self::Show(seawall_show::Error::NoTimes { .. }) => Status::World,
            Self::File(error) => world(error.is_world()),
            Self::In { error, .. } | Self::Load { error, .. } => world(error.is_world()),
            Self::Out { error, .. } | Self::Save { error, .. } => world(error.is_world()),
            Self::Plan { error, .. } => world(error.is_world()),
            Self::Run(error) => run_status(error),
        }
    }

    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::Language { feature, .. } => Some(format!("build it with --features {feature}")),
            Self::OtherKind { instead, .. } => Some((*instead).to_owned()),
            Self::NoMpi => Some(
                "`cargo install --path crates/mpi` installs it; it needs a system MPI (see docs/mpi.md)".to_owned(),
            ),
            Self::Ranks { variable, .. } => Some(format!(
                "docs/mpi.md says how to share it out; where each rank has a run of its own, start it by `env -u {variable} seawall …`"
            )),
            Self::NoTest { .. } => Some("docs/test.md says what a test has in its comments".to_owned()),
            Self::SeveralEntries { .. } => Some("choose one with --entry NAME".to_owned()),
            Self::UnknownEntry { entry: name, known }
            | Self::UnknownBuffer { name, known, .. }
            | Self::NoJobBuffer { name, known }
            | Self::NoJobOutput { name, known, .. }
            | Self::NoJobOverride { name, known }
            | Self::UnknownValue { name, known } => {
                closest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"))
            }
            Self::Unbound { name, example, .. } => {
                Some(format!("say what it holds, for example --in {}", quoted(name, example)))
            }
            Self::In { error, .. } | Self::Load { error, .. } => error.help(),
            Self::Out { error, .. } | Self::Save { error, .. } => error.help(),
            Self::NoGrid { .. } => Some("say how much to run with --threads X[,Y[,Z]] or --grid X[,Y[,Z]]".to_owned()),
            Self::Run(seawall::Error::Route(route::Error::Unknown { .. } | route::Error::Absent { .. })) => {
                Some("`seawall devices` lists what can run here".to_owned())
            }
            Self::Run(seawall::Error::LoopLimit { .. }) => {
                Some("limit = N says how often it may; without must_end it is no error to reach it".to_owned())
            }
            Self::Run(seawall::Error::Device(device::Error::StepLimit { .. })) => {
                Some("--steps N sets the limit".to_owned())
            }
            Self::Late { .. }
            | Self::Run(seawall::Error::Device(device::Error::Stopped { reason: Reason::Deadline, .. })) => {
                Some("--seconds N sets the deadline".to_owned())
            }
            _ => None,
        }
    }

    /// The diagnostics in it, where it is about the program's text.
    pub(crate) fn report(&self) -> Option<&Report> {
        match self {
            Self::Program(report) => Some(report),
            Self::Run(seawall::Error::Program(report)) => Some(report),
            Self::Run(seawall::Error::Device(error) | seawall::Error::Route(route::Error::Unfit(error))) => match error
            {
                device::Error::Unsupported(unsupported) => Some(&unsupported.report),
                device::Error::StepLimit { report } => Some(report),
                device::Error::Stopped { report, .. } => report.as_ref(),
                _ => None,
            },
            Self::Run(seawall::Error::Route(route::Error::Nobody { refusals })) => of_all(refusals),
            _ => None,
        }
    }
}

/// What the first device says, where all that are here refuse the program for its text.
fn of_all(refusals: &[route::Refusal]) -> Option<&Report> {
    let here = refusals.iter().filter(|refusal| !matches!(refusal.why, route::Why::Absent(_)));
    let reports: Option<Vec<&Report>> = here
        .map(|refusal| match &refusal.why {
            route::Why::Unfit(device::Error::Unsupported(unsupported)) => Some(&unsupported.report),
            route::Why::Unfit(_) | route::Why::Absent(_) => None,
        })
        .collect();
    reports?.first().copied()
}

pub(crate) fn run_status(error: &seawall::Error) -> Status {
    match error {
        seawall::Error::Device(
            device::Error::StepLimit { .. } | device::Error::Stopped { .. } | device::Error::Unsound(_),
        ) => Status::Wrong,
        seawall::Error::Route(_) | seawall::Error::Device(_) | seawall::Error::Thread { .. } => Status::World,
        seawall::Error::ReferenceOnly { .. } => Status::Usage,
        _ => Status::Wrong,
    }
}

fn in_paths(paths: &[PathBuf], filters: &[String]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    let filters: Vec<String> = filters.iter().map(|text| format!("`{text}`")).collect();
    match filters.len() {
        0 => format!("in {}: no .wgsl file with directives", paths.join(", ")),
        _ => format!("in {} with {} in its path", paths.join(", "), filters.join(" or ")),
    }
}

fn or_none(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// `NAME=VALUE` as a shell takes it.
fn quoted(name: &str, value: &str) -> String {
    if value.contains(['{', '"', '[', ' ']) { format!("'{name}={value}'") } else { format!("{name}={value}") }
}
