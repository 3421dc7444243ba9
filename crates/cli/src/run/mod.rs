//! `seawall run`: inputs, a grid, a run, outputs.

mod inputs;
mod grid;
pub(crate) mod output;

use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;

use seawall::device::Control;
use seawall::program::texture::SHAPES;
use seawall::texture::Sampler;
use seawall::{Call, Kernel, Outcome, Runtime, Texels, lint, program};

use crate::args::{Assign, Run};
use crate::error::Error;
use crate::format::{self, is_pipe};
use crate::given::Given;
use crate::publish::Files;
use crate::racer::{self, Racer};
use crate::trace::Trace;
use crate::{driver, file, load, profile, progress, sanitize, say};
use inputs::Inputs;

pub(crate) fn run(args: &Run, given: Given, mut trace: Trace, control: &Control) -> Result<(), Error> {
    if args.budget.is_some() {
        return Err(Error::JobOnly { option: "--budget" });
    }
    if !args.values.is_empty() {
        return Err(Error::JobOnly { option: "--value" });
    }
    let program = trace.phase("read the program", || load::program_with(given, ""))?;
    let kernel = load::kernel(&args.file, &program, args.entry.as_deref(), &args.sets)?;
    if let Some(report) = lint::kernel(&kernel) {
        say::warnings(&report);
    }
    let files = output::files(args, &kernel)?;
    let shown = output::shown(args, &kernel, &files)?;
    one_reader(&args.file, &args.ins)?;
    let mut given = trace.phase("read the inputs", || inputs::load(args, &kernel))?;
    for (row, sink) in &files {
        let buffer = &kernel.buffers[*row];
        let fits = match given.shapes[*row] {
            Some(shape) => sink.fits_image(shape),
            None => sink.fits(buffer, given.memory[*row].len() as u64, args.width),
        };
        fits.map_err(|error| Error::Out { name: buffer.name.clone(), error })?;
    }
    let grid = grid::decide(args, &kernel, &given)?;
    let runtime = trace.phase("open the device", || open(args))?;
    let outcome = trace.stoppable("compile and run", || execute(&runtime, &kernel, grid, &mut given, control));
    let outcome = sanitize::tell(args, outcome, |outcome| outcome.stats.findings.as_ref())?;
    let memory = &given.memory;
    let mut written = Files::default();
    trace.phase("write the outputs", || {
        files.iter().try_for_each(|(row, sink)| {
            let buffer = &kernel.buffers[*row];
            let wrong = |error| Error::Out { name: buffer.name.clone(), error };
            let saved = match given.shapes[*row] {
                Some(shape) => sink.write_image(&mut written, shape, &memory[*row]),
                None => sink.write(&mut written, &buffer.ty, &memory[*row], args.width),
            };
            saved.map_err(wrong)
        })
    })?;
    if let Some(path) = &args.trace {
        let text = trace.text(path, &outcome.device, &outcome.schedule, |_| None, &outcome.stats)?;
        written.write(path, |out| out.write_all(text.as_bytes()))?;
    }
    written.publish()?;
    for (row, sink) in &files {
        let buffer = &kernel.buffers[*row];
        say::wrote(&match given.shapes[*row] {
            Some(shape) => sink.tell_image(&buffer.name, shape),
            None => sink.tell(&buffer.name, &buffer.ty, memory[*row].len() as u64, args.width),
        });
    }
    if args.json {
        return say::out(|out| output::json(out, &kernel, memory, &shown, &outcome));
    }
    let profile = if args.profile {
        profile::table(&outcome.device, &outcome.schedule, |_| None, &outcome.stats)?
    } else {
        String::new()
    };
    let text = |out: &mut dyn Write| {
        output::text(out, &kernel, memory, &shown, &outcome)?;
        out.write_all(profile.as_bytes())
    };
    if files.iter().any(|(_, sink)| is_pipe(&sink.path)) {
        say::aside(|out| text(out))
    } else {
        say::out(|out| text(out))
    }
}

