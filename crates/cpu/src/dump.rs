//! What a kernel becomes on its way to machine code, as text.

use std::sync::Arc;
use std::time::Duration;

use seawall_core::diag::Location;
use seawall_core::program::Kernel;

use crate::compile::{self, Analysed, Count, Error, Options, Written};
use crate::device::Config;
use crate::divergence::{Shape, Shapes};
use crate::effort::Effort;
use crate::helpers::{self, Helper};
use crate::ir::{self, remark::Remark};
use crate::passes::{self, Log};
use crate::target::Target;
use crate::walk::{Part, frame::Frame};
#[cfg(x64)]
use crate::x64;

/// How far on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The form after a pass, of each function and each time that it is run.
    After(Pass),
    /// The vector form, with the shape of each value and the width.
    Vector,
    /// What passes did or could not do, where in the source, and why.
    Remarks,
    /// Cranelift's IR.
    Clif,
    /// This machine's instructions.
    Asm,
}

/// A pass of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pass(&'static str);

impl Pass {
    /// All of them, in the order in which they are first run.
    pub fn all() -> Vec<Self> {
        passes::names().into_iter().map(Self).collect()
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        self.0
    }
}

/// What each pass takes for a kernel and the functions that it calls.
pub fn times(kernel: &Arc<Kernel>, config: Config) -> Result<Vec<(Pass, Duration)>, Error> {
    let options = Options { edge: None, ..config.options() };
    let target = compile::target(config.backend)?;
    let analysed = compile::on_own_stack(|| compile::analyse(&target, kernel, options, Log::default()))??;
    Ok(analysed.log.times.into_iter().map(|(name, took)| (Pass(name), took)).collect())
}

/// How large a kernel becomes when it is compiled.
pub fn count(kernel: &Arc<Kernel>, config: Config) -> Result<Count, Error> {
    let options = Options { edge: None, ..config.options() };
    let target = compile::target(config.backend)?;
    compile::on_own_stack(|| compile::compile(&target, kernel, options, &|| true).map(|code| code.count))?
}

/// The text of a stage. The same kernel always gives the same text on one machine.
pub fn dump(kernel: &Arc<Kernel>, stage: Stage, config: Config) -> Result<String, Error> {
    compile::on_own_stack(|| text(kernel, stage, config))?
}

fn text(kernel: &Arc<Kernel>, stage: Stage, config: Config) -> Result<String, Error> {
    let target = compile::target(config.backend)?;
    let options = Options { edge: None, ..config.options() };
    let after = match stage {
        Stage::After(pass) => Some(pass.name()),
        Stage::Vector | Stage::Remarks | Stage::Clif | Stage::Asm => None,
    };
    let log = Log { after, ..Log::default() };
    let Analysed { part, because, callees, log } = compile::analyse(&target, kernel, options, log)?;
    if after.is_some() {
        return Ok(log.text);
    }
    let frame = Frame::new(&part.function, &part.shapes);
    let mut text = String::new();
    for part in callees.iter().chain([&part]) {
        let frame = if part.function.is_callee { &frame.for_callee() } else { &frame };
        text.push_str(&match stage {
            Stage::After(_) | Stage::Vector => spmd(&part.function, &part.shapes),
            Stage::Remarks => {
                // Some things are decided while code is written.
                drop(Written::new(&target, part, frame));
                continue;
            }
            Stage::Clif => clif(&target, part, frame)?,
            Stage::Asm => asm(&target, part, frame, config.effort)?,
        });
    }
    if stage == Stage::Remarks {
        let parts: Vec<&Part> = callees.iter().chain([&part]).collect();
        return Ok(remarks(kernel, &parts));
    }
    Ok(format!("; width {}: {because}\n{text}", part.shapes.width))
}

/// What the passes say of a kernel and of what it calls, in the order of the source; what they say of no place in
/// it comes first. A loop may have been copied: if a pass did something to one of its copies, that counts.
fn remarks(kernel: &Kernel, parts: &[&Part]) -> String {
    let mut said: Vec<(Option<Location>, &str, Remark)> = Vec::new();
    for Part { function, .. } in parts {
        for remark in function.remarks.all() {
            let place = function.span(remark.at).map(|span| kernel.source().location(span));
            said.push((place, &function.name, remark));
        }
    }
    let done: Vec<(Option<Location>, &str)> =
        said.iter().filter(|(.., remark)| remark.done).map(|(place, _, remark)| (*place, remark.pass)).collect();
    said.retain(|(place, _, remark)| remark.done || place.is_none() || !done.contains(&(*place, remark.pass)));
    said.sort_by_key(|(place, ..)| *place);
    let mut lines: Vec<String> = Vec::new();
    for (place, function, remark) in said {
        let line = match place {
            Some(place) => format!("{place}: {remark}\n"),
            None => format!("{function}: {remark}\n"),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

fn spmd(function: &ir::Function, shapes: &Shapes) -> String {
    function.text(&|value| match shapes.of(value) {
        Shape::Uniform => " uniform".to_owned(),
        Shape::Linear(0) => " even".to_owned(),
        Shape::Linear(stride) => format!(" linear({stride})"),
        Shape::Varying => " varying".to_owned(),
    })
}

/// What Cranelift is given of one function.
fn clif(target: &Target, part: &Part, frame: &Frame) -> Result<String, Error> {
    match target {
        #[cfg(cranelift)]
        Target::Cranelift(target) => Ok(named(target.write(part, frame).func.display().to_string())),
        #[cfg(x64)]
        Target::X64(_) => {
            let _ = (part, frame);
            Err(Error::NotCranelift)
        }
    }
}

/// The machine code of one function.
fn asm(target: &Target, part: &Part, frame: &Frame, effort: Option<Effort>) -> Result<String, Error> {
    let body = &part.function.body;
    let wanted = |count: usize| effort.unwrap_or_else(|| Effort::of(count, body.nesting(), body.loops()));
    let (effort, count, text) = match target {
        #[cfg(cranelift)]
        Target::Cranelift(target) => {
            let context = target.write(part, frame);
            let count = context.func.dfg.num_insts();
            let text =
                target.asm(context, wanted(count)).map_err(|error| Error::Codegen { reason: format!("{error:?}") });
            (wanted(count), count, text?)
        }
        #[cfg(x64)]
        Target::X64(isa) => {
            let x64 = x64::write(*isa, part, frame);
            let count = x64.operations();
            let code = x64.finish(wanted(count)).map_err(|error| Error::Codegen { reason: error.to_string() })?;
            (wanted(count), count, code.text())
        }
    };
    Ok(named(format!("; {effort} effort: {count} instructions to begin with\n{text}")))
}

/// Addresses of our functions by their names: they are others in each process.
fn named(mut text: String) -> String {
    let fetch = ("Fetch".to_owned(), helpers::fetch as *const u8);
    let helpers = Helper::ALL.iter().map(|helper| (format!("{helper:?}"), helper.address()));
    for (name, address) in helpers.chain([fetch]) {
        let address = address as i64;
        let forms = [
            address.to_string(),
            format!("{address:#x}"),
            format!("{address:#X}"),
            #[cfg(cranelift)]
            cranelift_codegen::ir::immediates::Imm64::new(address).to_string(),
        ];
        for number in forms {
            text = text.replace(&number, &name);
        }
    }
    text
}
