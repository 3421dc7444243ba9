//! Random numbers one after the other, on the host: for inputs that are made up, the same everywhere. What a device makes
//! is in `random`.

/// `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// ```
/// # use seawall_kit::splitmix::SplitMix64;
/// let mut random = SplitMix64::new(1);
/// assert_eq!(random.word(), 0x910a_2dec_8902_5cc1);
/// assert!((0..100).all(|_| random.below(10) < 10));
/// ```
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next one from 0 up to a number, which is left out.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.word() >> 32) * u64::from(n)) >> 32) as u32
    }
}
