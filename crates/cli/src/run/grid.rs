//! How many workgroups to run.

use seawall::Kernel;
use seawall::texture::Shape;

use super::inputs::Inputs;

use crate::args::Run;
use crate::error::Error;
use crate::say;
use crate::table::count;

/// What was asked for, or enough to cover the longest runtime-sized buffer that is written.
pub(super) fn decide(args: &Run, kernel: &Kernel, given: &Inputs) -> Result<[u32; 3], Error> {
    let size = kernel.workgroup_size;
    let groups: [u64; 3] = match (args.grid, args.threads) {
        (Some(grid), _) => grid.map(u64::from),
        (None, Some(threads)) => std::array::from_fn(|i| u64::from(threads[i].div_ceil(size[i]))),
        (None, None) if let Some((name, shape)) = drawn(kernel, given) => {
            let [x, y, z] = size;
            say::note(&format!("the grid covers `{name}` of {shape} with workgroups of {x} x {y} x {z}"));
            std::array::from_fn(|i| u64::from(shape.size()[i].div_ceil(size[i])))
        }
        (None, None) => {
            let (name, len) =
                longest(kernel, &given.memory).ok_or_else(|| Error::NoGrid { kernel: kernel.name.clone() })?;
            let groups = len.div_ceil(u64::from(size[0]));
            let (elements, workgroups) = (count(len, "element"), count(groups, "workgroup"));
            say::note(&format!("the grid covers `{name}` of {elements} with {workgroups} of {}", size[0]));
            [groups, 1, 1]
        }
    };
    let mut grid = [0; 3];
    for (dimension, grid) in grid.iter_mut().enumerate() {
        let (groups, size) = (groups[dimension], size[dimension]);
        let fits = groups.checked_mul(u64::from(size)).is_some_and(|invocations| invocations <= 1 << 32);
        *grid = u32::try_from(groups).ok().filter(|_| fits).ok_or(Error::GridTooLarge { dimension, groups, size })?;
    }
    Ok(grid)
}

/// The first image that is written.
fn drawn<'a>(kernel: &'a Kernel, given: &Inputs) -> Option<(&'a str, Shape)> {
    let mut rows = kernel.buffers.iter().zip(&given.shapes).filter(|(row, _)| row.effects.writes);
    rows.find_map(|(row, shape)| Some((row.name.as_str(), (*shape)?)))
}

/// The first of the longest, and its elements.
fn longest<'a>(kernel: &'a Kernel, memory: &[Vec<u8>]) -> Option<(&'a str, u64)> {
    let written = kernel
        .buffers
        .iter()
        .zip(memory)
        .filter(|(buffer, _)| buffer.ty.tail().is_some() && (buffer.effects.writes || buffer.effects.updates));
    written
        .map(|(buffer, bytes)| (buffer.name.as_str(), buffer.ty.tail_len(bytes.len() as u64)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}
