//! Tables of numbers: the scalars of a type in order, without its padding.

use std::io::{self, Write};

use seawall_core::layout::Type;

use super::Error;
use crate::npy;
use crate::typed::{self, Extent, scalar};

/// The header for a buffer of `bytes`: elements outermost, then the shape of each.
pub(super) fn npy_header(ty: &Type, bytes: u64) -> Result<npy::Header, Error> {
    let extent = Extent::of(ty);
    let (mut shape, scalar) = match typed::dims(extent.element) {
        Some(dims) if extent.head == 0 => dims,
        _ => return Err(Error::Mixed { ty: ty.to_string() }),
    };
    if matches!(ty, Type::Array { .. }) {
        shape.insert(0, extent.count(bytes));
    }
    Ok(npy::Header { scalar, shape })
}

pub(super) fn npy(out: &mut dyn Write, header: &npy::Header, ty: &Type, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&header.write())?;
    let extent = Extent::of(ty);
    for i in 0..extent.count(bytes.len() as u64) {
        typed::each_scalar(extent.element, i * extent.stride, &mut |at, scalar| {
            let at = at as usize;
            out.write_all(&bytes[at..at + scalar.bytes() as usize])
        })?;
    }
    Ok(())
}

pub(super) fn csv_fits(ty: &Type) -> Result<(), Error> {
    if Extent::of(ty).head > 0 { Err(Error::Head { ty: ty.to_string() }) } else { Ok(()) }
}

/// One row for each element.
pub(super) fn csv(out: &mut dyn Write, ty: &Type, bytes: &[u8]) -> io::Result<()> {
    let extent = Extent::of(ty);
    let mut rows = csv::WriterBuilder::new().flexible(true).from_writer(out);
    for i in 0..extent.count(bytes.len() as u64) {
        typed::each_scalar(extent.element, i * extent.stride, &mut |at, scalar| {
            rows.write_field(scalar::print(scalar, scalar::get(bytes, at, scalar)))
        })?;
        rows.write_record(None::<&[u8]>)?;
    }
    rows.flush()
}
