//! Devices and inputs that all tests share.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use seawall::Runtime;
use seawall::device::Kind;
use seawall_kit::splitmix::SplitMix64;

/// Everything that can be opened here; the GPU device only where there is an adapter. The CPU device twice, since
/// results must not depend on its threads.
pub(crate) fn runtimes() -> &'static [Runtime] {
    static RUNTIMES: LazyLock<Vec<Runtime>> = LazyLock::new(|| {
        let cpu = |threads| Runtime::builder().device("cpu").threads(NonZeroUsize::new(threads).unwrap()).open();
        let mut all = vec![Runtime::builder().device("reference").open().unwrap(), cpu(1).unwrap(), cpu(3).unwrap()];
        all.extend(Runtime::builder().device("gpu").open().ok());
        all
    });
    &RUNTIMES
}

/// Lengths to try on a device: none, one, odd ones, and around rows and tiles.
pub(crate) fn lens(runtime: &Runtime) -> Vec<usize> {
    match runtime.caps().kind {
        // The interpreter takes its time.
        Kind::Reference => vec![0, 1, 33, 1000],
        Kind::Cpu => vec![0, 1, 2, 31, 32, 33, 65, 16_383, 16_384, 16_385, 70_003],
        Kind::Gpu | Kind::Software => vec![0, 1, 255, 257, 4095, 4096, 4097, 20_011],
    }
}

/// Whether a device has numbers of 64 bits.
pub(crate) fn has_int64(runtime: &Runtime) -> bool {
    runtime.caps().int64
}

/// Random words that are the same everywhere.
pub(crate) fn words(seed: u64) -> impl Iterator<Item = u64> {
    let mut random = SplitMix64::new(seed);
    std::iter::repeat_with(move || random.word())
}

/// Numbers of a type from random words.
pub(crate) trait Random: seawall_kit::Number {
    fn from_word(word: u64) -> Self;
}

impl Random for u32 {
    fn from_word(word: u64) -> Self {
        word as u32
    }
}

impl Random for i32 {
    fn from_word(word: u64) -> Self {
        word as i32
    }
}

impl Random for u64 {
    fn from_word(word: u64) -> Self {
        word
    }
}

impl Random for i64 {
    fn from_word(word: u64) -> Self {
        word as i64
    }
}

/// Of very different sizes, so that the order of additions shows.
impl Random for f32 {
    fn from_word(word: u64) -> Self {
        let exponent = (word >> 40) % 24;
        (word as i32 as f32 / 2_147_483_648.0) * (1u32 << exponent) as f32
    }
}

pub(crate) fn random<T: Random>(len: usize, seed: u64) -> Vec<T> {
    words(seed).take(len).map(T::from_word).collect()
}
