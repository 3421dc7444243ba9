//! Sort: keys in order, alone or with a value each; stable.
//!
//! Radix sort from the least significant digit on: each pass counts digits by stretches of keys, scans the counts
//! and moves the keys (Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore GPUs",
//! 2009). Keys of a type are read as numbers of the same order: floats as IEEE 754's total order has them, minus zero
//! before zero, and NaNs at the ends by their signs.

mod verify;

use std::fmt;

use seawall::device::{Caps, Kind};
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::number::{Number, Op};
use crate::scan;

pub use verify::{verify, verify_pairs};

const WGSL: &str = include_str!("sort.wgsl");

/// Which keys come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The least.
    Ascending,
    /// The greatest. Equal keys keep their order all the same.
    Descending,
}

/// How keys are dealt out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    /// Invocations of a workgroup.
    pub lanes: u32,
    /// Keys of an invocation.
    pub each: u32,
    /// Of a digit.
    pub bits: u32,
    /// Why.
    pub because: &'static str,
}

impl Tuning {
    /// For a device, and so many keys.
    pub fn new(caps: &Caps, len: usize) -> Self {
        match caps.kind {
            Kind::Cpu => Self {
                lanes: 1,
                each: (len / 64).next_multiple_of(64).clamp(1 << 16, 1 << 24) as u32,
                bits: 11,
                because: "a thread moves keys one by one, to as many places as its caches hold lines for",
            },
            Kind::Reference => Self { lanes: 1, each: 1 << 12, bits: 8, because: "it works one by one in any case" },
            Kind::Gpu | Kind::Software => Self {
                lanes: 64,
                each: 32,
                bits: 4,
                because: "counts of all invocations lie in workgroup memory, so digits are short",
            },
        }
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lanes, each, bits, because } = self;
        write!(f, "digits of {bits} bits, {lanes} invocations with {each} keys each: {because}")
    }
}

/// Puts the keys of `x` into `y`, in order.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, sort};
/// let runtime = seawall::Runtime::new()?;
/// let (x, y) = (runtime.buffer_from(&[3.0f32, -1.0, 4.0, -1.5])?, runtime.buffer(4)?);
/// sort::keys(&Kit::new(&runtime), sort::Order::Ascending, &x, &y)?;
/// assert_eq!(y.to_vec()?, [-1.5, -1.0, 3.0, 4.0]);
/// # Ok(())
/// # }
/// ```
pub fn keys<T: Number>(kit: &Kit<'_>, order: Order, x: &Buffer<T>, y: &Buffer<T>) -> Result<(), Error> {
    expect("y", y.len(), x.len())?;
    if x.is_empty() {
        return Ok(());
    }
    let key = format!("sort {order:?} {} {}", T::WGSL, x.len());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).in_out::<T>("y", y.len());
        stage::<T>(kit, graph, "sort", order, "x", "y")
    };
    kit.call(&key, describe, |call| call.bind("x", x).bind("y", y).run())?;
    Ok(())
}

/// Puts the keys of `x` into `y`, in order, and the value of each, from `values`, into the same place of
/// `sorted_values`. Values of equal keys keep their order.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, sort};
/// let runtime = seawall::Runtime::new()?;
/// let (x, values) = (runtime.buffer_from(&[3u32, 1, 3, 1])?, runtime.buffer_from(&[0u32, 1, 2, 3])?);
/// let (y, places) = (runtime.buffer(4)?, runtime.buffer(4)?);
/// sort::pairs(&Kit::new(&runtime), sort::Order::Descending, (&x, &values), (&y, &places))?;
/// assert_eq!((y.to_vec()?, places.to_vec()?), (vec![3, 3, 1, 1], vec![0, 2, 1, 3]));
/// # Ok(())
/// # }
/// ```
pub fn pairs<T: Number, V: Number>(
    kit: &Kit<'_>,
    order: Order,
    (x, values): (&Buffer<T>, &Buffer<V>),
    (y, sorted_values): (&Buffer<T>, &Buffer<V>),
) -> Result<(), Error> {
    expect("values", values.len(), x.len())?;
    expect("y", y.len(), x.len())?;
    expect("sorted_values", sorted_values.len(), x.len())?;
    if x.is_empty() {
        return Ok(());
    }
    let key = format!("sort pairs {order:?} {} {} {}", T::WGSL, V::WGSL, x.len());
    let describe = |graph: &mut Graph| {
        graph.input::<T>("x", x.len()).in_out::<T>("y", x.len());
        graph.input::<V>("values", x.len()).in_out::<V>("sorted_values", x.len());
        stage_pairs::<T, V>(kit, graph, "sort", order, ("x", "values"), ("y", "sorted_values"))
    };
    kit.call(&key, describe, |call| {
        call.bind("x", x).bind("values", values).bind("y", y).bind("sorted_values", sorted_values).run()
    })?;
    Ok(())
}

