//! `seawall check`: what is wrong with a program, or what it asks for, and who would refuse it.

mod json;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use seawall::device::{Device, Limits};
use seawall::diag::{Diagnostic, Report};
use seawall::layout::Type;
use seawall::program::texture::{SHAPES, Texture};
use seawall::program::{Buffer, Need, Other, Override};
use seawall::route::Slot;
use seawall::{Kernel, Overrides, Program, Runtime, lint};

use crate::args::Check;
use crate::error::Error;
use crate::given::Given;
use crate::kind::Kind;
use crate::typed::Extent;
use crate::{driver, job, load, plan, say, table};

/// What every implementation of WebGPU takes: a kernel that asks for no more is refused by no device.
const EVERYWHERE: Limits = Limits {
    storage_buffers_max: 8,
    workgroup_size_max: [256, 256, 64],
    workgroup_bytes_max: 16384,
    workgroup_invocations_max: 256,
    ..Limits::NONE
};

pub(crate) fn check(args: &Check) -> Result<(), Error> {
    let given = Given::read(&args.file)?;
    match given.kind {
        Kind::Job | Kind::Problem if args.json => {
            return Err(given.refused("a program", "`seawall check --json` tells about programs alone"));
        }
        Kind::Job => return job::check(args, given),
        Kind::Problem => return plan::check(args, given),
        Kind::Wgsl | Kind::Spirv | Kind::Glsl => {}
    }
    let checked = Checked::of(given, &load::overrides(&args.sets)?);
    if args.json {
        let told = match &checked {
            Ok(checked) => json::of(checked),
            Err(error) => json::refused(error),
        };
        say::out(|out| writeln!(out, "{told}"))?;
    }
    let checked = checked?;
    if !args.json {
        checked.warnings.iter().for_each(say::warnings);
        say::out(|out| out.write_all(checked.text().as_bytes()))?;
    }
    let warnings = checked.warnings.iter().map(|report| report.diagnostics.len()).sum();
    if warnings > 0 && args.deny_warnings { Err(Error::Warnings { warnings }) } else { Ok(()) }
}

/// A program that is valid, and what there is to say about it.
struct Checked {
    program: Program,
    overrides: Overrides,
    declared: Vec<Override>,
    /// By entry point, where the overrides decide it.
    kernels: Vec<Option<Arc<Kernel>>>,
    warnings: Vec<Report>,
    devices: Vec<Arc<dyn Device>>,
}

impl Checked {
    fn of(given: Given, overrides: &Overrides) -> Result<Self, Error> {
        let program = load::program_with(given, "")?;
        let declared = program.overrides();
        let kernels = kernels(&program, &declared, overrides)?;
        let decided = || kernels.iter().flatten();
        let warnings = lint::program(&program).into_iter().chain(decided().filter_map(|kernel| lint::kernel(kernel)));
        let warnings = warnings.collect();
        // Opening them takes a while, so only for those who may be refused.
        let devices = if decided().any(|kernel| asks(kernel)) { devices()? } else { Vec::new() };
        Ok(Self { program, overrides: overrides.clone(), declared, kernels, warnings, devices })
    }

    /// Why devices that are here refuse a kernel, by device.
    fn refusals(&self, kernel: &Kernel) -> Vec<(String, Vec<Diagnostic>)> {
        let refusals = self.devices.iter().map(|device| (device.caps().id.clone(), device.refuses(kernel)));
        refusals.filter(|(_, why)| !why.is_empty()).collect()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if !self.declared.is_empty() {
            let rows: Vec<Vec<String>> = self.declared.iter().map(|item| override_row(item, &self.overrides)).collect();
            text = format!("overrides\n{}\n", table::lines(&rows));
        }
        let entry = |(kernel, entry): (&Option<Arc<Kernel>>, &str)| match kernel {
            Some(kernel) => format!("{}{}", describe(kernel), self.asked(kernel)),
            None => format!(
                "entry {entry}: decide `{}` with --set to see its buffers\n",
                undecided(&self.declared, &self.overrides).unwrap_or_default()
            ),
        };
        let other = |other: &Other| format!("entry {}: {}, not run by Seawall\n", other.name, other.stage);
        let entries: Vec<String> = self.kernels.iter().zip(self.program.entries()).map(entry).collect();
        let others: String = self.program.others().iter().map(other).collect();
        let parts = entries.into_iter().chain((!others.is_empty()).then_some(others));
        text + &parts.collect::<Vec<_>>().join("\n")
    }

    /// What a kernel needs of a device, and which devices that are here lack it.
    fn asked(&self, kernel: &Kernel) -> String {
        let place = |need: Need| need.span.map_or(String::new(), |span| format!(" at {}", self.program.location(span)));
        let needs = kernel.needs.list();
        let needs: Vec<String> = needs.into_iter().map(|(name, need)| format!("{name}{}", place(need))).collect();
        let needs = if needs.is_empty() { String::new() } else { format!("  needs {}\n", needs.join(", ")) };
        let refusal = |(device, why): (String, Vec<Diagnostic>)| {
            let why: Vec<&str> = why.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
            format!("  device {device} refuses it: {}\n", why.join("; "))
        };
        self.refusals(kernel).into_iter().map(refusal).fold(needs, |text, line| text + &line)
    }
}

