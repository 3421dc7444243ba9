//! Histogram: how many elements are of each bin.
//!
//! Workgroups stride through the elements and count in workgroup memory, where atomics of neighbours do not meet those
//! of others (Shams and Kennedy, "Efficient histogram algorithms for NVIDIA CUDA compatible devices", 2007). Counts
//! are whole numbers, so that the order of additions does not matter. On processors an invocation has a stretch to
//! itself, as a thread does.

mod verify;

use seawall::device::Kind;
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, counted, len_of};
use crate::number::Number;

pub use verify::verify;

const WGSL: &str = include_str!("histogram.wgsl");

const LANES: usize = 256;
/// Elements that an invocation should have at least, so that adding up costs little.
const EACH_MIN: usize = 16;
const GROUPS_MAX: usize = 1024;
/// What every device has room for in workgroup memory.
const OWN_MAX: usize = 2048;

/// On processors: bins of which four tables leave room in a first cache, elements that are loaded at once, and stretches
/// that there should be.
const ALONE_MAX: usize = 1024;
const FOUR: usize = 4;
const ALONE_SHARES: usize = 64;

/// Counts in each place of `counts` those elements of `x` for which the expression `bin` is that place. It is WGSL,
/// a `u32`, and knows `value`, the element. Where it is no place of `counts`, the element is not counted.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, histogram};
/// let runtime = seawall::Runtime::new()?;
/// let (x, counts) = (runtime.buffer_from(&[0.1f32, 0.2, 0.15, 0.9])?, runtime.buffer(10)?);
/// histogram::histogram(&Kit::new(&runtime), "u32(value * 10.0)", &x, &counts)?;
/// assert_eq!(counts.to_vec()?, [0, 2, 1, 0, 0, 0, 0, 0, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub fn histogram<V: Number>(kit: &Kit<'_>, bin: &str, x: &Buffer<V>, counts: &Buffer<u32>) -> Result<(), Error> {
    if x.is_empty() || counts.is_empty() {
        return Ok(counts.clear()?);
    }
    counted("x", x.len())?;
    for part in kit.parts::<V>(x.len()) {
        let (first, x) = (part.start == 0, x.range(part)?);
        let key = format!("histogram {bin} {} {} {} {first}", V::WGSL, x.len(), counts.len());
        let describe = |graph: &mut Graph| {
            graph.input::<V>("x", x.len()).in_out::<u32>("counts", counts.len());
            add::<V>(kit, graph, "histogram", bin, first, "x", "counts")
        };
        kit.call(&key, describe, |call| call.bind("x", &x).bind("counts", counts).run())?;
    }
    Ok(())
}

/// Adds the waves that do the same.
pub fn stage<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    bin: &str,
    x: &str,
    counts: &str,
) -> Result<(), Error> {
    add::<V>(kit, graph, name, bin, true, x, counts)
}

/// The same, where counts begin with zeros if this is the first part.
fn add<V: Number>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    bin: &str,
    first: bool,
    x: &str,
    counts: &str,
) -> Result<(), Error> {
    let (len, bins) = (len_of::<V>(graph, x)?, len_of::<u32>(graph, counts)?);
    let max = u32::MAX as usize - GROUPS_MAX * LANES;
    if len > max {
        return Err(Error::TooLong { data: x.to_owned(), len, max });
    }
    let (entry, groups) = match kit.runtime().caps().kind {
        _ if bins > OWN_MAX => {
            let because = format!("{bins} counters are more than the {OWN_MAX} that fit elsewhere");
            graph.chosen(name, "all workgroups count in one place", &because);
            ("count_in_place", len.div_ceil(LANES))
        }
        Kind::Cpu if bins <= ALONE_MAX && len >= LANES => {
            let because = "a thread counts one by one, and equal neighbours do not wait for each other";
            graph.chosen(name, "an invocation counts a stretch in four tables", because);
            ("count_alone", (len / FOUR).div_ceil(alone_each(len)).max(1))
        }
        Kind::Cpu | Kind::Reference | Kind::Gpu | Kind::Software => {
            let because = format!("{bins} counters fit into that of every device");
            graph.chosen(name, "each workgroup counts in memory of its own", &because);
            ("count", len.div_ceil(LANES * EACH_MIN).min(GROUPS_MAX))
        }
    };
    let lines = [
        format!("alias V = {};", V::WGSL),
        format!("const BINS = {}u;", if bins <= OWN_MAX { bins } else { 1 }),
        format!("const EACH = {}u;", alone_each(len)),
        format!("fn bin(value: V) -> u32 {{ return {bin}; }}"),
    ];
    let mut stage = Stage::new(kit, graph, name, WGSL, &lines).bind("x", x).bind("counts", counts);
    if first {
        stage.wave("zero", bins.div_ceil(LANES))?;
    }
    stage.wave_with(entry, |wave| {
        if entry == "count_alone" {
            let four_bytes = FOUR * size_of::<V>();
            wave.bind_range("fours", x, 0..(len / FOUR * four_bytes) as u64);
        }
        wave.workgroups(groups);
    })?;
    Ok(())
}

/// Fours of elements of an invocation that counts alone: so many that clearing and adding up its tables costs little, and
/// so few that threads end together.
fn alone_each(len: usize) -> usize {
    (len / FOUR / ALONE_SHARES).next_power_of_two().clamp(1 << 12, 1 << 20)
}
