//! From names to ids, ranges, grids and edges.

use super::names::Names;
use super::resolved::Resolved;
use super::{CAPACITY_MAX, DataId, Error, Graph, WaveId, block, edges};

/// Finds out what a graph means, or what is wrong with it.
pub fn resolve(graph: &Graph) -> Result<Resolved, Error> {
    for (what, count) in [("data", graph.data.len()), ("waves", graph.waves.len())] {
        if u32::try_from(count).is_err() {
            return Err(Error::TooMany { what, count });
        }
    }
    let count = graph.waves.iter().map(|wave| wave.kernel.buffers.len()).sum();
    if u32::try_from(count).is_err() {
        return Err(Error::TooMany { what: "bindings", count });
    }
    for queue in &graph.queues {
        let why = match queue.plan(u64::MAX) {
            Err(error) => error.to_string(),
            Ok(_) if queue.capacity > CAPACITY_MAX => format!("it holds {CAPACITY_MAX} items at the most"),
            Ok(_) if !queue.entry_bytes.is_multiple_of(4) => "entries are whole words of 4 bytes".to_owned(),
            Ok(_) => continue,
        };
        return Err(Error::Queue { queue: queue.name.clone(), why });
    }
    let mut names = Names::new(graph)?;
    let (mut waves, mut args) = (Vec::with_capacity(graph.waves.len()), Vec::with_capacity(count));
    for wave in &graph.waves {
        waves.push(names.node(wave, &mut args)?);
    }
    let after = graph.waves.iter().map(|wave| names.after(wave)).collect::<Result<Vec<_>, _>>()?;
    let named = |cycle: Vec<WaveId>| {
        let name = |wave: WaveId| graph.waves[wave.0 as usize].name.to_string();
        Error::Cycle { waves: cycle.into_iter().map(name).collect() }
    };
    let (blocks, within) = block::blocks(graph, &names)?;
    let order = block::ordered(&after, &blocks, &within).map_err(named)?;
    let counted = graph.data.iter().map(|data| names.counted(data)).collect::<Result<Vec<_>, _>>()?;
    let fetched: Vec<DataId> =
        (0..counted.len() as u32).map(DataId).filter(|data| counted[data.0 as usize].is_some()).collect();
    let data = graph.data.clone();
    let (edges, queues, choices) = (Vec::new(), graph.queues.clone(), graph.choices.clone());
    let mut resolved =
        Resolved { data, counted, waves, args, blocks, within, after, order, fetched, edges, queues, choices };
    edges::written(&resolved)?;
    resolved.edges = edges::edges(&resolved);
    Ok(resolved)
}
