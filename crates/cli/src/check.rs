//! `seawall check`: what is wrong with a program, or what it asks for.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use seawall::layout::Type;
use seawall::program::{Buffer, Override};
use seawall::{Kernel, Overrides, Program, lint};

use crate::args::Check;
use crate::error::Error;
use crate::given::{Given, Kind};
use crate::typed::Extent;
use crate::{job, load, plan, say, table};

pub(crate) fn check(args: &Check) -> Result<(), Error> {
    let given = Given::read(&args.file)?;
    match given.kind {
        Kind::Job => return job::check(args, given),
        Kind::Problem => return plan::check(args, given),
        Kind::Wgsl | Kind::Spirv | Kind::Glsl => {}
    }
    let program = load::program_with(given, "")?;
    let overrides = load::overrides(&args.sets)?;
    let mut text = String::new();
    let declared = program.overrides();
    if !declared.is_empty() {
        let rows: Vec<Vec<String>> = declared.iter().map(|item| override_row(item, &overrides)).collect();
        text = format!("overrides\n{}\n", table::lines(&rows));
    }
    let kernels = kernels(&program, &declared, &overrides)?;
    let reports =
        lint::program(&program).into_iter().chain(kernels.iter().flatten().filter_map(|kernel| lint::kernel(kernel)));
    let mut warnings = 0;
    for report in reports {
        warnings += report.diagnostics.len();
        say::warnings(&report);
    }
    let entries: Vec<String> = kernels
        .iter()
        .zip(program.entries())
        .map(|(kernel, entry)| match kernel {
            Some(kernel) => describe(kernel),
            None => format!(
                "entry {entry}: decide `{}` with --set to see its buffers\n",
                undecided(&declared, &overrides).unwrap_or_default()
            ),
        })
        .collect();
    text.push_str(&entries.join("\n"));
    say::out(|out| out.write_all(text.as_bytes()))?;
    if warnings > 0 && args.deny_warnings { Err(Error::Warnings { warnings }) } else { Ok(()) }
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
    rows.extend(kernel.buffers.iter().map(buffer_row));
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

fn buffer_row(buffer: &Buffer) -> Vec<String> {
    let effects = buffer.effects;
    let uses = [(effects.reads, "reads"), (effects.writes, "writes"), (effects.updates, "updates")];
    let uses: Vec<&str> = uses.iter().filter(|(does, _)| *does).map(|(_, what)| *what).collect();
    let place = |number: u32| if buffer.immediate { String::new() } else { number.to_string() };
    vec![
        buffer.name.clone(),
        place(buffer.group),
        place(buffer.binding),
        buffer.declared(),
        buffer.ty.to_string(),
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
