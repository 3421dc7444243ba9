//! Runs one case: upload, dispatch, download, compare.

use std::sync::Arc;

use seawall_core::check::{self, Checked};
use seawall_core::device::{self, Control, Device, Host, Io, Kind, Stats, SubgroupSize};
use seawall_core::diag::Report;
use seawall_core::program::{self, Kernel, Program};
use seawall_core::reference;
use seawall_core::schedule::{Life, Schedule, Step, Writer};
use seawall_core::split;

use crate::case::{Case, Grid, Input};
use crate::compare::compare_within;
use crate::value::Within;
use crate::{accuracy, expect, images, value};

/// A device that cases run on.
#[derive(Clone)]
pub struct Bench {
    device: Arc<dyn Device>,
}

impl Bench {
    /// Cases run on this device; on the reference device also with their invocations interleaved.
    pub fn new(device: Arc<dyn Device>) -> Self {
        Self { device }
    }

    /// The reference device.
    pub fn reference() -> Self {
        Self::new(Arc::new(reference::Device::new(reference::Config::default())))
    }

    /// Whether it interleaves by a seed and counts statements.
    pub fn is_reference(&self) -> bool {
        self.device.caps().kind == Kind::Reference
    }

    /// Why the device is not asked to run a case, if so.
    pub fn skips(&self, case: &Case) -> Option<&'static str> {
        let gpu = matches!(self.device.caps().kind, Kind::Gpu | Kind::Software);
        match case {
            Case { racy: true, .. } if !self.is_reference() => Some("`racy` is for the reference device"),
            Case { steps: Some(_), .. } if !self.is_reference() => Some("`steps` is for the reference device"),
            Case { ours: true, .. } if gpu => Some("`ours` is not for GPUs"),
            Case { subgroup: Some(size), .. } if !self.is_reference() && !self.has(*size) => {
                Some("its subgroups have another size")
            }
            _ => None,
        }
    }

    fn has(&self, size: SubgroupSize) -> bool {
        self.device.caps().subgroup == Some(size.get()..=size.get())
    }

    /// Its plain order for seed 0.
    fn order(&self, case: &Case, seed: u64) -> Arc<dyn Device> {
        if !self.is_reference() || seed == 0 && case.subgroup.is_none() {
            return self.device.clone();
        }
        let seed = (seed != 0).then_some(seed);
        let config = reference::Config { seed, subgroup: case.subgroup.unwrap_or_default(), ..Default::default() };
        Arc::new(reference::Device::new(config))
    }
}

/// A compiled case, ready for any device.
pub struct Job<'a> {
    case: &'a Case,
    /// Those of the case, and what tells of its images.
    inputs: Vec<Input>,
    checked: Arc<Checked>,
    /// The same, for devices without grid barriers.
    cut: Arc<Checked>,
}

/// The compiler must refuse the program, as expected.
pub fn refused(name: &str, source: &str, case: &Case) -> Result<(), String> {
    match compile(name, source, case)? {
        Ok(_) => Err(format!("the program was accepted; expected {}", expect::describe(&case.errors[0]))),
        Err(report) => expect::errors(&case.errors, &report),
    }
}

/// The device must give what is expected, whatever the order.
pub fn on(bench: &Bench, name: &str, source: &str, case: &Case) -> Result<(), String> {
    on_with(bench, name, source, case, &case.control())
}

/// The same, while others may stop it through `control`, which is [`Case::control`]'s.
pub fn on_with(bench: &Bench, name: &str, source: &str, case: &Case, control: &Control) -> Result<(), String> {
    let job = Job::new(name, source, case)?;
    let seeds = if bench.is_reference() { case.seeds(source) } else { 0 };
    let mut wrong = 0;
    for seed in 0..=seeds {
        let order = match (seed, seeds) {
            (0, 0) => String::new(),
            (0, _) => "in plain order: ".to_owned(),
            _ => format!("with seed {seed}: "),
        };
        let device = bench.order(case, seed);
        match (job.verdict(&*device, control), case.racy) {
            (Ok(()), _) => {}
            // Only a wrong answer shows a race; an error of the device does not.
            (Err(Verdict::Differs(_)), true) => wrong += 1,
            (Err(Verdict::Differs(message) | Verdict::Failed(message)), _) => {
                return Err(format!("{order}{message}"));
            }
        }
    }
    if case.racy && wrong == 0 { Err(format!("racy, but right in plain order and with {seeds} seeds")) } else { Ok(()) }
}

