//! Contenders on one input: the best of several rounds each, in turn.
//!
//! Whoever has spent [`PATIENCE`] sits out the rounds that are left, so that one slow contender
//! does not make a run last for minutes; the best of fewer rounds is the best that it showed.

use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What a contender may spend on one input before it sits out.
const PATIENCE: Duration = Duration::from_secs(4);

/// What one contender took.
pub(crate) struct Lap {
    pub(crate) name: &'static str,
    pub(crate) best: Duration,
}

impl Lap {
    pub(crate) fn ms(&self) -> f64 {
        self.best.as_secs_f64() * 1e3
    }
}

/// A name, and what to do; it says how long that took.
pub(crate) struct Contender<'a, E> {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut() -> Result<Duration, E> + 'a>,
}

/// What a contender returns is freed before its clock stops.
pub(crate) fn contender<'a, T: 'a>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Contender<'a, Infallible> {
    let run = Box::new(move || {
        let start = Instant::now();
        drop(black_box(run()));
        Ok(start.elapsed())
    });
    Contender { name, run }
}

/// A contender that may fail, timed over `times` runs in a row.
pub(crate) fn timed<'a, E: 'a>(
    name: &'static str,
    times: u32,
    mut run: impl FnMut() -> Result<(), E> + 'a,
) -> Contender<'a, E> {
    let run = Box::new(move || {
        let start = Instant::now();
        (0..times).try_for_each(|_| run())?;
        Ok(start.elapsed() / times)
    });
    Contender { name, run }
}

/// Rounds go from contender to contender, so that a noisy moment does not hit only one, and each
/// begins with another, so that none always comes after the same.
pub(crate) fn race<E>(rounds: u32, mut contenders: Vec<Contender<'_, E>>) -> Result<Vec<Lap>, E> {
    let lap = |contender: &Contender<'_, E>| Lap { name: contender.name, best: Duration::MAX };
    let mut laps: Vec<Lap> = contenders.iter().map(lap).collect();
    let mut spent = vec![Duration::ZERO; laps.len()];
    for round in 0..rounds as usize {
        for turn in 0..laps.len() {
            let at = (round + turn) % laps.len();
            if spent[at] < PATIENCE {
                let start = Instant::now();
                laps[at].best = laps[at].best.min((contenders[at].run)()?);
                spent[at] += start.elapsed();
            }
        }
    }
    Ok(laps)
}
