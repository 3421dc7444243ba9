//! Whether bytes are what was expected.

use std::fmt::Write;

use crate::number::{Kind, Want};
use crate::value::{self, Cell, Within};

/// Differences that a message shows before it only counts them.
const SHOWN_MAX: usize = 8;

/// Compares; the error lists the first differences.
pub fn compare(expected: &[Cell], got: &[u8]) -> Result<(), String> {
    compare_within(expected, got, Within::default())
}

/// The same, with slack for floats of which the value says nothing.
pub fn compare_within(expected: &[Cell], got: &[u8], slack: Within) -> Result<(), String> {
    let size = value::size(expected);
    if size != got.len() {
        return Err(format!("expected {size} bytes, got {}", got.len()));
    }
    let mut message = String::new();
    let (mut at, mut wrong) = (0, 0);
    for (index, cell) in expected.iter().enumerate() {
        let Cell::Number { kind, want, within } = *cell else {
            at += 1;
            continue;
        };
        let bits = bits(&got[at..at + kind.bytes()]);
        // WGSL's absolute bounds for `f16` are sixteen times those for `f32`.
        let wider = if kind == Kind::F16 { 16.0 } else { 1.0 };
        let slack = Within { abs: slack.abs * wider, ..slack };
        let within = if within == Within::default() { slack } else { within };
        if !matches(kind, want, within, bits) {
            if wrong < SHOWN_MAX {
                let (expected, got, name) = (show_want(kind, want), show(kind, bits), kind.name());
                let _ = writeln!(message, "  [{index}] byte {at}: expected {expected}, got {got} ({name})");
            }
            wrong += 1;
        }
        at += kind.bytes();
    }
    if wrong > SHOWN_MAX {
        let _ = writeln!(message, "  … and {} more", wrong - SHOWN_MAX);
    }
    if wrong == 0 { Ok(()) } else { Err(message) }
}

/// Little-endian bytes as a number.
pub fn bits(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

fn matches(kind: Kind, want: Want, within: Within, got: u64) -> bool {
    match want {
        Want::Any => true,
        Want::Unknown => false,
        Want::Nan => kind.float(got).is_nan(),
        Want::Bits(bits) => bits == got || kind.is_float() && near(kind, within, bits, got),
    }
}

fn near(kind: Kind, within: Within, expected: u64, got: u64) -> bool {
    let (a, b) = (kind.float(expected), kind.float(got));
    a.is_finite()
        && b.is_finite()
        && (order(kind, expected).abs_diff(order(kind, got)) <= u128::from(within.ulp) || (a - b).abs() <= within.abs)
        && within != Within::default()
}

/// Floats of one type in a row: neighbours differ by one, and both zeros are 0.
fn order(kind: Kind, bits: u64) -> i128 {
    let sign = 1 << (8 * kind.bytes() - 1);
    let magnitude = i128::from(bits & (sign - 1));
    if bits & sign == 0 { magnitude } else { -magnitude }
}

fn show_want(kind: Kind, want: Want) -> String {
    match want {
        Want::Bits(bits) => show(kind, bits),
        Want::Nan => "nan".to_owned(),
        Want::Any => "_".to_owned(),
        Want::Unknown => "? (SEAWALL_BLESS=1 fills it in)".to_owned(),
    }
}

fn show(kind: Kind, bits: u64) -> String {
    if kind.is_float() { format!("{} = {bits:#x}", kind.show(bits)) } else { kind.show(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(expected: &str, got: &str) -> bool {
        compare(&value::parse(expected).unwrap(), &value::bytes(&value::parse(got).unwrap()).unwrap()).is_ok()
    }

    #[test]
    fn exact_by_default() {
        assert!(ok("u32[1, 2]", "u32[1, 2]"));
        assert!(!ok("u32[1, 2]", "u32[1, 3]"));
        assert!(!ok("u32[1]", "u32[1, 2]"));
        assert!(!ok("u32[1, 2]", "u32[1]"));
        assert!(!ok("f32[0.0]", "f32[-0.0]"));
        assert!(!ok("f32[1.0]", "f32[0x3f800001]"));
        assert!(!ok("i64[1]", "u32[1, 1]"));
    }

    #[test]
    fn nan_matches_nan_alone() {
        assert!(ok("f32[nan]", "f32[0xffc00001]"));
        assert!(ok("f16[nan]", "f16[0x7e01]"));
        assert!(!ok("f32[nan]", "f32[inf]"));
        assert!(!ok("f32[1.0] ~ 1000ulp", "f32[nan]"));
    }

    #[test]
    fn tolerances_have_an_end() {
        assert!(ok("f32[1.0] ~ 2ulp", "f32[0x3f800002]"));
        assert!(!ok("f32[1.0] ~ 2ulp", "f32[0x3f800003]"));
        assert!(ok("f32[0.0] ~ 2ulp", "f32[0x80000002]"));
        assert!(!ok("f32[0.0] ~ 2ulp", "f32[0x80000003]"));
        assert!(ok("f32[1.0] ~ abs 0.5", "f32[1.5]"));
        assert!(!ok("f32[1.0] ~ abs 0.5", "f32[1.6]"));
        assert!(!ok("f32[inf] ~ 4ulp", "f32[0x7f7fffff]"));
        assert!(!ok("f32[0x7f7fffff] ~ 4ulp", "f32[inf]"));
        assert!(ok("f16[1.0] ~ 1ulp", "f16[0x3c01]"));
    }

    #[test]
    fn slack_is_for_floats_without_a_tolerance() {
        let within = |expected: &str, got: &str| {
            let got = value::bytes(&value::parse(got).unwrap()).unwrap();
            compare_within(&value::parse(expected).unwrap(), &got, Within { ulp: 2, abs: 0.0 }).is_ok()
        };
        assert!(within("f32[1.0]", "f32[0x3f800002]"));
        assert!(!within("f32[1.0]", "f32[0x3f800003]"));
        assert!(!within("f32[1.0] ~ 1ulp", "f32[0x3f800002]"));
        assert!(within("f32[0.0]", "f32[-0.0]"));
        assert!(!within("u32[7]", "u32[8]"));
        assert!(!within("f32[inf]", "f32[0x7f7fffff]"));
    }

    #[test]
    fn open_cells() {
        assert!(ok("u32[1, _, 3]", "u32[1, 9, 3]"));
        assert!(ok("u32[1] pad[4] u32[3]", "u32[1, 9, 3]"));
        assert!(!ok("u32[1, _, 3]", "u32[1, 9, 4]"));
        assert!(!ok("u32[?]", "u32[0]"));
    }

    #[test]
    fn says_where() {
        let message = compare(&value::parse("u32[1] f32[2.0]").unwrap(), &[1, 0, 0, 0, 0, 0, 0, 0x41]).unwrap_err();
        assert_eq!(message, "  [1] byte 4: expected 2.0 = 0x40000000, got 8.0 = 0x41000000 (f32)\n");
        let many = compare(&value::parse("u8[0 x 20]").unwrap(), &[1; 20]).unwrap_err();
        assert!(many.ends_with("… and 12 more\n"), "{many}");
    }
}