/// Whether the compiler refuses the program.
pub fn is_refused(name: &str, source: &str, case: &Case) -> Result<bool, String> {
    Ok(compile(name, source, case)?.is_err())
}

/// Whether some order gives another answer than expected, or none, or the program is refused.
pub fn breaks(bench: &Bench, name: &str, source: &str, case: &Case) -> Result<bool, String> {
    if compile(name, source, case)?.is_err() {
        return Ok(true);
    }
    let job = Job::new(name, source, case)?;
    let control = case.control();
    Ok((0..=case.seeds(source)).any(|seed| job.verdict(&*bench.order(case, seed), &control).is_err()))
}

enum Verdict {
    Differs(String),
    Failed(String),
}

fn compile(name: &str, source: &str, case: &Case) -> Result<Result<Arc<Kernel>, Report>, String> {
    let program = match Program::wgsl_named(name, source) {
        Ok(program) => program,
        Err(report) => return Ok(Err(report)),
    };
    let entries: Vec<&str> = program.entries().collect();
    let entry = match (&case.entry, entries.as_slice()) {
        (Some(entry), _) => entry,
        (None, [entry]) => *entry,
        (None, _) => return Err(format!("{} entry points and no `entry` directive", entries.len())),
    };
    Ok(program.kernel(entry, &case.overrides))
}

impl<'a> Job<'a> {
    /// Compiles, and fits the values to the buffers.
    pub fn new(name: &str, source: &str, case: &'a Case) -> Result<Self, String> {
        let kernel = compile(name, source, case)?.map_err(|report| format!("the program was refused:\n{report}"))?;
        let (kernel, told) = images::bound(case, &kernel)?;
        let inputs: Vec<Input> = case.inputs.iter().cloned().chain(told).collect();
        let schedule = schedule(case, &inputs, &kernel)?;
        let proved = |schedule| check::check(schedule).map(Arc::new).map_err(|error| error.to_string());
        let checked = proved(schedule.clone())?;
        let has_barriers = checked.kernels.iter().any(|kernel| kernel.needs.grid_barrier.is_some());
        let cut = if has_barriers {
            let cut = split::cut(schedule, &mut |kernel| split::split(kernel).map(Arc::new));
            proved(cut.map_err(|error| error.to_string())?)?
        } else {
            checked.clone()
        };
        Ok(Self { case, inputs, checked, cut })
    }

    /// What the buffers hold at the end, in the order of the `out` directives.
    pub fn outputs(&self, device: &dyn Device) -> Result<Vec<Vec<u8>>, device::Error> {
        Ok(self.run(device, &self.case.control())?.0)
    }

    /// The same, with what the device says about the run.
    pub fn run(&self, device: &dyn Device, control: &Control) -> Result<(Vec<Vec<u8>>, Stats), device::Error> {
        let schedule = if device.caps().native_grid_barrier { &self.checked } else { &self.cut };
        let loaded = device.load_with(device::fit(schedule.clone(), device.caps())?, &control.stop)?;
        let sizes = self.case.outputs.iter().map(|output| value::size(&output.cells));
        let mut outputs: Vec<Vec<u8>> = sizes.map(|bytes| vec![0; bytes]).collect();
        let reads = self.inputs.iter().map(|input| Host::Read(&input.bytes));
        let writes = outputs.iter_mut().map(|bytes| Host::Write(bytes));
        let io = Io { hosts: reads.chain(writes).collect(), residents: Vec::new() };
        let stats = loaded.run(io, control)?;
        Ok((outputs, stats))
    }

    fn verdict(&self, device: &dyn Device, control: &Control) -> Result<(), Verdict> {
        let result = self.run(device, control).map(|(outputs, _)| outputs);
        let failed = |message| Err(Verdict::Failed(message));
        match (result, self.case.errors.first()) {
            (Ok(_), Some(error)) => failed(format!("it ran to its end; expected {}", expect::describe(error))),
            (Err(device::Error::Unsupported(unsupported)), Some(_)) => {
                expect::errors(&self.case.errors, &unsupported.report).map_err(Verdict::Failed)
            }
            (Err(device::Error::StepLimit { report }), Some(_)) => {
                expect::errors(&self.case.errors, &report).map_err(Verdict::Failed)
            }
            (Err(error), _) => failed(error.to_string()),
            (Ok(outputs), None) => {
                let slack = match device.caps().kind {
                    Kind::Reference | Kind::Cpu => Within::default(),
                    Kind::Gpu | Kind::Software => accuracy::of(&self.checked.kernels[0]),
                };
                for (output, got) in self.case.outputs.iter().zip(&outputs) {
                    compare_within(&output.cells, got, slack)
                        .map_err(|message| Verdict::Differs(format!("`{}` differs\n{message}", output.name)))?;
                }
                Ok(())
            }
        }
    }
}

