//! Breadth-first search: how many edges each vertex is away from one of them.
//!
//! It turns around by itself: from the frontier to its neighbours while that is small, from what was not reached yet to
//! the frontier when it is large (Beamer, Asanović and Patterson, "Direction-optimizing breadth-first search", 2012). A
//! large frontier is a bit for each vertex, which fits into the nearest cache. The device decides, level by level.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Parts, Stage, expect, len_of};
use crate::resident::{Names, Resident};

pub use verify::verify;

const WGSL: &str = include_str!("bfs.wgsl");

/// The distance of vertices that cannot be reached.
pub const FAR: u32 = u32::MAX;

/// Of `Words`: how many, and where some of them are.
const WORDS: usize = 64;
const FEW: usize = 0;
const MANY: usize = 1;
const UP: usize = 2;
const LIST: usize = 3;
const MARK: usize = 4;
const GO: usize = 5;

/// What a search went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// All of them; the last finds nothing.
    pub all: u64,
    /// Those that went from vertices that were not reached yet to the frontier.
    pub up: u64,
}

/// Puts into `dist` how many edges each vertex is away from `source`, or [`FAR`].
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// use seawall_kit::{Kit, Resident, bfs, csr::{Csr, Kind}};
///
/// let runtime = seawall::Runtime::new()?;
/// let csr = Csr::new(5, Kind::Directed, &[(0, 1), (1, 2), (0, 3), (3, 0)])?;
/// let (graph, dist) = (Resident::new(&runtime, &csr)?, runtime.buffer(5)?);
/// bfs::search(&Kit::new(&runtime), &graph, 3, &dist)?;
/// assert_eq!(dist.to_vec()?, [1, 2, 3, 0, bfs::FAR]);
/// # Ok(())
/// # }
/// ```
pub fn search(kit: &Kit<'_>, graph: &Resident, source: u32, dist: &Buffer<u32>) -> Result<Levels, Error> {
    expect("dist", dist.len(), graph.vertices())?;
    graph.vertex(source)?;
    let key = format!("bfs {}", graph.key());
    let describe = |waves: &mut Graph| {
        let names = graph.describe(waves);
        waves.value::<u32>("source").in_out::<u32>("dist", graph.vertices());
        stage(kit, waves, "bfs", &names, "source", "dist")
    };
    let finished = kit.call(&key, describe, |call| graph.bind(call).bind("dist", dist).set("source", &source).run())?;
    let turns = |name| finished.turns(name).unwrap_or(0);
    Ok(Levels { all: turns("bfs.levels"), up: turns("bfs.to the frontier") })
}

/// Adds the waves that do the same; `source` is a value or data of one `u32`. From a vertex that there is not, nothing
/// can be reached.
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    rows: &Names<'_>,
    source: &str,
    dist: &str,
) -> Result<(), Error> {
    let (vertices, _) = rows.sizes(graph)?;
    expect(dist, len_of::<u32>(graph, dist)?, vertices)?;
    let because = "whatever is not reached is looked at, and stops at the first of the frontier that it finds";
    graph.chosen(name, "towards the frontier while more edges lead on from it than a part of those left", because);
    let own = |what: &str| format!("{name}.{what}");
    let bits = vertices.div_ceil(32);
    graph.transient::<u32>(&own("now"), vertices).transient::<u32>(&own("next"), vertices);
    graph.transient::<u32>(&own("words"), WORDS).transient::<u32>(&own("grid"), 3);
    graph.transient::<u32>(&own("front"), bits).transient::<u32>(&own("next front"), bits);
    graph.transient::<u32>(&own("far"), bits);
    let stage = rows
        .bind(Stage::new(kit, graph, name, WGSL, &[]))
        .bind("source", source)
        .bind("dist", dist)
        .bind("now", &own("now"))
        .bind("next", &own("next"))
        .bind("words", &own("words"))
        .bind("grid", &own("grid"))
        .bind("front", &own("front"))
        .bind("next_front", &own("next front"))
        .bind("far", &own("far"));
    let entries = ["begin", "list", "listed", "few", "many", "mark", "mark_next", "up", "decide"];
    let (parts, graph) = stage.parts(&entries)?;
    parts.wave(graph, "begin").over("dist");
    graph.repeat(&own("levels"), |body| level(&parts, body, vertices)).while_nonzero((own("words").as_str(), GO));
    Ok(())
}

fn level(parts: &Parts, body: &mut Graph, vertices: usize) {
    let words = parts.own("words");
    body.when(&parts.own("a list is missing"), |body| {
        parts.wave(body, "list").over("front");
        parts.wave(body, "listed").workgroups(1);
    })
    .nonzero((words.as_str(), LIST));
    body.when(&parts.own("by few edges"), |body| {
        parts.wave(body, "few").indirect(&parts.own("grid"), vertices.div_ceil(64));
    })
    .nonzero((words.as_str(), FEW));
    body.when(&parts.own("by many edges"), |body| {
        parts.wave(body, "many").indirect(&parts.own("grid"), vertices.div_ceil(64));
        parts.wave(body, "mark_next").over("front");
    })
    .nonzero((words.as_str(), MANY));
    body.when(&parts.own("bits are missing"), |body| {
        parts.wave(body, "mark").over("front");
    })
    .nonzero((words.as_str(), MARK));
    body.when(&parts.own("to the frontier"), |body| {
        parts.wave(body, "up").over("front");
    })
    .nonzero((words.as_str(), UP));
    parts.wave(body, "decide").workgroups(1);
    body.swap(&parts.own("now"), &parts.own("next"));
    body.swap(&parts.own("front"), &parts.own("next front"));
}
