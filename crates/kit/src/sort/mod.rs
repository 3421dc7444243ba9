//! Sort: keys in order, alone or with a value each; stable.
//!
//! Radix sort from the least significant digit on: each pass counts digits by stretches of keys, scans the counts
//! and moves the keys (Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore GPUs",
//! 2009). Keys of a type are read as numbers of the same order: floats as IEEE 754's total order has them, minus zero
//! before zero, and NaNs at the ends by their signs.
//!
//! Where an invocation is a thread, many keys go by their most significant digit first, into buckets that fit into a
//! cache, each of which one invocation sorts in the same way (Satish et al., "Fast sort on CPUs and GPUs", 2010). If a
//! sample says that few buckets would have most of them, the device goes by the least significant digit all the same.

mod parts;
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

/// Keys that are worth being sorted into buckets first, and how many bits number those of a bucket: as many fit into a
/// cache with room for as many others.
const FIRST_MIN: usize = 1 << 18;
const BUCKET_BITS: u32 = 16;

/// Lines that move values beside their keys.
const CARRY: [&str; 3] = [
    "fn carry(at: u32, i: u32) { sorted_values[at] = values[i]; }",
    "fn carry_there(at: u32, i: u32) { sorted_values[at] = spare_values[i]; }",
    "fn carry_back(at: u32, i: u32) { spare_values[at] = sorted_values[i]; }",
];

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
    /// Of the most significant digit, where keys go by that one first.
    pub first_bits: Option<u32>,
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
                first_bits: (len >= FIRST_MIN).then(|| (len >> BUCKET_BITS).ilog2().clamp(6, 11)),
                because: "a thread moves keys one by one, to as many places as its caches hold lines for",
            },
            Kind::Reference => {
                Self { lanes: 1, each: 1 << 12, bits: 8, first_bits: None, because: "it works one by one in any case" }
            }
            Kind::Gpu | Kind::Software => Self {
                lanes: 64,
                each: 32,
                bits: 4,
                first_bits: None,
                because: "counts of all invocations lie in workgroup memory, so digits are short",
            },
        }
    }
}

impl Tuning {
    fn what(&self) -> String {
        let Self { lanes, each, bits, first_bits, .. } = self;
        let first = first_bits
            .map_or_else(String::new, |bits| format!("first by the {bits} most significant bits into buckets, or "));
        format!("{first}digits of {bits} bits, {lanes} invocations with {each} keys each")
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.because)
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
    if x.len() > kit.part(size_of::<T>()) {
        return parts::keys(kit, order, x, y);
    }
    match size_of::<T>() {
        8 => words::<T, u64, u32>(kit, order, (x, None), (y, None)),
        _ => words::<T, u32, u32>(kit, order, (x, None), (y, None)),
    }
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
    if x.len() > kit.part(size_of::<T>().max(size_of::<V>())) {
        return parts::pairs(kit, order, (x, values), (y, sorted_values));
    }
    match size_of::<T>() {
        8 => words::<T, u64, V>(kit, order, (x, Some(values)), (y, Some(sorted_values))),
        _ => words::<T, u32, V>(kit, order, (x, Some(values)), (y, Some(sorted_values))),
    }
}

