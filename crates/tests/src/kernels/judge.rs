//! Runs a kernel on several devices and compares what they give.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use half::f16;
use seawall_core::check;
use seawall_core::device::{Control, Device, Host, Io, Reason};
use seawall_core::program::{self, Access, Overrides, Program};
use seawall_core::schedule::{self, Binding, BufferId, HostId, KernelId, Life, Schedule, Step};
use seawall_core::split;

use super::types::Scalar;
use super::{Buffer, Kernel};

/// How long a kernel may run: it has a few hundred invocations of bounded loops, but the machine
/// may have much else to do.
const PATIENCE: Duration = Duration::from_mins(2);

/// Far more statements than an invocation of them has.
const STEPS_MAX: u64 = 1 << 21;

/// What became of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All give the same.
    Same,
    /// The program is not valid: the generator's fault.
    Refused(String),
    /// One differs from the first.
    Differs(String),
    /// One of them failed.
    Failed(String),
}

impl Verdict {
    /// Whether a smaller kernel shows the same fault.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Differs(_), Self::Differs(_)) => true,
            (Self::Failed(a), Self::Failed(b)) => a == b,
            _ => false,
        }
    }
}

/// Compares devices with the reference device. Those that have no grid barriers get the kernel cut.
pub fn judge(kernel: &Kernel, reference: &Arc<dyn Device>, devices: &[Arc<dyn Device>]) -> Verdict {
    compare_all(kernel, reference, devices, |device| !device.caps().native_grid_barrier)
}

/// The same, with the kernel cut for all of them.
pub fn judge_cut(kernel: &Kernel, reference: &Arc<dyn Device>, devices: &[Arc<dyn Device>]) -> Verdict {
    compare_all(kernel, reference, devices, |_| true)
}

fn compare_all(
    kernel: &Kernel,
    reference: &Arc<dyn Device>,
    devices: &[Arc<dyn Device>],
    cuts: impl Fn(&dyn Device) -> bool,
) -> Verdict {
    let compiled = match Program::wgsl(&kernel.text).and_then(|program| program.kernel("main", &Overrides::new())) {
        Ok(compiled) => compiled,
        Err(report) => return Verdict::Refused(report.to_string()),
    };
    let expected = match run(kernel, compiled.clone(), reference, false) {
        Ok(outputs) => outputs,
        Err(message) => return Verdict::Failed(format!("the reference device: {message}")),
    };
    for device in devices {
        let id = &device.caps().id;
        match run(kernel, compiled.clone(), device, cuts(&**device)) {
            Ok(outputs) => {
                if let Some(difference) = compare(kernel, &expected, &outputs) {
                    return Verdict::Differs(format!("{id}: {difference}"));
                }
            }
            Err(message) => return Verdict::Failed(format!("{id}: {message}")),
        }
    }
    Verdict::Same
}

/// Bytes of each writable buffer that the kernel uses, by name.
type Outputs = Vec<(String, Vec<u8>)>;

/// Runs it, but not for ever, and turns a panic into a message.
fn run(
    kernel: &Kernel,
    compiled: Arc<program::Kernel>,
    device: &Arc<dyn Device>,
    cut: bool,
) -> Result<Outputs, String> {
    let control = Control { steps_max: STEPS_MAX, ..Control::default() };
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let stop = &control.stop;
        let watchdog = scope.spawn(move || {
            let late = ended.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                stop.ask(Reason::Deadline);
            }
            late
        });
        let result = panic::catch_unwind(AssertUnwindSafe(|| run_all(kernel, compiled, &**device, cut, &control)));
        drop(done);
        let late = watchdog.join().map_err(|_| "the watchdog died".to_owned())?;
        match result {
            Ok(_) if late => Err(format!("it still ran after {PATIENCE:?}")),
            Ok(result) => result,
            Err(payload) => Err(format!("panic: {}", message(&*payload))),
        }
    })
}

