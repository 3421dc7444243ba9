//! Programs from anywhere, on the host devices: one case for tests and for fuzzing.
//!
//! Whatever the bytes are, they are refused or they run: nothing panics, dies or goes on for ever,
//! and on the CPU device, whose memory has edges here, nothing goes outside. Where one invocation
//! runs alone there is no order to choose, and the CPU device must give what the reference device
//! gives; floats are left out of that, whose NaNs have many forms.

use std::sync::{Arc, LazyLock, mpsc};
use std::thread;
use std::time::Duration;

use seawall_core::check;
use seawall_core::device::{Control, Device, Error, Host, Io, Reason};
use seawall_core::diag::Report;
use seawall_core::naga::{ScalarKind, TypeInner};
use seawall_core::program::{self, Access, Kernel, Overrides, Program};
use seawall_core::reference;
use seawall_core::schedule::{self, Binding, BufferId, HostId, KernelId, Life, Schedule, Step};
use seawall_cpu::Edge;

/// What became of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is not valid, or asks for more than a test should give.
    Refused,
    /// It ran, to its end or until it was stopped.
    Ran,
    /// The same, and what it gave was compared.
    Compared,
}

/// Text that is longer takes time to compile, and has nothing new to say.
const SOURCE_BYTES_MAX: usize = 16 << 10;
const BUFFER_BYTES_MAX: u64 = 1 << 16;
const WORKGROUP_BYTES_MAX: u64 = 1 << 16;
const INVOCATIONS_MAX: u64 = 256;
/// Statements of an invocation, on the reference device.
const STEPS_MAX: u64 = 1 << 12;
/// How long a program may run that the reference device ends, on a machine that may be busy; and
/// after how long another is stopped.
const PATIENCE: Duration = Duration::from_mins(1);
const STOPPED: Duration = Duration::from_millis(20);

static REFERENCE: LazyLock<reference::Device> = LazyLock::new(|| reference::Device::new(reference::Config::default()));

static CPUS: LazyLock<Vec<seawall_cpu::Device>> = LazyLock::new(|| {
    let edges = [Edge::End, Edge::Start].map(|edge| cfg!(target_os = "linux").then_some(edge));
    let open = |edge| {
        let config = seawall_cpu::Config { threads: std::num::NonZeroUsize::new(1), edge, ..Default::default() };
        seawall_cpu::Device::open(config).unwrap_or_else(|error| panic!("no CPU device: {error}"))
    };
    edges.map(open).into()
});

/// Text in WGSL, or what was meant to be.
pub fn wgsl(bytes: &[u8]) -> Outcome {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.len() <= SOURCE_BYTES_MAX => run(Program::wgsl(text)),
        Ok(_) | Err(_) => Outcome::Refused,
    }
}

/// A SPIR-V binary, or what was meant to be.
pub fn spirv(bytes: &[u8]) -> Outcome {
    if bytes.len() > SOURCE_BYTES_MAX { Outcome::Refused } else { run(Program::spirv(bytes)) }
}

fn run(program: Result<Program, Report>) -> Outcome {
    let Ok(program) = program else { return Outcome::Refused };
    let Some(entry) = program.entries().next().map(str::to_owned) else { return Outcome::Refused };
    let Ok(kernel) = program.kernel(&entry, &Overrides::new()) else { return Outcome::Refused };
    let large = |row: &program::Buffer| bytes_of(row) > BUFFER_BYTES_MAX;
    let many = kernel.workgroup_invocations() > INVOCATIONS_MAX || kernel.workgroup_bytes > WORKGROUP_BYTES_MAX;
    if many || kernel.buffers.iter().any(large) {
        return Outcome::Refused;
    }
    let alone = kernel.workgroup_invocations() == 1;
    let floats = kernel.module().types.iter().any(|(_, ty)| {
        let scalar = match ty.inner {
            TypeInner::Atomic(scalar) => Some(scalar),
            ref inner => inner.scalar(),
        };
        scalar.is_some_and(|scalar| matches!(scalar.kind, ScalarKind::Float | ScalarKind::AbstractFloat))
    });
    let job = Job::new(kernel, if alone { 1 } else { 2 });
    let expected = match job.outputs(&*REFERENCE, PATIENCE) {
        Ok(outputs) => Some(outputs),
        Err(Error::StepLimit { .. }) => None,
        Err(Error::Unsupported(_)) => return Outcome::Refused,
        Err(error) => panic!("the reference device: {error}"),
    };
    let mut outcome = Outcome::Ran;
    for cpu in &*CPUS {
        let patience = if expected.is_some() { PATIENCE } else { STOPPED };
        match (job.outputs(cpu, patience), &expected) {
            (Ok(outputs), Some(expected)) if alone && !floats => {
                assert_eq!(outputs, *expected, "the CPU device gives something else");
                outcome = Outcome::Compared;
            }
            (Ok(_) | Err(Error::Unsupported(_)), _) | (Err(Error::Stopped { .. }), None) => {}
            (Err(error), _) => panic!("the CPU device: {error}"),
        }
    }
    outcome
}