/// Sorts keys as words of their length, which processors move faster than floats.
fn words<T: Number, W: Number, V: Number>(
    kit: &Kit<'_>,
    order: Order,
    (x, values): (&Buffer<T>, Option<&Buffer<V>>),
    (y, sorted_values): (&Buffer<T>, Option<&Buffer<V>>),
) -> Result<(), Error> {
    let (x, y, len) = (x.view::<W>()?, y.view::<W>()?, x.len());
    let key = format!("sort {order:?} {} {:?} {len}", T::WGSL, values.map(|_| V::WGSL));
    let describe = |graph: &mut Graph| {
        graph.input::<W>("x", len).in_out::<W>("y", len);
        if values.is_some() {
            graph.input::<V>("values", len).in_out::<V>("sorted_values", len);
        }
        let (values, sorted_values) = (values.map(|_| "values"), values.map(|_| "sorted_values"));
        passes::<W, V>(kit, graph, "sort", (T::WGSL, order), ("x", values), ("y", sorted_values))
    };
    kit.call(&key, describe, |call| {
        let call = call.bind("x", &x).bind("y", &y);
        match (values, sorted_values) {
            (Some(values), Some(sorted)) => call.bind("values", values).bind("sorted_values", sorted).run(),
            _ => call.run(),
        }
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
    passes::<T, u32>(kit, graph, name, (T::WGSL, order), (x, None), (y, None))
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
    passes::<T, V>(kit, graph, name, (T::WGSL, order), (x, Some(values)), (y, Some(sorted_values)))
}

/// Keys, and the value of each.
type Data = (String, Option<String>);

/// One pass over all keys, by a digit of so many bits from a bit on.
#[derive(Clone, Copy)]
struct Pass {
    shift: u32,
    bits: u32,
    /// Whether it takes keys, and not their words.
    first: bool,
    /// Whether it gives keys.
    last: bool,
}

/// One sort, while its waves are added.
struct Sort<'a, 'b> {
    kit: &'a Kit<'b>,
    name: &'a str,
    from: Data,
    to: Data,
    spare: Data,
    len: usize,
    tuning: Tuning,
    /// Bits of a key.
    bits: u32,
    /// Whether each pass takes and gives keys: GPUs need not keep the bits of any word that lies among floats.
    keys_only: bool,
    lines: Vec<String>,
}

/// Keys of type `of`, as words or as they are.
fn passes<T: Number, V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    (of, order): (&str, Order),
    (x, values): (&str, Option<&str>),
    (y, sorted_values): (&str, Option<&str>),
) -> Result<(), Error> {
    let len = len_of::<T>(graph, x)?;
    let tuning = Tuning::new(kit.runtime().caps(), len);
    expect(y, len_of::<T>(graph, y)?, len)?;
    for values in [values, sorted_values].into_iter().flatten() {
        expect(values, len_of::<V>(graph, values)?, len)?;
    }
    graph.chosen(name, &tuning.what(), tuning.because);
    let Tuning { lanes, each, .. } = tuning;
    let max = (u32::MAX - lanes * each) as usize;
    if len > max {
        return Err(Error::TooLong { data: x.to_owned(), len, max });
    }
    let mut lines = vec![
        format!("alias T = {};", T::WGSL),
        format!("alias K = {};", word::<T>()),
        format!("alias V = {};", V::WGSL),
        format!("const LANES = {lanes}u;"),
        format!("const EACH = {each}u;"),
        format!("fn encode(key: T) -> K {{ return {}; }}", encoded(of, order)),
        format!("fn decode(word: K) -> T {{ return {}; }}", decoded::<T>(of, order)),
    ];
    let own = |what: &str| format!("{name}.{what}");
    graph.transient::<T>(&own("keys"), len);
    if values.is_some() {
        graph.transient::<V>(&own("values"), len);
        lines.extend(CARRY.map(str::to_owned));
    }
    let sort = Sort {
        kit,
        name,
        from: (x.to_owned(), values.map(str::to_owned)),
        to: (y.to_owned(), sorted_values.map(str::to_owned)),
        spare: (own("keys"), values.map(|_| own("values"))),
        len,
        tuning,
        bits: 8 * size_of::<T>() as u32,
        keys_only: T::WGSL == "f32" && matches!(kit.runtime().caps().kind, Kind::Gpu | Kind::Software),
        lines,
    };
    match sort.tuning.first_bits {
        Some(first) => sort.by_buckets(graph, first),
        None => sort.by_digits(graph),
    }
}

impl Sort<'_, '_> {
    fn own(&self, what: &str) -> String {
        format!("{}.{what}", self.name)
    }

    /// From the least significant digit on: to and fro, so that the last pass ends where it should.
    fn by_digits(&self, graph: &mut Graph) -> Result<(), Error> {
        let bits = self.tuning.bits;
        let passes = self.bits.div_ceil(bits) as usize;
        let mut from = &self.from;
        for pass in 0..passes {
            let to = if (passes - pass) % 2 == 1 { &self.to } else { &self.spare };
            let name = self.own(&format!("pass {pass}"));
            let (first, last) = (pass == 0 || self.keys_only, pass + 1 == passes || self.keys_only);
            let turn = Pass { shift: pass as u32 * bits, bits, first, last };
            self.count(graph, &name, turn, from)?;
            self.scatter(graph, &name, turn, from, to)?;
            from = to;
        }
        Ok(())
    }

    /// By the most significant digit, and then within each bucket.
    fn by_buckets(&self, graph: &mut Graph, first: u32) -> Result<(), Error> {
        let (name, words) = (self.own("buckets"), self.own("words"));
        let pass = Pass { shift: self.bits - first, bits: first, first: true, last: false };
        graph.transient::<u32>(&words, 2);
        self.stage(graph, &name, pass, &self.from, &self.to).bind("words", &words).wave_with("judge", |wave| {
            wave.value("shift", &pass.shift).workgroups(1);
        })?;
        let mut done = Ok(());
        graph.when(&self.own("even"), |body| done = self.fill(body, &name, pass)).nonzero((words.as_str(), 0));
        done?;
        let mut done = Ok(());
        graph.when(&self.own("uneven"), |body| done = self.by_digits(body)).nonzero((words.as_str(), 1));
        done
    }

    fn fill(&self, graph: &mut Graph, name: &str, pass: Pass) -> Result<(), Error> {
        self.count(graph, name, pass, &self.from)?;
        self.scatter(graph, name, pass, &self.from, &self.spare)?;
        let mut stage = self.stage(graph, name, pass, &self.from, &self.to).bind("spare_keys", &self.spare.0);
        if let Some(values) = &self.spare.1 {
            stage.rebind("spare_values", values);
        }
        stage.wave("finish", 1u32 << pass.bits)?;
        Ok(())
    }

    /// Counts by digit and tile, and what comes before each.
    fn count(&self, graph: &mut Graph, name: &str, pass: Pass, from: &Data) -> Result<(), Error> {
        let (counts, before, places) = (format!("{name}.counts"), format!("{name}.before"), self.tiles() << pass.bits);
        graph.transient::<u32>(&counts, places).transient::<u32>(&before, places);
        self.stage(graph, name, pass, from, &self.to).wave_with("count", |wave| {
            wave.value("shift", &pass.shift).workgroups(self.tiles());
        })?;
        scan::stage::<u32>(self.kit, graph, &format!("{name}.scan"), scan::Kind::Exclusive, Op::Sum, &counts, &before)
    }

    fn scatter(&self, graph: &mut Graph, name: &str, pass: Pass, from: &Data, to: &Data) -> Result<(), Error> {
        self.stage(graph, name, pass, from, to).wave_with("scatter", |wave| {
            wave.value("shift", &pass.shift).workgroups(self.tiles());
        })?;
        Ok(())
    }

    fn tiles(&self) -> usize {
        self.len.div_ceil((self.tuning.lanes * self.tuning.each) as usize)
    }

    fn stage<'c>(&'c self, graph: &'c mut Graph, name: &str, pass: Pass, from: &Data, to: &Data) -> Stage<'c, 'c> {
        let Pass { bits, first, last, .. } = pass;
        let left = self.bits - bits.min(self.bits);
        // An odd number of passes by digits that are not much longer than those of the least number of them.
        let passes = left.div_ceil(9) | 1;
        let more = [
            format!("const BITS = {bits}u;"),
            format!("const PASSES = {passes}u;"),
            format!("const OWN_BITS = {}u;", left.div_ceil(passes)),
        ];
        let taken = (!first).then(|| "fn taken(key: T) -> K { return bitcast<K>(key); }".to_owned());
        let given = (!last).then(|| "fn given(word: K) -> T { return bitcast<T>(word); }".to_owned());
        let lines: Vec<String> = self.lines.iter().cloned().chain(more).chain(taken).chain(given).collect();
        let mut stage = Stage::new(self.kit, graph, name, WGSL, &lines)
            .bind("keys", &from.0)
            .bind("sorted_keys", &to.0)
            .bind("counts", &format!("{name}.counts"))
            .bind("before", &format!("{name}.before"));
        if let (Some(from), Some(to)) = (&from.1, &to.1) {
            stage.rebind("values", from).rebind("sorted_values", to);
        }
        stage
    }
}

