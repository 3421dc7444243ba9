//! Tables of numbers: NPY and CSV data poured into the scalars of a type, one by one, so
//! that padding (a `vec3` takes 16 bytes) is skipped.

use std::convert::Infallible;

use seawall_core::layout::{Scalar, Type};

use crate::table::count;
use crate::typed::{self, Extent, scalar};
use crate::{memory, npy};

/// Why NPY data does not fit a type.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NpyError {
    #[error(transparent)]
    Header(#[from] npy::Error),
    #[error("{ty} is not one kind of number throughout, as NPY needs")]
    Mixed { ty: String },
    #[error("its elements are {got}, and the buffer's are {expected}")]
    Dtype { expected: Scalar, got: Scalar },
    #[error("its shape {shape} does not end in {inner}, the shape of {element}")]
    Inner { shape: String, inner: String, element: String },
    #[error("its shape {shape} has {got} elements, and the buffer has {expected}")]
    Elements { shape: String, expected: u64, got: u64 },
    #[error("too large: {0}")]
    Memory(#[from] memory::Error),
}

/// Why CSV data does not fit a type.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CsvError {
    #[error("{0}")]
    Syntax(#[from] csv::Error),
    #[error("{ty} has members before its runtime-sized array, which a table has no place for")]
    Head { ty: String },
    #[error("line {line}, cell {cell}: `{text}` {error}")]
    Number { line: u64, cell: usize, text: String, error: scalar::Error },
    #[error("line {line} has {}, and those before it have {expected}", count(*got as u64, "cell"))]
    Ragged { line: u64, expected: usize, got: usize },
    #[error("line {line}: a quote is not closed")]
    Quote { line: usize },
    #[error("the last element has only some of its {per_element} numbers")]
    Partial { per_element: u64 },
    #[error("it has {got} elements, and the buffer has {expected}")]
    Elements { expected: u64, got: u64 },
    #[error("too large: {0}")]
    Memory(#[from] memory::Error),
}

pub(super) fn npy(file: &[u8], ty: &Type) -> Result<Vec<u8>, NpyError> {
    let (header, data) = npy::Header::split(file)?;
    let extent = Extent::of(ty);
    let (inner, expected) = match typed::dims(extent.element) {
        Some(dims) if extent.head == 0 => dims,
        _ => return Err(NpyError::Mixed { ty: ty.to_string() }),
    };
    if header.scalar != expected {
        return Err(NpyError::Dtype { expected, got: header.scalar });
    }
    let shape = npy::Shape(&header.shape).to_string();
    let Some(outer) = header.shape.strip_suffix(inner.as_slice()) else {
        let (inner, element) = (npy::Shape(&inner).to_string(), extent.element.to_string());
        return Err(NpyError::Inner { shape, inner, element });
    };
    // The header has proven that the whole product fits, unless an inner zero hides it.
    let got = outer.iter().product::<u64>();
    if let Some(expected) = extent.fixed.filter(|&expected| expected != got) {
        return Err(NpyError::Elements { shape, expected, got });
    }
    let mut bytes = memory::zeroed(extent.bytes(got))?;
    let mut numbers = data.chunks_exact(expected.bytes() as usize);
    for i in 0..got {
        let fill = typed::each_scalar(extent.element, i * extent.stride, &mut |at, _| {
            let number = numbers.next().ok_or(())?;
            bytes[at as usize..at as usize + number.len()].copy_from_slice(number);
            Ok(())
        });
        fill.unwrap_or_else(|()| unreachable!("invariant npy-shape: the data has as many numbers as the shape"));
    }
    Ok(bytes)
}

pub(super) fn csv(file: &[u8], ty: &Type) -> Result<Vec<u8>, CsvError> {
    let extent = Extent::of(ty);
    if extent.head > 0 {
        return Err(CsvError::Head { ty: ty.to_string() });
    }
    if let Some(line) = open_quote(file) {
        return Err(CsvError::Quote { line });
    }
    let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(file);
    let mut cells = Cells { records: reader.into_records(), record: csv::StringRecord::new(), next: 0, wide: None };
    let mut per_element = 0;
    let Ok(()) = typed::each_scalar::<Infallible>(extent.element, 0, &mut |_, _| {
        per_element += 1;
        Ok(())
    });
    let (mut bytes, mut got) = (Vec::new(), 0);
    while cells.more()? {
        memory::grow(&mut bytes, extent.bytes(got + 1))?;
        let mut filled = 0;
        typed::each_scalar(extent.element, got * extent.stride, &mut |at, scalar| {
            if !cells.more()? {
                return Ok(());
            }
            filled += 1;
            scalar::put(&mut bytes, at, scalar, cells.number(scalar)?);
            Ok::<(), CsvError>(())
        })?;
        if filled < per_element {
            return Err(CsvError::Partial { per_element });
        }
        got += 1;
    }
    if let Some(expected) = extent.fixed.filter(|&expected| expected != got) {
        return Err(CsvError::Elements { expected, got });
    }
    Ok(bytes)
}

/// The line of a quote that nothing closes, which the reader would take for a long cell.
fn open_quote(file: &[u8]) -> Option<usize> {
    let (mut line, mut opened, mut cell_begins) = (1, None, true);
    for &byte in file {
        match (byte, opened) {
            (b'"', None) if cell_begins => opened = Some(line),
            // Two in a row are one in the cell: this one closes, and the next opens again.
            (b'"', Some(_)) => opened = None,
            _ => {}
        }
        cell_begins = matches!(byte, b',' | b'\n' | b'\r') || (byte == b'"' && opened.is_none());
        line += usize::from(byte == b'\n');
    }
    opened
}

/// The cells of all rows, one after the other.
struct Cells<'a> {
    records: csv::StringRecordsIntoIter<&'a [u8]>,
    record: csv::StringRecord,
    next: usize,
    /// Cells in each row, once there was one.
    wide: Option<usize>,
}

impl Cells<'_> {
    /// Whether there is another cell; steps over ends of rows.
    fn more(&mut self) -> Result<bool, CsvError> {
        while self.next == self.record.len() {
            let Some(record) = self.records.next() else { return Ok(false) };
            self.record = record?;
            self.next = 0;
            let (got, expected) = (self.record.len(), *self.wide.get_or_insert(self.record.len()));
            if got != expected {
                return Err(CsvError::Ragged { line: self.line(), expected, got });
            }
        }
        Ok(true)
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    /// The next cell, after [`Cells::more`] said that there is one.
    fn number(&mut self, scalar: Scalar) -> Result<u64, CsvError> {
        let text = &self.record[self.next];
        self.next += 1;
        scalar::parse(scalar, text).map_err(|error| CsvError::Number {
            line: self.line(),
            cell: self.next,
            text: text.to_owned(),
            error,
        })
    }
}
