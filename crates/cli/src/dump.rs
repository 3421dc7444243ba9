//! `seawall dump`: the middle products of a program's journey, as text.

use std::io::Write;
use std::sync::Arc;

use seawall::cpu;

use crate::args::{Dump, Stage};
use crate::error::Error;
use crate::{load, say};

pub(crate) fn dump(args: &Dump) -> Result<(), Error> {
    let stage = match args.stage {
        Stage::Program => return whole(args),
        Stage::Spmd => cpu::Stage::Spmd,
        Stage::Clif => cpu::Stage::Clif,
        Stage::Asm => cpu::Stage::Asm,
    };
    let program = load::program(&args.file)?;
    let kernel = Arc::new(load::kernel(&args.file, &program, args.entry.as_deref(), &args.sets)?);
    let text = cpu::dump(&kernel, stage, cpu::Config { contract: args.contract, ..cpu::Config::default() })?;
    say::out(|out| out.write_all(text.as_bytes()))
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