/// Some elements where the length is open, and the least otherwise.
fn bytes_of(row: &program::Buffer) -> u64 {
    let more = row.ty.tail().map_or(0, |(_, stride)| u64::from(stride) * u64::from(row.binding % 5 * 7));
    row.min_bytes.saturating_add(more)
}

/// A kernel on small buffers.
struct Job {
    checked: Arc<check::Checked>,
    inputs: Vec<Vec<u8>>,
    outputs: Vec<usize>,
}

impl Job {
    fn new(kernel: Arc<Kernel>, groups: u32) -> Self {
        let (mut buffers, mut hosts, mut uploads, mut downloads) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut bindings, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
        for (at, row) in kernel.buffers.iter().enumerate() {
            let bytes = bytes_of(row);
            let whole = Binding { buffer: BufferId(at as u32), offset: 0, bytes };
            buffers.push(schedule::Buffer { name: row.name.clone(), bytes, life: Life::Transient });
            bindings.push(whole);
            uploads.push(Step::Upload { host: HostId(at as u32), at: 0, to: whole });
            hosts.push(schedule::Host { name: row.name.clone(), bytes, writable: false });
            // Words that are small numbers, and now and then one that is not.
            let word = |i: u64| if i % 13 == 12 { u32::MAX - 7 } else { (i as u32 * 7 + at as u32) % 11 };
            let words = (0..bytes.div_ceil(4)).flat_map(|i| word(i).to_le_bytes());
            inputs.push(words.take(bytes as usize).collect());
        }
        let written = kernel.buffers.iter().enumerate().filter(|(_, row)| row.access == Access::ReadWrite);
        for (at, row) in written {
            let host = HostId(hosts.len() as u32);
            downloads.push(Step::Download { from: bindings[at], host, at: 0, length: None });
            hosts.push(schedule::Host { name: row.name.clone(), bytes: bindings[at].bytes, writable: true });
            outputs.push(bindings[at].bytes as usize);
        }
        let dispatch = Step::Dispatch { kernel: KernelId(0), grid: [groups, 1, 1], bindings };
        let steps = [uploads, vec![Step::Barrier, dispatch, Step::Barrier], downloads].concat();
        let schedule = Schedule { kernels: vec![kernel], buffers, hosts, steps, budget_bytes: None };
        let checked = check::check(schedule).unwrap_or_else(|error| panic!("the schedule is sound: {error}"));
        Self { checked: Arc::new(checked), inputs, outputs }
    }

