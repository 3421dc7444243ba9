//! Reading programs: what is accepted, what is refused and how it is told.

// Expectations are written by expect-test in its own style; texts are put together once, so plainly.
#![allow(
    clippy::needless_raw_string_hashes,
    clippy::needless_pass_by_value,
    clippy::format_collect,
    clippy::format_push_string
)]

mod consts;
mod diagnostics;
mod effects;
mod guard;
mod inputs;
mod messages;
mod modules;
mod needs;
mod overrides;
mod pointers;
mod rubbish;
mod text;
mod uniform;

use std::sync::Arc;

use seawall_core::diag::Report;
use seawall_core::program::{Kernel, Overrides, Program};

/// The report of a program that must be refused.
fn refused(text: &str) -> Report {
    Program::wgsl(text).expect_err("the program should be refused")
}

/// The codes of a program that must be refused.
fn codes(text: &str) -> Vec<&'static str> {
    refused(text).diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// The only entry point of a program that must be accepted.
fn kernel(text: &str) -> Arc<Kernel> {
    let program = Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
    let entry = program.entries().next().expect("an entry point").to_owned();
    program.kernel(&entry, &Overrides::new()).unwrap_or_else(|report| panic!("{report}"))
}

/// The text that a span covers.
fn covered(text: &str, span: Option<seawall_core::diag::Span>) -> &str {
    let span = span.expect("a span");
    &text[span.start as usize..span.end as usize]
}
