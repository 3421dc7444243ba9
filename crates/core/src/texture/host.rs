//! Texels as numbers, on the host: what the functions of `program::texture` compute, told in another way.

use half::f16;

use super::{Channel, Code, Format};

impl Format {
    /// The numbers of a texel; green and blue that are not there are 0, and alpha is 1. Words that are not there
    /// are zero.
    pub fn decode(self, words: &[u32]) -> [f64; 4] {
        let mut colour = [0.0, 0.0, 0.0, 1.0];
        let word = |at: u32| words.get(at as usize).copied().unwrap_or(0);
        for (number, channel) in colour.iter_mut().zip(self.channels()) {
            let bits = u64::from(word(channel.word)) >> channel.shift & most(channel.bits);
            *number = self.number(bits, channel.bits, word(0));
        }
        colour
    }

    fn number(self, bits: u64, width: u32, word: u32) -> f64 {
        let signed = (bits << (64 - width)).cast_signed() >> (64 - width);
        match self.code() {
            Code::Unorm => bits as f64 / most(width) as f64,
            Code::Snorm => (signed as f64 / most(width - 1) as f64).max(-1.0),
            Code::Uint => bits as f64,
            Code::Sint => signed as f64,
            Code::Float if width == 32 => f64::from(f32::from_bits(bits as u32)),
            Code::Float if width == 16 => f64::from(f16::from_bits(bits as u16)),
            Code::Float => f64::from(f16::from_bits((bits << (15 - width)) as u16)),
            Code::SharedExponent => bits as f64 * 2_f64.powi((word >> 27).cast_signed() - 24),
        }
    }

    /// The words of a texel of these numbers, as nearly as it can hold them; `None` for a format that nothing is
    /// stored in.
    pub fn encode(self, colour: [f64; 4]) -> Option<[u32; 4]> {
        let mut words = [0; 4];
        for (number, Channel { word, shift, bits }) in colour.into_iter().zip(self.channels()) {
            words[word as usize] |= self.bits_of(number, bits)? << shift;
        }
        Some(words)
    }

    fn bits_of(self, number: f64, width: u32) -> Option<u32> {
        let mask = most(width);
        Some(match self.code() {
            Code::Unorm => (number.clamp(0.0, 1.0) * mask as f64 + 0.5).floor() as u32,
            Code::Snorm => {
                let half = most(width - 1) as f64;
                ((number.clamp(-1.0, 1.0) * half + 0.5).floor() as i64 as u64 & mask) as u32
            }
            Code::Uint => number.clamp(0.0, mask as f64) as u32,
            Code::Sint => {
                let half = most(width - 1) as f64;
                (number.clamp(-half - 1.0, half) as i64 as u64 & mask) as u32
            }
            Code::Float if width == 32 => (number as f32).to_bits(),
            Code::Float if width == 16 => u32::from(f16::from_f64(number).to_bits()),
            Code::Float => small(number, width),
            Code::SharedExponent => return None,
        })
    }
}

/// Without a sign and with an exponent of 5 bits, rounded towards zero.
fn small(number: f64, width: u32) -> u32 {
    let mantissa = width - 5;
    if number == f64::INFINITY {
        return 31 << mantissa;
    }
    let number = number.clamp(0.0, (2.0 - 0.5_f64.powi(mantissa.cast_signed())) * 32768.0);
    let exponent = if number < 2_f64.powi(-14) { -14 } else { number.log2().floor() as i32 };
    let steps = (number * 2_f64.powi(mantissa.cast_signed() - exponent)) as u32;
    // A normal number has a leading one, which is not written, and counts in the exponent.
    if number < 2_f64.powi(-14) { steps } else { steps + (((exponent + 14).cast_unsigned()) << mantissa) }
}

const fn most(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for &format in Format::ALL.iter().filter(|format| format.code() != Code::SharedExponent) {
            for word in [0, 1, 0x7b7b_7b7b, 0x1234_5678, 0x8080_8081, 0x3c00_3c01] {
                let mut words = [word; 4];
                words[format.words() as usize..].fill(0);
                let channels = format.channels();
                let used =
                    |at: u32| channels.iter().filter(|channel| channel.word == at).map(|channel| channel.bits).sum();
                words[0] &= most(used(0)) as u32;
                let again = format.encode(format.decode(&words)).unwrap();
                let lowest = format.code() == Code::Snorm && word == 0x8080_8081;
                assert!(again == words || lowest, "{format}: {words:x?} became {again:x?}");
            }
        }
        assert_eq!(Format::Rg11b10Ufloat.encode([1.0, 0.5, 2.0_f64.powi(-15), 1.0]), Some([0x041c_03c0, 0, 0, 0]));
        assert_eq!(Format::Rgb9e5Ufloat.decode(&[0x8000_0100]), [1.0, 0.0, 0.0, 1.0]);
    }
}