fn schedule(case: &Case, inputs: &[Input], kernel: &Arc<Kernel>) -> Result<Schedule, String> {
    let (mut writer, mut bindings) = (Writer::default(), Vec::new());
    for row in &kernel.buffers {
        let bytes = buffer_bytes(case, inputs, kernel, row)?;
        bindings.push(writer.buffer(&row.name, bytes, Life::Transient));
    }
    let whole = |name: &str| {
        let at = kernel.buffers.iter().position(|row| row.name == name);
        at.map(|at| bindings[at]).ok_or_else(|| format!("`{}` uses no buffer `{name}`", kernel.name))
    };
    for input in inputs {
        let to = whole(&input.name)?;
        let host = writer.host(&input.name, to.bytes, false);
        writer.step(Step::Upload { host, at: 0, to });
    }
    let mut downloads = Vec::new();
    for output in &case.outputs {
        let from = whole(&output.name)?;
        let host = writer.host(&output.name, from.bytes, true);
        downloads.push(Step::Download { from, host, at: 0, length: None });
    }
    let grid = match case.grid {
        Grid::Workgroups(grid) => grid,
        Grid::Threads(threads) => std::array::from_fn(|i| threads[i].div_ceil(kernel.workgroup_size[i])),
    };
    writer.barrier();
    let id = writer.kernel(kernel);
    writer.step(Step::Dispatch { kernel: id, grid, bindings });
    writer.barrier();
    writer.schedule.steps.append(&mut downloads);
    Ok(writer.schedule)
}

