//! Runs the real command and compares everything that it says.

#![expect(clippy::needless_raw_string_hashes, reason = "the tool that updates expectations writes them")]

mod support;
mod run;
mod sources;
mod sinks;
mod images;
mod pipes;
mod given;
mod measured;
mod tests;
#[cfg(unix)]
mod published;
mod errors;
mod rubbish;
mod commands;
mod check;
mod readme;
mod docs;
mod sanitize;
mod plan;
mod job;
mod kit;