    /// What its buffers hold at the end; it is stopped if that takes too long.
    fn outputs(&self, device: &dyn Device, patience: Duration) -> Result<Vec<Vec<u8>>, Error> {
        let loaded = device.load(self.checked.clone())?;
        let control = Control { steps_max: STEPS_MAX, ..Control::default() };
        let mut outputs: Vec<Vec<u8>> = self.outputs.iter().map(|&bytes| vec![0; bytes]).collect();
        let reads = self.inputs.iter().map(|bytes| Host::Read(bytes));
        let io = Io {
            hosts: reads.chain(outputs.iter_mut().map(|bytes| Host::Write(bytes))).collect(),
            residents: Vec::new(),
        };
        let (done, ended) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let stop = &control.stop;
            scope.spawn(move || {
                if ended.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
                    stop.ask(Reason::Deadline);
                }
            });
            let result = loaded.run(io, &control);
            drop(done);
            result
        })?;
        Ok(outputs)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Instant;
    use std::{env, fs};

    use seawall_core::naga;

    use super::*;
    use crate::kernels::rng::Rng;

    /// The text of every case of the corpus that is short.
    fn texts() -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
        let mut files: Vec<_> = folders.flat_map(|folder| fs::read_dir(folder).unwrap()).collect();
        files.sort_by_key(|file| file.as_ref().unwrap().path());
        let read = |file: std::io::Result<fs::DirEntry>| fs::read_to_string(file.unwrap().path()).unwrap_or_default();
        let code = |text: String| text.lines().filter(|line| !line.starts_with("//!")).collect::<Vec<_>>().join("\n");
        files.into_iter().map(read).map(code).filter(|text| text.contains("@compute") && text.len() < 3000).collect()
    }

    /// Other sizes, other numbers, other operators, lines twice or not at all.
    fn changed(rng: &mut Rng, text: &str) -> String {
        const PAIRS: [(&str, &str); 16] = [
            (" < ", " <= "),
            (" + ", " * "),
            (" + ", " - "),
            (" - ", " + "),
            (" >= ", " > "),
            ("1u", "33u"),
            ("8", "7"),
            ("16", "35"),
            ("[i]", "[i + 1u]"),
            ("id.x", "id.x * 0x40000001u"),
            ("id.x", "(id.x - 1u)"),
            ("local", "(local * 3u)"),
            ("if ", "while "),
            ("u32", "i32"),
            ("0u", "4294967295u"),
            ("workgroupBarrier();", ""),
        ];
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for _ in 0..rng.below(4) {
            let at = rng.below(lines.len());
            match rng.below(8) {
                0 => _ = lines.remove(at),
                1 => lines.insert(at, lines[at].clone()),
                _ => {
                    let (from, to) = rng.pick(&PAIRS);
                    lines[at] = lines[at].replacen(from, to, 1 + rng.below(2));
                }
            }
            if lines.is_empty() {
                break;
            }
        }
        let text = lines.join("\n");
        let Some((before, after)) = text.split_once("@workgroup_size(") else { return text };
        let Some((size, after)) = after.split_once(')') else { return text };
        let sizes = ["1", "3", "7", "33", "35", "7, 5", "1, 33", "1, 1, 9", size];
        format!("{before}@workgroup_size({}){after}", rng.pick(&sizes))
    }

    /// As naga writes it, where it can: it panics on functions that it has no form for.
    fn binary(text: &str) -> Option<Vec<u8>> {
        let module = naga::front::wgsl::parse_str(text).ok()?;
        let all = (naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all());
        let info = naga::valid::Validator::new(all.0, all.1).validate(&module).ok()?;
        let options = naga::back::spv::Options::default();
        let write = || naga::back::spv::write_vec(&module, &info, &options, None).ok();
        let words = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).ok()??;
        Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Tries seeds for a second, or for as long as `SEAWALL_ANY_SECONDS` says, from `SEAWALL_SEED` on.
    fn smoke(name: &str, case: impl Fn(&mut Rng, &str) -> Option<Outcome>) -> Vec<Outcome> {
        let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
        let (start, seconds) = (Instant::now(), number("SEAWALL_ANY_SECONDS").unwrap_or(1));
        let (texts, mut outcomes) = (texts(), Vec::new());
        for seed in number("SEAWALL_SEED").unwrap_or(1).. {
            let _case = seawall_cpu::Case::new(&format!("{name}: SEAWALL_SEED={seed}"));
            let mut rng = Rng::new(seed);
            let text = &texts[rng.below(texts.len())];
            let tried = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case(&mut rng, text)));
            outcomes.extend(tried.unwrap_or_else(|_| panic!("{name}: SEAWALL_SEED={seed}")));
            if start.elapsed().as_secs() >= seconds {
                break;
            }
        }
        outcomes
    }

    #[test]
    fn any_text_is_refused_or_runs() {
        let outcomes = smoke("text", |rng, text| Some(wgsl(changed(rng, text).as_bytes())));
        assert!(outcomes.contains(&Outcome::Ran) && outcomes.contains(&Outcome::Compared), "{outcomes:?}");
    }

    #[test]
    fn any_binary_is_refused_or_runs() {
        let outcomes = smoke("binary", |rng, text| {
            let text = if rng.chance(50) { changed(rng, text) } else { text.to_owned() };
            let mut bytes = binary(&text)?;
            for _ in 0..rng.below(4) {
                let at = rng.below(bytes.len());
                bytes[at] = if rng.chance(50) { rng.bits() as u8 } else { bytes[at].wrapping_add(1) };
            }
            Some(spirv(&bytes))
        });
        assert!(outcomes.contains(&Outcome::Ran), "{outcomes:?}");
    }

    #[test]
    fn rubbish_is_refused() {
        for bytes in [&b""[..], b"fn", b"\xff\xfe", &[0; 64], &[3, 2, 0x23, 7]] {
            assert_eq!([wgsl(bytes), spirv(bytes)], [Outcome::Refused; 2]);
        }
    }
}
