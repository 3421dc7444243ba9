//! A test on a device, what became of it, and how that is told.

use std::fmt::Write as _;
use std::time::Duration;

use seawall_suite::{failures, find, run, sanitize};
use serde_json::{Value, json};

use super::Place;
use crate::say;

/// What became of a test.
pub(super) enum Verdict {
    Passed,
    Failed(String),
    /// It is listed as failing, and did.
    Expected(String),
    /// The device is not asked to run it.
    Skipped(&'static str),
}

/// A test on a device; none where the compiler alone decides it.
pub(super) struct Trial<'a> {
    pub(super) test: &'a find::Test,
    pub(super) place: Option<&'a Place>,
    pub(super) reason: Option<&'a failures::Reason>,
}

impl Trial<'_> {
    pub(super) fn run(&self, time: Duration) -> Verdict {
        let case = match &self.test.case {
            Ok(case) => case,
            Err(wrong) => return Verdict::Failed(wrong.clone()),
        };
        let (name, source) = (self.test.path.display().to_string(), self.test.source.as_str());
        let result = match self.place {
            None => run::refused(&name, source, case),
            Some(place) => {
                if let Some(why) = place.bench.skips(case) {
                    return Verdict::Skipped(why);
                }
                let control = case.control();
                if place.sanitizes && !case.errors.is_empty() {
                    return Verdict::Skipped("it is to end in an error");
                }
                let run = || {
                    Ok::<_, seawall::Error>(if place.sanitizes {
                        sanitize::judge(&name, source, case, sanitize::Config::default(), &control)
                    } else {
                        run::on_with(&place.bench, &name, source, case, &control)
                    })
                };
                seawall::within(time, &control, run).unwrap_or_else(|error| Err(error.to_string()))
            }
        };
        match (failures::judge(result.clone(), self.reason), result, self.reason) {
            (Ok(()), Err(_), Some(reason)) => Verdict::Expected(reason.text.clone()),
            (Ok(()), _, _) => Verdict::Passed,
            (Err(message), _, _) => Verdict::Failed(message),
        }
    }

    pub(super) fn device(&self) -> &str {
        self.place.map_or("-", |place| &place.id)
    }
}

/// How many of each.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) expected: usize,
    pub(super) skipped: usize,
}

impl Tally {
    /// How many there were.
    pub(super) fn tests(&self) -> usize {
        self.passed + self.failed + self.expected + self.skipped
    }

    pub(super) fn count(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Passed => &mut self.passed,
            Verdict::Failed(_) => &mut self.failed,
            Verdict::Expected(_) => &mut self.expected,
            Verdict::Skipped(_) => &mut self.skipped,
        } += 1;
    }

    pub(super) fn as_text(&self, others: usize) -> String {
        let mut text = format!("{} passed, {} failed", self.passed, self.failed);
        for (n, what) in
            [(self.expected, "failed as expected"), (self.skipped, "skipped"), (others, "without directives")]
        {
            if n > 0 {
                write!(text, ", {n} {what}").expect("memory takes text");
            }
        }
        text
    }
}

/// With `-q` only what failed.
pub(super) fn as_text(trial: &Trial<'_>, verdict: &Verdict) -> String {
    let (word, more) = match verdict {
        Verdict::Passed => ("ok", String::new()),
        Verdict::Failed(_) => ("FAILED", String::new()),
        Verdict::Expected(why) => ("expected", format!(": fails, since {why}")),
        Verdict::Skipped(why) => ("skipped", format!(": {why}")),
    };
    let mut text = format!("{word:<8}  {:<9}  {}{more}\n", trial.device(), trial.test.path.display());
    match verdict {
        Verdict::Failed(message) => {
            for line in message.trim_end().lines() {
                writeln!(text, "    {line}").expect("memory takes text");
            }
            text
        }
        _ if say::is_quiet() => String::new(),
        _ => text,
    }
}

pub(super) fn as_json(trial: &Trial<'_>, verdict: &Verdict) -> Value {
    let (result, why) = match verdict {
        Verdict::Passed => ("passed", None),
        Verdict::Failed(message) => ("failed", Some(message.as_str())),
        Verdict::Expected(why) => ("expected", Some(why.as_str())),
        Verdict::Skipped(why) => ("skipped", Some(*why)),
    };
    json!({
        "name": trial.test.name,
        "path": trial.test.path.to_string_lossy(),
        "device": trial.place.map(|place| place.id.as_str()),
        "result": result,
        "why": why,
    })
}
