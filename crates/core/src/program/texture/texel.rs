//! Between the bits of a texel and the numbers that a shader sees, as WGSL.
//!
//! Only operations whose results WGSL fixes to the last bit are used, so that every device has the
//! same: a normalised integer is not divided by the largest one, which may be off by some units in
//! the last place, but multiplied by the reciprocal in two parts. The first part has so few bits
//! that its product is exact, and the sum is rounded once, to what the quotient is rounded to.

use std::fmt::Write as _;

use crate::texture::{Channel, Code, Format, Kind};

const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The body of `fn texel(at: u32) -> vec4<T>`: the texel number `at`. Green and blue that are not
/// there are 0, and alpha is 1.
pub(super) fn load(format: Format) -> String {
    let mut body = String::new();
    let words = format.words();
    for word in 0..words {
        let _ = match words {
            1 => writeln!(body, "let w0 = texels[at];"),
            _ => writeln!(body, "let w{word} = texels[at * {words}u + {word}u];"),
        };
    }
    let (kind, channels) = (format.kind().name(), format.channels());
    let mut parts: Vec<String> = channels.iter().map(|&channel| loaded(format.code(), channel)).collect();
    parts.extend(["0", "0", "1"][parts.len() - 1..].iter().map(|&absent| format!("{kind}({absent})")));
    let _ = writeln!(body, "return vec4<{kind}>({});", parts.join(", "));
    body
}

fn loaded(code: Code, Channel { word, shift, bits }: Channel) -> String {
    let raw = match (shift, bits) {
        (0, 32) => format!("w{word}"),
        (0, _) => format!("(w{word} & {}u)", mask(bits)),
        _ if shift + bits == 32 => format!("(w{word} >> {shift}u)"),
        _ => format!("((w{word} >> {shift}u) & {}u)", mask(bits)),
    };
    let signed = || match bits {
        32 => format!("bitcast<i32>(w{word})"),
        _ => format!("extractBits(bitcast<i32>(w{word}), {shift}u, {bits}u)"),
    };
    let scaled = |number: String, most: u32| {
        let (high, low) = reciprocal(most);
        format!("(f32({number}) * {high:?}f + f32({number}) * {low:?}f)")
    };
    match code {
        Code::Unorm => scaled(format!("i32({raw})"), mask(bits)),
        Code::Snorm => format!("max({}, -1.0)", scaled(signed(), mask(bits - 1))),
        Code::Uint => raw,
        Code::Sint => signed(),
        Code::Float => match bits {
            32 => format!("bitcast<f32>({raw})"),
            16 => format!("unpack2x16float(w{word}).{}", COMPONENTS[shift as usize / 16]),
            // As one of 16 bits: the exponent is the same, and the mantissa is longer.
            _ => format!("unpack2x16float({raw} << {}u).x", 15 - bits),
        },
        // The exponent's bias is 15, and the mantissas are 9 bits of a fraction.
        Code::SharedExponent => format!("f32({raw}) * bitcast<f32>(((w0 >> 27u) + {}u) << 23u)", 127 - 15 - 9),
    }
}

const fn mask(bits: u32) -> u32 {
    (1 << bits) - 1
}

/// `1 / most` in two parts: the product of the first and any whole number up to `most` is exact.
fn reciprocal(most: u32) -> (f32, f32) {
    let whole = 1.0 / f64::from(most);
    // As many bits as such numbers leave of the 24 that a float has.
    let kept = 24 - most.ilog2() - 1;
    let unit = 2_f64.powi(whole.log2().floor() as i32 + 1 - kept as i32);
    let high = (whole / unit).floor() * unit;
    (high as f32, (whole - high) as f32)
}

