//! Transpose: a matrix in rows, with its rows as columns.
//!
//! On GPUs square tiles go through workgroup memory, so that reads and writes are both of neighbours (Ruetsch and
//! Micikevicius, "Optimizing matrix transpose in CUDA", 2009). On processors an invocation turns a larger tile, whose
//! lines stay in its cache.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::device::Kind;
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::Number;

pub use verify::verify;

const WGSL: &str = include_str!("transpose.wgsl");

/// Of a tile of a workgroup, and of one that an invocation turns alone.
const SIDE: usize = 16;
const ALONE: usize = 64;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Shape {
    rows: u32,
    columns: u32,
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
    let key = format!("transpose {} {rows} {columns}", V::WGSL);
    let describe = |graph: &mut Graph| {
        graph.input::<V>("x", x.len()).in_out::<V>("y", y.len());
        stage::<V>(kit, graph, "transpose", (rows, columns), "x", "y")
    };
    kit.call(&key, describe, |call| call.bind("x", x).bind("y", y).run())?;
    Ok(())
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
    let shape = Shape { rows: rows as u32, columns: columns as u32 };
    let (entry, side) = match kit.runtime().caps().kind {
        Kind::Cpu | Kind::Reference => ("turn_alone", ALONE),
        Kind::Gpu | Kind::Software => ("turn", SIDE),
    };
    let mut stage = Stage::new(kit, graph, name, WGSL, &[format!("alias V = {};", V::WGSL)]).bind("x", x).bind("y", y);
    stage.wave_with(entry, |wave| {
        wave.value("shape", &shape).workgroups([columns.div_ceil(side), rows.div_ceil(side)]);
    })?;
    Ok(())
}
