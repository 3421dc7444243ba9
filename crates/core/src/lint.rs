//! Warnings: what runs, but probably not as meant. Nothing here refuses a program.
//!
//! A lint is a function to diagnostics of [`Severity::Warning`], of all of a program or of one
//! kernel; `PROGRAM` and `KERNEL` list them.
//!
//! [`Severity::Warning`]: crate::diag::Severity::Warning

use std::sync::Arc;

use crate::diag::{Diagnostic, Report, Source};
use crate::layout::Type;
use crate::program::{Access, Buffer, Kernel, Program};
use crate::split::split;

/// What looks at a program as a whole.
const PROGRAM: [fn(&Program) -> Vec<Diagnostic>; 3] = [unused_binding, never_written, Program::split_subgroups];

/// What looks at each kernel.
const KERNEL: [fn(&Kernel) -> Vec<Diagnostic>; 2] = [no_effect, spills];

/// Bytes that an invocation may keep across grid barriers without a word: sixteen numbers.
const SPILL_BYTES_MAX: u64 = 64;

/// What there is to say about a program, whichever of its entry points is run.
pub fn program(program: &Program) -> Option<Report> {
    report(program.source(), PROGRAM.iter().flat_map(|lint| lint(program)).collect())
}

/// What there is to say about one entry point.
pub fn kernel(kernel: &Kernel) -> Option<Report> {
    report(kernel.source(), KERNEL.iter().flat_map(|lint| lint(kernel)).collect())
}

fn report(source: &Arc<Source>, mut diagnostics: Vec<Diagnostic>) -> Option<Report> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    (!diagnostics.is_empty()).then(|| Report { source: source.clone(), diagnostics })
}

/// A variable with a binding that nothing can be bound to.
fn unused_binding(program: &Program) -> Vec<Diagnostic> {
    let told = |(name, span): (&str, _)| {
        Diagnostic::warning("unused-binding", format!("no entry point uses `{name}`"))
            .at(span, "declared here")
            .help("nothing can be bound to it: remove it, or use it")
    };
    program.unused_bindings().into_iter().map(told).collect()
}

/// `read_write` asks for more than is needed where nothing is ever written. Atomics cannot be
/// declared otherwise, and languages without the word give every buffer both.
fn never_written(program: &Program) -> Vec<Diagnostic> {
    let only_read = |buffer: &Buffer| {
        let effects = buffer.effects;
        buffer.access == Access::ReadWrite
            && effects.reads
            && !(effects.writes || effects.updates)
            && !has_atomics(&buffer.ty)
            && buffer.span.is_some()
    };
    let told = |buffer: Buffer| {
        let is_texture = program.textures().iter().any(|texture| texture.name == buffer.name);
        let needed = if is_texture { "as a texture with `read`" } else { "`var<storage, read>`" };
        Diagnostic::warning("never-written", format!("`{}` is `read_write`, but nothing writes it", buffer.name))
            .at(buffer.span, "declared here")
            .help(format!("declare it {needed}, or write to it"))
    };
    program.buffers().into_iter().filter(only_read).map(told).collect()
}

fn has_atomics(ty: &Type) -> bool {
    match ty {
        Type::Atomic(_) => true,
        Type::Scalar(_) | Type::Vector { .. } | Type::Matrix { .. } => false,
        Type::Array { element, .. } => has_atomics(element),
        Type::Struct { members, .. } => members.iter().any(|member| has_atomics(&member.ty)),
    }
}

/// A kernel that changes no buffer computes nothing that anybody sees.
fn no_effect(kernel: &Kernel) -> Vec<Diagnostic> {
    if kernel.buffers.iter().any(|buffer| buffer.effects.writes || buffer.effects.updates) {
        return Vec::new();
    }
    let message = format!("`{}` changes no buffer, so running it has no result", kernel.name);
    let none = Diagnostic::warning("no-effect", message);
    let shown = kernel.buffers.iter().fold(none, |told, buffer| told.at(buffer.span, "only read"));
    vec![shown.help("store what it computes in a `var<storage, read_write>` buffer")]
}

/// What lives across a grid barrier is written to memory and read again, by every invocation.
fn spills(kernel: &Kernel) -> Vec<Diagnostic> {
    // Why one cannot be cut is said where it is run.
    let Ok(split) = split(&Arc::new(kernel.clone())) else { return Vec::new() };
    let bytes = split.invocation_bytes();
    if bytes <= SPILL_BYTES_MAX {
        return Vec::new();
    }
    let message = format!(
        "`{}` keeps {bytes} bytes for each invocation across its grid barriers, more than {SPILL_BYTES_MAX}",
        kernel.name
    );
    let largest = split.largest();
    let told = Diagnostic::warning("spill", message);
    let told =
        largest.iter().take(3).fold(told, |told, kept| told.at(kept.span, format!("{} bytes of it", kept.bytes)));
    let name = largest.first().and_then(|kept| kept.name.as_deref());
    vec![told.help(match name {
        Some(name) => format!("shrink `{name}`, keep it in a buffer of your own, or end its life before the barrier"),
        None => "compute it again behind the barrier, or keep it in a buffer of your own".to_owned(),
    })]
}
