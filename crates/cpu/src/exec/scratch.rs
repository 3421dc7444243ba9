//! Memory of one worker, for workgroup variables and spills.

use super::memory::{Edge, Error, Memory, View};
use crate::helpers::LINE;

/// Grows to the largest request and is kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct Scratch(Option<Memory>);

impl Scratch {
    /// Sizes are rounded up to a page.
    const STEP: u64 = 4096;

    /// What nobody should take for a value.
    const JUNK: u8 = 0xc3;

    /// At least so many bytes, aligned to a cache line, holding whatever was there before.
    pub(crate) fn reserve(&mut self, bytes: u64) -> Result<View<'_>, Error> {
        if self.0.as_ref().is_none_or(|memory| memory.bytes() < bytes) {
            // Nobody needs the old bytes: give them back before asking for more.
            self.0 = None;
            let rounded = bytes.max(1).checked_next_multiple_of(Self::STEP).ok_or(Error::OutOfMemory { bytes })?;
            self.0 = Some(Memory::new(rounded)?);
        }
        Ok(self.view())
    }

    /// So many bytes and no more, with an edge that cannot be passed, and nothing of use in them.
    pub(crate) fn reserve_guarded(&mut self, bytes: u64, edge: Edge) -> Result<View<'_>, Error> {
        // Compiled code still wants whole cache lines.
        let bytes = bytes.checked_next_multiple_of(LINE).ok_or(Error::OutOfMemory { bytes })?;
        self.0 = None;
        let junk = vec![Self::JUNK; usize::try_from(bytes).map_err(|_| Error::OutOfMemory { bytes })?];
        let memory = self.0.insert(Memory::with_edge(bytes, Some(edge))?);
        memory.lock().write(0, &junk)?;
        Ok(self.view())
    }

    fn view(&mut self) -> View<'_> {
        match &mut self.0 {
            Some(memory) => memory.view(),
            None => unreachable!("invariant: memory was reserved before"),
        }
    }

    /// Panics if it has an edge and something was written outside.
    pub(crate) fn check(&self) {
        self.0.iter().for_each(Memory::check);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn only_grows() {
        let mut scratch = Scratch::default();
        assert_eq!(scratch.reserve(0).unwrap().bytes(), 4096);
        let large = scratch.reserve(5000).unwrap();
        assert_eq!(large.bytes(), 8192);
        let at = large.as_ptr();
        assert_eq!(at.addr() % 64, 0);
        assert_eq!(scratch.reserve(1).unwrap().as_ptr(), at, "a smaller request keeps the memory");
    }

    #[test]
    fn too_much_is_an_error_and_does_no_harm() {
        let mut scratch = Scratch::default();
        for bytes in [u64::MAX, 1 << 60] {
            assert!(matches!(scratch.reserve(bytes), Err(Error::OutOfMemory { .. })));
            assert!(scratch.reserve(100).is_ok());
        }
    }
}
