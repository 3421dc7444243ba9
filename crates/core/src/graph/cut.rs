//! Waves with grid barriers, as waves of their segments.
//!
//! A wave becomes one for each segment, in the loops and branches that [`split`](crate::split) found,
//! one after the other; what they keep is data of the graph like any other, so that a plan has it in
//! its budget.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::resolve::resolve;
use super::{Bind, Block, Control, Error, Graph, Key, Launch, Resolved, Role, Wave, Word};
use crate::program::Kernel;
use crate::split::{Split, Step, While, split};

/// Bytes of memory that a grid of no workgroups keeps: something has to be bound.
const KEPT_BYTES_MIN: u64 = 4;

/// What a graph means on a device that has no grid barriers of its own: what it means to
/// [`resolve`], with its kernels cut. Data keeps its number, and a wave's name is part of the names of
/// its segments.
pub fn resolve_cut(graph: &Graph, budget_bytes: Option<u64>) -> Result<Resolved, Error> {
    let resolved = resolve(graph)?;
    if graph.waves.iter().all(|wave| wave.kernel.needs.grid_barrier.is_none()) {
        return Ok(resolved);
    }
    resolve(&cut(graph, &resolved, budget_bytes)?)
}

/// The segments of a wave's kernel; those of one kernel are found once.
fn segments(wave: &Wave, known: &mut Vec<(Arc<Kernel>, Arc<Split>)>) -> Result<Arc<Split>, Error> {
    if let Some((_, split)) = known.iter().find(|(kernel, _)| Arc::ptr_eq(kernel, &wave.kernel)) {
        return Ok(split.clone());
    }
    let refused = |report| Error::Split { wave: wave.name.to_string(), report: Box::new(report) };
    let split = Arc::new(split(&wave.kernel).map_err(refused)?);
    known.push((wave.kernel.clone(), split.clone()));
    Ok(split)
}

fn cut(graph: &Graph, resolved: &Resolved, budget_bytes: Option<u64>) -> Result<Graph, Error> {
    let mut known = Vec::new();
    let (data, queues, choices) = (graph.data.clone(), graph.queues.clone(), graph.choices.clone());
    let mut out = Graph { data, queues, choices, ..Graph::default() };
    let (mut starts, mut names) = (Vec::with_capacity(graph.waves.len() + 1), HashMap::new());
    let mut blocks = Vec::new();
    for (wave, node) in graph.waves.iter().zip(&resolved.waves) {
        starts.push(out.waves.len());
        if wave.kernel.needs.grid_barrier.is_none() {
            out.waves.push(wave.clone());
            continue;
        }
        let (Launch::Workgroups(grid) | Launch::Indirect { limit: grid, .. }) = node.launch;
        let split = segments(wave, &mut known)?;
        fits(wave, &split, grid, budget_bytes)?;
        let first = out.waves.len();
        Cut { wave, split: &split, grid, out: &mut out, blocks: &mut blocks }.write();
        let segments: Vec<String> = out.waves[first..].iter().map(|wave| wave.name.to_string()).collect();
        names.insert(wave.name.to_string(), segments);
    }
    starts.push(out.waves.len());
    for wave in &mut out.waves {
        let after = std::mem::take(&mut wave.after);
        let all = |name: String| names.get(&name).cloned().unwrap_or_else(|| vec![name]);
        wave.after = after.into_iter().flat_map(all).collect();
    }
    let moved = |block: &Block| {
        let waves = starts[block.waves.start]..starts[block.waves.end];
        Block { waves, ..block.clone() }
    };
    out.blocks = graph.blocks.iter().map(moved).chain(blocks).collect();
    // Those that are around others before them; of two around the same waves, the caller's, or the first.
    out.blocks.sort_by_key(|block| (block.waves.start, std::cmp::Reverse(block.waves.end)));
    Ok(out)
}

