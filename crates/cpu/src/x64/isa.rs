//! What a processor has beyond the x86-64 that all have: how wide its vectors are, and where masks stand.

use super::reg::{Bits, Class};

/// A level of the instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Isa {
    /// AVX2, FMA, F16C, BMI: 16 vector registers of 256 bits; masks are vectors, all ones where they hold.
    Avx2,
    /// AVX-512 F, VL, BW and DQ besides: 32 registers of 512 bits, and masks of one bit for each lane in
    /// registers of their own.
    Avx512,
}

impl Isa {
    /// Whether this processor has it.
    pub(crate) fn runs_here(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        let avx2 = has!("avx2") && has!("fma") && has!("f16c");
        let avx2 = avx2 && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
        match self {
            Self::Avx2 => avx2,
            Self::Avx512 => avx2 && has!("avx512f") && has!("avx512vl") && has!("avx512bw") && has!("avx512dq"),
        }
    }

    /// For people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "x64 with AVX2",
            Self::Avx512 => "x64 with AVX-512",
        }
    }

    /// Bytes of its vectors.
    pub(super) fn vector(self) -> u32 {
        self.widest().bytes()
    }

    pub(super) fn widest(self) -> Bits {
        match self {
            Self::Avx2 => Bits::Y,
            Self::Avx512 => Bits::Z,
        }
    }

    /// 32-bit lanes of its vectors.
    pub(crate) fn lanes(self) -> u32 {
        self.vector() / 4
    }

    /// Whether its loads from many places at once are worth it.
    pub(crate) fn gathers(self) -> bool {
        self == Self::Avx512
    }

    /// Vector registers.
    pub(super) fn registers(self) -> usize {
        match self {
            Self::Avx2 => 16,
            Self::Avx512 => 32,
        }
    }

    /// Where masks stand.
    pub(super) fn mask(self) -> Class {
        match self {
            Self::Avx2 => Class::Vector,
            Self::Avx512 => Class::Mask,
        }
    }

    /// Whatever is encoded with a prefix that reaches all registers of this level.
    pub(super) fn pick<T>(self, avx2: T, avx512: T) -> T {
        match self {
            Self::Avx2 => avx2,
            Self::Avx512 => avx512,
        }
    }
}
