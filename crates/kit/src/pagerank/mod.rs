//! `PageRank`: how often somebody is at each vertex who follows edges at random, and now and then begins anew.
//!
//! Brin and Page ("The anatomy of a large-scale hypertextual Web search engine", 1998). Each turn a vertex gets equal
//! shares of the ranks of those that lead to it, from left to right; the device adds up how much the ranks still move,
//! and decides whether there is another turn. Blocks of vertices have their turns one after the other, with the new
//! ranks of those before them (block Gauss-Seidel; Arasu et al., "`PageRank` computation and the structure of the Web",
//! 2002), which takes fewer turns and gives the same whoever is faster. Ranks begin as the number of edges that enter a
//! vertex suggests (Fortunato, Boguñá, Flammini and Menczer, "Approximating `PageRank` from in-degree", 2006), which saves
//! a quarter of the turns or more. What vertices that no edge leaves have is passed on to nobody, as in the GAP benchmark,
//! so that ranks may add up to less than 1. The same bits on the reference and the CPU device, unless it may contract.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::device::{Caps, Kind};
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::resident::{Names, Resident};

pub use verify::verify;

const WGSL: &str = include_str!("pagerank.wgsl");

/// Turns after which it should have converged long ago.
const TURNS_MAX: u32 = 1000;

const LANES: usize = 256;

/// Blocks: more save no turn, and who has finished one waits for the others.
const BLOCKS_MAX: usize = 8;

/// Vertices of a block that keep a device busy: threads need fewer than a GPU.
fn block_min(caps: &Caps) -> usize {
    match caps.kind {
        Kind::Cpu | Kind::Reference => 1 << 14,
        Kind::Gpu | Kind::Software => 1 << 17,
    }
}

/// What ranks depend on.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct How {
    /// How likely an edge is followed.
    pub damping: f32,
    /// How much ranks may still move in a turn, all together.
    pub tolerance: f32,
}

impl Default for How {
    /// What most programs have.
    fn default() -> Self {
        Self { damping: 0.85, tolerance: 1e-4 }
    }
}

/// Puts the rank of each vertex into `ranks`, and tells how many turns it took. If they still move after a thousand,
/// that is an error.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// use seawall_kit::{Kit, Resident, csr::{Csr, Kind}, pagerank};
///
/// let runtime = seawall::Runtime::new()?;
/// let csr = Csr::new(3, Kind::Directed, &[(0, 2), (1, 2), (2, 0)])?;
/// let (graph, ranks) = (Resident::new(&runtime, &csr)?, runtime.buffer(3)?);
/// pagerank::rank(&Kit::new(&runtime), &graph, pagerank::How::default(), &ranks)?;
/// assert!(pagerank::verify(&csr, pagerank::How::default(), &ranks.to_vec()?).is_ok());
/// # Ok(())
/// # }
/// ```
pub fn rank(kit: &Kit<'_>, graph: &Resident, how: How, ranks: &Buffer<f32>) -> Result<u64, Error> {
    expect("ranks", ranks.len(), graph.vertices())?;
    if ranks.is_empty() {
        return Ok(0);
    }
    let key = format!("pagerank {}", graph.key());
    let describe = |waves: &mut Graph| {
        let names = graph.describe(waves);
        waves.value::<How>("how").in_out::<f32>("ranks", graph.vertices());
        stage(kit, waves, "pagerank", &names, "how", "ranks")
    };
    let finished = kit.call(&key, describe, |call| graph.bind(call).bind("ranks", ranks).set("how", &how).run())?;
    Ok(finished.turns("pagerank.turns").unwrap_or(0))
}

/// Adds the waves that do the same; `how` is a value or data that holds a [`How`].
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    rows: &Names<'_>,
    how: &str,
    ranks: &str,
) -> Result<(), Error> {
    let (vertices, _) = rows.sizes(graph)?;
    expect(ranks, len_of::<f32>(graph, ranks)?, vertices)?;
    graph.chosen(name, "ranks are pulled from neighbours", "floats need no atomics, and are added in one order");
    let own = |what: &str| format!("{name}.{what}");
    let blocks = vertices.div_ceil(block_min(kit.runtime().caps())).clamp(1, BLOCKS_MAX);
    let groups = vertices.div_ceil(LANES).div_ceil(blocks);
    graph.transient::<f32>(&own("share"), vertices).transient::<f32>(&own("next"), groups * LANES);
    graph.transient::<f32>(&own("moved"), groups * blocks).transient::<u32>(&own("words"), 3);
    let stage = rows
        .bind(Stage::new(kit, graph, name, WGSL, &[format!("const GROUPS = {groups}u;")]))
        .bind("how", how)
        .bind("rank", ranks)
        .bind("share", &own("share"))
        .bind("next", &own("next"))
        .bind("moved", &own("moved"))
        .bind("words", &own("words"));
    let (parts, graph) = stage.parts(&["count", "begin", "pull", "settle", "next_block", "judge"])?;
    parts.wave(graph, "count").over("rank");
    parts.wave(graph, "begin").over("rank");
    graph
        .repeat(&own("turns"), |body| {
            body.repeat(&own("blocks"), |body| {
                parts.wave(body, "pull").workgroups(groups as u32);
                parts.wave(body, "settle").workgroups(groups as u32);
                parts.wave(body, "next_block").workgroups(1);
            })
            .times(blocks as u32);
            parts.wave(body, "judge").workgroups(1);
        })
        .while_nonzero((own("words").as_str(), 0))
        .limit(TURNS_MAX)
        .must_end();
    Ok(())
}
