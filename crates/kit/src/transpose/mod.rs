//! Transpose: a matrix in rows, with its rows as columns.
//!
//! On GPUs square tiles go through workgroup memory, so that reads and writes are both of neighbours (Ruetsch and
//! Micikevicius, "Optimizing matrix transpose in CUDA", 2009). On processors an invocation turns a larger tile, whose
//! lines stay in its cache.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::device::Kind;
use seawall::{Buffer, Graph, Wave};

use crate::error::Error;
use crate::kit::{Kit, Stage, counted, expect, len_of};
use crate::number::Number;
use crate::part;

pub use verify::verify;

const WGSL: &str = include_str!("transpose.wgsl");

/// Of a tile of a workgroup, and of one that an invocation turns alone.
const SIDE: usize = 16;
const ALONE: usize = 64;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Block {
    rows: u32,
    columns: u32,
    /// Of all of the matrix.
    all_rows: u32,
    all_columns: u32,
    /// Where it begins.
    row: u32,
    column: u32,
}

/// Puts the matrix `x`, of so many rows and columns, into `y` with its rows as columns.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, transpose};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[1u32, 2, 3, 4, 5, 6])?, runtime.buffer(6)?);
/// transpose::transpose(&Kit::new(&runtime), (2, 3), &x, &y)?;
/// assert_eq!(y.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok(())
/// # }
/// ```
pub fn transpose<V: Number>(
    kit: &Kit<'_>,
    (rows, columns): (usize, usize),
    x: &Buffer<V>,
    y: &Buffer<V>,
) -> Result<(), Error> {
    expect("x", x.len(), rows.saturating_mul(columns))?;
    expect("y", y.len(), x.len())?;
    if x.is_empty() {
        return Ok(());
    }
    counted("x", x.len())?;
    // Rows of `x` that are bound at once, and rows of `y`.
    let whole = x.len() <= kit.part(size_of::<V>());
    let high = if whole { rows } else { fitting::<V>(kit, "x", columns)? };
    let wide = if whole { columns } else { fitting::<V>(kit, "y", rows)? };
    for row in part::ranges(rows, high) {
        for column in part::ranges(columns, wide) {
            let block = Block {
                rows: row.len() as u32,
                columns: column.len() as u32,
                all_rows: rows as u32,
                all_columns: columns as u32,
                row: row.start as u32,
                column: column.start as u32,
            };
            let (x, y) =
                (x.range(row.start * columns..row.end * columns)?, y.range(column.start * rows..column.end * rows)?);
            let key = format!("transpose {} {rows} {columns} {} {}", V::WGSL, row.len(), column.len());
            let describe = |graph: &mut Graph| {
                graph.input::<V>("x", x.len()).in_out::<V>("y", y.len()).value::<Block>("block");
                add::<V>(kit, graph, "transpose", block, "x", "y", |wave| {
                    wave.bind("block", "block");
                })
            };
            kit.call(&key, describe, |call| call.bind("x", &x).bind("y", &y).set("block", &block).run())?;
        }
    }
    Ok(())
}

/// Rows of so many elements that are worked on at once.
fn fitting<V: Number>(kit: &Kit<'_>, data: &str, row: usize) -> Result<usize, Error> {
    let (part, step) = (kit.part(size_of::<V>()), part::rows(row * size_of::<V>()));
    match part / row / step * step {
        0 => Err(Error::RowTooLong { data: data.to_owned(), row, max: part / step }),
        rows => Ok(rows),
    }
}

/// Adds the wave that does the same.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    (rows, columns): (usize, usize),
    x: &str,
    y: &str,
) -> Result<(), Error> {
    let len = len_of::<V>(graph, x)?;
    expect(x, len, rows.saturating_mul(columns))?;
    expect(y, len_of::<V>(graph, y)?, len)?;
    let max = u32::MAX as usize - ALONE;
    if len > max {
        return Err(Error::TooLong { data: x.to_owned(), len, max });
    }
    let (rows, columns) = (rows as u32, columns as u32);
    let block = Block { rows, columns, all_rows: rows, all_columns: columns, row: 0, column: 0 };
    add::<V>(kit, graph, name, block, x, y, |wave| {
        wave.value("block", &block);
    })
}

fn add<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    Block { rows, columns, .. }: Block,
    x: &str,
    y: &str,
    bind: impl FnOnce(&mut Wave<'_>),
) -> Result<(), Error> {
    let (entry, side, because) = match kit.runtime().caps().kind {
        Kind::Cpu | Kind::Reference => ("turn_alone", ALONE, "an invocation has its lines in a core's cache"),
        Kind::Gpu | Kind::Software => ("turn", SIDE, "in workgroup memory neighbours read and write neighbours"),
    };
    graph.chosen(name, &format!("tiles of {side} x {side}"), because);
    let mut stage = Stage::new(kit, graph, name, WGSL, &[format!("alias V = {};", V::WGSL)]).bind("x", x).bind("y", y);
    stage.wave_with(entry, |wave| {
        bind(wave);
        wave.workgroups([columns.div_ceil(side as u32) as usize, rows.div_ceil(side as u32) as usize]);
    })?;
    Ok(())
}
