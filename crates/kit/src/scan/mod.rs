//! Scan (prefix sums): each element combined with all before it, itself included or not.
//!
//! Reduce, then scan (Merrill and Grimshaw, "Parallel scan for stream architectures", 2009): one wave sums up the
//! tiles, one workgroup scans those sums, and a last wave scans each tile from there on. `x` is read twice and `y`
//! written once. A scan in one pass would read it once, but a workgroup would have to wait for another one, which no
//! device promises to run. Floats are added in the order that [`row`](crate::row) says.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::{Number, Op};
use crate::reduce;
use crate::row::Rows;

pub use verify::verify;

const WGSL: &str = include_str!("scan.wgsl");

/// What each result is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Of all elements up to its place.
    Inclusive,
    /// Of all elements before its place.
    Exclusive,
}

/// Into each place of `y` all elements of `x` up to it.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, Op, scan};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[3i32, -1, 4])?, runtime.buffer(3)?);
/// let kit = Kit::new(&runtime);
/// scan::inclusive(&kit, Op::Sum, &x, &y)?;
/// assert_eq!(y.to_vec()?, [3, 2, 6]);
/// scan::inclusive(&kit, Op::Max, &x, &y)?;
/// assert_eq!(y.to_vec()?, [3, 3, 4]);
/// # Ok(())
/// # }
/// ```
pub fn inclusive<T: Number>(kit: &Kit<'_>, op: Op, x: &Buffer<T>, y: &Buffer<T>) -> Result<(), Error> {
    scan(kit, Kind::Inclusive, op, x, y)
}

/// Into each place of `y` all elements of `x` before it.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, Op, scan};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[3u32, 1, 4])?, runtime.buffer(3)?);
/// scan::exclusive(&Kit::new(&runtime), Op::Sum, &x, &y)?;
/// assert_eq!(y.to_vec()?, [0, 3, 4]);
/// # Ok(())
/// # }
/// ```
pub fn exclusive<T: Number>(kit: &Kit<'_>, op: Op, x: &Buffer<T>, y: &Buffer<T>) -> Result<(), Error> {
    scan(kit, Kind::Exclusive, op, x, y)
}

fn scan<T: Number>(kit: &Kit<'_>, kind: Kind, op: Op, x: &Buffer<T>, y: &Buffer<T>) -> Result<(), Error> {
    expect("y", y.len(), x.len())?;
    let (mut before, len) = (None, x.len());
    for part in kit.parts::<T>(len) {
        let (x, y) = (x.range(part.clone())?, y.range(part.clone())?);
        one(kit, kind, op, before, &x, &y)?;
        if part.end < len {
            before = Some(upto(kind, op, &x, &y)?);
        }
    }
    Ok(())
}

/// What all elements of a part come to, once they are scanned.
pub(crate) fn upto<T: Number>(kind: Kind, op: Op, x: &Buffer<T>, y: &Buffer<T>) -> Result<T, Error> {
    let (mut own, mut scanned, at) = ([T::zeroed()], [T::zeroed()], x.len() - 1);
    y.read(at, &mut scanned)?;
    match kind {
        Kind::Inclusive => Ok(scanned[0]),
        Kind::Exclusive => {
            x.read(at, &mut own)?;
            Ok(T::combined(op, scanned[0], own[0]))
        }
    }
}

/// Of a part, and what comes before it.
fn one<T: Number>(
    kit: &Kit<'_>,
    kind: Kind,
    op: Op,
    before: Option<T>,
    x: &Buffer<T>,
    y: &Buffer<T>,
) -> Result<(), Error> {
    let key = format!("scan {kind:?} {op:?} {} {} {}", T::WGSL, x.len(), before.is_some());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).in_out::<T>("y", y.len());
        if before.is_some() {
            graph.input::<T>("before", 1);
        }
        add::<T>(kit, graph, "scan", kind, op, before.map(|_| "before"), "x", "y")
    };
    let before = before.map(|before| [before]);
    kit.call(&key, describe, |call| {
        let call = call.bind("x", x).bind("y", y);
        match &before {
            Some(before) => call.bind("before", before).run(),
            None => call.run(),
        }
    })?;
    Ok(())
}

/// Adds the waves that scan `x` into `y`, which is as long.
pub fn stage<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    kind: Kind,
    op: Op,
    x: &str,
    y: &str,
) -> Result<(), Error> {
    add::<T>(kit, graph, name, kind, op, None, x, y)
}

/// The same after what is in `first`, which has one element.
#[expect(clippy::too_many_arguments, reason = "a stage's, and what comes before")]
fn add<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    kind: Kind,
    op: Op,
    first: Option<&str>,
    x: &str,
    y: &str,
) -> Result<(), Error> {
    let len = len_of::<T>(graph, x)?;
    expect(y, len_of::<T>(graph, y)?, len)?;
    let rows = Rows::carried(kit.runtime().caps());
    rows.tell(graph, name);
    let tiles = rows.tiles(x, len)?;
    if tiles <= 1 {
        return whole::<T>(kit, graph, name, kind, op, first, x, y);
    }
    let (sums, before) = (format!("{name}.sums"), format!("{name}.before"));
    let apart = Rows { tile: rows.tile, ..Rows::apart(kit.runtime().caps()) };
    reduce::tiles::<T>(kit, graph, &format!("{name}.sums"), op, &apart, x, &sums)?;
    graph.transient::<T>(&before, tiles);
    whole::<T>(kit, graph, &before, Kind::Exclusive, op, first, &sums, &before)?;
    Stage::new(kit, graph, name, &rows.text::<T>(op, WGSL), &[shift(kind)])
        .bind("x", x)
        .bind("before", &before)
        .bind("y", y)
        .wave("tiles", tiles)?;
    Ok(())
}

/// Adds a wave of one workgroup, for what is not long.
#[expect(clippy::too_many_arguments, reason = "a stage's, and what comes before")]
fn whole<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    kind: Kind,
    op: Op,
    first: Option<&str>,
    x: &str,
    y: &str,
) -> Result<(), Error> {
    let rows = Rows::carried(kit.runtime().caps());
    Stage::new(kit, graph, name, &rows.text::<T>(op, WGSL), &[shift(kind)])
        .bind("x", x)
        .bind("before", first.unwrap_or_default())
        .bind("y", y)
        .wave(if first.is_some() { "whole_from" } else { "whole" }, 1)?;
    Ok(())
}

fn shift(kind: Kind) -> String {
    let shift = match kind {
        Kind::Inclusive => 0,
        Kind::Exclusive => 1,
    };
    format!("const SHIFT = {shift}u;")
}
