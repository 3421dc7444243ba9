//! What random numbers promise: to be those of Philox, here as the paper has it, with long products.

use super::{Random, Stream};

/// The four words of a counter and a key.
pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let (one, two) = (product(0xd251_1f53, counter[0]), product(0xcd9e_8d57, counter[2]));
        let high = |product: u64| (product >> 32) as u32;
        counter = [high(two) ^ counter[1] ^ key[0], two as u32, high(one) ^ counter[3] ^ key[1], one as u32];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    counter
}

/// Whether `y` has the numbers of a stream.
pub fn verify<V: Random>(Stream { seed, number }: Stream, y: &[V]) -> Result<(), String> {
    for (at, &found) in y.iter().enumerate() {
        let words = philox([(at / 4) as u32, 0, number, 0], [seed as u32, (seed >> 32) as u32]);
        let expected = V::from_word(words[at % 4]);
        if found != expected {
            return Err(format!("number {at} is {expected:?}, not {found:?}"));
        }
    }
    Ok(())
}
