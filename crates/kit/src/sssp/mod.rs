//! Shortest paths: how far each vertex is from one of them, by edges with lengths.
//!
//! Delta-stepping (Meyer and Sanders, "Δ-stepping: a parallelizable shortest path algorithm", 2003) with two buckets,
//! near and far (Davidson, Baxter, Garland and Owens, "Work-efficient parallel GPU methods for single-source shortest
//! paths", 2014): what is further than a threshold waits until nothing nearer is left, and then the threshold rises. The
//! near ones are a work queue. The far ones are nowhere but in their distances, and are looked for when the threshold
//! rises: each is found once however often a shorter way to it was found before, and it costs nothing to be far. Blocks of
//! 32 vertices, and groups of 32 blocks, know the nearest that waits in them, so that few are looked at where few wait.

mod verify;

use std::fmt;

use seawall::{Buffer, Graph, description};

use crate::bfs;
use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::resident::{Names, Resident};

pub use verify::verify;

const WGSL: &str = include_str!("sssp.wgsl");

/// The distance of vertices that cannot be reached.
pub const FAR: u32 = bfs::FAR;

/// Vertices of a block, and of a group of blocks.
const BLOCK: usize = 32;
const GROUP: usize = 32 * BLOCK;

/// Groups that a workgroup looks at.
const LANES: usize = 16;

/// How wide buckets are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    /// By so much the threshold rises.
    pub delta: u32,
    /// Why.
    pub because: &'static str,
}

impl Tuning {
    /// What calls do if nothing else is asked for.
    const BECAUSE: &str = "twice the longest edge, over the mean degree where it is 8 or more, keeps some edges of each vertex in its bucket";

    /// Below this degree it costs more to let the threshold rise than to visit some vertices again.
    const DEGREE_MIN: u64 = 8;

    /// For a graph.
    pub fn new(graph: &Resident) -> Self {
        let degree = (graph.edges() as u64).div_ceil(graph.vertices().max(1) as u64);
        let degree = if degree < Self::DEGREE_MIN { 1 } else { degree };
        let delta = (2 * u64::from(graph.weight_max()) / degree).clamp(1, u64::from(u32::MAX - 1)) as u32;
        Self { delta, because: Self::BECAUSE }
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "buckets of {}: {}", self.delta, self.because)
    }
}

/// Puts into `dist` how far each vertex is from `source`, or [`FAR`]. Buckets are as wide as `delta` says, or as
/// [`Tuning`] does. Whatever is reached only by ways that are not below 2³² - 1 is an error.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// use seawall_kit::{Kit, Resident, csr::{Csr, Kind}, sssp};
///
/// let runtime = seawall::Runtime::new()?;
/// let csr = Csr::weighted(4, Kind::Directed, &[(0, 1, 10), (0, 2, 3), (2, 1, 4)])?;
/// let (graph, dist) = (Resident::new(&runtime, &csr)?, runtime.buffer(4)?);
/// sssp::search(&Kit::new(&runtime), &graph, 0, None, &dist)?;
/// assert_eq!(dist.to_vec()?, [0, 7, 3, sssp::FAR]);
/// # Ok(())
/// # }
/// ```
pub fn search(
    kit: &Kit<'_>,
    graph: &Resident,
    source: u32,
    delta: Option<u32>,
    dist: &Buffer<u32>,
) -> Result<(), Error> {
    expect("dist", dist.len(), graph.vertices())?;
    graph.vertex(source)?;
    let weights = graph.weights()?;
    let delta = delta.map_or_else(|| Tuning::new(graph).delta, |delta| delta.max(1));
    // A way has fewer edges than there are vertices.
    let fits = (graph.vertices() as u64).checked_mul(u64::from(graph.weight_max()));
    let checked = fits.is_none_or(|most| most >= u64::from(FAR));
    let key = format!("sssp {checked} {}", graph.key());
    let describe = |waves: &mut Graph| {
        let names = graph.describe(waves);
        waves.input::<u32>("weights", weights.len()).value::<u32>("source").value::<u32>("delta");
        waves.in_out::<u32>("dist", graph.vertices());
        if checked {
            waves.output::<u32>("too far", 1);
        }
        add(kit, waves, "sssp", &names, "weights", ("source", "delta"), "dist", checked.then_some("too far"))
    };
    let mut count = [0u32];
    kit.call(&key, describe, |call| {
        let call = graph.bind(call).bind("weights", weights).bind("dist", dist);
        let call = call.set("source", &source).set("delta", &delta);
        if checked { call.bind("too far", &mut count).run() } else { call.run() }
    })?;
    if count[0] > 0 { Err(Error::TooFar { count: count[0] as usize }) } else { Ok(()) }
}

