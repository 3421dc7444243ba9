//! Segments: scans and reductions of parts of an array, all at once.
//!
//! A scan of segments is a [`scan`](crate::scan) over pairs of a sum and of whether a segment began (Blelloch,
//! "Prefix sums and their applications", 1990), so that it takes as long however the segments lie. A reduction has an
//! invocation for each segment, which adds from its beginning on, as a plain loop would: best for many segments of
//! much the same length, as the rows of a sparse matrix are.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::{Number, Op};
use crate::row::Rows;
use crate::scan::Kind;

pub use verify::{verify_reduce, verify_scan};

const WGSL: &str = include_str!("segment.wgsl");
const REDUCE: &str = include_str!("reduce.wgsl");

/// Into each place of `y` all elements of `x` in the same segment up to it (or before it). A segment begins where
/// `heads` is not zero.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, Op, scan::Kind, segment};
/// let runtime = seawall::Runtime::new()?;
/// let (x, heads) = (runtime.buffer_from(&[3u32, 1, 4, 1, 5])?, runtime.buffer_from(&[1u32, 0, 1, 0, 0])?);
/// let y = runtime.buffer(5)?;
/// segment::scan(&Kit::new(&runtime), Kind::Inclusive, Op::Sum, &x, &heads, &y)?;
/// assert_eq!(y.to_vec()?, [3, 4, 4, 5, 10]);
/// # Ok(())
/// # }
/// ```
pub fn scan<T: Number>(
    kit: &Kit<'_>,
    kind: Kind,
    op: Op,
    x: &Buffer<T>,
    heads: &Buffer<u32>,
    y: &Buffer<T>,
) -> Result<(), Error> {
    expect("heads", heads.len(), x.len())?;
    expect("y", y.len(), x.len())?;
    if x.is_empty() {
        return Ok(());
    }
    let key = format!("segment scan {kind:?} {op:?} {} {}", T::WGSL, x.len());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).input::<u32>("heads", x.len()).in_out::<T>("y", y.len());
        stage_scan::<T>(kit, graph, "segment scan", (kind, op), "x", "heads", "y")
    };
    kit.call(&key, describe, |call| call.bind("x", x).bind("heads", heads).bind("y", y).run())?;
    Ok(())
}

/// Into each place `s` of `y` all elements of `x` from `offsets[s]` up to `offsets[s + 1]`.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, Op, segment};
/// let runtime = seawall::Runtime::new()?;
/// let (x, offsets) = (runtime.buffer_from(&[3u32, 1, 4, 1, 5])?, runtime.buffer_from(&[0u32, 2, 2, 5])?);
/// let y = runtime.buffer(3)?;
/// segment::reduce(&Kit::new(&runtime), Op::Sum, &x, &offsets, &y)?;
/// assert_eq!(y.to_vec()?, [4, 0, 10]);
/// # Ok(())
/// # }
/// ```
pub fn reduce<T: Number>(
    kit: &Kit<'_>,
    op: Op,
    x: &Buffer<T>,
    offsets: &Buffer<u32>,
    y: &Buffer<T>,
) -> Result<(), Error> {
    expect("offsets", offsets.len(), y.len() + 1)?;
    if y.is_empty() {
        return Ok(());
    }
    if x.is_empty() {
        return Ok(y.fill(&T::start(op))?);
    }
    let key = format!("segment reduce {op:?} {} {} {}", T::WGSL, x.len(), y.len());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).input::<u32>("offsets", offsets.len()).in_out::<T>("y", y.len());
        stage_reduce::<T>(kit, graph, "segment reduce", op, "x", "offsets", "y")
    };
    kit.call(&key, describe, |call| call.bind("x", x).bind("offsets", offsets).bind("y", y).run())?;
    Ok(())
}

/// Adds the waves that scan each segment of `x` into `y`.
pub fn stage_scan<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    (kind, op): (Kind, Op),
    x: &str,
    heads: &str,
    y: &str,
) -> Result<(), Error> {
    let len = len_of::<T>(graph, x)?;
    expect(heads, len_of::<u32>(graph, heads)?, len)?;
    expect(y, len_of::<T>(graph, y)?, len)?;
    let rows = Rows::carried(kit.runtime().caps());
    let (tiles, text) = (rows.tiles(x, len)?, rows.text::<T>(op, WGSL));
    let shift = |kind| match kind {
        Kind::Inclusive => ["const SHIFT = 0u;".to_owned()],
        Kind::Exclusive => ["const SHIFT = 1u;".to_owned()],
    };
    if tiles <= 1 {
        Stage::new(kit, graph, name, &text, &shift(kind))
            .bind("x", x)
            .bind("heads", heads)
            .bind("y", y)
            .wave("whole", 1)?;
        return Ok(());
    }
    let own = |what: &str| format!("{name}.{what}");
    graph.transient::<u32>(&own("heads"), tiles).transient::<T>(&own("sums"), tiles);
    graph.transient::<T>(&own("ends"), tiles);
    Stage::new(kit, graph, name, &text, &shift(kind))
        .bind("x", x)
        .bind("heads", heads)
        .bind("tile_heads", &own("heads"))
        .bind("tile_sums", &own("sums"))
        .wave("sums", tiles)?;
    Stage::new(kit, graph, name, &text, &shift(Kind::Inclusive))
        .bind("x", &own("sums"))
        .bind("heads", &own("heads"))
        .bind("y", &own("ends"))
        .wave("whole", 1)?;
    Stage::new(kit, graph, name, &text, &shift(kind))
        .bind("x", x)
        .bind("heads", heads)
        .bind("ends", &own("ends"))
        .bind("y", y)
        .wave("tiles", tiles)?;
    Ok(())
}

/// Adds the wave that combines each segment of `x` into `y`.
pub fn stage_reduce<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    op: Op,
    x: &str,
    offsets: &str,
    y: &str,
) -> Result<(), Error> {
    let (len, segments) = (len_of::<T>(graph, x)?, len_of::<T>(graph, y)?);
    expect(offsets, len_of::<u32>(graph, offsets)?, segments + 1)?;
    let rows = Rows::apart(kit.runtime().caps());
    rows.tiles(x, len)?;
    Stage::new(kit, graph, name, &rows.text::<T>(op, REDUCE), &[])
        .bind("x", x)
        .bind("offsets", offsets)
        .bind("y", y)
        .wave("reduce", segments.div_ceil(64))?;
    Ok(())
}
