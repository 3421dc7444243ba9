//! Stream compaction: those elements that are kept, side by side and in order.
//!
//! Count, scan, move: the tiles count what they keep, a [`scan`] says where each tile's elements go,
//! and a second pass moves them (Blelloch, "Prefix sums and their applications", 1990). What is kept is decided by
//! flags, or by an expression, which saves writing and reading flags. A workgroup moves a tile row by row; on processors
//! it is a subgroup, whose compiler packs what a row keeps and stores it at once, and tiles go window by window.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, counted, expect, len_of};
use crate::number::{Number, Op};
use crate::part;
use crate::row::{By, Rows};
use crate::scan;
use crate::window::Window;

pub use verify::verify;

const WGSL: &str = include_str!("compact.wgsl");

/// Which elements are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keep<'a> {
    /// Those whose `u32` in this data is not zero.
    Flags(&'a str),
    /// Those for which this expression of WGSL is true. It knows `value`, the element, and `i`, its place.
    Where(&'a str),
    /// The same, where the expression knows `extra` as well: this data, an array of such elements.
    Beside {
        /// Its name.
        data: &'a str,
        /// What it holds, as WGSL.
        element: &'a str,
        /// The expression.
        expression: &'a str,
    },
    /// Those that differ from the one before them, and the first.
    Heads,
}

/// Moves those elements of `x` whose flag is not zero to the beginning of `y`, in order, and tells how many.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, compact};
/// let runtime = seawall::Runtime::new()?;
/// let (x, flags) = (runtime.buffer_from(&[3.0f32, 1.0, 4.0, 1.5])?, runtime.buffer_from(&[1u32, 0, 0, 7])?);
/// let y = runtime.buffer::<f32>(4)?;
/// assert_eq!(compact::flagged(&Kit::new(&runtime), &x, &flags, &y)?, 2);
/// assert_eq!(y.to_vec()?[..2], [3.0, 1.5]);
/// # Ok(())
/// # }
/// ```
pub fn flagged<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, flags: &Buffer<u32>, y: &Buffer<V>) -> Result<usize, Error> {
    expect("flags", flags.len(), x.len())?;
    call(kit, Keep::Flags("flags"), Rest::Dropped, x, Some(flags), y)
}

/// Moves those elements of `x` for which an expression is true to the beginning of `y`, in order, and tells how many.
/// The expression is WGSL and knows `value`, the element, and `i`, its place.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, compact};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[3i32, -1, 4, -1, 5])?, runtime.buffer(5)?);
/// assert_eq!(compact::filter(&Kit::new(&runtime), "value > 0 && i < 4u", &x, &y)?, 2);
/// assert_eq!(y.to_vec()?[..2], [3, 4]);
/// # Ok(())
/// # }
/// ```
pub fn filter<V: Number>(kit: &Kit<'_>, keep: &str, x: &Buffer<V>, y: &Buffer<V>) -> Result<usize, Error> {
    call(kit, Keep::Where(keep), Rest::Dropped, x, None, y)
}

/// What becomes of elements that are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rest {
    Dropped,
    Behind,
}

pub(crate) fn call<V: Number>(
    kit: &Kit<'_>,
    keep: Keep<'_>,
    rest: Rest,
    x: &Buffer<V>,
    flags: Option<&Buffer<u32>>,
    y: &Buffer<V>,
) -> Result<usize, Error> {
    if x.is_empty() {
        return Ok(0);
    }
    if x.len() > kit.part(size_of::<V>()) {
        let kept = parts::<V, V>(kit, keep, Sign::As, "x[at]", x, flags, y, 0)?;
        if rest == Rest::Behind {
            parts::<V, V>(kit, keep, Sign::Not, "x[at]", x, flags, y, kept)?;
        }
        return fits(kept, y.len());
    }
    let key = format!("compact {keep:?} {rest:?} {} {} {}", V::WGSL, x.len(), y.len());
    let describe = |graph: &mut Graph| {
        graph.input::<V>("x", x.len()).in_out::<V>("y", y.len()).output::<u32>("total", 1);
        if flags.is_some() {
            graph.input::<u32>("flags", x.len());
        }
        add::<V>(kit, graph, "compact", keep, rest, "x", "y", "total")
    };
    let mut total = [0u32];
    kit.call(&key, describe, |call| {
        let call = call.bind("x", x).bind("y", y).bind("total", &mut total);
        match flags {
            Some(flags) => call.bind("flags", flags).run(),
            None => call.run(),
        }
    })?;
    fits(total[0] as usize, y.len())
}

