//! Product of dense matrices, in rows.
//!
//! Tiles of both go through workgroup memory, so that each element is read once for sixteen sums (Lam, Rothberg and
//! Wolf, "The cache performance and optimizations of blocked algorithms", 1991). Each sum is added up from left to
//! right: the same bits on the reference and the CPU device, unless it may contract.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};

pub use verify::verify;

const WGSL: &str = include_str!("matmul.wgsl");

const SIDE: usize = 16;

/// Rows of the first matrix; its columns, which are rows of the second; columns of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Of the first, and of the product.
    pub rows: usize,
    /// Columns of the first and rows of the second.
    pub inner: usize,
    /// Of the second, and of the product.
    pub columns: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    rows: u32,
    inner: u32,
    columns: u32,
    pad: u32,
}

/// Puts the product of `a` and `b` into `c`.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, matmul::{self, Shape}};
/// let runtime = seawall::Runtime::new()?;
/// let (a, b) = (runtime.buffer_from(&[1.0f32, 2.0, 3.0, 4.0])?, runtime.buffer_from(&[1.0f32, 10.0])?);
/// let c = runtime.buffer(2)?;
/// matmul::multiply(&Kit::new(&runtime), Shape { rows: 2, inner: 2, columns: 1 }, &a, &b, &c)?;
/// assert_eq!(c.to_vec()?, [21.0, 43.0]);
/// # Ok(())
/// # }
/// ```
pub fn multiply(kit: &Kit<'_>, shape: Shape, a: &Buffer<f32>, b: &Buffer<f32>, c: &Buffer<f32>) -> Result<(), Error> {
    let Shape { rows, inner, columns } = shape;
    expect("a", a.len(), rows.saturating_mul(inner))?;
    expect("b", b.len(), inner.saturating_mul(columns))?;
    expect("c", c.len(), rows.saturating_mul(columns))?;
    if c.is_empty() {
        return Ok(());
    }
    if inner == 0 {
        return Ok(c.clear()?);
    }
    let key = format!("matmul {rows} {inner} {columns}");
    let describe = |graph: &mut Graph| {
        graph.input::<f32>("a", a.len()).input::<f32>("b", b.len()).in_out::<f32>("c", c.len());
        stage(kit, graph, "matmul", shape, ("a", "b"), "c")
    };
    kit.call(&key, describe, |call| call.bind("a", a).bind("b", b).bind("c", c).run())?;
    Ok(())
}

/// Adds the wave that does the same.
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    Shape { rows, inner, columns }: Shape,
    (a, b): (&str, &str),
    c: &str,
) -> Result<(), Error> {
    let max = u32::MAX as usize - SIDE;
    for (data, height, width) in [(a, rows, inner), (b, inner, columns), (c, rows, columns)] {
        let len = len_of::<f32>(graph, data)?;
        expect(data, len, height.saturating_mul(width))?;
        if len > max {
            return Err(Error::TooLong { data: data.to_owned(), len, max });
        }
    }
    let params = Params { rows: rows as u32, inner: inner as u32, columns: columns as u32, pad: 0 };
    Stage::new(kit, graph, name, WGSL, &[]).bind("a", a).bind("b", b).bind("c", c).wave_with("multiply", |wave| {
        wave.value("shape", &params).workgroups([columns.div_ceil(SIDE), rows.div_ceil(SIDE)]);
    })?;
    Ok(())
}