/// The type of a word as long as such a key.
fn word<T: Number>() -> &'static str {
    if size_of::<T>() == 8 { "u64" } else { "u32" }
}

/// The word of a `key` that is ordered as keys of such a type are, as WGSL.
fn encoded(of: &str, order: Order) -> String {
    match order {
        Order::Ascending => bits_of(of).to_owned(),
        Order::Descending => format!("~({})", bits_of(of)),
    }
}

/// The key of such a `word`, as WGSL.
fn decoded<T: Number>(of: &str, order: Order) -> String {
    let word = match order {
        Order::Ascending => "word",
        Order::Descending => "(~word)",
    };
    let bits = match of {
        "i32" => format!("{word} ^ 0x80000000u"),
        "f32" => format!("{word} ^ ((({word} >> 31u) - 1u) | 0x80000000u)"),
        "i64" => format!("{word} ^ 0x8000000000000000lu"),
        _ => word.to_owned(),
    };
    format!("bitcast<{}>({bits})", T::WGSL)
}

/// An unsigned number as long as `key` and of the same order, as WGSL.
pub(crate) fn bits<T: Number>() -> String {
    bits_of(T::WGSL).to_owned()
}

fn bits_of(of: &str) -> &'static str {
    match of {
        "i32" => "bitcast<u32>(key) ^ 0x80000000u",
        // The bits of negative ones are turned around.
        "f32" => "bitcast<u32>(key) ^ (bitcast<u32>(bitcast<i32>(key) >> 31u) | 0x80000000u)",
        "i64" => "bitcast<u64>(key) ^ 0x8000000000000000lu",
        _ => "key",
    }
}
