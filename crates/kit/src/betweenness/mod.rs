//! Betweenness centrality: how many shortest paths lead through each vertex, as shares of all between two vertices.
//!
//! Brandes ("A faster algorithm for betweenness centrality", 2001), source after source: paths are counted level by
//! level on the way out, and what depends on each vertex is added up on the way back. Both are products of the
//! adjacency matrix and a vector that only one level has entries in (Kepner and Gilbert, "Graph algorithms in the
//! language of linear algebra", 2011), so that floats need no atomics and are added in one order: the same bits on the
//! reference and the CPU device, unless it may contract.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Parts, Stage, expect, len_of};
use crate::resident::{Names, Resident};

pub use verify::verify;

const WGSL: &str = include_str!("betweenness.wgsl");

/// Of `Words`: how many, and where some of them are.
const WORDS: usize = 64;
const GO: usize = 4;
const LIST: usize = 5;
const ALL: usize = 6;
const BACK: usize = 7;
const AGAIN: usize = 8;

const LANES: usize = 64;

/// Puts into `scores` what all shortest paths from `sources` add up to at each vertex, those that begin or end there left
/// out. With every vertex among the sources that is its centrality; of an undirected graph twice as much, since each
/// path is there both ways. More paths from one source to a vertex than an `f32` can count are an error.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// use seawall_kit::{Kit, Resident, betweenness, csr::Csr};
///
/// let runtime = seawall::Runtime::new()?;
/// // Two ways around a square, and a path from it.
/// let csr = Csr::edge_list("0 1\n1 2\n2 3\n3 0\n3 4", seawall_kit::csr::Kind::Undirected, seawall_kit::csr::Weights::Left)?;
/// let (graph, scores) = (Resident::new(&runtime, &csr)?, runtime.buffer(5)?);
/// betweenness::score(&Kit::new(&runtime), &graph, &[0, 1, 2, 3, 4], &scores)?;
/// assert_eq!(scores.to_vec()?, [2.0, 1.0, 2.0, 7.0, 0.0]);
/// # Ok(())
/// # }
/// ```
pub fn score(kit: &Kit<'_>, graph: &Resident, sources: &[u32], scores: &Buffer<f32>) -> Result<(), Error> {
    expect("scores", scores.len(), graph.vertices())?;
    sources.iter().try_for_each(|&source| graph.vertex(source))?;
    if sources.is_empty() {
        return Ok(scores.clear()?);
    }
    let key = format!("betweenness {} {}", sources.len(), graph.key());
    let describe = |waves: &mut Graph| {
        let names = graph.describe(waves);
        waves.input::<u32>("sources", sources.len()).output::<f32>("scores", graph.vertices());
        waves.output::<u32>("lost", 2);
        stage(kit, waves, "betweenness", &names, "sources", "scores", "lost")
    };
    let mut lost = [0u32; 2];
    kit.call(&key, describe, |call| {
        graph.bind(call).bind("sources", sources).bind("scores", scores).bind("lost", &mut lost).run()
    })?;
    match lost {
        [0, _] => Ok(()),
        [count, vertex] => Err(Error::Paths { vertex, count: count as usize }),
    }
}

/// Adds the waves that add the same to `scores`. If there are more paths from a source than can be counted, `lost`, two
/// `u32`, says to how many vertices, and from which source, the first of them.
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    rows: &Names<'_>,
    sources: &str,
    scores: &str,
    lost: &str,
) -> Result<(), Error> {
    let (vertices, _) = rows.sizes(graph)?;
    len_of::<u32>(graph, sources)?;
    expect(scores, len_of::<f32>(graph, scores)?, vertices)?;
    expect(lost, len_of::<u32>(graph, lost)?, 2)?;
    let because = "to go through what is left costs as much as its edges, and lists cost those that lead on from them";
    graph.chosen(name, "lists of a level, or all that is left if a quarter of the edges leads on from it", because);
    let own = |what: &str| format!("{name}.{what}");
    let (words, grids) = (own("words"), [own("grid"), own("next grid"), own("both grid")]);
    graph.transient::<u32>(&words, WORDS).transient::<u32>(&own("bounds"), vertices + 2);
    graph.transient::<u32>(&own("seen"), vertices).transient::<u32>(&own("order"), vertices);
    for numbers in ["paths", "now", "next"] {
        graph.transient::<f32>(&own(numbers), vertices);
    }
    for grid in &grids {
        graph.transient::<u32>(grid, 3);
    }
    let mut stage = rows.bind(Stage::new(kit, graph, name, WGSL, &[]));
    for data in ["words", "bounds", "seen", "order", "paths", "now", "next"] {
        stage.rebind(data, &own(data));
    }
    for (buffer, data) in ["grid", "next_grid", "both_grid"].iter().zip(&grids) {
        stage.rebind(buffer, data);
    }
    stage.rebind("sources", sources).rebind("scores", scores).rebind("lost", lost);
    let (parts, graph) = stage.parts(&[
        "prepare",
        "begin",
        "down",
        "found",
        "add_up",
        "up",
        "measure",
        "hand_on",
        "decide",
        "turn",
        "depend",
        "hand_back",
        "step_back",
        "another",
    ])?;
    parts.wave(graph, "prepare").workgroups(1);
    graph
        .repeat(&own("sources"), |body| {
            parts.wave(body, "begin").over("paths");
            body.repeat(&own("levels"), |body| out(&parts, body, vertices)).while_nonzero((words.as_str(), GO));
            parts.wave(body, "turn").workgroups(1);
            body.repeat(&own("levels back"), |body| {
                parts.wave(body, "depend").indirect(&grids[0], vertices.div_ceil(LANES));
                parts.wave(body, "hand_back").indirect(&grids[2], vertices.div_ceil(LANES));
                parts.wave(body, "step_back").workgroups(1);
            })
            .while_nonzero((words.as_str(), BACK));
            parts.wave(body, "another").workgroups(1);
        })
        .while_nonzero((words.as_str(), AGAIN));
    Ok(())
}

/// One level further.
fn out(parts: &Parts, body: &mut Graph, vertices: usize) {
    let (words, most) = (parts.own("words"), vertices.div_ceil(LANES));
    body.when(&parts.own("by lists"), |body| {
        parts.wave(body, "down").indirect(&parts.own("grid"), most);
        parts.wave(body, "found").workgroups(1);
        parts.wave(body, "add_up").indirect(&parts.own("next grid"), most);
    })
    .nonzero((words.as_str(), LIST));
    body.when(&parts.own("by all that is left"), |body| {
        parts.wave(body, "up").over("paths");
    })
    .nonzero((words.as_str(), ALL));
    parts.wave(body, "measure").workgroups(1);
    parts.wave(body, "hand_on").indirect(&parts.own("both grid"), most);
    parts.wave(body, "decide").workgroups(1);
}
