//! Top-k: the greatest (or least) keys, in order, and where they are.
//!
//! Radix select (Alabi, Blanchard, Gordon and Steinbach, "Fast k-selection algorithms for graphics processing units",
//! 2012) finds the k-th key digit by digit, reading all keys once for each. What lies beyond it, and as many of its
//! equals as are missing, are [compacted](crate::compact) by their places, and only those k are [sorted](crate::sort).
//! Of equal keys the first ones are taken, in their order.

mod verify;

use seawall::{Buffer, Graph};

use crate::compact::{self, How, Keep};
use crate::error::Error;
use crate::gather;
use crate::kit::{Kit, Stage, counted, expect, len_of};
use crate::number::Number;
use crate::sort::{self, Order};

pub use verify::verify;

const WGSL: &str = include_str!("top.wgsl");

const LANES: usize = 256;
const GROUPS_MAX: usize = 1024;
const EACH_MIN: usize = 16;

/// Puts the first keys of `x` in an order into `keys`, as many as it has room for, and the place in `x` of each into
/// `places`.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, sort::Order, top};
/// let runtime = seawall::Runtime::new()?;
/// let x = runtime.buffer_from(&[3.0f32, 1.0, 4.0, 1.0, 5.0, 4.0])?;
/// let (keys, places) = (runtime.buffer(3)?, runtime.buffer(3)?);
/// top::top(&Kit::new(&runtime), Order::Descending, &x, &keys, &places)?;
/// assert_eq!((keys.to_vec()?, places.to_vec()?), (vec![5.0, 4.0, 4.0], vec![4, 2, 5]));
/// # Ok(())
/// # }
/// ```
pub fn top<T: Number>(
    kit: &Kit<'_>,
    order: Order,
    x: &Buffer<T>,
    keys: &Buffer<T>,
    places: &Buffer<u32>,
) -> Result<(), Error> {
    expect("places", places.len(), keys.len())?;
    if keys.len() > x.len() {
        return Err(Error::Length { data: "x".to_owned(), got: x.len(), expected: keys.len() });
    }
    if keys.is_empty() {
        return Ok(());
    }
    if x.len() > kit.part(size_of::<T>()) {
        return by_parts(kit, order, x, keys, places);
    }
    let key = format!("top {order:?} {} {} {}", T::WGSL, x.len(), keys.len());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).in_out::<T>("keys", keys.len()).in_out::<u32>("places", places.len());
        stage::<T>(kit, graph, "top", order, "x", ("keys", "places"))
    };
    kit.call(&key, describe, |call| call.bind("x", x).bind("keys", keys).bind("places", places).run())?;
    Ok(())
}

/// The first of each part are all that can be among the first of all, in the order of parts; if they are too many for
/// one part themselves, all keys are sorted.
fn by_parts<T: Number>(
    kit: &Kit<'_>,
    order: Order,
    x: &Buffer<T>,
    keys: &Buffer<T>,
    places: &Buffer<u32>,
) -> Result<(), Error> {
    counted("x", x.len())?;
    let (runtime, wanted, parts) = (kit.runtime(), keys.len(), kit.parts::<T>(x.len()));
    let parts: Vec<_> = parts.collect();
    if wanted.saturating_mul(parts.len()) > kit.part(size_of::<T>()) {
        let all: Vec<u32> = (0..x.len() as u32).collect();
        let (sorted, moved) = (runtime.buffer(x.len())?, runtime.buffer(x.len())?);
        sort::pairs(kit, order, (x, &runtime.buffer_from(&all)?), (&sorted, &moved))?;
        keys.copy_from(&sorted.range(..wanted)?)?;
        return Ok(places.copy_from(&moved.range(..wanted)?)?);
    }
    let (mut first_keys, mut first_places) = (Vec::new(), Vec::new());
    for part in parts {
        let count = wanted.min(part.len());
        let (some, at) = (runtime.buffer(count)?, runtime.buffer(count)?);
        top(kit, order, &x.range(part.clone())?, &some, &at)?;
        first_keys.extend(some.to_vec()?);
        first_places.extend(at.to_vec()?.into_iter().map(|at: u32| at + part.start as u32));
    }
    let of = runtime.buffer::<u32>(wanted)?;
    top(kit, order, &runtime.buffer_from(&first_keys)?, keys, &of)?;
    gather::gather(kit, &runtime.buffer_from(&first_places)?, &of, places)
}

