//! `seawall test`: WGSL files as tests, on one device or on several.
//!
//! A program that must be refused needs no device and is looked at once. On the reference device
//! several tests run at once; others have one device to share, and a test that hangs there must not
//! use up the time of those behind it.

mod order;
mod trial;

use std::collections::BTreeMap;
use std::env;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use seawall::Runtime;
use seawall::device::Device;
use seawall_suite::failures::{self, List};
use seawall_suite::find::{self, Found};
use seawall_suite::run::Bench;
use seawall_suite::{bless, case};
use serde_json::json;

use crate::args::Test;
use crate::error::Error;
use crate::{driver, publish, say};
use order::in_order;
use trial::{Tally, Trial, as_json, as_text};

/// Asks for blessing, as `--bless` does.
const BLESS_VARIABLE: &str = "SEAWALL_BLESS";

/// A device, and what it is known to fail.
struct Place {
    id: String,
    bench: Bench,
    lists: BTreeMap<PathBuf, List>,
    /// It looks for races and the like instead of at results.
    sanitizes: bool,
}

pub(crate) fn test(args: &Test) -> Result<(), Error> {
    let mut found = args.paths.iter().map(|path| find::find(path)).collect::<Result<Vec<_>, _>>()?;
    let wanted = |path: &Path| {
        let path = path.to_string_lossy();
        args.filters.is_empty() || args.filters.iter().any(|text| path.contains(text.as_str()))
    };
    for found in &mut found {
        found.tests.retain(|test| wanted(&test.path));
    }
    if found.iter().all(|found| found.tests.is_empty()) {
        return Err(Error::NoTest { paths: args.paths.clone(), filters: args.filters.clone() });
    }
    if args.bless || env::var_os(BLESS_VARIABLE).is_some() {
        found.iter_mut().flat_map(|found| &mut found.tests).try_for_each(bless_one)?;
    }
    let places = places(args, &found)?;
    let (mut tally, mut rows) = (Tally::default(), Vec::new());
    for place in [None].into_iter().chain(places.iter().map(Some)) {
        let abreast = match place {
            Some(place) if !place.bench.is_reference() => 1,
            _ => thread::available_parallelism().map_or(1, NonZeroUsize::get),
        };
        let run = |trial: &Trial<'_>| trial.run(args.seconds);
        in_order(&trials(&found, place), abreast, run, |trial, verdict| {
            tally.count(&verdict);
            if args.json {
                rows.push(as_json(trial, &verdict));
                return Ok(());
            }
            let text = as_text(trial, &verdict);
            say::out(|out| out.write_all(text.as_bytes()))
        })?;
    }
    if args.json {
        let counts = json!({ "tests": rows, "passed": tally.passed, "failed": tally.failed,
            "expected": tally.expected, "skipped": tally.skipped });
        say::out(|out| writeln!(out, "{counts}"))?;
    } else {
        say::out(|out| writeln!(out, "{}", tally.as_text(found.iter().map(|found| found.others).sum())))?;
    }
    match tally.failed {
        0 => Ok(()),
        failed => Err(Error::Failed { failed, tests: tally.tests() }),
    }
}

/// Writes what the reference device gives into a test's file, where it says something else.
fn bless_one(test: &mut find::Test) -> Result<(), Error> {
    let Ok(case) = &test.case else { return Ok(()) };
    if case.outputs.is_empty() {
        return Ok(());
    }
    // What cannot be run is told by the test.
    if let Ok(Some(text)) = bless::blessed(&test.name, &test.source, case) {
        publish::one(&test.path, text.as_bytes())?;
        say::wrote(&format!("what the reference device gives into `{}`", test.path.display()));
        (test.case, test.source) = (case::parse(&text), text);
    }
    Ok(())
}

/// The devices to run on.
fn places(args: &Test, found: &[Found]) -> Result<Vec<Place>, Error> {
    let builder = || Runtime::builder().subgroup_size(args.subgroup_size.unwrap_or_default());
    let mut places = Vec::new();
    let mut add = |id: &str, device: Arc<dyn Device>| {
        if places.iter().all(|place: &Place| place.id != id) {
            let lists = found.iter().map(|found| Ok((found.root.clone(), list(&found.root, &*device)?)));
            let lists = lists.collect::<Result<_, Error>>()?;
            places.push(Place { id: id.to_owned(), bench: Bench::new(device), lists, sanitizes: false });
        }
        Ok::<_, Error>(())
    };
    if args.devices.is_empty() && !args.sanitize {
        let runtime = driver::heard(|| builder().open())?;
        add(&runtime.caps().id, runtime.device().clone())?;
    }
    for id in &args.devices {
        if id == "all" {
            let registry = builder().registry()?;
            for slot in registry.slots() {
                match driver::heard(|| slot.device()) {
                    Ok(device) => add(&slot.id, device.clone())?,
                    Err(absent) => say::note(&format!("device `{}` cannot run here: {absent}", slot.id)),
                }
            }
        } else {
            let runtime = driver::heard(|| builder().device(id).open())?;
            add(id, runtime.device().clone())?;
        }
    }
    if args.sanitize {
        let (id, bench) = ("sanitizer".to_owned(), Bench::reference());
        places.push(Place { id, bench, lists: BTreeMap::new(), sanitizes: true });
    }
    Ok(places)
}

/// What a device is known to fail below a folder. Each entry names a file.
fn list(root: &Path, device: &dyn Device) -> Result<List, Error> {
    let wrong = |list: String| Error::ExpectedFailures { list };
    let list = failures::of(root, &device.caps().id, &device.caps().name).map_err(wrong)?;
    let there = |name: &&String| root.join(format!("{name}.wgsl")).is_file();
    match list.keys().find(|name| !there(name)) {
        None => Ok(list),
        Some(name) => Err(wrong(format!("{}: there is no test `{name}`", root.join(failures::FOLDER).display()))),
    }
}

/// The tests on a device, or those that need none: the compiler alone decides them, and so does a
/// mistake in their directives.
fn trials<'a>(found: &'a [Found], place: Option<&'a Place>) -> Vec<Trial<'a>> {
    let alone = |test: &find::Test| test.case.as_ref().map_or(true, case::Case::is_refused);
    let of = |Found { root, tests, .. }: &'a Found| {
        let list = place.and_then(|place| place.lists.get(root));
        let mine = tests.iter().filter(move |test| alone(test) == place.is_none());
        mine.map(move |test| Trial { test, place, reason: list.and_then(|list| list.get(&test.name)) })
    };
    found.iter().flat_map(of).collect()
}
