//! Triangles: how many threes of vertices are neighbours of each other. Loops count for nothing, and edges that are there
//! twice for one.
//!
//! Each edge is kept once, towards the end that has more neighbours, so that no vertex keeps more than the square root of
//! twice the edges (Schank and Wagner, "Finding, counting and listing all triangles in large graphs", 2005). A vertex marks
//! those that it leads to, a bit for each, and what they lead to in turn is looked up there: no lists are merged, so no
//! branch has to be foreseen. Vertices are numbered by their neighbours, so that marks that are looked up often lie close
//! together.

mod verify;

use std::fmt;

use seawall::Graph;
use seawall::device::{Caps, Kind};

use crate::csr;
use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::Op;
use crate::resident::{Names, Resident};
use crate::scan;
use crate::sort::{self, Order};

pub use verify::verify;

const WGSL: &str = include_str!("triangles.wgsl");

const LANES: usize = 64;

/// What marks may take, unless those of one workgroup take more.
const MARKS_BYTES: usize = 1 << 26;

/// Who counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    /// Workgroups, each with marks of its own.
    pub workgroups: usize,
    /// Invocations of each.
    pub lanes: u32,
    /// Why.
    pub because: &'static str,
}

impl Tuning {
    /// For a device, and so many vertices.
    pub fn new(caps: &Caps, vertices: usize) -> Self {
        let most = (MARKS_BYTES / vertices.div_ceil(8).max(1)).max(1);
        match caps.kind {
            Kind::Cpu | Kind::Reference => Self {
                workgroups: most.min(64),
                lanes: 1,
                because: "a thread goes through lists one after the other, and its marks stay in its cache",
            },
            Kind::Gpu | Kind::Software => Self {
                workgroups: most.min(256),
                lanes: 64,
                because: "neighbours are taken side by side, as long as marks of all workgroups find room",
            },
        }
    }
}

impl Tuning {
    fn what(&self) -> String {
        format!("{} workgroups of {} with marks of their own", self.workgroups, self.lanes)
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.because)
    }
}

/// How many triangles an undirected graph has.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// use seawall_kit::{Kit, Resident, csr::{Csr, Kind}, triangles};
///
/// let runtime = seawall::Runtime::new()?;
/// let csr = Csr::new(4, Kind::Undirected, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 1)])?;
/// assert_eq!(triangles::count(&Kit::new(&runtime), &Resident::new(&runtime, &csr)?)?, 2);
/// # Ok(())
/// # }
/// ```
pub fn count(kit: &Kit<'_>, graph: &Resident) -> Result<u64, Error> {
    if graph.kind() == csr::Kind::Directed {
        return Err(Error::Directed);
    }
    if graph.unsorted() > 0 {
        return Err(Error::Unsorted { count: graph.unsorted() });
    }
    if graph.edges() == 0 {
        return Ok(0);
    }
    let key = format!("triangles {}", graph.key());
    let describe = |waves: &mut Graph| {
        let names = graph.describe(waves);
        waves.output::<u32>("total", 2);
        stage(kit, waves, "triangles", &names, "total")
    };
    let mut total = [0u32; 2];
    kit.call(&key, describe, |call| graph.bind(call).bind("total", &mut total).run())?;
    Ok(u64::from(total[1]) << 32 | u64::from(total[0]))
}

/// Adds the waves that do the same; `total` is the low and the high word of the number. The rows are in order, and have
/// each edge both ways.
pub fn stage(kit: &Kit<'_>, graph: &mut Graph, name: &str, rows: &Names<'_>, total: &str) -> Result<(), Error> {
    let (vertices, edges) = rows.sizes(graph)?;
    expect(total, len_of::<u32>(graph, total)?, 2)?;
    let tuning = Tuning::new(kit.runtime().caps(), vertices);
    graph.chosen(name, &tuning.what(), tuning.because);
    let Tuning { workgroups, lanes, .. } = tuning;
    let (words, own) = (vertices.div_ceil(32), |what: &str| format!("{name}.{what}"));
    for data in ["degrees", "vertices", "sorted degrees", "order", "ranks"] {
        graph.transient::<u32>(&own(data), vertices);
    }
    graph.transient::<u32>(&own("kept"), vertices + 1).transient::<u32>(&own("starts"), vertices + 1);
    graph.transient::<u32>(&own("forward"), (edges / 2).max(1)).transient::<u32>(&own("next"), 1);
    graph.transient::<u32>(&own("marks"), workgroups * words);
    let mut stage = rows
        .bind(Stage::new(kit, graph, name, WGSL, &[format!("const WORDS = {words}u;")]))
        .bind("degrees", &own("degrees"))
        .bind("vertices", &own("vertices"))
        .bind("order", &own("order"))
        .bind("ranks", &own("ranks"))
        .bind("kept", &own("kept"))
        .bind("starts", &own("starts"))
        .bind("forward", &own("forward"))
        .bind("next", &own("next"))
        .bind("marks", &own("marks"))
        .bind("shared_marks", &own("marks"))
        .bind("total", total);
    let groups = vertices.div_ceil(LANES);
    stage.wave("measure", groups)?;
    let (from, to) = ([own("degrees"), own("vertices")], [own("sorted degrees"), own("order")]);
    let (from, to) = ((from[0].as_str(), from[1].as_str()), (to[0].as_str(), to[1].as_str()));
    sort::stage_pairs::<u32, u32>(kit, stage.graph, &own("sort"), Order::Descending, from, to)?;
    stage.wave("number", groups)?;
    stage.wave("count_kept", groups)?;
    let kind = scan::Kind::Exclusive;
    scan::stage::<u32>(kit, stage.graph, &own("scan"), kind, Op::Sum, &own("kept"), &own("starts"))?;
    stage.wave("orient", groups)?;
    stage.wave(if lanes == 1 { "count_alone" } else { "count_together" }, workgroups)?;
    Ok(())
}
