//! What is known about each word of a memory, made when it is first needed.

use std::collections::TryReserveError;
use std::ops::Range;

use super::race::{self, Word};

/// The state of one memory.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    words: Vec<Word>,
    /// Bytes of the memory.
    bytes: usize,
    /// Bytes of a word: the smallest number that lies in it, so that two numbers never share one.
    unit: usize,
    /// Whether all of it was written before any kernel ran.
    whole: bool,
}

impl Shadow {
    pub(crate) fn new(bytes: usize, unit: usize, whole: bool) -> Self {
        Self { words: Vec::new(), bytes, unit, whole }
    }

    /// Bytes of a word.
    pub(crate) fn unit(&self) -> usize {
        self.unit
    }

    /// Bytes that its state takes when there is any.
    pub(crate) fn full_bytes(&self) -> u64 {
        (self.bytes.div_ceil(self.unit.max(1)) * size_of::<Word>()) as u64
    }

    /// Bytes that its state takes now.
    pub(crate) fn held_bytes(&self) -> u64 {
        (self.words.len() * size_of::<Word>()) as u64
    }

    pub(crate) fn is_made(&self) -> bool {
        !self.words.is_empty()
    }

    /// Room for every word. Zeros come from the system, which gives memory when it is touched.
    pub(crate) fn make(&mut self) -> Result<(), TryReserveError> {
        let count = self.bytes.div_ceil(self.unit);
        Vec::<Word>::new().try_reserve_exact(count)?;
        self.words = vec![Word::default(); count];
        Ok(())
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The words that have these bytes, each with the bytes of it.
    pub(crate) fn words(&mut self, range: Range<usize>) -> impl Iterator<Item = (usize, &mut Word)> {
        let (unit, first) = (self.unit, range.start / self.unit);
        let words = &mut self.words[first..range.end.div_ceil(unit)];
        words.iter_mut().enumerate().map(move |(i, word)| ((first + i) * unit, word))
    }

    /// Whether somebody has written all of these bytes since that ticket was given out.
    pub(crate) fn is_written(&self, range: Range<usize>, since: u32) -> bool {
        self.whole
            || self.is_made()
                && self.words[range.start / self.unit..range.end.div_ceil(self.unit)]
                    .iter()
                    .all(|word| race::is_written(word, since))
    }

    /// The host writes these bytes.
    pub(crate) fn write(&mut self, range: Range<usize>) -> Result<(), TryReserveError> {
        if self.whole || range.is_empty() {
            return Ok(());
        }
        if range == (0..self.bytes) {
            self.whole = true;
            return Ok(());
        }
        if !self.is_made() {
            self.make()?;
        }
        self.words(range).for_each(|(_, word)| race::write(word));
        Ok(())
    }

    /// Which words of these bytes are written, from the first on.
    pub(crate) fn written(&self, range: Range<usize>) -> Vec<bool> {
        range.step_by(self.unit).map(|at| self.is_written(at..at + 1, race::HOST)).collect()
    }

    /// Forgets all but what is written.
    pub(crate) fn forget(&mut self) {
        self.words.iter_mut().for_each(race::forget);
    }
}