fn fits(wave: &Wave, split: &Split, grid: [u32; 3], budget_bytes: Option<u64>) -> Result<(), Error> {
    let bytes = split
        .spill_bytes(grid)
        .zip(split.kept_bytes(grid))
        .and_then(|(spill, kept)| spill.checked_add(kept.checked_mul(2)?));
    let limit = budget_bytes.unwrap_or(u64::MAX);
    if bytes.is_some_and(|bytes| bytes <= limit) {
        return Ok(());
    }
    let name = |kept: &crate::split::Kept| {
        format!("`{}` ({} bytes {})", kept.name.as_deref().unwrap_or("a value"), kept.bytes, kept.scope)
    };
    let values = split.kept.iter().map(name).collect();
    Err(Error::Spill { wave: wave.name.to_string(), bytes: bytes.unwrap_or(u64::MAX), limit_bytes: limit, values })
}

/// A wave while it is taken apart.
struct Cut<'a> {
    wave: &'a Wave,
    split: &'a Split,
    grid: [u32; 3],
    out: &'a mut Graph,
    blocks: &'a mut Vec<Block>,
}

impl Cut<'_> {
    fn write(self) {
        let Self { wave, split, grid, out, blocks } = self;
        let name = |what: &str| format!("{}.{what}", wave.name);
        let bytes = |bytes: Option<u64>| bytes.unwrap_or(u64::MAX).max(KEPT_BYTES_MIN);
        let mut data = |what: &str, row: Option<u32>, size: u64| {
            if row.is_some() {
                out.data(Role::Transient, &name(what), size);
            }
        };
        data("spill", split.rows.spill, bytes(split.spill_bytes(grid)));
        let kept = bytes(split.kept_bytes(grid));
        data("kept", split.rows.kept_in, kept);
        data("kept next", split.rows.kept_out, kept);
        let word = |word: u32, zero: bool| Word { data: Key::Name(name("spill")), offset: 4 * u64::from(word), zero };
        let mut open = Vec::new();
        let mut last: Option<Arc<str>> = None;
        let count = split.segments.len();
        for step in &split.steps {
            let here = out.waves.len();
            let control = match *step {
                Step::Run { segment, swapped } => {
                    let called: Arc<str> = format!("{} (segment {} of {count})", wave.name, segment + 1).into();
                    let after =
                        last.replace(called.clone()).map_or_else(|| wave.after.clone(), |one| vec![one.to_string()]);
                    let mut binds = wave.binds.clone();
                    let sides = if swapped { ["kept next", "kept"] } else { ["kept", "kept next"] };
                    let rows = [split.rows.spill, split.rows.kept_in, split.rows.kept_out];
                    for (row, what) in rows.into_iter().zip(["spill", sides[0], sides[1]]) {
                        let bind = Bind::Data { data: Key::Name(name(what)), range: None };
                        binds.extend(row.map(|row| (Key::At(row), bind)));
                    }
                    let kernel = split.segments[segment as usize].kernel.clone();
                    out.waves.push(Wave { name: called, kernel, binds, grid: wave.grid.clone(), after });
                    continue;
                }
                Step::Loop { how, swaps } => {
                    let pair = (Key::Name(name("kept")), Key::Name(name("kept next")));
                    let swaps = if swaps { vec![pair] } else { Vec::new() };
                    let (word, limit) = match how {
                        While::Word(at) => (Some(word(at, false)), None),
                        While::Turns(turns) => (None, Some(turns)),
                    };
                    Control::Repeat { word, limit, must_end: false, swaps }
                }
                Step::When { word: at, zero } => Control::When { word: Some(word(at, zero)) },
                Step::End => {
                    let begun: usize =
                        open.pop().unwrap_or_else(|| unreachable!("invariant nested: each end has its beginning"));
                    let waves: &mut Range<usize> = &mut blocks[begun].waves;
                    *waves = waves.start..here;
                    continue;
                }
            };
            open.push(blocks.len());
            let what = if matches!(control, Control::When { .. }) { "branch" } else { "loop" };
            let called = name(&format!("{what} {}", blocks.len() + 1));
            blocks.push(Block { name: called, waves: here..here, control });
        }
    }
}
