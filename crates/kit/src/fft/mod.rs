//! Fast Fourier transform of complex numbers, of any power of two of them, many at once.
//!
//! Stockham's form (Cochran and others, "What is the fast Fourier transform?", 1967), which needs no reordering: each
//! pass doubles the length of transforms that are done, from one array to the other. Up to 1024 elements a workgroup does
//! all passes in its memory, on processors with four parts taken at once, and beyond that each pass is a wave. Roots of
//! unity come from the host in full precision, since sines of GPUs have less. The same bits on the reference and the CPU
//! device, unless it may contract.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::device::Kind;
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};
use crate::part;

pub use verify::verify;

const WGSL: &str = include_str!("fft.wgsl");

const LANES: usize = 64;

/// What a workgroup transforms by itself: two arrays of it are what every device has room for.
const WHOLE_MAX: usize = 1024;

/// A complex number: its real and its imaginary part.
pub type Complex = [f32; 2];

/// Which transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Of time into frequencies: the exponent is negative, and nothing is scaled.
    Forward,
    /// Back again, divided by the length.
    Inverse,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Pass {
    done: u32,
    sign: f32,
    scale: f32,
    len: u32,
}

/// Transforms each `len` elements of `x` into `y`. It is a power of two, and `x` has any number of them.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, fft::{self, Way}};
/// let runtime = seawall::Runtime::new()?;
/// let x = runtime.buffer_from(&[[1.0f32, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])?;
/// let (y, kit) = (runtime.buffer(4)?, Kit::new(&runtime));
/// fft::transform(&kit, Way::Forward, 4, &x, &y)?;
/// assert_eq!(y.to_vec()?, [[1.0, 0.0]; 4]);
/// # Ok(())
/// # }
/// ```
pub fn transform(kit: &Kit<'_>, way: Way, len: usize, x: &Buffer<Complex>, y: &Buffer<Complex>) -> Result<(), Error> {
    expect("y", y.len(), x.len())?;
    fits("x", len, x.len())?;
    let part = kit.part(size_of::<Complex>());
    if x.len() > part {
        // A transform is not cut.
        let whole = part / len * len;
        if whole == 0 {
            return Err(Error::TooLong { data: "x".to_owned(), len, max: part });
        }
        return part::ranges(x.len(), whole)
            .try_for_each(|part| one(kit, way, len, &x.range(part.clone())?, &y.range(part)?));
    }
    if x.is_empty() { Ok(()) } else { one(kit, way, len, x, y) }
}

/// Some transforms.
fn one(kit: &Kit<'_>, way: Way, len: usize, x: &Buffer<Complex>, y: &Buffer<Complex>) -> Result<(), Error> {
    let key = format!("fft {way:?} {len} {}", x.len());
    let describe = |graph: &mut Graph| {
        graph.input::<Complex>("x", x.len()).in_out::<Complex>("y", y.len());
        stage(kit, graph, "fft", way, len, "x", "y")
    };
    kit.call(&key, describe, |call| call.bind("x", x).bind("y", y).run())?;
    Ok(())
}

/// Adds the waves that do the same.
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    way: Way,
    len: usize,
    x: &str,
    y: &str,
) -> Result<(), Error> {
    let (all, other) = (len_of_complex(graph, x)?, format!("{name}.other"));
    expect(y, len_of_complex(graph, y)?, all)?;
    fits(x, len, all)?;
    let max = u32::MAX as usize - LANES;
    if all > max {
        return Err(Error::TooLong { data: x.to_owned(), len: all, max });
    }
    // A transform of one element is that element.
    if len == 1 {
        Stage::new(kit, graph, name, WGSL, &[]).bind("x", x).bind("y", y).wave("copy", all.div_ceil(LANES))?;
        return Ok(());
    }
    let roots: Vec<Complex> = (0..len / 2).map(|k| root(k, len)).collect();
    let (sign, last) = match way {
        Way::Forward => (1.0, 1.0),
        Way::Inverse => (-1.0, 1.0 / len as f32),
    };
    if len <= WHOLE_MAX {
        let params = Pass { done: 1, sign, scale: last, len: len as u32 };
        let lines = [format!("const LEN = {len}u;")];
        let (entry, what, because) = match kit.runtime().caps().kind {
            Kind::Cpu | Kind::Reference if len >= 8 => {
                ("whole_by_fours", "four parts at once", "vectors have the same roots in all of their lanes")
            }
            Kind::Cpu | Kind::Reference | Kind::Gpu | Kind::Software => {
                ("whole", "all passes by one workgroup", "a transform fits into workgroup memory")
            }
        };
        graph.chosen(name, what, because);
        Stage::new(kit, graph, name, WGSL, &lines).bind("x", x).bind("y", y).wave_with(entry, |wave| {
            wave.value("pass_at", &params).value_bytes("roots", bytemuck::cast_slice(&roots)).workgroups(all / len);
        })?;
        return Ok(());
    }
    let passes = len.trailing_zeros();
    let because = format!("{len} elements do not fit into workgroup memory, which holds {WHOLE_MAX}");
    graph.chosen(name, "a wave for each pass", &because);
    graph.transient::<Complex>(&other, all);
    let mut source = x.to_owned();
    for pass in 0..passes {
        // To and fro, so that the last pass ends where it should.
        let to = if (passes - 1 - pass).is_multiple_of(2) { y } else { other.as_str() };
        let scale = if pass + 1 == passes { last } else { 1.0 };
        let params = Pass { done: 1 << pass, sign, scale, len: len as u32 };
        let mut stage =
            Stage::new(kit, graph, &format!("{name}.pass {pass}"), WGSL, &[]).bind("x", &source).bind("y", to);
        stage.wave_with("butterfly", |wave| {
            wave.value("pass_at", &params).value_bytes("roots", bytemuck::cast_slice(&roots));
            wave.workgroups((all / 2).div_ceil(LANES));
        })?;
        to.clone_into(&mut source);
    }
    Ok(())
}

fn root(k: usize, len: usize) -> Complex {
    let (sine, cosine) = (-std::f64::consts::TAU * k as f64 / len as f64).sin_cos();
    [cosine as f32, sine as f32]
}

fn len_of_complex(graph: &Graph, data: &str) -> Result<usize, Error> {
    let numbers = len_of::<f32>(graph, data)?;
    if !numbers.is_multiple_of(2) {
        let bytes = (numbers * size_of::<f32>()) as u64;
        return Err(Error::Elements { data: data.to_owned(), bytes, element: "vec2<f32>" });
    }
    Ok(numbers / 2)
}

fn fits(data: &str, len: usize, all: usize) -> Result<(), Error> {
    if !len.is_power_of_two() || !all.is_multiple_of(len) {
        return Err(Error::Transform { data: data.to_owned(), all, len });
    }
    Ok(())
}
