//! Reduction: the sum, the least or the greatest of all elements.
//!
//! Two waves: each workgroup reduces a tile, and one workgroup what they found. Floats are added in the order that
//! [`row`](crate::row) and `reduce.wgsl` say: the same bits on the reference and the CPU device.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::{Number, Op};
use crate::row::Rows;

pub use verify::verify;

const WGSL: &str = include_str!("reduce.wgsl");

/// All elements of `x` combined; of none, what changes nothing when it is combined with others.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, Op, reduce};
/// let runtime = seawall::Runtime::new()?;
/// let x = runtime.buffer_from(&[3.0f32, -1.0, 4.0])?;
/// let kit = Kit::new(&runtime);
/// assert_eq!(reduce::reduce(&kit, Op::Sum, &x)?, 6.0);
/// assert_eq!(reduce::reduce(&kit, Op::Min, &x)?, -1.0);
/// # Ok(())
/// # }
/// ```
pub fn reduce<T: Number>(kit: &Kit<'_>, op: Op, x: &Buffer<T>) -> Result<T, Error> {
    let mut all = None;
    for part in kit.parts::<T>(x.len()) {
        let sum = one(kit, op, &x.range(part)?)?;
        all = Some(all.map_or(sum, |before| T::combined(op, before, sum)));
    }
    Ok(all.unwrap_or_else(|| T::start(op)))
}

/// Of a part.
fn one<T: Number>(kit: &Kit<'_>, op: Op, x: &Buffer<T>) -> Result<T, Error> {
    let key = format!("reduce {op:?} {} {}", T::WGSL, x.len());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).output::<T>("sum", 1);
        stage::<T>(kit, graph, "reduce", op, "x", "sum")
    };
    let mut sum = [T::zeroed()];
    kit.call(&key, describe, |call| call.bind("x", x).bind("sum", &mut sum).run())?;
    Ok(sum[0])
}

/// Adds the waves that put all elements of `x` combined into `sum`, which has one.
pub fn stage<T: Number>(kit: &Kit<'_>, graph: &mut Graph, name: &str, op: Op, x: &str, sum: &str) -> Result<(), Error> {
    let len = len_of::<T>(graph, x)?;
    expect(sum, len_of::<T>(graph, sum)?, 1)?;
    let rows = Rows::apart(kit.runtime().caps());
    rows.tell(graph, name);
    let mut x = x.to_owned();
    if rows.tiles(&x, len)? > 1 {
        let sums = format!("{name}.sums");
        tiles::<T>(kit, graph, name, op, &rows, &x, &sums)?;
        x = sums;
    }
    Stage::new(kit, graph, name, &rows.text::<T>(op, WGSL), &[]).bind("x", &x).bind("sums", sum).wave("whole", 1)?;
    Ok(())
}

/// Adds the wave that puts each tile of `x` combined into new data, `sums`.
pub(crate) fn tiles<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    op: Op,
    rows: &Rows,
    x: &str,
    sums: &str,
) -> Result<(), Error> {
    let tiles = rows.tiles(x, len_of::<T>(graph, x)?)?;
    graph.transient::<T>(sums, tiles);
    Stage::new(kit, graph, name, &rows.text::<T>(op, WGSL), &[])
        .bind("x", x)
        .bind("sums", sums)
        .wave("tiles", tiles)?;
    Ok(())
}
