//! naga's errors in our words: a stable code, the folded chain of causes, labelled spans.

use naga::WithSpan;
use naga::front::wgsl::ParseError;
use naga::valid::{EntryPointError, FunctionError, ValidationError};

use super::tidy::{tidy, typeless};
use super::{guard, words};
use crate::diag::{Diagnostic, Source, Span};

/// A WGSL text that does not parse or type-check.
pub(super) fn parse(error: &ParseError) -> Diagnostic {
    let message = error.message();
    let too_deep = error.notes().any(|note| note.contains("recursion limit")) || message.contains("nesting limit");
    if too_deep {
        return labelled(Diagnostic::error("too-deep", "the program is nested too deep"), error)
            .help("move the inner part into a function or a value of its own");
    }
    let code = if is_syntax(message) { "syntax" } else { "invalid" };
    let found =
        labelled(Diagnostic::error(code, words::operands(message).unwrap_or_else(|| words::plain(message))), error);
    // Whom else to tell is none of the user's business.
    error.notes().filter(|note| !note.contains("Naga")).fold(found, note)
}

/// One line of advice; the types that an argument may have go on the line that announces them.
fn note(mut diagnostic: Diagnostic, text: &str) -> Diagnostic {
    match (text.strip_prefix("allowed type: "), diagnostic.help.last_mut()) {
        // naga knows integers of 16 bits, and we do not.
        (Some(ty), Some(_)) if ty.contains("i16") || ty.contains("u16") => diagnostic,
        (Some(ty), Some(line)) => {
            line.push_str(if line.ends_with(':') { " " } else { ", " });
            line.push_str(&typeless(ty));
            diagnostic
        }
        // Advice that cannot be said is none.
        _ if words::is_plain(&tidy(text)) => diagnostic.help(tidy(text)),
        _ => diagnostic,
    }
}

fn labelled(diagnostic: Diagnostic, error: &ParseError) -> Diagnostic {
    error.labels().fold(diagnostic, |diagnostic, (span, text)| {
        let text = match text {
            "see msg" => String::new(),
            text if text.contains("not yet implemented in Naga") => "this is not implemented yet".to_owned(),
            text => words::plain(text),
        };
        let span = Span::of(span);
        if diagnostic.labels.is_empty() { diagnostic.at(span, text) } else { diagnostic.context(span, text) }
    })
}

/// naga has one error type for grammar and types; only the wording tells them apart.
fn is_syntax(message: &str) -> bool {
    const STARTS: [&str; 10] = [
        "expected ",
        "unexpected ",
        "unterminated ",
        "invalid numeric literal",
        "numeric literal not representable",
        "repeated attribute",
        "unknown attribute",
        "name `",
        "Identifier ",
        "invalid left-hand side",
    ];
    STARTS.iter().any(|start| message.starts_with(start)) && message != "expected global variable"
}

/// A module that parses but breaks a rule of the language.
pub(super) fn validation(source: &Source, module: &naga::Module, error: &WithSpan<ValidationError>) -> Diagnostic {
    if let ValidationError::EntryPoint { name, source: cause, .. } = error.as_inner() {
        if let EntryPointError::OutOfRangeWorkgroupSize = cause {
            return workgroup_size(source, name);
        }
        if let EntryPointError::BindingCollision(second) = cause {
            return duplicate_binding(module, *second);
        }
    }
    if let ValidationError::Function { source: FunctionError::InvalidArgumentPointerSpace { name, .. }, .. } =
        error.as_inner()
    {
        let message = format!("argument `{name}` is a pointer into memory that is shared between invocations");
        let place = error.spans().next().and_then(|(span, _)| Span::of(*span));
        return Diagnostic::error("invalid", message)
            .at(place, "functions take pointers to local and private variables only")
            .help("name the buffer or workgroup variable in the function, and pass an index");
    }
    let (kind, name) = match error.as_inner() {
        ValidationError::EntryPoint { name, .. } => ("entry point", name.as_str()),
        ValidationError::Function { name, .. } => ("function", name.as_str()),
        ValidationError::GlobalVariable { name, .. } => ("variable", name.as_str()),
        ValidationError::Constant { name, .. } => ("constant", name.as_str()),
        ValidationError::Override { name, .. } => ("override", name.as_str()),
        ValidationError::Type { name, .. } => ("type", name.as_str()),
        ValidationError::InvalidHandle(_)
        | ValidationError::Layouter(_)
        | ValidationError::ConstExpression { .. }
        | ValidationError::ArraySizeError { .. }
        | ValidationError::Corrupted => ("module", ""),
    };
    let place = if name.is_empty() { String::new() } else { format!("in {kind} `{name}`: ") };
    let message = words::chain(module, error.as_inner());
    let diagnostic = Diagnostic::error("invalid", format!("{place}{}", message.join(": ")));
    let spans: Vec<(Option<Span>, &String)> = error.spans().map(|(span, text)| (Span::of(*span), text)).collect();
    // naga may name the function around the expression first: the mistake is the inner one.
    let around = |(outer, _): &(Option<Span>, &String)| {
        let holds = |a: Span, b: Span| a != b && a.start <= b.start && b.end <= a.end;
        spans.iter().any(|(inner, _)| outer.zip(*inner).is_some_and(|(outer, inner)| holds(outer, inner)))
    };
    let (outer, inner): (Vec<_>, Vec<_>) = spans.iter().copied().partition(around);
    inner.into_iter().chain(outer).fold(diagnostic, |diagnostic, (span, text)| {
        let text = context(text);
        if diagnostic.labels.is_empty() { diagnostic.at(span, text) } else { diagnostic.context(span, text) }
    })
}

/// A workgroup size of zero, or one that no device takes.
pub(super) fn workgroup_size(source: &Source, entry: &str) -> Diagnostic {
    Diagnostic::error("workgroup-size", format!("the workgroup size of `{entry}` is out of range"))
        .at(guard::function_span(&source.text, entry), "each dimension must be from 1 to 16384")
}

fn duplicate_binding(module: &naga::Module, second: naga::Handle<naga::GlobalVariable>) -> Diagnostic {
    let place = module.global_variables[second].binding;
    let named =
        |handle: naga::Handle<naga::GlobalVariable>| module.global_variables[handle].name.clone().unwrap_or_default();
    let span = |handle: naga::Handle<naga::GlobalVariable>| Span::of(module.global_variables.get_span(handle));
    let first = module.global_variables.iter().find(|(handle, var)| *handle != second && var.binding == place);
    let at = place.map_or(String::new(), |place| format!("group {} binding {}", place.group, place.binding));
    let diagnostic = Diagnostic::error("duplicate-binding", format!("an entry point uses {at} twice"))
        .at(span(second), format!("`{}` has it", named(second)));
    match first {
        Some((first, _)) => diagnostic.context(span(first), format!("and so has `{}`", named(first))),
        None => diagnostic,
    }
}

/// naga labels spans by Rust type and handle.
fn context(text: &str) -> String {
    let kinds = [
        ("naga::ir::Expression", "this expression"),
        ("naga::ir::Type", "this type"),
        ("naga::ir::GlobalVariable", "this variable"),
        ("naga::ir::LocalVariable", "this variable"),
        ("naga::ir::Function", "this function"),
        ("naga::ir::Constant", "this constant"),
        ("naga::ir::Override", "this override"),
    ];
    kinds
        .iter()
        .find(|(start, _)| text.starts_with(start))
        .map_or_else(|| words::plain(text), |(_, words)| (*words).to_owned())
}
