//! Product of dense matrices, in rows.
//!
//! Tiles of both go through workgroup memory, so that each element is read once for sixteen sums (Lam, Rothberg and
//! Wolf, "The cache performance and optimizations of blocked algorithms", 1991). On processors an invocation keeps five
//! sums in registers, over parts of the matrices that caches hold (Goto and van de Geijn, "Anatomy of high-performance
//! matrix multiplication", 2008). Each sum is added up from left to right, and rounded once for each product: the same
//! bits on the reference and the CPU device. Matrices of `f16` are added up in `f32`, and those of bytes in `i32`, four
//! products at once.

mod verify;

use bytemuck::{Pod, Zeroable};
use seawall::device::Kind;
use seawall::{Buffer, Graph};

use crate::error::Error;
use crate::kit::{Kit, Stage, elements, expect, len_of};
use crate::part;

pub use verify::{verify, verify_bytes};

const WGSL: &str = include_str!("matmul.wgsl");

const SIDE: usize = 16;

/// Columns and rows of the product that a workgroup has on processors.
const BLOCK: [usize; 2] = [64, 100];

/// Rows of the first matrix; its columns, which are rows of the second; columns of the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Of the first, and of the product.
    pub rows: usize,
    /// Columns of the first and rows of the second.
    pub inner: usize,
    /// Of the second, and of the product.
    pub columns: usize,
}

impl Shape {
    /// With rows of whole words, as [`multiply_bytes`] takes them.
    #[must_use]
    pub fn padded(self) -> Self {
        Self { inner: self.inner.next_multiple_of(4), ..self }
    }

    /// A first matrix of bytes as [`multiply_bytes`] takes it: in rows, with zeros up to whole words.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::Error> {
    /// # use seawall_kit::{Kit, matmul::{self, Shape}};
    /// let runtime = seawall::Runtime::new()?;
    /// let shape = Shape { rows: 1, inner: 2, columns: 3 };
    /// let (a, b) = (shape.words_of_rows(&[10, 1])?, shape.words_of_columns(&[1, 2, 3, 4, 5, 6])?);
    /// let (a, b, c) = (runtime.buffer_from(&a)?, runtime.buffer_from(&b)?, runtime.buffer(3)?);
    /// matmul::multiply_bytes(&Kit::new(&runtime), shape.padded(), &a, &b, &c)?;
    /// assert_eq!(c.to_vec()?, [14, 25, 36]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn words_of_rows(self, a: &[i8]) -> Result<Vec<i8>, Error> {
        let Self { rows, inner, .. } = self;
        expect("a", a.len(), rows.saturating_mul(inner))?;
        Ok(self.words(rows, |row, k| a[row * inner + k]))
    }

    /// A second matrix of bytes in rows as [`multiply_bytes`] takes it: in columns, with zeros up to whole words.
    pub fn words_of_columns(self, b: &[i8]) -> Result<Vec<i8>, Error> {
        let Self { inner, columns, .. } = self;
        expect("b", b.len(), inner.saturating_mul(columns))?;
        Ok(self.words(columns, |column, k| b[k * columns + column]))
    }

    fn words(self, lines: usize, byte: impl Fn(usize, usize) -> i8) -> Vec<i8> {
        let places = (0..lines).flat_map(|line| (0..self.padded().inner).map(move |k| (line, k)));
        places.map(|(line, k)| if k < self.inner { byte(line, k) } else { 0 }).collect()
    }

    /// Rows of the first matrix that are worked on at once, if they are not all. Each of them needs all of the second one,
    /// which is not cut.
    fn cut(self, kit: &Kit<'_>, factor_bytes: usize) -> Result<Option<usize>, Error> {
        let Self { rows, inner, columns } = self;
        let (factors, sums) = (kit.part(factor_bytes), kit.part(size_of::<f32>()));
        if inner * columns > factors {
            return Err(Error::TooLong { data: "b".to_owned(), len: inner * columns, max: factors });
        }
        if rows * inner <= factors && rows * columns <= sums {
            return Ok(None);
        }
        let step = part::rows(inner * factor_bytes).max(part::rows(columns * size_of::<f32>()));
        match (factors / inner).min(sums / columns) / step * step {
            0 => Err(Error::RowTooLong { data: "a".to_owned(), row: inner.max(columns), max: factors / step }),
            height => Ok(Some(height)),
        }
    }

    /// An error unless the matrices have so many elements.
    fn expect(self, a: usize, b: usize, c: usize) -> Result<(), Error> {
        let Self { rows, inner, columns } = self;
        expect("a", a, rows.saturating_mul(inner))?;
        expect("b", b, inner.saturating_mul(columns))?;
        expect("c", c, rows.saturating_mul(columns))
    }
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Params {
    rows: u32,
    inner: u32,
    columns: u32,
    pad: u32,
}

