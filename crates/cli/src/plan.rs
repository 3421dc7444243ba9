//! `seawall plan`: a plan as text, as data and as a picture.

use std::io::Write;

use crate::args::{Check, Plan as Args};
use crate::error::Error;
use crate::given::Given;
use crate::table::count;
use crate::{problem, publish, say};

pub(crate) fn plan(args: &Args, given: Given) -> Result<(), Error> {
    if args.budget.is_some() {
        return Err(Error::JobOnly { option: "--budget" });
    }
    let fault = |error| Error::Plan { path: args.file.clone(), error };
    let text = given.text()?;
    let problem = problem::parse(&text).map_err(fault)?;
    let plans = problem::solve(&problem).map_err(fault)?;
    if let Some(path) = &args.svg {
        let picture = problem::draw(&problem, &plans).map_err(fault)?;
        publish::one(path, picture.as_bytes())?;
    }
    if args.json {
        return say::out(|out| writeln!(out, "{}", problem::as_json(&problem, &plans)));
    }
    say::out(|out| out.write_all(problem::as_text(&problem, &plans).as_bytes()))
}

/// Whether it can be planned, and how much of it there is.
pub(crate) fn check(args: &Check, given: Given) -> Result<(), Error> {
    if !args.sets.is_empty() {
        return Err(Error::NoOverrides);
    }
    let fault = |error| Error::Plan { path: args.file.clone(), error };
    let problem = problem::parse(&given.text()?).map_err(fault)?;
    problem::solve(&problem).map_err(fault)?;
    let (waves, edges) = (problem.waves.len() as u64, problem.edges.len() as u64);
    say::out(|out| writeln!(out, "waves to plan: {} and {}", count(waves, "wave"), count(edges, "edge")))
}
