//! How many invocations there are to be.

use pyo3::prelude::*;
use seawall::Dims;

use crate::error;

/// One to three numbers.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    counts: [i64; 3],
    /// How many were given.
    len: usize,
}

impl Shape {
    pub(crate) fn new(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let refused = || {
            let got = crate::value::described(given);
            error::bind(given.py(), format!("`{what}` is a number or a tuple of up to three, not {got}"))
        };
        if let Ok(count) = given.extract::<i64>() {
            return Ok(Self { counts: [count, 1, 1], len: 1 });
        }
        let counts = given.extract::<Vec<i64>>().map_err(|_| refused())?;
        match counts[..] {
            [x] => Ok(Self { counts: [x, 1, 1], len: 1 }),
            [x, y] => Ok(Self { counts: [x, y, 1], len: 2 }),
            [x, y, z] => Ok(Self { counts: [x, y, z], len: 3 }),
            _ => Err(refused()),
        }
    }

    pub(crate) fn dims(self, py: Python<'_>) -> PyResult<Dims> {
        let of = |count: i64| u64::try_from(count).ok();
        match self.counts.map(of) {
            [Some(x), Some(y), Some(z)] => Ok(Dims::from([x, y, z])),
            _ => Err(error::bind(py, format!("a grid of {:?} has less than nothing", &self.counts[..self.len]))),
        }
    }

    /// As NumPy has an array with an element for each: x, which runs fastest, last.
    pub(crate) fn numpy(self) -> Vec<usize> {
        self.counts[..self.len].iter().rev().map(|&count| count.max(0) as usize).collect()
    }

    pub(crate) fn product(self) -> u64 {
        self.counts.iter().map(|&count| count.max(0) as u64).fold(1, u64::saturating_mul)
    }
}

/// What a call runs.
pub(crate) enum Grid<'py> {
    Threads(Shape),
    Workgroups(Shape),
    Over(String),
    Indirect { grid: Bound<'py, crate::buffer::Buffer>, limit: Shape },
}
