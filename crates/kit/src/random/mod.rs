//! Random numbers that depend on their place alone.
//!
//! Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): four words
//! are a function of a key, the seed, and of a counter, their place and the number of the stream. So they are the same
//! on every device, in any order, and at every run.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, len_of};
use crate::number::Number;

pub use verify::{philox, verify};

const WGSL: &str = include_str!("random.wgsl");

/// Numbers of an invocation, and of a workgroup.
const EACH: usize = 4;
const TILE: usize = 64 * EACH;

/// Which numbers. Streams of one seed have nothing to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stream {
    /// The seed.
    pub seed: u64,
    /// One of its streams.
    pub number: u32,
}

/// As the kernel has it.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    key: [u32; 2],
    number: u32,
    /// Fours of numbers before those that are wanted.
    before: u32,
}

/// Numbers that can be made at random: any `u32`, and `f32` from 0 up to 1, which is left out, in steps of 2⁻²⁴.
pub trait Random: Number {
    /// Of a random word, as WGSL.
    #[doc(hidden)]
    const FROM_WORD: &'static str;

    /// The same on the host.
    #[doc(hidden)]
    fn from_word(word: u32) -> Self;
}

impl Random for u32 {
    const FROM_WORD: &'static str = "word";

    fn from_word(word: u32) -> Self {
        word
    }
}

impl Random for f32 {
    const FROM_WORD: &'static str = "f32(word >> 8u) * 0x1p-24f";

    fn from_word(word: u32) -> Self {
        (word >> 8) as Self / (1 << 24) as Self
    }
}

/// Fills `y` with the numbers of a stream.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, random::{self, Stream}};
/// let runtime = seawall::Runtime::new()?;
/// let (y, kit) = (runtime.buffer::<f32>(1000)?, Kit::new(&runtime));
/// random::fill(&kit, Stream { seed: 7, number: 0 }, &y)?;
/// let mean = y.to_vec()?.iter().sum::<f32>() / 1000.0;
/// assert!((mean - 0.5).abs() < 0.05);
/// # Ok(())
/// # }
/// ```
pub fn fill<V: Random>(kit: &Kit<'_>, stream: Stream, y: &Buffer<V>) -> Result<(), Error> {
    // Fours of numbers are counted in 32 bits.
    let max = EACH << 32;
    if y.len() > max {
        return Err(Error::TooLong { data: "y".to_owned(), len: y.len(), max });
    }
    for part in kit.parts::<V>(y.len()) {
        one(kit, Params { before: (part.start / EACH) as u32, ..params(stream) }, &y.range(part)?)?;
    }
    Ok(())
}

/// Fills a part.
fn one<V: Random>(kit: &Kit<'_>, params: Params, y: &Buffer<V>) -> Result<(), Error> {
    let describe = |graph: &mut Graph| {
        graph.value::<Params>("stream").in_out::<V>("y", y.len());
        add::<V>(kit, graph, "random", "y", |stage| stage.bind("stream", "stream"), None)
    };
    let key = format!("random {} {}", V::WGSL, y.len());
    kit.call(&key, describe, |call| call.set("stream", &params).bind("y", y).run())?;
    Ok(())
}

/// Adds the wave that fills `y` with the numbers of a stream.
pub fn stage<V: Random>(kit: &Kit<'_>, graph: &mut Graph, name: &str, stream: Stream, y: &str) -> Result<(), Error> {
    add::<V>(kit, graph, name, y, |stage| stage, Some(params(stream)))
}

fn params(Stream { seed, number }: Stream) -> Params {
    Params { key: [seed as u32, (seed >> 32) as u32], number, before: 0 }
}

fn add<'a, 'b, V: Random>(
    kit: &'a Kit<'b>,
    graph: &'a mut Graph,
    name: &str,
    y: &str,
    more: impl FnOnce(Stage<'a, 'b>) -> Stage<'a, 'b>,
    params: Option<Params>,
) -> Result<(), Error> {
    let (len, max) = (len_of::<V>(graph, y)?, u32::MAX as usize - TILE);
    if len > max {
        return Err(Error::TooLong { data: y.to_owned(), len, max });
    }
    let lines =
        [format!("alias V = {};", V::WGSL), format!("fn number(word: u32) -> V {{ return {}; }}", V::FROM_WORD)];
    more(Stage::new(kit, graph, name, WGSL, &lines).bind("y", y)).wave_with("fill", |wave| {
        if let Some(params) = params {
            wave.value("stream", &params);
        }
        wave.workgroups(len.div_ceil(TILE));
    })?;
    Ok(())
}
