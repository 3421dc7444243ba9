//! Gather and scatter: elements from places, and to places, that indices say.
//!
//! An index that leads nowhere moves nothing, and is counted: calls end in an error that tells how many there are,
//! stages put the number into data of one `u32`.

mod verify;

use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, counted, expect, len_of};
use crate::number::Number;

pub use verify::{verify_gather, verify_scatter};

const WGSL: &str = include_str!("gather.wgsl");

const LANES: usize = 256;

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Place `i` of the result is the element at `indices[i]`.
    Gather,
    /// Place `indices[i]` of the result is the element at `i`. If two indices are the same, one of the two wins;
    /// which one is up to the device.
    Scatter,
}

/// Puts `x[indices[i]]` into each place `i` of `y`.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, gather};
/// let runtime = seawall::Runtime::new()?;
/// let (x, indices) = (runtime.buffer_from(&[3.0f32, 1.0, 4.0])?, runtime.buffer_from(&[2u32, 2, 0, 1])?);
/// let (y, kit) = (runtime.buffer(4)?, Kit::new(&runtime));
/// gather::gather(&kit, &x, &indices, &y)?;
/// assert_eq!(y.to_vec()?, [4.0, 4.0, 3.0, 1.0]);
/// indices.write(0, &[7, 3])?;
/// let refused = gather::gather(&kit, &x, &indices, &y).unwrap_err();
/// assert_eq!(refused.to_string(), "2 of the indices in `indices` are not below 3");
/// # Ok(())
/// # }
/// ```
pub fn gather<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, indices: &Buffer<u32>, y: &Buffer<V>) -> Result<(), Error> {
    expect("y", y.len(), indices.len())?;
    call(kit, Way::Gather, x, indices, y)
}

/// Puts each element `x[i]` into place `indices[i]` of `y`; other places stay as they are.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, gather};
/// let runtime = seawall::Runtime::new()?;
/// let (x, indices) = (runtime.buffer_from(&[3u32, 1])?, runtime.buffer_from(&[2u32, 0])?);
/// let y = runtime.buffer_from(&[7u32, 7, 7])?;
/// gather::scatter(&Kit::new(&runtime), &x, &indices, &y)?;
/// assert_eq!(y.to_vec()?, [1, 7, 3]);
/// # Ok(())
/// # }
/// ```
pub fn scatter<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, indices: &Buffer<u32>, y: &Buffer<V>) -> Result<(), Error> {
    expect("x", x.len(), indices.len())?;
    call(kit, Way::Scatter, x, indices, y)
}

fn call<V: Number>(kit: &Kit<'_>, way: Way, x: &Buffer<V>, indices: &Buffer<u32>, y: &Buffer<V>) -> Result<(), Error> {
    let target = match way {
        Way::Gather => x.len(),
        Way::Scatter => y.len(),
    };
    let outside = |count| Err(Error::Outside { data: "indices".to_owned(), count, len: target });
    if indices.is_empty() {
        return Ok(());
    }
    if target == 0 {
        return outside(indices.len());
    }
    counted("indices", target)?;
    let mut count = 0;
    for moved in kit.parts::<V>(indices.len()) {
        let indices = indices.range(moved.clone())?;
        for part in kit.parts::<V>(target) {
            let window = (part.len() < target).then_some([part.start as u32, target as u32]);
            let (x, y) = match way {
                Way::Gather => (x.range(part)?, y.range(moved.clone())?),
                Way::Scatter => (x.range(moved.clone())?, y.range(part)?),
            };
            count += one(kit, way, window, &x, &indices, &y)?;
        }
    }
    if count > 0 { outside(count) } else { Ok(()) }
}

/// Of a part of what indices lead to, if there is a window: where it begins, and how many there are in all. Tells how many
/// indices lead nowhere, for the first part.
fn one<V: Number>(
    kit: &Kit<'_>,
    way: Way,
    window: Option<[u32; 2]>,
    x: &Buffer<V>,
    indices: &Buffer<u32>,
    y: &Buffer<V>,
) -> Result<usize, Error> {
    let key = format!("{way:?} {} {} {} {} {}", V::WGSL, x.len(), indices.len(), y.len(), window.is_some());
    let describe = |graph: &mut Graph| {
        graph.input::<V>("x", x.len()).input::<u32>("indices", indices.len()).in_out::<V>("y", y.len());
        graph.output::<u32>("outside", 1);
        if window.is_some() {
            graph.value::<[u32; 2]>("window");
        }
        add::<V>(kit, graph, "gather", way, window.map(|_| "window"), ("x", "indices"), "y", "outside")
    };
    let mut count = [0u32];
    kit.call(&key, describe, |call| {
        let call = call.bind("x", x).bind("indices", indices).bind("y", y).bind("outside", &mut count);
        match &window {
            Some(window) => call.set("window", window).run(),
            None => call.run(),
        }
    })?;
    Ok(count[0] as usize)
}

/// Adds the wave that gathers or scatters the elements of `x` by `indices` into `y`, and adds to `outside`, a `u32`,
/// how many indices lead nowhere.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    way: Way,
    (x, indices): (&str, &str),
    y: &str,
    outside: &str,
) -> Result<(), Error> {
    add::<V>(kit, graph, name, way, None, (x, indices), y, outside)
}

#[expect(clippy::too_many_arguments, reason = "a stage's, and which part")]
fn add<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    way: Way,
    window: Option<&str>,
    (x, indices): (&str, &str),
    y: &str,
    outside: &str,
) -> Result<(), Error> {
    let len = len_of::<u32>(graph, indices)?;
    let (moved, entry) = match way {
        Way::Gather => (y, "gather"),
        Way::Scatter => (x, "scatter"),
    };
    len_of::<V>(graph, x)?;
    len_of::<V>(graph, y)?;
    expect(moved, len_of::<V>(graph, moved)?, len)?;
    expect(outside, len_of::<u32>(graph, outside)?, 1)?;
    let max = u32::MAX as usize - LANES;
    if len > max {
        return Err(Error::TooLong { data: indices.to_owned(), len, max });
    }
    let mut lines = vec![format!("alias V = {};", V::WGSL)];
    if window.is_some() {
        lines.push("fn first() -> u32 { return window.x; }".to_owned());
        lines.push("fn all(here: u32) -> u32 { return window.y; }".to_owned());
    }
    Stage::new(kit, graph, name, WGSL, &lines)
        .bind("window", window.unwrap_or_default())
        .bind("x", x)
        .bind("indices", indices)
        .bind("y", y)
        .bind("outside", outside)
        .wave(entry, len.div_ceil(LANES))?;
    Ok(())
}
