//! Bytes to JSON, streamed.

use std::io::{self, Write};

use seawall::core::layout::{Scalar, Type};

use super::{Extent, scalar};

/// Writes the value of `bytes` as JSON; a runtime-sized array is as long as the bytes allow.
/// With `most`, an outermost array ends after so many elements.
pub(crate) fn json(out: &mut impl Write, ty: &Type, bytes: &[u8], most: Option<u64>) -> io::Result<()> {
    if let (Type::Array { .. }, Some(most)) = (ty, most) {
        let extent = Extent::of(ty);
        let count = extent.fixed.unwrap_or_else(|| extent.count(bytes.len() as u64));
        return list(out, count.min(most), |out, i| value(out, extent.element, bytes, i * extent.stride));
    }
    value(out, ty, bytes, 0)
}

fn value(out: &mut impl Write, ty: &Type, bytes: &[u8], at: u64) -> io::Result<()> {
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => number(out, *scalar, bytes, at),
        Type::Vector { len, scalar } => {
            list(out, u64::from(*len), |out, i| number(out, *scalar, bytes, at + i * u64::from(scalar.bytes())))
        }
        Type::Matrix { columns, rows, scalar, column_stride } => {
            let column = Type::Vector { len: *rows, scalar: *scalar };
            list(out, u64::from(*columns), |out, i| value(out, &column, bytes, at + i * u64::from(*column_stride)))
        }
        Type::Array { element, len, stride } => {
            let stride = u64::from(*stride);
            let len = len.map_or_else(|| (bytes.len() as u64).saturating_sub(at) / stride, u64::from);
            list(out, len, |out, i| value(out, element, bytes, at + i * stride))
        }
        Type::Struct { members, .. } => {
            out.write_all(b"{")?;
            for (i, member) in members.iter().enumerate() {
                write!(out, "{}\"{}\":", if i == 0 { "" } else { "," }, member.name)?;
                value(out, &member.ty, bytes, at + u64::from(member.offset))?;
            }
            out.write_all(b"}")
        }
    }
}

fn list<W: Write>(out: &mut W, len: u64, item: impl Fn(&mut W, u64) -> io::Result<()>) -> io::Result<()> {
    out.write_all(b"[")?;
    for i in 0..len {
        if i > 0 {
            out.write_all(b",")?;
        }
        item(out, i)?;
    }
    out.write_all(b"]")
}

fn number(out: &mut impl Write, scalar: Scalar, bytes: &[u8], at: u64) -> io::Result<()> {
    let bits = scalar::get(bytes, at, scalar);
    let quote = if scalar::is_special(scalar, bits) { "\"" } else { "" };
    write!(out, "{quote}{}{quote}", scalar::print(scalar, bits))
}
