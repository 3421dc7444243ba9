//! Connected components: the lowest vertex that each hangs together with, whichever way edges lead.
//!
//! Afforest (Sutton, Ben-Nun and Barak, "Optimizing parallel graph connectivity computation via subgraph sampling",
//! 2018): a few neighbours of each vertex are enough to join most of them; who is in the largest component by then need
//! not look at the others.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::resident::{Names, Resident};

pub use verify::verify;

const WGSL: &str = include_str!("components.wgsl");

/// Puts into `component` the lowest vertex of each vertex's component.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// use seawall_kit::{Kit, Resident, components, csr::{Csr, Kind}};
///
/// let runtime = seawall::Runtime::new()?;
/// let csr = Csr::new(5, Kind::Undirected, &[(4, 1), (2, 3)])?;
/// let (graph, component) = (Resident::new(&runtime, &csr)?, runtime.buffer(5)?);
/// components::find(&Kit::new(&runtime), &graph, &component)?;
/// assert_eq!(component.to_vec()?, [0, 1, 2, 2, 1]);
/// # Ok(())
/// # }
/// ```
pub fn find(kit: &Kit<'_>, graph: &Resident, component: &Buffer<u32>) -> Result<(), Error> {
    expect("component", component.len(), graph.vertices())?;
    if component.is_empty() {
        return Ok(());
    }
    let key = format!("components {}", graph.key());
    let describe = |waves: &mut Graph| {
        let names = graph.describe(waves);
        waves.in_out::<u32>("component", graph.vertices());
        stage(kit, waves, "components", &names, "component")
    };
    kit.call(&key, describe, |call| graph.bind(call).bind("component", component).run())?;
    Ok(())
}

/// Adds the waves that do the same.
pub fn stage(kit: &Kit<'_>, graph: &mut Graph, name: &str, rows: &Names<'_>, component: &str) -> Result<(), Error> {
    let (vertices, _) = rows.sizes(graph)?;
    expect(component, len_of::<u32>(graph, component)?, vertices)?;
    let own = |what: &str| format!("{name}.{what}");
    graph.transient::<u32>(&own("above"), vertices).transient::<u32>(&own("words"), 2);
    let because = "after them most vertices hang together, and who is in the largest component need not look further";
    graph.chosen(name, "the first neighbours of each vertex before the others", because);
    let lines = [format!("const DIRECTED = {};", rows.back.is_some())];
    let stage = rows
        .bind(Stage::new(kit, graph, name, WGSL, &lines))
        .bind("above", &own("above"))
        .bind("words", &own("words"))
        .bind("component", component);
    let (parts, graph) = stage.parts(&["begin", "flatten", "second", "all", "sample", "rest", "settle"])?;
    parts.wave(graph, "begin").over("above");
    graph
        .repeat(&own("rounds"), |body| {
            parts.wave(body, "flatten").over("above");
            parts.wave(body, "second").over("above");
            parts.wave(body, "all").workgroups(1);
        })
        .times(2);
    parts.wave(graph, "sample").workgroups(1);
    parts.wave(graph, "rest").over("above");
    parts.wave(graph, "settle").over("component");
    Ok(())
}
