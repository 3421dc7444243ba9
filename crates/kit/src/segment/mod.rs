//! Segments: scans and reductions of parts of an array, all at once.
//!
//! A scan of segments is a [`mod@scan`] over pairs of a sum and of whether a segment began (Blelloch,
//! "Prefix sums and their applications", 1990), so that it takes as long however the segments lie. A reduction has an
//! invocation for each segment, which adds from its beginning on, as a plain loop would: best for many segments of
//! much the same length, as the rows of a sparse matrix are.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, counted, expect, len_of};
use crate::number::{Number, Op};
use crate::row::Rows;
use crate::scan::{self, Kind};

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
    let (mut before, len) = (None, x.len());
    for part in kit.parts::<T>(len) {
        let (x, y) = (x.range(part.clone())?, y.range(part.clone())?);
        scan_one(kit, (kind, op), before, &x, &heads.range(part.clone())?, &y)?;
        if part.end < len {
            before = Some(scan::upto(kind, op, &x, &y)?);
        }
    }
    Ok(())
}

/// A part, and what the segment that goes on in it comes to so far.
fn scan_one<T: Number>(
    kit: &Kit<'_>,
    (kind, op): (Kind, Op),
    before: Option<T>,
    x: &Buffer<T>,
    heads: &Buffer<u32>,
    y: &Buffer<T>,
) -> Result<(), Error> {
    let key = format!("segment scan {kind:?} {op:?} {} {} {}", T::WGSL, x.len(), before.is_some());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).input::<u32>("heads", x.len()).in_out::<T>("y", y.len());
        if before.is_some() {
            graph.input::<T>("before", 1);
        }
        add_scan::<T>(kit, graph, "segment scan", (kind, op), before.map(|_| "before"), "x", "heads", "y")
    };
    let before = before.map(|before| [before]);
    kit.call(&key, describe, |call| {
        let call = call.bind("x", x).bind("heads", heads).bind("y", y);
        match &before {
            Some(before) => call.bind("before", before).run(),
            None => call.run(),
        }
    })?;
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
    counted("x", x.len())?;
    for segments in kit.parts::<T>(y.len()) {
        // An offset more than there are of them.
        let after = segments.end + 1;
        let (offsets, y) = (offsets.range(segments.start..after)?, y.range(segments)?);
        for part in kit.parts::<T>(x.len()) {
            let start = (part.len() < x.len()).then_some(part.start as u32);
            reduce_one(kit, op, start, &x.range(part)?, &offsets, &y)?;
        }
    }
    Ok(())
}

/// A part of the elements, which begins at a place if it is not all: what is in `y` is from parts before it.
fn reduce_one<T: Number>(
    kit: &Kit<'_>,
    op: Op,
    start: Option<u32>,
    x: &Buffer<T>,
    offsets: &Buffer<u32>,
    y: &Buffer<T>,
) -> Result<(), Error> {
    let key = format!("segment reduce {op:?} {} {} {} {}", T::WGSL, x.len(), y.len(), start.is_some());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).input::<u32>("offsets", offsets.len()).in_out::<T>("y", y.len());
        if start.is_some() {
            graph.value::<u32>("first");
        }
        add_reduce::<T>(kit, graph, "segment reduce", op, start.map(|_| "first"), "x", "offsets", "y")
    };
    kit.call(&key, describe, |call| {
        let call = call.bind("x", x).bind("offsets", offsets).bind("y", y);
        match &start {
            Some(start) => call.set("first", start).run(),
            None => call.run(),
        }
    })?;
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
    add_scan::<T>(kit, graph, name, (kind, op), None, x, heads, y)
}

/// The same after what is in `first`, which has one element.
#[expect(clippy::too_many_arguments, reason = "a stage's, and what comes before")]
fn add_scan<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    (kind, op): (Kind, Op),
    first: Option<&str>,
    x: &str,
    heads: &str,
    y: &str,
) -> Result<(), Error> {
    let len = len_of::<T>(graph, x)?;
    expect(heads, len_of::<u32>(graph, heads)?, len)?;
    expect(y, len_of::<T>(graph, y)?, len)?;
    let rows = Rows::carried(kit.runtime().caps());
    rows.tell(graph, name);
    let (tiles, text) = (rows.tiles(x, len)?, rows.text::<T>(op, WGSL));
    let before = first.map(|_| "fn before() -> T { return first[0]; }".to_owned());
    let shift = |kind| match kind {
        Kind::Inclusive => "const SHIFT = 0u;".to_owned(),
        Kind::Exclusive => "const SHIFT = 1u;".to_owned(),
    };
    let lines = |kind| std::iter::once(shift(kind)).chain(before.clone()).collect::<Vec<_>>();
    let first = first.unwrap_or_default();
    if tiles <= 1 {
        Stage::new(kit, graph, name, &text, &lines(kind))
            .bind("x", x)
            .bind("heads", heads)
            .bind("first", first)
            .bind("y", y)
            .wave("whole", 1)?;
        return Ok(());
    }
    let own = |what: &str| format!("{name}.{what}");
    graph.transient::<u32>(&own("heads"), tiles).transient::<T>(&own("sums"), tiles);
    graph.transient::<T>(&own("ends"), tiles);
    Stage::new(kit, graph, name, &text, &lines(kind))
        .bind("x", x)
        .bind("heads", heads)
        .bind("tile_heads", &own("heads"))
        .bind("tile_sums", &own("sums"))
        .wave("sums", tiles)?;
    Stage::new(kit, graph, name, &text, &lines(Kind::Inclusive))
        .bind("x", &own("sums"))
        .bind("heads", &own("heads"))
        .bind("first", first)
        .bind("y", &own("ends"))
        .wave("whole", 1)?;
    Stage::new(kit, graph, name, &text, &lines(kind))
        .bind("x", x)
        .bind("heads", heads)
        .bind("first", first)
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
    add_reduce::<T>(kit, graph, name, op, None, x, offsets, y)
}

/// The same of a part of the elements, which begins where the value `first` says.
#[expect(clippy::too_many_arguments, reason = "a stage's, and where the part begins")]
fn add_reduce<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    op: Op,
    first: Option<&str>,
    x: &str,
    offsets: &str,
    y: &str,
) -> Result<(), Error> {
    let (len, segments) = (len_of::<T>(graph, x)?, len_of::<T>(graph, y)?);
    expect(offsets, len_of::<u32>(graph, offsets)?, segments + 1)?;
    let rows = Rows::apart(kit.runtime().caps());
    rows.tiles(x, len)?;
    let what = "an invocation for each segment";
    graph.chosen(name, what, "it adds from left to right, as fast as segments are of much the same length");
    let lines: &[String] = match first {
        Some(_) => &["fn start() -> u32 { return first; }".to_owned()],
        None => &[],
    };
    Stage::new(kit, graph, name, &rows.text::<T>(op, REDUCE), lines)
        .bind("first", first.unwrap_or_default())
        .bind("x", x)
        .bind("offsets", offsets)
        .bind("y", y)
        .wave("reduce", segments.div_ceil(64))?;
    Ok(())
}
