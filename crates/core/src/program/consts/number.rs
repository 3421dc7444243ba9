//! Constants as WGSL text, and numbers from it.

use std::fmt::Write;

use super::value::{Const, Kind, Ty};
use crate::math::{double, f16_from_f64};
use crate::ops::{Num, Value};

/// The value of a numeric literal; `None` where naga should judge it.
pub(super) fn parse(text: &str) -> Option<Const> {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let digits = if hex { &text[2..] } else { text };
    let split = |suffix: &'static str| digits.strip_suffix(suffix).map(|rest| (rest, suffix));
    let float_suffix = !hex || digits.contains(['p', 'P']);
    let long = split("li").or_else(|| split("lu")).or_else(|| split("lf").filter(|_| float_suffix));
    let short = || split("i").or_else(|| split("u"));
    let float = || split("f").or_else(|| split("h")).filter(|_| float_suffix);
    let (body, suffix) = long.or_else(short).or_else(float).unwrap_or((digits, ""));
    let whole = !body.contains('.') && !body.contains(if hex { ['p', 'P'] } else { ['e', 'E'] });
    if whole && !matches!(suffix, "f" | "h" | "lf") {
        let radix = if hex { 16 } else { 10 };
        return Some(match suffix {
            "i" => Const::num(Kind::I32, Num::I32(i32::from_str_radix(body, radix).ok()?)),
            "u" => Const::num(Kind::U32, Num::U32(u32::from_str_radix(body, radix).ok()?)),
            "li" => Const::num(Kind::I64, Num::I64(i64::from_str_radix(body, radix).ok()?)),
            "lu" => Const::num(Kind::U64, Num::U64(u64::from_str_radix(body, radix).ok()?)),
            _ => Const::num(Kind::AbstractInt, Num::I64(i64::from_str_radix(body, radix).ok()?)),
        });
    }
    let wide = if hex { hex_float(body)? } else { body.parse::<f64>().ok()? };
    let single = || if hex { Some(wide as f32) } else { body.parse::<f32>().ok() };
    let (number, finite) = match suffix {
        "" => (Const::num(Kind::AbstractFloat, Num::F64(wide)), wide.is_finite()),
        "lf" => (Const::num(Kind::F64, Num::F64(wide)), wide.is_finite()),
        "f" => (Const::num(Kind::F32, Num::F32(single()?)), single()?.is_finite()),
        "h" => (Const::num(Kind::F16, Num::F16(f16_from_f64(wide))), f16_from_f64(wide).is_finite()),
        _ => return None,
    };
    finite.then_some(number)
}

/// A hexadecimal float of at most 53 significant bits.
fn hex_float(body: &str) -> Option<f64> {
    let (mantissa, exponent) = body.split_once(['p', 'P']).unwrap_or((body, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let bits = u64::from_str_radix(digits.trim_start_matches('0'), 16);
    let bits = if digits.bytes().all(|b| b == b'0') && !digits.is_empty() { 0 } else { bits.ok()? };
    if bits >> bits.trailing_zeros().min(63) >= 1 << 53 {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(double::ldexp(bits as f64, exponent.checked_sub(places)?))
}

/// The constant as an expression of the same type and bits; `None` for arrays and structures,
/// which no operator or function gives.
pub(super) fn print(constant: &Const) -> Option<String> {
    let mut text = String::new();
    match (&constant.ty, &constant.value) {
        (Ty::Scalar(kind), Value::Num(num)) => scalar(&mut text, *kind, *num),
        (Ty::Vector(n, kind), Value::Vector(vector)) => {
            let _ = write!(text, "vec{n}(");
            for num in vector.items() {
                scalar(&mut text, *kind, *num);
                text.push(',');
            }
            text.push(')');
        }
        (Ty::Matrix(columns, rows, _), Value::Composite(_)) => {
            let _ = write!(text, "mat{columns}x{rows}(");
            for column in 0..usize::from(*columns) {
                text.push_str(&print(&constant.part(column).ok()?)?);
                text.push(',');
            }
            text.push(')');
        }
        _ => return None,
    }
    Some(text)
}

/// Every number has a suffix, or is abstract: no name of a type that a program could shadow.
fn scalar(text: &mut String, kind: Kind, num: Num) {
    let suffix = match kind {
        Kind::AbstractInt | Kind::AbstractFloat | Kind::Bool => "",
        Kind::I32 => "i",
        Kind::U32 => "u",
        Kind::F32 => "f",
        Kind::F16 => "h",
        Kind::I64 => "li",
        Kind::U64 => "lu",
        Kind::F64 => "lf",
    };
    let _ = match num {
        Num::Bool(x) => write!(text, "{x}"),
        // The least integers have no literal.
        Num::I32(i32::MIN) => write!(text, "~{}{suffix}", i32::MAX),
        Num::I64(i64::MIN) => write!(text, "~{}{suffix}", i64::MAX),
        Num::I32(x) => write!(text, "{x}{suffix}"),
        Num::U32(x) => write!(text, "{x}{suffix}"),
        Num::I64(x) => write!(text, "{x}{suffix}"),
        Num::U64(x) => write!(text, "{x}{suffix}"),
        Num::F32(x) => write!(text, "{x:e}{suffix}"),
        Num::F16(x) => write!(text, "{:e}{suffix}", x.to_f32()),
        Num::F64(x) => write!(text, "{x:e}{suffix}"),
    };
}