/// What matrices of floats hold: `f32`, or `f16` on devices that have it.
pub trait Factor: Pod + private::Sealed {
    /// Its name in WGSL.
    const WGSL: &'static str;
    /// What a program has to begin with.
    #[doc(hidden)]
    const ENABLE: &'static str;
}

impl Factor for f32 {
    const WGSL: &'static str = "f32";
    const ENABLE: &'static str = "";
}

impl Factor for half::f16 {
    const WGSL: &'static str = "f16";
    const ENABLE: &'static str = "enable f16;\n";
}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for half::f16 {}
}

/// Products of bytes that surely fit into an `i32`.
const BYTES_MAX: usize = (1 << 17) - 1;

/// Puts the product of `a` and `b` into `c`.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, matmul::{self, Shape}};
/// let runtime = seawall::Runtime::new()?;
/// let (a, b) = (runtime.buffer_from(&[1.0f32, 2.0, 3.0, 4.0])?, runtime.buffer_from(&[1.0f32, 10.0])?);
/// let c = runtime.buffer(2)?;
/// matmul::multiply(&Kit::new(&runtime), Shape { rows: 2, inner: 2, columns: 1 }, &a, &b, &c)?;
/// assert_eq!(c.to_vec()?, [21.0, 43.0]);
/// # Ok(())
/// # }
/// ```
pub fn multiply(kit: &Kit<'_>, shape: Shape, a: &Buffer<f32>, b: &Buffer<f32>, c: &Buffer<f32>) -> Result<(), Error> {
    multiply_of::<f32>(kit, shape, a, b, c)
}

/// The same of matrices of these elements.
pub fn multiply_of<E: Factor>(
    kit: &Kit<'_>,
    shape: Shape,
    a: &Buffer<E>,
    b: &Buffer<E>,
    c: &Buffer<f32>,
) -> Result<(), Error> {
    let Shape { rows, inner, columns } = shape;
    shape.expect(a.len(), b.len(), c.len())?;
    if c.is_empty() {
        return Ok(());
    }
    if inner == 0 {
        return Ok(c.clear()?);
    }
    if let Some(height) = shape.cut(kit, size_of::<E>())? {
        return part::ranges(rows, height).try_for_each(|part| {
            let (a, c) =
                (a.range(part.start * inner..part.end * inner)?, c.range(part.start * columns..part.end * columns)?);
            multiply_of::<E>(kit, Shape { rows: part.len(), ..shape }, &a, b, &c)
        });
    }
    let key = format!("matmul {} {rows} {inner} {columns}", E::WGSL);
    let describe = |graph: &mut Graph| {
        graph.input::<E>("a", a.len()).input::<E>("b", b.len()).in_out::<f32>("c", c.len());
        stage_of::<E>(kit, graph, "matmul", shape, ("a", "b"), "c")
    };
    kit.call(&key, describe, |call| call.bind("a", a).bind("b", b).bind("c", c).run())?;
    Ok(())
}

/// Puts the product of matrices of bytes into `c`: `a` in rows, and `b` in columns, one after the other. Four bytes are a
/// word, so `inner` is a multiple of four, and there are less than 2¹⁷, so that sums fit.
///
/// ```
/// # fn main() -> Result<(), seawall_kit::Error> {
/// # use seawall_kit::{Kit, matmul::{self, Shape}};
/// let runtime = seawall::Runtime::new()?;
/// let (a, b) = (runtime.buffer_from(&[1i8, 2, 3, -4])?, runtime.buffer_from(&[1i8, 1, 1, 1, 0, 0, 0, -128])?);
/// let c = runtime.buffer(2)?;
/// matmul::multiply_bytes(&Kit::new(&runtime), Shape { rows: 1, inner: 4, columns: 2 }, &a, &b, &c)?;
/// assert_eq!(c.to_vec()?, [2, 512]);
/// # Ok(())
/// # }
/// ```
pub fn multiply_bytes(
    kit: &Kit<'_>,
    shape: Shape,
    a: &Buffer<i8>,
    b: &Buffer<i8>,
    c: &Buffer<i32>,
) -> Result<(), Error> {
    let Shape { rows, inner, columns } = shape;
    shape.expect(a.len(), b.len(), c.len())?;
    fits("a", inner)?;
    if c.is_empty() {
        return Ok(());
    }
    if inner == 0 {
        return Ok(c.clear()?);
    }
    if let Some(height) = shape.cut(kit, size_of::<i8>())? {
        return part::ranges(rows, height).try_for_each(|part| {
            let (a, c) =
                (a.range(part.start * inner..part.end * inner)?, c.range(part.start * columns..part.end * columns)?);
            multiply_bytes(kit, Shape { rows: part.len(), ..shape }, &a, b, &c)
        });
    }
    let (a, b) = (a.view::<u32>()?, b.view::<u32>()?);
    let key = format!("matmul bytes {rows} {inner} {columns}");
    let describe = |graph: &mut Graph| {
        graph.input::<u32>("a", a.len()).input::<u32>("b", b.len()).in_out::<i32>("c", c.len());
        stage_bytes(kit, graph, "matmul", shape, ("a", "b"), "c")
    };
    kit.call(&key, describe, |call| call.bind("a", &a).bind("b", &b).bind("c", c).run())?;
    Ok(())
}