/// So many, if there is room for them in `y`.
pub(crate) fn fits(count: usize, capacity: usize) -> Result<usize, Error> {
    if count > capacity {
        return Err(Error::Overflow { data: "y".to_owned(), count, capacity });
    }
    Ok(count)
}

/// Whether what is kept is what shall be, or all the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Sign {
    As,
    Not,
}

/// Moves what is kept of one part of `x` after the other into `y`, from a place on, and tells how many there are; what
/// does not fit is left out.
#[expect(clippy::too_many_arguments, reason = "a call's, what is moved and where to")]
pub(crate) fn parts<V: Number, M: Number>(
    kit: &Kit<'_>,
    keep: Keep<'_>,
    sign: Sign,
    moved: &str,
    x: &Buffer<V>,
    flags: Option<&Buffer<u32>>,
    y: &Buffer<M>,
    to: usize,
) -> Result<usize, Error> {
    counted("x", x.len())?;
    let (part, mut at) = (kit.part(size_of::<V>().max(size_of::<M>())), to);
    for range in part::ranges(x.len(), part) {
        // Two neighbours, of which the second is the first of this part.
        let mut two = [V::zeroed(); 2];
        if range.start > 0 {
            x.read(range.start - 1, &mut two)?;
        }
        let heads = range.start == 0 || two[0] != two[1];
        // What is written begins where devices can bind, with a place in it.
        let from = (at.min(y.len()) / part::STEP * part::STEP).min(y.len().saturating_sub(1) / part::STEP * part::STEP);
        let window = match y.len() {
            0 => kit.runtime().buffer(1)?,
            len => y.range(from..len.min(from + part + part::STEP))?,
        };
        // Beyond what there is, nothing is written.
        let place = (at - from).min(window.len()).max(usize::from(y.is_empty()));
        let params = [range.start as u32, u32::from(heads), place as u32, 0];
        let flags = flags.map(|flags| flags.range(range.clone())).transpose()?;
        at += one::<V, M>(kit, keep, sign, moved, params, &x.range(range)?, flags.as_ref(), &window)?;
    }
    Ok(at - to)
}

#[expect(clippy::too_many_arguments, reason = "of parts, and where this one is")]
fn one<V: Number, M: Number>(
    kit: &Kit<'_>,
    keep: Keep<'_>,
    sign: Sign,
    moved: &str,
    params: [u32; 4],
    x: &Buffer<V>,
    flags: Option<&Buffer<u32>>,
    y: &Buffer<M>,
) -> Result<usize, Error> {
    let (types, lens) = ((V::WGSL, M::WGSL), (x.len(), y.len()));
    let key = format!("compact part {keep:?} {sign:?} {moved} {types:?} {lens:?}");
    let describe = |graph: &mut Graph| {
        graph.input::<V>("x", x.len()).in_out::<M>("y", y.len()).output::<u32>("total", 1);
        graph.value::<[u32; 4]>("part");
        if flags.is_some() {
            graph.input::<u32>("flags", x.len());
        }
        let how = How { keep, sign, rest: Rest::Dropped, moved, part: Some("part") };
        waves::<V, M>(kit, graph, "compact", how, "x", "y", "total")
    };
    let mut total = [0u32];
    kit.call(&key, describe, |call| {
        let call = call.bind("x", x).bind("y", y).bind("total", &mut total).set("part", &params);
        match flags {
            Some(flags) => call.bind("flags", flags).run(),
            None => call.run(),
        }
    })?;
    Ok(total[0] as usize)
}

/// Adds the waves that move what is kept of `x` to the beginning of `y`, and its number to `total`. What does not fit
/// into `y` is left out, but counted.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    keep: Keep<'_>,
    x: &str,
    y: &str,
    total: &str,
) -> Result<(), Error> {
    add::<V>(kit, graph, name, keep, Rest::Dropped, x, y, total)
}

#[expect(clippy::too_many_arguments, reason = "a stage's, and what becomes of the rest")]
pub(crate) fn add<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    keep: Keep<'_>,
    rest: Rest,
    x: &str,
    y: &str,
    total: &str,
) -> Result<(), Error> {
    waves::<V, V>(kit, graph, name, How { rest, ..How::new(keep, "x[at]") }, x, y, total)
}

/// What becomes of elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How<'a> {
    keep: Keep<'a>,
    sign: Sign,
    rest: Rest,
    /// What is moved, which may be something else than the element `x[at]`: its place `i`.
    moved: &'a str,
    /// A value that says where a part begins, whether its first element differs from the one before it, and where what
    /// is kept goes.
    part: Option<&'a str>,
}