/// Adds the waves that do the same; `source` and `delta` are values or data of one `u32`, and `delta` is not zero. Adds
/// to `too_far`, a `u32`, how many edges lead only beyond what can be counted.
#[expect(clippy::too_many_arguments, reason = "a graph with weights, where to begin, and two results")]
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    rows: &Names<'_>,
    weights: &str,
    (source, delta): (&str, &str),
    dist: &str,
    too_far: &str,
) -> Result<(), Error> {
    add(kit, graph, name, rows, weights, (source, delta), dist, Some(too_far))
}

/// The same, where sums of weights are known to fit if nobody wants to be told.
#[expect(clippy::too_many_arguments, reason = "a stage's")]
fn add(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    rows: &Names<'_>,
    weights: &str,
    (source, delta): (&str, &str),
    dist: &str,
    too_far: Option<&str>,
) -> Result<(), Error> {
    let (vertices, edges) = rows.sizes(graph)?;
    expect(weights, len_of::<u32>(graph, weights)?, edges)?;
    expect(dist, len_of::<u32>(graph, dist)?, vertices)?;
    if let Some(too_far) = too_far {
        expect(too_far, len_of::<u32>(graph, too_far)?, 1)?;
    }
    graph.chosen(name, &format!("buckets as wide as `{delta}`"), Tuning::BECAUSE);
    let own = |what: &str| format!("{name}.{what}");
    let (blocks, groups) = (vertices.div_ceil(BLOCK), vertices.div_ceil(GROUP));
    graph.transient::<u32>(&own("words"), 3).transient::<u32>(&own("grid"), 3);
    graph.transient::<u32>(&own("least"), blocks).transient::<u32>(&own("least of"), groups);
    graph.transient::<u32>(&own("listed"), groups);
    // A vertex is pushed once for each edge at the most, between two times that it is taken.
    let near = own("near");
    graph.queue::<[u32; 2]>(&near, edges + vertices);
    let text = WGSL.to_owned() + &description::helpers(&[("near", "Visit")]);
    let stage = rows
        .bind(Stage::new(kit, graph, name, &text, &[format!("const CHECKED = {};", too_far.is_some())]))
        .bind("weights", weights)
        .bind("dist", dist)
        .bind("words", &own("words"))
        .bind("source", source)
        .bind("delta", delta)
        .bind("too_far", too_far.unwrap_or_default())
        .bind("least", &own("least"))
        .bind("least_of", &own("least of"))
        .bind("listed", &own("listed"))
        .bind("grid", &own("grid"));
    let (mut parts, graph) = stage.parts(&["begin", "relax", "rise", "take", "beyond"])?;
    parts.queue("near", &near);
    parts.wave(graph, "begin").over("dist");
    graph.drain(&own("buckets"), &[&near], |body| {
        parts.wave(body, "relax").items(&near);
        parts.wave(body, "rise").workgroups(1);
        parts.wave(body, "take").indirect(&own("grid"), groups.div_ceil(LANES));
    });
    if too_far.is_some() {
        parts.wave(graph, "beyond").over("dist");
    }
    Ok(())
}