/// An error unless rows of bytes are whole words, and their products fit.
fn fits(data: &str, inner: usize) -> Result<(), Error> {
    if !inner.is_multiple_of(4) {
        return Err(Error::Elements { data: data.to_owned(), bytes: inner as u64, element: "u32" });
    }
    if inner > BYTES_MAX {
        return Err(Error::TooLong { data: data.to_owned(), len: inner, max: BYTES_MAX });
    }
    Ok(())
}

/// Adds the wave that multiplies matrices of `f32`.
pub fn stage(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    shape: Shape,
    (a, b): (&str, &str),
    c: &str,
) -> Result<(), Error> {
    stage_of::<f32>(kit, graph, name, shape, (a, b), c)
}

/// Adds the wave that multiplies matrices of these elements into one of `f32`.
pub fn stage_of<E: Factor>(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    shape: Shape,
    (a, b): (&str, &str),
    c: &str,
) -> Result<(), Error> {
    let lens = [(a, elements(graph, a, size_of::<E>(), E::WGSL)?), (b, elements(graph, b, size_of::<E>(), E::WGSL)?)];
    let text = E::ENABLE.to_owned() + WGSL;
    let stage = Stage::new(kit, graph, name, &text, &[format!("alias E = {};", E::WGSL)]);
    let (entry, tile) = match kit.runtime().caps().kind {
        Kind::Cpu => ("multiply_blocks", BLOCK),
        Kind::Reference | Kind::Gpu | Kind::Software => ("multiply", [SIDE, SIDE]),
    };
    add(stage, (entry, tile), shape, lens, [("a", a), ("b", b), ("c", c)])
}

/// Adds the wave that multiplies matrices of bytes, the first in rows and the second in columns, into one of `i32`.
pub fn stage_bytes(
    kit: &Kit<'_>,
    graph: &mut Graph,
    name: &str,
    shape: Shape,
    (a, b): (&str, &str),
    c: &str,
) -> Result<(), Error> {
    fits(a, shape.inner)?;
    let lens = [(a, elements(graph, a, 1, "i8")?), (b, elements(graph, b, 1, "i8")?)];
    let stage = Stage::new(kit, graph, name, WGSL, &[]);
    add(stage, ("multiply_bytes", [SIDE, SIDE]), shape, lens, [("words_a", a), ("words_b", b), ("sums", c)])
}

fn add(
    stage: Stage<'_, '_>,
    (entry, [width, height]): (&'static str, [usize; 2]),
    Shape { rows, inner, columns }: Shape,
    [a, b]: [(&str, usize); 2],
    binds: [(&str, &str); 3],
) -> Result<(), Error> {
    let (c, max) = (binds[2].1, u32::MAX as usize - SIDE);
    let c = (c, len_of::<f32>(stage.graph, c)?);
    for ((data, len), tall, wide) in [(a, rows, inner), (b, inner, columns), (c, rows, columns)] {
        expect(data, len, tall.saturating_mul(wide))?;
        if len > max {
            return Err(Error::TooLong { data: data.to_owned(), len, max });
        }
    }
    let params = Params { rows: rows as u32, inner: inner as u32, columns: columns as u32, pad: 0 };
    let mut stage = binds.into_iter().fold(stage, |stage, (buffer, data)| stage.bind(buffer, data));
    let what = format!("tiles of {SIDE} x {SIDE} in workgroup memory");
    stage.chosen(&what, "each element is read once for as many sums");
    stage.wave_with(entry, |wave| {
        wave.value("shape", &params).workgroups([columns.div_ceil(width), rows.div_ceil(height)]);
    })?;
    Ok(())
}
