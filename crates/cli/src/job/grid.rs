//! How much a wave runs.

use seawall_core::graph::Grid;
use toml::Spanned;

use super::fault::Fault;
use super::schema::{Dims, Indirect, Wave};
use crate::error::Error;

/// Workgroups in a dimension that every device takes.
const INDIRECT_MAX: [u32; 3] = [65_535; 3];

/// A grid, or the items of a queue.
pub(super) enum Size<'a> {
    Grid(Grid),
    /// Of a queue's window.
    Items(&'a Spanned<String>),
}

/// How many workgroups.
pub(super) fn grid<'a>(wave: &'a Wave, fault: &Fault) -> Result<Size<'a>, Error> {
    let grids = [
        wave.workgroups.as_ref().map(|dims| (Grid::Workgroups(dims.get_ref().all()), dims.span())),
        wave.threads.as_ref().map(|dims| (Grid::Threads(dims.get_ref().all()), dims.span())),
        wave.over.as_ref().map(|name| (Grid::Over(name.get_ref().into()), name.span())),
        wave.indirect.as_ref().map(|indirect| (indirect_grid(indirect.get_ref()), indirect.span())),
    ];
    let grids = grids.into_iter().map(|said| said.map(|(grid, span)| (Size::Grid(grid), span)));
    let said = grids.chain([wave.items.as_ref().map(|queue| (Size::Items(queue), queue.span()))]);
    let mut said = said.flatten();
    let name = wave.name.get_ref();
    let Some((grid, _)) = said.next() else {
        let help = "say how much to run with threads, workgroups, over, indirect or items".to_owned();
        return Err(fault.wave(format!("wave `{name}` has no grid"), wave.name.span(), "this wave", Some(help)));
    };
    match said.next() {
        None => Ok(grid),
        Some((_, span)) => {
            let help = "threads, workgroups, over, indirect and items exclude each other".to_owned();
            Err(fault.wave(format!("wave `{name}` has two grids"), span, "one of them", Some(help)))
        }
    }
}

fn indirect_grid(indirect: &Indirect) -> Grid {
    let (data, offset, limit) = match indirect {
        Indirect::Start(buffer) => (buffer, 0, None),
        Indirect::At(at) => (&at.buffer, at.offset, at.limit),
    };
    Grid::Indirect { data: data.into(), offset, limit: limit.map_or(INDIRECT_MAX, Dims::all) }
}
