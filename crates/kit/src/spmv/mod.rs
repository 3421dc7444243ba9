//! Sparse matrix times vector, of a matrix in compressed rows (CSR).
//!
//! An invocation for each row, which adds its products from left to right: the same bits on the reference and the CPU
//! device, unless it may contract. Bell and Garland ("Implementing sparse matrix-vector multiplication on
//! throughput-oriented processors", 2009) call it the scalar kernel; it is the fastest on processors, and on GPUs for
//! rows that are short.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, counted, expect, len_of};

pub use verify::verify;

const WGSL: &str = include_str!("spmv.wgsl");

const LANES: usize = 64;

/// A matrix on a device: the entries of row `r` are those from `offsets[r]` up to `offsets[r + 1]`.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    /// One more than there are rows.
    pub offsets: &'a Buffer<u32>,
    /// Of each entry.
    pub columns: &'a Buffer<u32>,
    /// Its number.
    pub entries: &'a Buffer<f32>,
}

/// The same in a graph, by names.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// One more than there are rows.
    pub offsets: &'a str,
    /// Of each entry.
    pub columns: &'a str,
    /// Its number.
    pub entries: &'a str,
}

/// Puts the product of a matrix and `x` into `y`.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, spmv};
/// let runtime = seawall::Runtime::new()?;
/// // 1 0 2
/// // 0 0 3
/// let (offsets, columns) = (runtime.buffer_from(&[0u32, 2, 3])?, runtime.buffer_from(&[0u32, 2, 2])?);
/// let entries = runtime.buffer_from(&[1.0f32, 2.0, 3.0])?;
/// let matrix = spmv::Matrix { offsets: &offsets, columns: &columns, entries: &entries };
/// let (x, y) = (runtime.buffer_from(&[1.0f32, 10.0, 100.0])?, runtime.buffer(2)?);
/// spmv::multiply(&Kit::new(&runtime), &matrix, &x, &y)?;
/// assert_eq!(y.to_vec()?, [201.0, 300.0]);
/// # Ok(())
/// # }
/// ```
pub fn multiply(kit: &Kit<'_>, matrix: &Matrix<'_>, x: &Buffer<f32>, y: &Buffer<f32>) -> Result<(), Error> {
    let Matrix { offsets, columns, entries } = *matrix;
    expect("offsets", offsets.len(), y.len() + 1)?;
    expect("entries", entries.len(), columns.len())?;
    if y.is_empty() {
        return Ok(());
    }
    if columns.is_empty() {
        return Ok(y.clear()?);
    }
    let outside = |count| Err(Error::Outside { data: "columns".to_owned(), count, len: x.len() });
    if x.is_empty() {
        return outside(columns.len());
    }
    // A row may need any element of it, so it is not cut.
    let max = kit.part(size_of::<f32>());
    if x.len() > max {
        return Err(Error::TooLong { data: "x".to_owned(), len: x.len(), max });
    }
    counted("columns", columns.len())?;
    let mut count = 0;
    for rows in kit.parts::<f32>(y.len()) {
        // An offset more than there are of them.
        let after = rows.end + 1;
        let (offsets, y) = (offsets.range(rows.start..after)?, y.range(rows)?);
        for part in kit.parts::<f32>(columns.len()) {
            let first = (part.len() < columns.len()).then_some(part.start as u32);
            let (columns, entries) = (columns.range(part.clone())?, entries.range(part)?);
            count += one(kit, first, &Matrix { offsets: &offsets, columns: &columns, entries: &entries }, x, &y)?;
        }
    }
    if count > 0 { outside(count) } else { Ok(()) }
}

/// Of a part of the entries, which begins at a place if it is not all; tells how many columns `x` does not have.
fn one(
    kit: &Kit<'_>,
    first: Option<u32>,
    &Matrix { offsets, columns, entries }: &Matrix<'_>,
    x: &Buffer<f32>,
    y: &Buffer<f32>,
) -> Result<usize, Error> {
    let key = format!("spmv {} {} {} {}", columns.len(), x.len(), y.len(), first.is_some());
    let describe = |graph: &mut Graph| {
        graph.input::<u32>("offsets", offsets.len()).input::<u32>("columns", columns.len());
        graph.input::<f32>("entries", entries.len()).input::<f32>("x", x.len()).in_out::<f32>("y", y.len());
        graph.output::<u32>("outside", 1);
        if first.is_some() {
            graph.value::<u32>("first");
        }
        let names = Names { offsets: "offsets", columns: "columns", entries: "entries" };
        add(kit, graph, "spmv", first.map(|_| "first"), &names, "x", "y", "outside")
    };
    let mut count = [0u32];
    kit.call(&key, describe, |call| {
        let call = call.bind("offsets", offsets).bind("columns", columns).bind("entries", entries);
        let call = call.bind("x", x).bind("y", y).bind("outside", &mut count);
        match &first {
            Some(first) => call.set("first", first).run(),
            None => call.run(),
        }
    })?;
    Ok(count[0] as usize)
}

/// Adds the wave that does the same, and adds to `outside`, a `u32`, how many columns `x` does not have.
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    matrix: &Names<'_>,
    x: &str,
    y: &str,
    outside: &str,
) -> Result<(), Error> {
    add(kit, graph, name, None, matrix, x, y, outside)
}

#[expect(clippy::too_many_arguments, reason = "a stage's, and which part")]
fn add(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    first: Option<&str>,
    matrix: &Names<'_>,
    x: &str,
    y: &str,
    outside: &str,
) -> Result<(), Error> {
    let Names { offsets, columns, entries } = *matrix;
    let (rows, len) = (len_of::<f32>(graph, y)?, len_of::<u32>(graph, columns)?);
    expect(offsets, len_of::<u32>(graph, offsets)?, rows + 1)?;
    expect(entries, len_of::<f32>(graph, entries)?, len)?;
    expect(outside, len_of::<u32>(graph, outside)?, 1)?;
    let max = u32::MAX as usize - LANES;
    if len > max {
        return Err(Error::TooLong { data: columns.to_owned(), len, max });
    }
    graph.chosen(
        name,
        "an invocation for each row",
        "it adds from left to right, and rows of sparse matrices are short",
    );
    let lines: &[String] = match first {
        Some(_) => &["fn start() -> u32 { return first; }".to_owned()],
        None => &[],
    };
    Stage::new(kit, graph, name, WGSL, lines)
        .bind("first", first.unwrap_or_default())
        .bind("offsets", offsets)
        .bind("columns", columns)
        .bind("entries", entries)
        .bind("x", x)
        .bind("y", y)
        .bind("outside", outside)
        .wave("multiply", rows.div_ceil(LANES))?;
    Ok(())
}
