//! Contenders on one input: the best of several rounds each, in turn.

use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

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

/// Rounds go from contender to contender, so that a noisy moment does not hit only one.
pub(crate) fn race<E>(rounds: u32, mut contenders: Vec<Contender<'_, E>>) -> Result<Vec<Lap>, E> {
    let mut laps: Vec<Lap> =
        contenders.iter().map(|contender| Lap { name: contender.name, best: Duration::MAX }).collect();
    for _ in 0..rounds {
        for (contender, lap) in contenders.iter_mut().zip(&mut laps) {
            lap.best = lap.best.min((contender.run)()?);
        }
    }
    Ok(laps)
}
