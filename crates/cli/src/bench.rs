//! `seawall bench`: how long a program or a job takes, on one device or on several side by side.
//!
//! Each repetition begins with the same inputs, which are put back before the clock runs. A program's
//! buffers stay on the device; a job's are uploaded and downloaded as `run` does it, which counts.
//! The devices take turns, so that all of them see the same machine.

use std::io::Write;
use std::time::Duration;

use serde_json::json;

use crate::args::Bench;
use crate::error::Error;
use crate::given::Given;
use crate::kind::Kind;
use crate::racer::Racer;
use crate::table::{lines, time};
use crate::{job, run, say};

pub(crate) fn bench(args: &Bench) -> Result<(), Error> {
    let run = &args.run;
    let refused = [
        ("--out", !run.outs.is_empty()),
        ("--show", !run.shows.is_empty()),
        ("--trace", run.trace.is_some()),
        ("--profile", run.profile),
        ("--seconds", run.seconds.is_some()),
        ("--steps", run.steps.is_some()),
        ("--sanitize", run.sanitize),
    ];
    if let Some((option, _)) = refused.into_iter().find(|(_, given)| *given) {
        return Err(Error::NotMeasured { option });
    }
    let given = Given::read(&run.file)?;
    let mut devices = vec![run.device.clone()];
    devices.extend(args.against.iter().cloned().map(Some));
    let mut racers = match given.kind {
        Kind::Job => job::racers(run, &given, &devices)?,
        Kind::Wgsl | Kind::Spirv | Kind::Glsl => run::racers(run, given, &devices)?,
        Kind::Problem => return Err(given.refused("a program or a job file", "`seawall plan` takes it")),
    };
    for racer in &mut racers {
        (0..args.warmup).try_for_each(|_| (racer.once)().map(drop))?;
    }
    let mut times: Vec<Vec<Duration>> = racers.iter().map(|_| Vec::new()).collect();
    for _ in 0..args.repeat.get() {
        for (racer, times) in racers.iter_mut().zip(&mut times) {
            times.push((racer.once)()?);
        }
    }
    let measured: Vec<(&Racer, Spread)> =
        racers.iter().zip(&mut times).map(|(racer, times)| (racer, Spread::of(times))).collect();
    if args.run.json {
        let rows: Vec<_> = measured.iter().map(|(racer, spread)| as_json(racer, spread, args.operations)).collect();
        return say::out(|out| writeln!(out, "{}", json!({ "repetitions": args.repeat, "devices": rows })));
    }
    let mut head = vec!["device", "minimum", "median", "spread", "GB/s", "invocations/s"];
    head.extend(args.operations.map(|_| "operations/s"));
    let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    rows.extend(measured.iter().map(|(racer, spread)| as_row(racer, spread, args.operations)));
    let text = lines(&rows);
    say::out(|out| write!(out, "{} repetitions, {} to warm up\n{text}", args.repeat, args.warmup))
}

/// What the times of a device come to.
struct Spread {
    minimum: Duration,
    median: Duration,
    /// From the first quartile to the third, as a part of the median.
    quartiles: f64,
}

impl Spread {
    fn of(times: &mut [Duration]) -> Self {
        times.sort_unstable();
        let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize];
        let median = at(0.5);
        let quartiles = at(0.75).saturating_sub(at(0.25)).as_secs_f64() / median.as_secs_f64().max(1e-9);
        Self { minimum: times[0], median, quartiles }
    }

    fn per_second(&self, amount: f64) -> f64 {
        amount / self.median.as_secs_f64().max(1e-9)
    }
}

fn as_row(racer: &Racer, spread: &Spread, operations: Option<f64>) -> Vec<String> {
    let mut row = vec![
        racer.device.clone(),
        time(spread.minimum),
        time(spread.median),
        format!("{:.1}%", 100.0 * spread.quartiles),
        format!("{:.3}", spread.per_second(racer.bytes as f64) / 1e9),
        format!("{:.3e}", spread.per_second(racer.invocations as f64)),
    ];
    row.extend(operations.map(|operations| format!("{:.3e}", spread.per_second(operations))));
    row
}

fn as_json(racer: &Racer, spread: &Spread, operations: Option<f64>) -> serde_json::Value {
    json!({
        "device": racer.device,
        "minimum_ms": spread.minimum.as_secs_f64() * 1e3,
        "median_ms": spread.median.as_secs_f64() * 1e3,
        "spread": spread.quartiles,
        "bytes": racer.bytes,
        "bytes_per_second": spread.per_second(racer.bytes as f64),
        "invocations_per_second": spread.per_second(racer.invocations as f64),
        "operations_per_second": operations.map(|operations| spread.per_second(operations)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_and_the_quartiles() {
        let mut times: Vec<Duration> = [5, 1, 4, 2, 3].map(Duration::from_millis).to_vec();
        let spread = Spread::of(&mut times);
        assert_eq!((spread.minimum, spread.median), (Duration::from_millis(1), Duration::from_millis(3)));
        assert!((spread.quartiles - 2.0 / 3.0).abs() < 1e-9, "{}", spread.quartiles);
        assert!((spread.per_second(3.0) - 1000.0).abs() < 1e-6);
        assert_eq!(Spread::of(&mut [Duration::ZERO]).quartiles, 0.0);
    }
}