/// Whether a kernel asks for more than all devices have.
fn asks(kernel: &Kernel) -> bool {
    let needs = kernel.needs.list().iter().any(|(name, _)| *name != "grid_barrier");
    let over = kernel.workgroup_size.iter().zip(EVERYWHERE.workgroup_size_max).any(|(size, most)| *size > most);
    needs
        || over
        || kernel.workgroup_invocations() > EVERYWHERE.workgroup_invocations_max
        || kernel.workgroup_bytes > EVERYWHERE.workgroup_bytes_max
        || kernel.buffers.len() > EVERYWHERE.storage_buffers_max as usize
}

/// The devices that can run here.
fn devices() -> Result<Vec<Arc<dyn Device>>, Error> {
    let registry = Runtime::builder().registry()?;
    let members = driver::heard(|| registry.slots().iter().flat_map(Slot::members).collect::<Vec<_>>());
    Ok(members.into_iter().filter_map(|member| member.device.ok()).collect())
}

fn override_row(item: &Override, overrides: &Overrides) -> Vec<String> {
    let id = item.id.map_or(String::new(), |id| format!("@id({id})"));
    let value = match value(item, overrides) {
        Some(value) => format!("= {value}"),
        None if item.has_default => "has a default".to_owned(),
        None => "needs --set".to_owned(),
    };
    vec![item.name.clone(), id, item.scalar.to_string(), value]
}

fn value(item: &Override, overrides: &Overrides) -> Option<f64> {
    let by_id = item.id.and_then(|id| overrides.get(&id.to_string()));
    overrides.get(&item.name).or(by_id).copied()
}

/// Each entry point, where the overrides decide it.
fn kernels(program: &Program, declared: &[Override], overrides: &Overrides) -> Result<Vec<Option<Arc<Kernel>>>, Error> {
    let open = undecided(declared, overrides).is_some();
    let kernel = |entry| if open { Ok(None) } else { Ok(Some(program.kernel(entry, overrides)?)) };
    program.entries().map(kernel).collect()
}

/// The first override that needs a value and has none.
fn undecided<'a>(declared: &'a [Override], overrides: &Overrides) -> Option<&'a str> {
    let open = declared.iter().find(|item| !item.has_default && value(item, overrides).is_none());
    open.map(|item| item.name.as_str())
}

fn describe(kernel: &Kernel) -> String {
    let [x, y, z] = kernel.workgroup_size;
    let memory = match kernel.workgroup_bytes {
        0 => String::new(),
        bytes => format!(" with {bytes} bytes of workgroup memory"),
    };
    let mut text = format!("entry {}: workgroups of {x},{y},{z}{memory}\n", kernel.name);
    let head = ["buffer", "group", "binding", "access", "type", "stride", "min bytes", "kernel"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let shown = kernel.buffers.iter().filter(|buffer| buffer.name != SHAPES);
    rows.extend(shown.map(|buffer| buffer_row(kernel, buffer)));
    rows.extend(kernel.samplers.iter().map(|sampler| {
        let place = [sampler.name.clone(), sampler.group.to_string(), sampler.binding.to_string()];
        [&place[..], &["", "sampler", "", "", ""].map(str::to_owned)].concat()
    }));
    if kernel.buffers.is_empty() {
        text.push_str("  no buffers\n");
    } else {
        text.push_str(&table::lines(&rows));
    }
    let mut structs = BTreeMap::new();
    kernel.buffers.iter().for_each(|buffer| collect_structs(&buffer.ty, &mut structs));
    text.extend(structs.into_values());
    text
}

fn buffer_row(kernel: &Kernel, buffer: &Buffer) -> Vec<String> {
    let ty = kernel.texture(&buffer.name).map_or_else(|| buffer.ty.to_string(), Texture::ty);
    let effects = buffer.effects;
    let uses = [(effects.reads, "reads"), (effects.writes, "writes"), (effects.updates, "updates")];
    let uses: Vec<&str> = uses.iter().filter(|(does, _)| *does).map(|(_, what)| *what).collect();
    let place = |number: u32| if buffer.immediate { String::new() } else { number.to_string() };
    vec![
        buffer.name.clone(),
        place(buffer.group),
        place(buffer.binding),
        buffer.declared(),
        ty,
        Extent::of(&buffer.ty).stride.to_string(),
        buffer.min_bytes.to_string(),
        uses.join(", "),
    ]
}

/// How each struct inside `ty` is laid out, by name.
fn collect_structs(ty: &Type, found: &mut BTreeMap<String, String>) {
    match ty {
        Type::Scalar(_) | Type::Atomic(_) | Type::Vector { .. } | Type::Matrix { .. } => {}
        Type::Array { element, .. } => collect_structs(element, found),
        Type::Struct { name, members, .. } => {
            let rows: Vec<Vec<String>> = members
                .iter()
                .map(|member| vec![format!("  {}: {}", member.name, member.ty), format!("at byte {}", member.offset)])
                .collect();
            found.insert(name.clone(), format!("  struct {name}\n{}", table::lines(&rows)));
            for member in members {
                collect_structs(&member.ty, found);
            }
        }
    }
}
