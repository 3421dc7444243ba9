//! Scan (prefix sums): each element combined with all before it, itself included or not.
//!
//! Reduce, then scan (Merrill and Grimshaw, "Parallel scan for stream architectures", 2009): one wave sums up the
//! tiles, one workgroup scans those sums, and a last wave scans each tile from there on. `x` is read twice and `y`
//! written once. A scan in one pass would read it once, but a workgroup would have to wait for another one, which no
//! device promises to run. On processors it goes window by window instead, so that the second time
//! `x` comes from a cache. Floats are added in the order that [`row`](crate::row) says, and tile after tile.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::{Number, Op};
use crate::reduce;
use crate::row::{By, Rows};
use crate::window::Window;

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
        Scan { kit, name: "scan", kind, op, first: before.map(|_| "before"), x: "x", y: "y" }.add::<T>(graph)
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
    Scan { kit, name, kind, op, first: None, x, y }.add::<T>(graph)
}

/// One scan, while its waves are added.
#[derive(Clone, Copy)]
struct Scan<'a> {
    kit: &'a Kit<'a>,
    name: &'a str,
    kind: Kind,
    op: Op,
    /// What comes before everything: data of one element.
    first: Option<&'a str>,
    x: &'a str,
    y: &'a str,
}

impl Scan<'_> {
    fn add<T: Number>(self, graph: &mut Graph) -> Result<(), Error> {
        let len = len_of::<T>(graph, self.x)?;
        expect(self.y, len_of::<T>(graph, self.y)?, len)?;
        let rows = Rows::carried(self.kit.runtime().caps());
        rows.tell(graph, self.name);
        let tiles = rows.tiles(self.x, len)?;
        match Window::new::<T>(self.kit.runtime().caps(), &rows, tiles) {
            _ if tiles <= 1 => self.whole::<T>(graph),
            Some(window) => self.windows::<T>(graph, &window),
            None => self.passes::<T>(graph, tiles),
        }
    }

    /// All tiles are summed up, then all are scanned.
    fn passes<T: Number>(self, graph: &mut Graph, tiles: usize) -> Result<(), Error> {
        let (sums, before) = (format!("{}.sums", self.name), format!("{}.before", self.name));
        let rows = Rows::carried(self.kit.runtime().caps());
        let apart = Rows { tile: rows.tile, ..Rows::apart(self.kit.runtime().caps()) };
        reduce::tiles::<T>(self.kit, graph, &sums, self.op, &apart, self.x, &sums)?;
        graph.transient::<T>(&before, tiles);
        Scan { name: &before, kind: Kind::Exclusive, x: &sums, y: &before, ..self }.whole::<T>(graph)?;
        self.stage::<T>(graph).bind("before", &before).wave("tiles", tiles)?;
        Ok(())
    }

    /// The tiles of a window are summed up and scanned, and then those of the next.
    fn windows<T: Number>(self, graph: &mut Graph, window: &Window) -> Result<(), Error> {
        window.tell(graph, self.name);
        let own = |what: &str| format!("{}.{what}", self.name);
        graph.transient::<T>(&own("sums"), window.tiles).transient::<T>(&own("carries"), window.count + 1);
        let stage = self.stage::<T>(graph).bind("sums", &own("sums")).bind("carries", &own("carries"));
        let waves = ["window_sums", "window_tiles"];
        let (parts, graph) = stage.parts(&waves)?;
        window.each(graph, &parts, waves);
        Ok(())
    }

    /// One workgroup, for what is not long.
    fn whole<T: Number>(self, graph: &mut Graph) -> Result<(), Error> {
        self.stage::<T>(graph).wave("whole", 1)?;
        Ok(())
    }

    fn stage<'c, T: Number>(&'c self, graph: &'c mut Graph) -> Stage<'c, 'c> {
        let shift = match self.kind {
            Kind::Inclusive => "const SHIFT = 0u;",
            Kind::Exclusive => "const SHIFT = 1u;",
        };
        let begin = self.first.map(|_| "fn begin() -> T { return first[0]; }");
        let rows = Rows::carried(self.kit.runtime().caps());
        let runs = (rows.by == By::Memory).then_some("const RUNS = true;");
        let lines: Vec<String> = [Some(shift), begin, runs].into_iter().flatten().map(str::to_owned).collect();
        Stage::new(self.kit, graph, self.name, &rows.text::<T>(self.op, WGSL), &lines)
            .bind("x", self.x)
            .bind("y", self.y)
            .bind("first", self.first.unwrap_or_default())
    }
}
