//! `seawall dump`: the middle products of a program's journey, as text.

use std::io::Write;

use seawall_core::split;

use crate::args::{Dump, Stage};
use crate::error::Error;
use crate::{load, say};

pub(crate) fn dump(args: &Dump) -> Result<(), Error> {
    let stage = match args.stage {
        Stage::Program => return whole(args),
        Stage::Split => None,
        Stage::After(pass) => Some(seawall_cpu::Stage::After(pass)),
        Stage::Vector => Some(seawall_cpu::Stage::Vector),
        Stage::Remarks => Some(seawall_cpu::Stage::Remarks),
        Stage::Clif => Some(seawall_cpu::Stage::Clif),
        Stage::Asm => Some(seawall_cpu::Stage::Asm),
    };
    let program = load::program(&args.file)?;
    let kernel = load::kernel(&args.file, &program, args.entry.as_deref(), &args.sets)?;
    let split = split::split(&kernel).map_err(seawall::Error::from)?;
    let subgroup = args.subgroup_size.unwrap_or_default();
    let config = seawall_cpu::Config { subgroup, contract: args.contract, ..seawall_cpu::Config::default() };
    let mut text = String::new();
    match stage {
        None => {
            text = split.to_string();
            for (at, segment) in split.segments.iter().enumerate() {
                let code = segment.kernel.wgsl().map_err(|error| Error::NotWritten { why: error.to_string() })?;
                let title = format!("\n// segment {} of {}\n", at + 1, split.segments.len());
                text.push_str(&title);
                for line in code.lines() {
                    text.push_str(line.trim_end());
                    text.push('\n');
                }
            }
        }
        Some(stage) => {
            for segment in &split.segments {
                text.push_str(&seawall_cpu::dump(&segment.kernel, stage, config)?);
            }
        }
    }
    say::out(|out| out.write_all(text.as_bytes()))?;
    if args.time_passes {
        for segment in &split.segments {
            for (pass, took) in seawall_cpu::times(&segment.kernel, config)? {
                say::note(&format!("{} took {took:.1?}", pass.name()));
            }
        }
    }
    Ok(())
}

/// All entry points, whatever is decided later.
fn whole(args: &Dump) -> Result<(), Error> {
    let options = [("--entry", args.entry.is_some()), ("--set", !args.sets.is_empty()), ("--contract", args.contract)];
    if let Some((option, _)) = options.into_iter().find(|(_, given)| *given) {
        return Err(Error::NoKernel { option });
    }
    let program = load::program(&args.file)?;
    say::out(|out| write!(out, "{program}"))
}
