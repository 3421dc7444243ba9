//! Bytes to JSON, streamed.

use std::io::{self, Write};

use seawall_core::layout::{Scalar, Type};

use super::{Extent, scalar};

/// Writes the value of `bytes` as JSON; a runtime-sized array is as long as the bytes allow.
/// With `most`, an outermost array ends after so many elements.
pub(crate) fn json(out: &mut dyn Write, ty: &Type, bytes: &[u8], most: Option<u64>) -> io::Result<()> {
    let print = Print { bytes, comma: "," };
    match (ty, most) {
        (Type::Array { .. }, Some(most)) => print.first(out, ty, most).and_then(|()| out.write_all(b"]")),
        _ => print.value(out, ty, 0),
    }
}

/// The same for people: with spaces, and of a long array the first elements and, if `last`, the
/// last one.
pub(crate) fn text(out: &mut dyn Write, ty: &Type, bytes: &[u8], most: u64, last: bool) -> io::Result<()> {
    let print = Print { bytes, comma: ", " };
    let extent = Extent::of(ty);
    let count = extent.count(bytes.len() as u64);
    if !matches!(ty, Type::Array { .. }) {
        return print.value(out, ty, 0);
    }
    // Leaving out one element would save nothing.
    let most = if last && most + 1 == count { count } else { most };
    print.first(out, ty, most)?;
    if most < count {
        out.write_all(if most == 0 { "…" } else { ", …" }.as_bytes())?;
        if last {
            out.write_all(b", ")?;
            print.value(out, extent.element, (count - 1) * extent.stride)?;
        }
    }
    out.write_all(b"]")
}

/// How values are written.
#[derive(Clone, Copy)]
struct Print<'a> {
    bytes: &'a [u8],
    comma: &'static str,
}

impl Print<'_> {
    /// The first elements of an array, which is not closed yet.
    fn first(self, out: &mut dyn Write, ty: &Type, most: u64) -> io::Result<()> {
        let extent = Extent::of(ty);
        let count = extent.fixed.unwrap_or_else(|| extent.count(self.bytes.len() as u64));
        self.items(out, count.min(most), |out, i| self.value(out, extent.element, i * extent.stride))
    }

    fn value(self, out: &mut dyn Write, ty: &Type, at: u64) -> io::Result<()> {
        match ty {
            Type::Scalar(scalar) | Type::Atomic(scalar) => self.number(out, *scalar, at),
            Type::Vector { len, scalar } => {
                self.list(out, u64::from(*len), |out, i| self.number(out, *scalar, at + i * u64::from(scalar.bytes())))
            }
            Type::Matrix { columns, rows, scalar, column_stride } => {
                let column = Type::Vector { len: *rows, scalar: *scalar };
                self.list(out, u64::from(*columns), |out, i| {
                    self.value(out, &column, at + i * u64::from(*column_stride))
                })
            }
            Type::Array { element, len, stride } => {
                let stride = u64::from(*stride);
                let len = len.map_or_else(|| (self.bytes.len() as u64).saturating_sub(at) / stride, u64::from);
                self.list(out, len, |out, i| self.value(out, element, at + i * stride))
            }
            Type::Struct { members, .. } => {
                out.write_all(b"{")?;
                for (i, member) in members.iter().enumerate() {
                    let (comma, colon) =
                        (if i == 0 { "" } else { self.comma }, if self.comma == "," { ":" } else { ": " });
                    write!(out, "{comma}\"{}\"{colon}", member.name)?;
                    self.value(out, &member.ty, at + u64::from(member.offset))?;
                }
                out.write_all(b"}")
            }
        }
    }

    fn list(
        self,
        out: &mut dyn Write,
        len: u64,
        item: impl Fn(&mut dyn Write, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        self.items(out, len, item)?;
        out.write_all(b"]")
    }

    fn items(
        self,
        out: &mut dyn Write,
        len: u64,
        item: impl Fn(&mut dyn Write, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        out.write_all(b"[")?;
        for i in 0..len {
            if i > 0 {
                out.write_all(self.comma.as_bytes())?;
            }
            item(out, i)?;
        }
        Ok(())
    }

    fn number(self, out: &mut dyn Write, scalar: Scalar, at: u64) -> io::Result<()> {
        let bits = scalar::get(self.bytes, at, scalar);
        let quote = if scalar::is_special(scalar, bits) { "\"" } else { "" };
        write!(out, "{quote}{}{quote}", scalar::print(scalar, bits))
    }
}