/// Statements that put `value` where texel number `at` is.
pub(super) fn store(format: Format) -> String {
    let mut body = String::new();
    let words = format.words();
    let channels = format.channels();
    for word in 0..words {
        let here = channels.iter().zip(COMPONENTS).filter(|(channel, _)| channel.word == word);
        let parts: Vec<String> = match (format.code(), channels[0].bits) {
            (Code::Float, 16) => {
                let named: Vec<String> = here.map(|(_, component)| format!("value.{component}")).collect();
                let second = named.get(1).map_or("0.0", String::as_str);
                vec![format!("pack2x16float(vec2<f32>({}, {second}))", named[0])]
            }
            (code, _) => here.map(|(&channel, component)| stored(code, channel, component)).collect(),
        };
        let _ = match words {
            1 => writeln!(body, "texels[at] = {};", parts.join(" | ")),
            _ => writeln!(body, "texels[at * {words}u + {word}u] = {};", parts.join(" | ")),
        };
    }
    body
}

/// Numbers outside of what a channel can hold become the nearest that it can; fractions are rounded to the
/// nearest, and halves upwards, as `pack4x8unorm` does.
fn stored(code: Code, Channel { shift, bits, .. }: Channel, component: &str) -> String {
    let value = format!("value.{component}");
    let raw = match code {
        Code::Unorm => format!("u32(i32(clamp({value}, 0.0, 1.0) * {}.0 + 0.5))", mask(bits)),
        Code::Snorm => {
            let rounded = format!("floor(clamp({value}, -1.0, 1.0) * {}.0 + 0.5)", mask(bits - 1));
            format!("(u32(i32({rounded})) & {}u)", mask(bits))
        }
        Code::Uint if bits == 32 => value,
        Code::Uint => format!("min({value}, {}u)", mask(bits)),
        Code::Sint if bits == 32 => format!("u32({value})"),
        Code::Sint => {
            let most = mask(bits - 1);
            format!("(u32(clamp({value}, -{}, {most})) & {}u)", most + 1, mask(bits))
        }
        Code::Float if bits == 32 => format!("bitcast<u32>({value})"),
        Code::Float | Code::SharedExponent => unsigned_float(&value, bits),
    };
    if shift == 0 { raw } else { format!("({raw} << {shift}u)") }
}

/// A float of 11 or 10 bits, without a sign and with an exponent of 5, rounded towards zero. What is
/// less than the least normal number, 2^-14, counts steps of the mantissa; infinity stays what it is.
fn unsigned_float(value: &str, bits: u32) -> String {
    let mantissa = bits - 5;
    let most = (2.0 - 0.5_f64.powi(mantissa as i32)) * 32768.0;
    let held = format!("clamp({value}, 0.0, {most:?})");
    let normal = format!("((bitcast<u32>({held}) - {}u) >> {}u)", (127 - 15) << 23, 23 - mantissa);
    let steps = format!("u32({held} * {:?})", 2_f64.powi(14 + mantissa as i32));
    let finite = format!("select({normal}, {steps}, {held} < 6.103515625e-05)");
    format!("select({finite}, {}u, {value} > 3.4028234e38)", 31 << mantissa)
}

/// The type that a shader has of a format's texels.
pub(super) fn vector(kind: Kind) -> String {
    format!("vec4<{}>", kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_the_reciprocal_are_quotients() {
        for most in [3_u32, 127, 255, 1023, 32767, 65535] {
            let (high, low) = reciprocal(most);
            for number in 0..=most {
                let exact = number as f32;
                assert_eq!(f64::from(exact * high), f64::from(exact) * f64::from(high), "{number} / {most}");
                let quotient = exact / most as f32;
                assert_eq!((exact * high + exact * low).to_bits(), quotient.to_bits(), "{number} / {most}");
                // However a compiler fuses them.
                assert_eq!(exact.mul_add(high, exact * low).to_bits(), quotient.to_bits(), "{number} / {most}");
                assert_eq!(exact.mul_add(low, exact * high).to_bits(), quotient.to_bits(), "{number} / {most}");
            }
        }
    }
}
