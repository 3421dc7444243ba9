//! Parts of what is too long to be worked on at once.
//!
//! Kernels count elements in 32 bits, and a device binds no more than its limit says. Calls cut what is longer into
//! parts, which are ranges of the same memory, and take them one after the other; what a part leaves to the next (a sum
//! so far, where the next element goes) goes through the host, a number for each. Parts begin where devices can bind,
//! whatever the size of elements, so they are multiples of [`STEP`].

use std::ops::Range;

/// Elements at the most, with more than the longest tile and window to spare.
pub(crate) const ELEMENTS_MAX: usize = (1 << 32) - (1 << 24);

/// Elements of the shortest part, which all parts but the last are multiples of, and bytes that devices bind at multiples
/// of.
pub(crate) const STEP: usize = 256;

/// Elements of such a size in a part of so many bytes, with a step to spare for what begins between two steps.
pub(crate) fn len(part_bytes: u64, element_bytes: usize) -> usize {
    let most = part_bytes / element_bytes as u64;
    let most = usize::try_from(most).unwrap_or(usize::MAX).min(ELEMENTS_MAX);
    (most.saturating_sub(STEP) / STEP * STEP).max(STEP)
}

/// Rows of so many bytes that parts of a matrix are multiples of, to begin where devices can bind.
pub(crate) fn rows(row_bytes: usize) -> usize {
    STEP >> row_bytes.trailing_zeros().min(STEP.trailing_zeros())
}

/// The parts of so many elements.
pub(crate) fn ranges(len: usize, part: usize) -> impl Iterator<Item = Range<usize>> {
    (0..len).step_by(part).map(move |start| start..len.min(start.saturating_add(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_steps() {
        assert_eq!(len(0, 4), STEP);
        assert_eq!(len(4 * 1000, 4), 512);
        assert_eq!(len(u64::MAX, 8), ELEMENTS_MAX - STEP);
        assert_eq!([1, 4, 12, 40, 256, 1024].map(rows), [256, 64, 64, 32, 1, 1]);
        assert_eq!(ranges(0, 512).count(), 0);
        assert!(ranges(512, 512).eq(std::iter::once(0..512)));
        assert_eq!(ranges(513, 512).collect::<Vec<_>>(), [0..512, 512..513]);
    }
}
