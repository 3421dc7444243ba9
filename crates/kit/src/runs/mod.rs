//! Run lengths: of equal elements in a row, one, and how many they are.
//!
//! Two [`compact`]s find the first elements of runs and their places, and a run is as long as it is to the place of
//! the next. Floats are compared as in [`unique`](crate::unique).

mod verify;

use seawall::{Buffer, Graph};

use crate::compact::{self, How, Keep, Sign};
use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::Number;

pub use verify::verify;

const WGSL: &str = include_str!("runs.wgsl");

/// Puts the element of each run of `x` into `y` and its length into `lengths`, in order, and tells how many runs
/// there are.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, runs};
/// let runtime = seawall::Runtime::new()?;
/// let x = runtime.buffer_from(&[3u32, 3, 1, 1, 1, 3])?;
/// let (y, lengths) = (runtime.buffer(6)?, runtime.buffer(6)?);
/// assert_eq!(runs::runs(&Kit::new(&runtime), &x, &y, &lengths)?, 3);
/// assert_eq!((&y.to_vec()?[..3], &lengths.to_vec()?[..3]), (&[3, 1, 3][..], &[2, 3, 1][..]));
/// # Ok(())
/// # }
/// ```
pub fn runs<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, y: &Buffer<V>, lengths: &Buffer<u32>) -> Result<usize, Error> {
    expect("lengths", lengths.len(), y.len())?;
    if x.is_empty() {
        return Ok(0);
    }
    if x.len() > kit.part(size_of::<V>()) {
        return by_parts(kit, x, y, lengths);
    }
    let key = format!("runs {} {} {}", V::WGSL, x.len(), y.len());
    let describe = |graph: &mut Graph| {
        graph.input::<V>("x", x.len()).in_out::<V>("y", y.len());
        graph.in_out::<u32>("lengths", y.len()).output::<u32>("total", 1);
        stage::<V>(kit, graph, "runs", "x", "y", "lengths", "total")
    };
    let mut total = [0u32];
    kit.call(&key, describe, |call| {
        call.bind("x", x).bind("y", y).bind("lengths", lengths).bind("total", &mut total).run()
    })?;
    compact::fits(total[0] as usize, y.len())
}

/// A run may go from one part to the next, so it is measured when it is known where all begin.
fn by_parts<V: Number>(kit: &Kit<'_>, x: &Buffer<V>, y: &Buffer<V>, lengths: &Buffer<u32>) -> Result<usize, Error> {
    let count = compact::parts::<V, V>(kit, Keep::Heads, Sign::As, "x[at]", x, None, y, 0)?;
    compact::fits(count, y.len())?;
    let starts = kit.runtime().buffer::<u32>(count + 1)?;
    compact::parts::<V, u32>(kit, Keep::Heads, Sign::As, "i", x, None, &starts, 0)?;
    for part in kit.parts::<u32>(count) {
        let (left, most) = ([(count - part.start) as u32], part.len());
        let key = format!("measure {most}");
        let describe = |graph: &mut Graph| {
            graph.input::<u32>("starts", most + 1).input::<u32>("total", 1).in_out::<u32>("lengths", most);
            graph.value::<u32>("len");
            Stage::new(kit, graph, "measure", WGSL, &[])
                .bind("starts", "starts")
                .bind("total", "total")
                .bind("lengths", "lengths")
                .bind("len", "len")
                .wave_with("measure", |wave| {
                    wave.threads(most);
                })?;
            Ok(())
        };
        // An offset more than there are of them.
        let after = part.end + 1;
        let (starts, lengths) = (starts.range(part.start..after)?, lengths.range(part)?);
        kit.call(&key, describe, |call| {
            let call = call.bind("starts", &starts).bind("total", &left).bind("lengths", &lengths);
            call.set("len", &(x.len() as u32)).run()
        })?;
    }
    Ok(count)
}

/// Adds the waves that do the same, and put the number of runs into `total`.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    x: &str,
    y: &str,
    lengths: &str,
    total: &str,
) -> Result<(), Error> {
    let (len, most) = (len_of::<V>(graph, x)?, len_of::<V>(graph, y)?);
    expect(lengths, len_of::<u32>(graph, lengths)?, most)?;
    compact::stage::<V>(kit, graph, &format!("{name}.values"), Keep::Heads, x, y, total)?;
    let (starts, again) = (format!("{name}.starts"), format!("{name}.again"));
    // One more than there are lengths: a run ends where the next begins, even if that one does not fit.
    graph.transient::<u32>(&starts, most + 1).transient::<u32>(&again, 1);
    compact::waves::<V, u32>(kit, graph, &starts, How::new(Keep::Heads, "i"), x, &starts, &again)?;
    Stage::new(kit, graph, name, WGSL, &[])
        .bind("starts", &starts)
        .bind("total", total)
        .bind("lengths", lengths)
        .wave_with("measure", |wave| {
            wave.value("len", &(len as u32)).threads(most);
        })?;
    Ok(())
}
