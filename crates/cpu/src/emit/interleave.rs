//! Interleaved accesses: elements that lie one after another, read in whole vectors, and where those begin.

use crate::ir::Ty;

/// Bytes of the vectors that are read, and of a word.
pub(crate) const VECTOR: u32 = 16;
pub(crate) const WORD: u32 = 4;

/// Words that lie beside each other, by their numbers: one, two or four at a time, the first first.
pub(crate) fn runs(words: &[(u32, Ty)]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|&i| words[i].0);
    let (mut rest, mut runs) = (&order[..], Vec::new());
    while let Some(&first) = rest.first() {
        let places = (words[first].0..).step_by(WORD as usize);
        let beside = rest.iter().zip(places).take_while(|(i, at)| words[**i].0 == *at);
        let count = match beside.count() {
            0 | 1 => 1,
            2 | 3 => 2,
            _ => 4,
        };
        let (these, others) = rest.split_at(count);
        runs.push(these.to_vec());
        rest = others;
    }
    runs
}

/// By how many bytes earlier a vector must begin so as not to reach outside: into the next element it
/// may, but the last lane has none.
pub(crate) fn skip(last: bool, start: u32, end: u32) -> u32 {
    if last { (start + VECTOR).saturating_sub(end) } else { 0 }
}

/// Where vectors begin that hold all the words. The last ends where they end, if they fill one.
pub(crate) fn pieces(words: &[(u32, Ty)], end: u32) -> Vec<u32> {
    let mut starts: Vec<u32> = words.iter().map(|(at, _)| *at).collect();
    starts.sort_unstable();
    let mut free = 0;
    starts.retain(|&at| {
        let begins = at >= free;
        free = if begins { at + VECTOR } else { free };
        begins
    });
    if let Some(last) = starts.last_mut()
        && end >= VECTOR
    {
        *last = (*last).min(end - VECTOR);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_vector_reaches_outside_the_words() {
        for (width, step) in
            [4, 8, 16].into_iter().flat_map(|width| (12..=64).step_by(4).map(move |step| (width, step)))
        {
            for end in (2 * WORD..=step).step_by(WORD as usize) {
                let words = [(0, Ty::U32), (end / 2 / WORD * WORD, Ty::F32), (end - WORD, Ty::I32)];
                let pieces = pieces(&words, end);
                for (lane, &start) in (0..width).flat_map(|lane| pieces.iter().map(move |start| (lane, start))) {
                    let at = lane * step + start;
                    let from = at.checked_sub(skip(lane + 1 == width, start, end)).expect("not before the first");
                    assert!(from + VECTOR <= (width - 1) * step + end, "lane {lane} of {width}, {step} apart, {end}");
                }
                let held = |at: u32| pieces.iter().any(|&start| (start..start + VECTOR).contains(&at));
                assert!(words.iter().all(|&(at, _)| held(at)), "{words:?} are in {pieces:?}");
            }
        }
    }
}
