//! Whether two contenders computed the same.

use bytemuck::pod_read_unaligned;

use crate::kernels::case::Same;

/// How `got` differs from `wanted`, if it does.
pub(crate) fn difference(same: Same, wanted: &[u8], got: &[u8]) -> Option<String> {
    if wanted.len() != got.len() {
        return Some(format!("{} bytes instead of {}", got.len(), wanted.len()));
    }
    match same {
        Same::Bits => differing_words(wanted, got, 0.0),
        Same::Words(share) => differing_words(wanted, got, share),
        Same::Floats(share) => differing_floats(wanted, got, share),
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(pod_read_unaligned)
}

fn differing_words(wanted: &[u8], got: &[u8], share: f64) -> Option<String> {
    let mut pairs = words(wanted).zip(words(got)).enumerate().filter(|(_, (wanted, got))| wanted != got);
    let (at, (wanted_word, got_word)) = pairs.next()?;
    let (count, all) = (pairs.count() + 1, wanted.len() / 4);
    (count as f64 > share * all as f64)
        .then(|| format!("{count} of {all} words, the first at {at}: {got_word} instead of {wanted_word}"))
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    words(bytes).map(f32::from_bits)
}

fn differing_floats(wanted: &[u8], got: &[u8], share: f32) -> Option<String> {
    let largest = floats(wanted).fold(0.0_f32, |largest, value| largest.max(value.abs()));
    let differs = |(wanted, got): (f32, f32)| got.is_nan() || (wanted - got).abs() > share * largest;
    let at = floats(wanted).zip(floats(got)).position(differs)?;
    let value = |bytes: &[u8]| floats(bytes).nth(at).unwrap_or(f32::NAN);
    Some(format!("{} instead of {} at {at}, the largest being {largest}", value(got), value(wanted)))
}