impl<'a> How<'a> {
    /// Only what is kept is moved.
    pub(crate) fn new(keep: Keep<'a>, moved: &'a str) -> Self {
        Self { keep, sign: Sign::As, rest: Rest::Dropped, moved, part: None }
    }
}

/// The same, where what is moved may be something else than the element.
pub(crate) fn waves<V: Number, M: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    How { keep, sign, rest, moved, part }: How<'_>,
    x: &str,
    y: &str,
    total: &str,
) -> Result<(), Error> {
    let (len, caps) = (len_of::<V>(graph, x)?, kit.runtime().caps());
    len_of::<M>(graph, y)?;
    expect(total, len_of::<u32>(graph, total)?, 1)?;
    let keeps = match keep {
        Keep::Flags(flags) => {
            expect(flags, len_of::<u32>(graph, flags)?, len)?;
            "return flags[at] != 0u;".to_owned()
        }
        Keep::Where(expression) | Keep::Beside { expression, .. } => {
            format!("let value = x[at]; let i = at + start(); return {expression};")
        }
        Keep::Heads => "if at == 0u { return head(); } return x[at] != x[at - 1u];".to_owned(),
    };
    let is = match sign {
        Sign::As => "is_kept(at)",
        Sign::Not => "!is_kept(at)",
    };
    let [start, head, to] = match part {
        Some(_) => ["part.x", "part.y != 0u", "part.z"],
        None => ["0u", "true", "0u"],
    };
    let lines = [
        format!("alias V = {};", V::WGSL),
        format!("fn is_kept(at: u32) -> bool {{ {keeps} }}"),
        format!("fn keeps(at: u32) -> bool {{ return {is}; }}"),
        format!("fn moved(at: u32) -> M {{ let i = at + start(); return {moved}; }}"),
        format!("fn start() -> u32 {{ return {start}; }}"),
        format!("fn head() -> bool {{ return {head}; }}"),
        format!("fn to() -> u32 {{ return {to}; }}"),
        format!("alias M = {};", M::WGSL),
        format!("const SPLIT = {};", rest == Rest::Behind),
        format!("alias Extra = {};", if let Keep::Beside { element, .. } = keep { element } else { "u32" }),
    ];
    let rows = Rows::carried(caps);
    rows.tell(graph, name);
    let (flags, extra) = match keep {
        Keep::Flags(flags) => (flags, ""),
        Keep::Beside { data, .. } => ("", data),
        Keep::Where(_) | Keep::Heads => ("", ""),
    };
    let tiles = rows.tiles(x, len)?;
    let (counts, ends) = (format!("{name}.counts"), format!("{name}.ends"));
    let (text, part) = (rows.text::<u32>(Op::Sum, WGSL), part.unwrap_or_default());
    let data = [("x", x), ("flags", flags), ("extra", extra), ("part", part), ("counts", &counts), ("ends", &ends)];
    let data = [&data[..], &[("y", y), ("total", total)]].concat();
    match rows.by {
        By::Subgroup => graph.chosen(name, "a subgroup moves a tile row by row", "what a row keeps is packed at once"),
        By::Memory => graph.chosen(name, "a workgroup moves a tile row by row", "neighbours write to neighbours"),
    };
    // Where the rest goes is known when everything is counted.
    if rest == Rest::Dropped
        && let Some(window) = Window::new::<V>(caps, &rows, tiles)
    {
        window.tell(graph, name);
        let carries = format!("{name}.carries");
        graph.transient::<u32>(&counts, window.tiles).transient::<u32>(&carries, window.count + 1);
        let stage = Stage::new(kit, graph, name, &text, &lines).bind_all(&data).bind("carries", &carries);
        let waves = ["window_count", "window_move"];
        let (parts, graph) = stage.parts(&waves)?;
        window.each(graph, &parts, waves);
        return Ok(());
    }
    graph.transient::<u32>(&counts, tiles).transient::<u32>(&ends, tiles);
    Stage::new(kit, graph, name, &text, &lines).bind_all(&data).wave("count", tiles)?;
    scan::stage::<u32>(kit, graph, &format!("{name}.scan"), scan::Kind::Inclusive, Op::Sum, &counts, &ends)?;
    Stage::new(kit, graph, name, &text, &lines).bind_all(&data).wave("move_tiles", tiles)?;
    Ok(())
}