/// Adds the waves that sort the keys of `x` into `y`.
pub fn stage<T: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    order: Order,
    x: &str,
    y: &str,
) -> Result<(), Error> {
    passes::<T, u32>(kit, graph, name, order, (x, None), (y, None))
}

/// Adds the waves that sort keys, each with a value.
pub fn stage_pairs<T: Number, V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    order: Order,
    (x, values): (&str, &str),
    (y, sorted_values): (&str, &str),
) -> Result<(), Error> {
    passes::<T, V>(kit, graph, name, order, (x, Some(values)), (y, Some(sorted_values)))
}

fn passes<T: Number, V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    order: Order,
    (x, values): (&str, Option<&str>),
    (y, sorted_values): (&str, Option<&str>),
) -> Result<(), Error> {
    let (len, tuning) = (len_of::<T>(graph, x)?, Tuning::new(kit.runtime().caps(), len_of::<T>(graph, x)?));
    expect(y, len_of::<T>(graph, y)?, len)?;
    for values in [values, sorted_values].into_iter().flatten() {
        expect(values, len_of::<V>(graph, values)?, len)?;
    }
    let Tuning { lanes, each, bits, .. } = tuning;
    let (tile, max) = ((lanes * each) as usize, (u32::MAX - lanes * each) as usize);
    if len > max {
        return Err(Error::TooLong { data: x.to_owned(), len, max });
    }
    let (tiles, digits) = (len.div_ceil(tile), 1usize << bits);
    let lines = [
        format!("alias T = {};", T::WGSL),
        format!("alias V = {};", V::WGSL),
        format!("const LANES = {lanes}u;"),
        format!("const EACH = {each}u;"),
        format!("const BITS = {bits}u;"),
        format!("fn ordered(key: T, shift: u32) -> u32 {{ {} }}", ordered::<T>(order)),
    ];
    let other = |what: &str| format!("{name}.{what}");
    graph.transient::<T>(&other("keys"), len);
    graph.transient::<u32>(&other("counts"), digits * tiles).transient::<u32>(&other("before"), digits * tiles);
    if values.is_some() {
        graph.transient::<V>(&other("values"), len);
    }
    let passes = (8 * size_of::<T>() as u32).div_ceil(bits) as usize;
    // To and fro, so that the last pass ends where it should.
    let ways = [(y.to_owned(), sorted_values.map(str::to_owned)), (other("keys"), values.map(|_| other("values")))];
    let mut from = (x.to_owned(), values.map(str::to_owned));
    for (pass, shift) in (0..passes).map(|pass| (pass, pass as u32 * bits)) {
        let to = &ways[(passes - 1 - pass) % 2];
        let name = other(&format!("pass {pass}"));
        let mut stage = Stage::new(kit, graph, &name, WGSL, &lines)
            .bind("keys", &from.0)
            .bind("counts", &other("counts"))
            .bind("before", &other("before"))
            .bind("sorted_keys", &to.0);
        stage.wave_with("count", |wave| {
            wave.value("shift", &shift).workgroups(tiles);
        })?;
        let (counts, before) = (other("counts"), other("before"));
        let kind = scan::Kind::Exclusive;
        scan::stage::<u32>(kit, stage.graph, &format!("{name}.scan"), kind, Op::Sum, &counts, &before)?;
        let entry = match (&from.1, &to.1) {
            (Some(from), Some(to)) => {
                stage.rebind("values", from).rebind("sorted_values", to);
                "scatter_pairs"
            }
            _ => "scatter",
        };
        stage.wave_with(entry, |wave| {
            wave.value("shift", &shift).workgroups(tiles);
        })?;
        from = to.clone();
    }
    Ok(())
}

/// Statements that return a number which is ordered as keys are, from a bit on.
fn ordered<T: Number>(order: Order) -> String {
    let not = match order {
        Order::Ascending => "",
        Order::Descending => "~",
    };
    format!("return {not}u32(({}) >> shift);", bits::<T>())
}

/// An unsigned number as long as `key` and of the same order, as WGSL.
pub(crate) fn bits<T: Number>() -> String {
    let bits = match T::WGSL {
        "i32" => "bitcast<u32>(key) ^ 0x80000000u",
        // The bits of negative ones are turned around.
        "f32" => "bitcast<u32>(key) ^ select(0x80000000u, 0xffffffffu, bitcast<u32>(key) >= 0x80000000u)",
        "i64" => "bitcast<u64>(key) ^ 0x8000000000000000lu",
        _ => "key",
    };
    bits.to_owned()
}