/// The program on each of the devices, with its buffers there.
pub(crate) fn racers(args: &Run, given: Given, devices: &[Option<String>]) -> Result<Vec<Racer>, Error> {
    let program = load::program_with(given, "")?;
    let kernel = load::kernel(&args.file, &program, args.entry.as_deref(), &args.sets)?;
    one_reader(&args.file, &args.ins)?;
    let given = Arc::new(inputs::load(args, &kernel)?);
    let grid = grid::decide(args, &kernel, &given)?;
    let touched = |(buffer, bytes): (&program::Buffer, &Vec<u8>)| {
        let effects = buffer.effects;
        bytes.len() as u64
            * (u64::from(effects.reads || effects.updates) + u64::from(effects.writes || effects.updates))
    };
    let bytes = kernel.buffers.iter().zip(&given.memory).map(touched).sum();
    let invocations = grid.iter().map(|&n| u64::from(n)).product::<u64>() * kernel.workgroup_invocations();
    let racer = |device: &Option<String>| {
        let runtime = racer::open(args, device.as_deref())?;
        let resident = given.memory.iter().map(|bytes| runtime.buffer_from(bytes)).collect::<Result<Vec<_>, _>>()?;
        let (kernel, given, device) = (kernel.clone(), given.clone(), runtime.caps().id.clone());
        let once = move || {
            for (buffer, (resident, bytes)) in kernel.buffers.iter().zip(resident.iter().zip(&given.memory)) {
                if buffer.effects.writes || buffer.effects.updates {
                    resident.write(0, bytes)?;
                }
            }
            let mut call = sampled(runtime.call(&kernel).workgroups(grid), &given.samplers);
            for (row, (resident, shape)) in kernel.buffers.iter().zip(resident.iter().zip(&given.shapes)) {
                call = match shape {
                    Some(shape) => call.bind_at(row.group, row.binding, Texels(*shape, resident)),
                    None if row.name == SHAPES => call,
                    None => call.bind_at(row.group, row.binding, resident),
                };
            }
            Ok(call.run()?.elapsed)
        };
        Ok(Racer { device, bytes, invocations, once: Box::new(once) })
    };
    devices.iter().map(racer).collect()
}

/// Standard input can be read once.
pub(crate) fn one_reader(file: &Path, ins: &[Assign]) -> Result<(), Error> {
    let pipes = ins.iter().filter(|assign| format::of(&assign.value).0.as_os_str() == "-");
    let mut readers = is_pipe(file).then(|| "the program".to_owned()).into_iter();
    let mut readers = readers.by_ref().chain(pipes.map(|assign| format!("--in {}", assign.name)));
    match (readers.next(), readers.next()) {
        (Some(first), Some(second)) => Err(Error::StdinTwice { first, second }),
        _ => Ok(()),
    }
}

/// The device that the options ask for, or the best one. It is not closed: the process ends soon,
/// and to close a GPU that still works would be to wait for it.
pub(crate) fn open(args: &Run) -> Result<ManuallyDrop<Runtime>, Error> {
    if let Some(path) = &args.trace {
        file::writable(path)?;
    }
    let subgroup = args.subgroup_size.unwrap_or_default();
    let mut builder = Runtime::builder().contract(args.contract).subgroup_size(subgroup);
    if let Some(id) = &args.device {
        builder = builder.device(id);
    }
    if let Some(seed) = args.seed {
        builder = builder.seed(seed);
    }
    if let Some(config) = sanitize::config(args) {
        builder = builder.sanitize(config);
    }
    if args.steps.is_some() {
        builder = builder.count_steps();
    }
    Ok(ManuallyDrop::new(driver::heard(|| builder.open())?))
}

/// With these samplers.
fn sampled<'a>(call: Call<'a>, samplers: &[(String, Sampler)]) -> Call<'a> {
    samplers.iter().fold(call, |call, (name, sampler)| call.sampler(name, *sampler))
}

/// Runs the kernel on what it is given, which has a place for each row of its buffer table.
fn execute(
    runtime: &Runtime,
    kernel: &Arc<Kernel>,
    grid: [u32; 3],
    given: &mut Inputs,
    control: &Control,
) -> Result<Outcome, Error> {
    let mut call = sampled(runtime.call(kernel).workgroups(grid), &given.samplers);
    for (buffer, (bytes, shape)) in kernel.buffers.iter().zip(given.memory.iter_mut().zip(&given.shapes)) {
        call = match shape {
            Some(shape) => call.bind(&buffer.name, Texels(*shape, bytes)),
            None if buffer.name == SHAPES => call,
            None => call.bind(&buffer.name, bytes),
        };
    }
    let workgroups = grid.iter().map(|&n| u64::from(n)).product();
    Ok(progress::watch(control, Some(workgroups), || call.run_with(control))?)
}