/// Adds the waves that do the same.
pub fn stage<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    order: Order,
    x: &str,
    (keys, places): (&str, &str),
) -> Result<(), Error> {
    let (len, wanted) = (len_of::<T>(graph, x)?, len_of::<T>(graph, keys)?);
    expect(places, len_of::<u32>(graph, places)?, wanted)?;
    if wanted > len {
        return Err(Error::Length { data: x.to_owned(), got: len, expected: wanted });
    }
    let max = u32::MAX as usize - GROUPS_MAX * LANES;
    if len > max {
        return Err(Error::TooLong { data: x.to_owned(), len, max });
    }
    let what = "digits of 8 bits, from the most significant on";
    graph.chosen(name, what, "all keys are read once for each, and 256 counters fit into workgroup memory");
    let bits = if size_of::<T>() == 8 { "u64" } else { "u32" };
    // The greatest numbers are looked for.
    let ordered = match order {
        Order::Descending => sort::bits::<T>(),
        Order::Ascending => format!("~({})", sort::bits::<T>()),
    };
    let lines = [
        format!("alias T = {};", T::WGSL),
        format!("alias Bits = {bits};"),
        format!("fn ordered(key: T) -> Bits {{ return {ordered}; }}"),
    ];
    let own = |what: &str| format!("{name}.{what}");
    // Two members, each as long as a key or padded to be.
    graph.transient::<u32>(&own("counts"), 256).transient::<u8>(&own("state"), 2 * size_of::<T>());
    graph.transient::<u8>(&own("edge"), size_of::<T>());
    for (total, list) in [("over", "over places"), ("at edge", "edge places")] {
        graph.transient::<u32>(&own(total), 1).transient::<u32>(&own(list), wanted);
    }
    graph.transient::<T>(&own("keys"), wanted).transient::<u32>(&own("places"), wanted);
    let mut stage = Stage::new(kit, graph, name, WGSL, &lines)
        .bind("keys", x)
        .bind("counts", &own("counts"))
        .bind("state", &own("state"))
        .bind("edge", &own("edge"))
        .bind("over", &own("over"))
        .bind("over_places", &own("over places"))
        .bind("edge_places", &own("edge places"))
        .bind("top_keys", &own("keys"))
        .bind("top_places", &own("places"));
    stage.wave_with("begin", |wave| {
        wave.value("wanted", &(wanted as u32)).workgroups(1);
    })?;
    for shift in (0..8 * size_of::<T>() as u32).step_by(8).rev() {
        stage.rename(own(&format!("from bit {shift}")));
        stage.wave_with("count", |wave| {
            wave.value("shift", &shift).workgroups(len.div_ceil(LANES * EACH_MIN).min(GROUPS_MAX));
        })?;
        stage.wave_with("choose", |wave| {
            wave.value("shift", &shift).workgroups(1);
        })?;
    }
    for (compare, total, list) in [(">", "over", "over places"), ("==", "at edge", "edge places")] {
        let keep = format!("({}) {compare} extra[0]", ordered.replace("key", "value"));
        let (keep, edge) = (Keep::Beside { data: &own("edge"), element: bits, expression: &keep }, own(total));
        compact::waves::<T, u32>(kit, stage.graph, &own(list), How::new(keep, "i"), x, &own(list), &edge)?;
    }
    stage.rename(name.to_owned());
    stage.wave("join", wanted.div_ceil(64))?;
    sort::stage_pairs::<T, u32>(kit, stage.graph, &own("sort"), order, (&own("keys"), &own("places")), (keys, places))
}