fn message(payload: &(dyn std::any::Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

fn run_all(
    kernel: &Kernel,
    compiled: Arc<program::Kernel>,
    device: &dyn Device,
    cut: bool,
    control: &Control,
) -> Result<Outputs, String> {
    let rows: Vec<(program::Buffer, &Buffer)> = compiled
        .buffers
        .iter()
        .map(|row| {
            let buffer = kernel.buffers.iter().find(|buffer| buffer.name == row.name);
            (row.clone(), buffer.expect("the generator fills every buffer that it declares"))
        })
        .collect();
    let mut schedule = schedule(kernel, compiled, &rows);
    if cut {
        schedule = split::cut(schedule, &mut |kernel| split::split(kernel).map(Arc::new))
            .map_err(|error| error.to_string())?;
    }
    let checked = check::check(schedule).map_err(|error| error.to_string())?;
    let loaded = device.load(Arc::new(checked)).map_err(|error| error.to_string())?;
    let written = rows.iter().filter(|(row, _)| row.access == Access::ReadWrite);
    let mut outputs: Outputs = written.map(|(row, buffer)| (row.name.clone(), vec![0; buffer.bytes.len()])).collect();
    let reads = rows.iter().map(|(_, buffer)| Host::Read(&buffer.bytes));
    let writes = outputs.iter_mut().map(|(_, bytes)| Host::Write(bytes));
    let io = Io { hosts: reads.chain(writes).collect(), residents: Vec::new() };
    loaded.run(io, control).map_err(|error| error.to_string())?;
    Ok(outputs)
}

fn schedule(kernel: &Kernel, compiled: Arc<program::Kernel>, rows: &[(program::Buffer, &Buffer)]) -> Schedule {
    let (mut buffers, mut hosts, mut uploads, mut downloads) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut bindings = Vec::new();
    for (at, (row, buffer)) in rows.iter().enumerate() {
        let bytes = buffer.bytes.len() as u64;
        let whole = Binding { buffer: BufferId(at as u32), offset: 0, bytes };
        buffers.push(schedule::Buffer { name: row.name.clone(), bytes, life: Life::Transient });
        bindings.push(whole);
        uploads.push(Step::Upload { host: HostId(at as u32), at: 0, to: whole });
        hosts.push(schedule::Host { name: row.name.clone(), bytes, writable: false });
    }
    for (at, (row, _)) in rows.iter().enumerate().filter(|(_, (row, _))| row.access == Access::ReadWrite) {
        downloads.push(Step::Download { from: bindings[at], host: HostId(hosts.len() as u32), at: 0, length: None });
        hosts.push(schedule::Host { name: row.name.clone(), bytes: bindings[at].bytes, writable: true });
    }
    let dispatch = Step::Dispatch { kernel: KernelId(0), grid: kernel.grid, bindings };
    let steps = [uploads, vec![Step::Barrier, dispatch, Step::Barrier], downloads].concat();
    Schedule { kernels: vec![compiled], buffers, hosts, steps, budget_bytes: None }
}

/// The first difference; any NaN is as good as any other, and GPUs need not tell zeros apart nor
/// keep what lies between the members of a struct.
fn compare(kernel: &Kernel, expected: &Outputs, got: &Outputs) -> Option<String> {
    for ((name, expected), (_, got)) in expected.iter().zip(got) {
        let buffer = kernel.buffers.iter().find(|buffer| buffer.name == name)?;
        let elements = expected.chunks(buffer.stride).zip(got.chunks(buffer.stride));
        for (at, (a, b)) in elements.enumerate().filter(|(_, (a, b))| a != b) {
            if let Some(difference) = differs(&buffer.scalars, a, b, kernel.dialect.portable) {
                return Some(format!("`{name}[{at}]`, {difference}"));
            }
        }
    }
    None
}

/// Where two elements differ, if they do so in more than NaNs.
fn differs(scalars: &[(usize, Scalar)], expected: &[u8], got: &[u8], portable: bool) -> Option<String> {
    let bits = |element: &[u8], at: usize, scalar: Scalar| {
        let mut bytes = [0; 8];
        bytes[..scalar.bytes()].copy_from_slice(&element[at..at + scalar.bytes()]);
        u64::from_le_bytes(bytes)
    };
    let float = |bits: u64, scalar| match scalar {
        Scalar::F16 => f16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => bits as f64,
    };
    let mut padding = vec![true; expected.len()];
    for &(at, scalar) in scalars {
        padding[at..at + scalar.bytes()].fill(false);
        let [a, b] = [expected, got].map(|element| bits(element, at, scalar));
        let [fa, fb] = [a, b].map(|bits| float(bits, scalar));
        let zeros = portable && scalar.is_float() && fa == 0.0 && fb == 0.0;
        if a != b && !(fa.is_nan() && fb.is_nan()) && !zeros {
            let ty = scalar.name();
            return Some(format!("byte {at}, {ty}: expected {a:#x} ({fa:e}), got {b:#x} ({fb:e})"));
        }
    }
    let at = (0..expected.len()).find(|&at| !portable && padding[at] && expected[at] != got[at])?;
    Some(format!("byte {at}, between numbers: expected {:#x}, got {:#x}", expected[at], got[at]))
}