/// The size that the directives give a buffer, if it fits the buffer's type.
fn buffer_bytes(case: &Case, inputs: &[Input], kernel: &Kernel, row: &program::Buffer) -> Result<u64, String> {
    let name = &row.name;
    let input = inputs.iter().find(|input| input.name == *name);
    let output = case.outputs.iter().find(|output| output.name == *name);
    let padded = input.is_some_and(|input| input.ends_in_pad)
        || output.is_some_and(|output| output.cells.last() == Some(&value::Cell::Pad));
    let sizes = (input.map(|input| input.bytes.len()), output.map(|output| value::size(&output.cells)));
    let bytes = match sizes {
        (Some(a), Some(b)) if a != b => return Err(format!("`{name}` has {a} bytes as `in` and {b} as `out`")),
        (_, None) if row.access == program::Access::ReadWrite && case.errors.is_empty() => {
            return Err(format!("`{name}` is writable and has no `out`"));
        }
        (Some(bytes), _) | (None, Some(bytes)) => bytes as u64,
        (None, None) if kernel.texture(name).is_some() => images::bytes(case, kernel, name)?,
        (None, None) => return Err(format!("`{name}` has neither `in` nor `out`")),
    };
    if kernel.texture(name).is_some() {
        let expected = images::bytes(case, kernel, name)?;
        let wrong = || format!("`{name}` is given {bytes} bytes, but its image has {expected}");
        return if bytes == expected { Ok(bytes) } else { Err(wrong()) };
    }
    let (least, ty) = (row.min_bytes, &row.ty);
    match ty.tail() {
        None if bytes != least => Err(format!("`{name}` is given {bytes} bytes, but {ty} has {least}")),
        Some(_) if bytes < least => Err(format!("`{name}` is given {bytes} bytes, but {ty} needs at least {least}")),
        Some((_, stride)) if !padded && !(bytes - ty.bytes()).is_multiple_of(stride.into()) => {
            Err(format!("`{name}` is given {bytes} bytes, which are not whole elements of {ty} (stride {stride})"))
        }
        _ => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;

    const DOUBLE: &str = "@group(0) @binding(0) var<storage> a: array<vec2u>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2u>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = 2 * a[id.x]; }
";

    const RACE: &str = "@group(0) @binding(0) var<storage, read_write> b: u32;
@compute @workgroup_size(8)
fn main() { b += 1; }
";

    fn try_on(source: &str) -> Result<(), String> {
        on(&Bench::reference(), "test", source, &case::parse(source)?)
    }

    fn fails(source: &str, message: &str) {
        let error = try_on(source).expect_err(source);
        assert!(error.contains(message), "{source}\ngave: {error}");
    }

    #[test]
    fn the_right_answer_passes() {
        try_on(&format!("//! in a = u32[1, 2, 3, 4]\n//! out b = u32[2, 4, 6, 8]\n{DOUBLE}")).unwrap();
        try_on(&format!("//! grid 2\n//! in a = u32[1 x 8]\n//! out b = u32[2 x 8]\n{DOUBLE}")).unwrap();
        try_on(&format!("//! threads 3\n//! in a = u32[1 x 8]\n//! out b = u32[2 x 8]\n{DOUBLE}")).unwrap();
    }

    #[test]
    fn a_wrong_answer_fails() {
        fails(&format!("//! in a = u32[1, 2]\n//! out b = u32[2, 5]\n{DOUBLE}"), "[1] byte 4: expected 5, got 4");
        fails(&format!("//! in a = u32[1 x 8]\n//! out b = u32[2 x 8]\n{DOUBLE}"), "expected 2, got 0");
    }

    #[test]
    fn values_must_fit_the_buffers() {
        fails(&format!("//! in a = u32[1, 2]\n//! out c = u32[2, 4]\n{DOUBLE}"), "`b` is writable and has no `out`");
        let outs = "//! out b = u32[2, 4]\n//! out c = u32[2]\n";
        fails(&format!("//! in a = u32[1, 2]\n{outs}{DOUBLE}"), "`main` uses no buffer `c`");
        fails(&format!("//! out b = u32[2, 4]\n{DOUBLE}"), "`a` has neither `in` nor `out`");
        fails(&format!("//! in a = u32[1, 2, 3]\n//! out b = u32[2, 4]\n{DOUBLE}"), "not whole elements");
        fails(&format!("//! in a = u32[1]\n//! out b = u32[2, 4]\n{DOUBLE}"), "needs at least 8");
        let both = "//! in b = u32[1, 2]\n//! out b = u32[2, 4, 6, 8]\n";
        fails(&format!("//! in a = u32[1, 2]\n{both}{DOUBLE}"), "8 bytes as `in` and 16 as `out`");
        fails(&format!("//! out b = u32[8, 8]\n{RACE}"), "`b` is given 8 bytes, but u32 has 4");
    }

    #[test]
    fn races_show() {
        fails(&format!("//! seeds 16\n//! out b = u32[8]\n{RACE}"), "with seed");
        try_on(&format!("//! racy\n//! out b = u32[8]\n{RACE}")).unwrap();
        let sound = RACE.replace("u32;", "atomic<u32>;").replace("b += 1", "atomicAdd(&b, 1)");
        try_on(&format!("//! seeds 16\n//! out b = u32[8]\n{sound}")).unwrap();
        fails(&format!("//! racy\n//! out b = u32[8]\n{sound}"), "racy, but right");
    }

    #[test]
    fn errors_must_come() {
        let refused = |source: &str| refused("test", source, &case::parse(source).unwrap());
        let broken = DOUBLE.replace("2 * a[id.x]", "a");
        let error = refused(&format!("//! error[unknown]\n{broken}")).unwrap_err();
        assert!(error.contains("expected error[unknown]"), "{error}");
        let error = refused(&format!("//! error[syntax]\n{DOUBLE}")).unwrap_err();
        assert!(error.contains("the program was accepted"), "{error}");
        fails(&format!("//! in a = u32[1, 2]\n//! out b = u32[2, 4]\n{broken}"), "the program was refused");
        let endless = "//! steps 100\n//! in b = u32[0]\n//! runtime-error[endless-loop]\n";
        fails(&format!("{endless}{RACE}"), "it ran to its end");
        let spins = RACE.replace("b += 1;", "loop { b += 1; if b == 0 { break; } }");
        fails(&format!("{endless}{spins}"), "expected error[endless-loop] \"\" without a place");
        fails(&format!("//! steps 100\n//! out b = u32[0]\n{spins}"), "endless-loop");
        fails(&format!("//! racy\n//! steps 100\n//! out b = u32[0]\n{spins}"), "endless-loop");
    }

    #[test]
    fn the_entry_point_is_not_guessed() {
        let two = format!("{DOUBLE}{}", DOUBLE.lines().skip(2).collect::<Vec<_>>().join("\n").replace("main", "other"));
        let values = "//! in a = u32[1, 2]\n//! out b = u32[2, 4]\n";
        fails(&format!("{values}{two}"), "2 entry points and no `entry` directive");
        try_on(&format!("{values}//! entry other\n{two}")).unwrap();
        fails(&format!("{values}//! entry third\n{two}"), "the program was refused");
    }
}
