//! Graphs that are made up: undirected, without loops and with one edge between any two vertices.

use super::{Csr, Error, Kind};
use crate::splitmix::SplitMix64;

/// What a generator makes for `kron:SCALE` and its like if nothing else is said: edges for each vertex, and where its
/// random numbers begin.
const DEGREE: u32 = 16;
const SEED: u64 = 1;

/// Of weights that are made up.
const WEIGHT_MAX: u32 = 255;

const KNOWN: &str =
    "there is kron:SCALE[:DEGREE[:SEED]], urand:SCALE[:DEGREE[:SEED]] and grid:COLUMNSxROWS, with a SCALE below 32";

impl Csr {
    /// As the Graph 500 benchmark has it: `2^scale` vertices, few of which have most of the edges
    /// (R-MAT; Chakrabarti, Zhan and Faloutsos, 2004).
    pub fn kronecker(scale: u32, degree: u32, seed: u64) -> Result<Self, Error> {
        let (vertices, count) = sizes(scale, degree)?;
        let mut random = SplitMix64::new(seed);
        // So that a vertex's number says nothing about it.
        let mut names: Vec<u32> = (0..vertices).collect();
        (1..names.len()).rev().for_each(|at| names.swap(at, random.below(at as u32 + 1) as usize));
        let pair = |_| {
            let (mut from, mut to) = (0, 0);
            for _ in 0..scale {
                let (down, right) = match random.below(100) {
                    0..57 => (0, 0),
                    57..76 => (0, 1),
                    76..95 => (1, 0),
                    _ => (1, 1),
                };
                (from, to) = (from << 1 | down, to << 1 | right);
            }
            (names[from as usize], names[to as usize])
        };
        let pairs: Vec<_> = (0..count).map(pair).collect();
        Ok(Self::new(vertices as usize, Kind::Undirected, &pairs)?.simple())
    }

    /// Any two of `2^scale` vertices are as likely to be neighbours (Erdős and Rényi, 1959).
    pub fn uniform(scale: u32, degree: u32, seed: u64) -> Result<Self, Error> {
        let (vertices, count) = sizes(scale, degree)?;
        let mut random = SplitMix64::new(seed);
        let pairs: Vec<_> = (0..count).map(|_| (random.below(vertices), random.below(vertices))).collect();
        Ok(Self::new(vertices as usize, Kind::Undirected, &pairs)?.simple())
    }

    /// A grid of so many columns and rows; one row is a path.
    pub fn grid(columns: u32, rows: u32) -> Result<Self, Error> {
        let vertices = columns as usize * rows as usize;
        if vertices > super::VERTICES_MAX {
            return Err(Error::Vertices { vertices, max: super::VERTICES_MAX });
        }
        let right = (0..columns * rows).filter(|v| v % columns + 1 < columns).map(|v| (v, v + 1));
        let down = (0..columns * rows.saturating_sub(1)).map(|v| (v, v + columns));
        Self::new(vertices, Kind::Undirected, &right.chain(down).collect::<Vec<_>>())
    }

    /// By words: `kron:16`, `urand:16:8:3` (its degree and seed), `grid:100x50`. Edges have random weights, from 1 to
    /// 255.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::csr::Error> {
    /// use seawall_kit::csr::Csr;
    ///
    /// assert_eq!(Csr::generated("grid:3x2")?.neighbours(1), [0, 2, 4]);
    /// assert_eq!(Csr::generated("kron:4")?, Csr::kronecker(4, 16, 1)?.weighed_by(1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn generated(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Generator { text: text.to_owned(), why: KNOWN };
        let (name, sizes) = text.split_once(':').ok_or_else(wrong)?;
        let numbers = |by: char| sizes.split(by).map(|word| word.parse::<u64>().ok()).collect::<Option<Vec<_>>>();
        let small = |number: u64| u32::try_from(number).map_err(|_| wrong());
        if name == "grid" {
            let numbers = numbers('x').ok_or_else(wrong)?;
            let &[columns, rows] = &numbers[..] else { return Err(wrong()) };
            return Ok(Self::grid(small(columns)?, small(rows)?)?.weighed_by(SEED));
        }
        let numbers = numbers(':').ok_or_else(wrong)?;
        let (scale, degree, seed) = match numbers[..] {
            [scale] => (scale, DEGREE, SEED),
            [scale, degree] => (scale, small(degree)?, SEED),
            [scale, degree, seed] => (scale, small(degree)?, seed),
            _ => return Err(wrong()),
        };
        if scale >= 32 {
            return Err(wrong());
        }
        let made = match name {
            "kron" => Self::kronecker(scale as u32, degree, seed)?,
            "urand" => Self::uniform(scale as u32, degree, seed)?,
            _ => return Err(wrong()),
        };
        Ok(made.weighed_by(seed))
    }

    /// With random weights, from 1 to 255; of an undirected edge the same both ways.
    #[must_use]
    pub fn weighed_by(self, seed: u64) -> Self {
        self.weighed(|a, b| {
            1 + SplitMix64::new(seed.wrapping_mul(31) ^ (u64::from(a) << 32 | u64::from(b))).below(WEIGHT_MAX)
        })
    }
}

/// Vertices and edges, or that they are too many.
fn sizes(scale: u32, degree: u32) -> Result<(u32, u64), Error> {
    let vertices = 1u64 << scale.min(40);
    if vertices > super::VERTICES_MAX as u64 {
        return Err(Error::Vertices { vertices: vertices as usize, max: super::VERTICES_MAX });
    }
    let count = vertices * u64::from(degree);
    if 2 * count > super::EDGES_MAX as u64 {
        return Err(Error::Edges { edges: 2 * count as usize, max: super::EDGES_MAX });
    }
    Ok((vertices as u32, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_simple() {
        for csr in [Csr::kronecker(8, 8, 1), Csr::uniform(8, 8, 2), Csr::grid(9, 7)] {
            let csr = csr.unwrap();
            assert_eq!(csr.clone().simple(), csr);
            for v in 0..csr.vertices() as u32 {
                assert!(csr.neighbours(v).iter().all(|&u| csr.neighbours(u).contains(&v)));
            }
        }
        assert_eq!(Csr::grid(0, 5).unwrap().vertices(), 0);
    }

    #[test]
    fn words_name_graphs() {
        assert_eq!(Csr::generated("urand:5:2:9").unwrap(), Csr::uniform(5, 2, 9).unwrap().weighed_by(9));
        for wrong in ["kron", "kron:x", "kron:1:2:3:4", "tree:5", "kron:32", "grid:5", "urand:5:99999999999"] {
            assert_eq!(Csr::generated(wrong), Err(Error::Generator { text: wrong.to_owned(), why: KNOWN }), "{wrong}");
        }
        let refused = Csr::generated("grid:70000x70000").unwrap_err().to_string();
        assert_eq!(refused, "there are 4900000000 vertices, and at most 4294966271 can be worked on");
        let refused = Csr::generated("kron:30").unwrap_err().to_string();
        assert_eq!(refused, "the rows of the graph have 34359738368 places, and at most 4294966271 can be worked on");
    }
}
