//! Graphs for the examples, by rows: the neighbours of vertex `v` are `edges[offsets[v]..offsets[v + 1]]`.
//! Made by a generator, or read from an edge list or a Matrix Market file. Undirected, without
//! loops and doubles.

#![allow(dead_code, reason = "each example, and the benchmark, uses what it needs")]

use seawall::{Graph, Overrides, Program, Wave};

/// A wave of a program's entry point, with each of its buffers bound to the data of the same name.
pub(crate) fn wave<'a>(graph: &'a mut Graph, program: &Program, entry: &str) -> Wave<'a> {
    let kernel = program.kernel(entry, &Overrides::new()).unwrap_or_else(|report| panic!("{report}"));
    let mut wave = graph.wave(entry, &kernel);
    for row in &kernel.buffers {
        wave.bind(&row.name, &row.name);
    }
    wave
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Csr {
    pub(crate) offsets: Vec<u32>,
    pub(crate) edges: Vec<u32>,
    /// Of each edge, 1 to 255, the same in both directions.
    pub(crate) weights: Vec<u32>,
}

/// A generator that is the same everywhere (`SplitMix64`, Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u32) -> u32 {
        (((self.next() >> 32) * u64::from(n)) >> 32) as u32
    }
}

impl Csr {
    /// From pairs of vertices, all below `vertices`.
    pub(crate) fn new(vertices: u32, pairs: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut all: Vec<(u32, u32)> =
            pairs.into_iter().filter(|(a, b)| a != b).flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        all.sort_unstable();
        all.dedup();
        let mut offsets = vec![0; vertices as usize + 1];
        for (from, _) in &all {
            offsets[*from as usize + 1] += 1;
        }
        for v in 0..vertices as usize {
            offsets[v + 1] += offsets[v];
        }
        let weight = |&(a, b): &(u32, u32)| 1 + Random(u64::from(a.min(b)) << 32 | u64::from(a.max(b))).below(255);
        let weights = all.iter().map(weight).collect();
        Self { offsets, edges: all.into_iter().map(|(_, to)| to).collect(), weights }
    }

    pub(crate) fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn neighbours(&self, v: u32) -> &[u32] {
        &self.edges[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    /// A vertex with as many neighbours as any.
    pub(crate) fn hub(&self) -> u32 {
        (0..self.vertices() as u32).max_by_key(|&v| self.neighbours(v).len()).unwrap_or(0)
    }

    /// As the Graph 500 benchmark has it: `2^scale` vertices, few of which have most of the edges
    /// (R-MAT; Chakrabarti, Zhan and Faloutsos, 2004).
    pub(crate) fn kronecker(scale: u32, degree: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let vertices = 1u32 << scale;
        // So that a vertex's number says nothing about it.
        let mut names: Vec<u32> = (0..vertices).collect();
        (1..names.len()).rev().for_each(|at| names.swap(at, random.below(at as u32 + 1) as usize));
        let pairs = (0..u64::from(vertices) * u64::from(degree)).map(|_| {
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
        });
        Self::new(vertices, pairs.collect::<Vec<_>>())
    }

    /// Any two vertices are as likely to be neighbours.
    pub(crate) fn uniform(scale: u32, degree: u32, seed: u64) -> Self {
        let (mut random, vertices) = (Random(seed), 1u32 << scale);
        let pairs =
            (0..u64::from(vertices) * u64::from(degree)).map(|_| (random.below(vertices), random.below(vertices)));
        Self::new(vertices, pairs.collect::<Vec<_>>())
    }

    /// A grid of so many columns and rows; one row is a path.
    pub(crate) fn grid(columns: u32, rows: u32) -> Self {
        let right = (0..columns * rows).filter(|v| v % columns + 1 < columns).map(|v| (v, v + 1));
        let down = (0..columns * (rows - 1)).map(|v| (v, v + columns));
        Self::new(columns * rows, right.chain(down).collect::<Vec<_>>())
    }

    /// The graph in the file that the command's first argument names, if there is one: a Matrix Market
    /// file if it ends in `.mtx`, else an edge list.
    pub(crate) fn given() -> Result<Option<(String, Self)>, Box<dyn std::error::Error>> {
        let Some(path) = std::env::args().nth(1) else { return Ok(None) };
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let is_matrix = std::path::Path::new(&path).extension().is_some_and(|name| name == "mtx");
        let read = if is_matrix { Self::mtx(&text) } else { Self::edge_list(&text) };
        let csr = read.map_err(|error| format!("{path}: {error}"))?;
        if csr.edges.is_empty() { Err(format!("{path} has no edges").into()) } else { Ok(Some((path, csr))) }
    }

    /// From lines of two numbers, those of vertices; lines that start with `#` or `%` say nothing.
    pub(crate) fn edge_list(text: &str) -> Result<Self, String> {
        Self::lines(text.lines().enumerate(), 0, None)
    }

    /// From a Matrix Market file: the places of a square matrix that hold something.
    pub(crate) fn mtx(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate();
        let header = lines.next().map(|(_, line)| line.to_lowercase()).unwrap_or_default();
        if !header.starts_with("%%matrixmarket matrix coordinate") {
            return Err("line 1 is not `%%MatrixMarket matrix coordinate …`".to_owned());
        }
        let Some((at, sizes)) = lines.by_ref().find(|(_, line)| !line.starts_with('%') && !line.trim().is_empty())
        else {
            return Err("there is no line with the matrix's size".to_owned());
        };
        let sizes: Vec<u32> = sizes.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match sizes[..] {
            [rows, columns, _] if rows == columns => Self::lines(lines, 1, Some(rows)),
            _ => Err(format!("line {} is not the size of a square matrix and its number of entries", at + 1)),
        }
    }

    /// Vertices are counted from `first` on; there are so many, or as many as are named.
    fn lines<'a>(
        lines: impl Iterator<Item = (usize, &'a str)>,
        first: u32,
        vertices: Option<u32>,
    ) -> Result<Self, String> {
        let mut pairs = Vec::new();
        for (at, line) in lines {
            if line.starts_with(['#', '%']) || line.trim().is_empty() {
                continue;
            }
            let wrong = || format!("line {}: `{line}` does not begin with two vertices", at + 1);
            let mut words = line.split_whitespace().map(|word| word.parse::<u32>().ok()?.checked_sub(first));
            let pair = (words.next().flatten().ok_or_else(wrong)?, words.next().flatten().ok_or_else(wrong)?);
            if vertices.is_some_and(|count| pair.0.max(pair.1) >= count) || pair.0.max(pair.1) == u32::MAX {
                return Err(format!("line {}: there is no such vertex", at + 1));
            }
            pairs.push(pair);
        }
        let named = pairs.iter().map(|(a, b)| a.max(b) + 1).max().unwrap_or(0);
        Ok(Self::new(vertices.unwrap_or(named), pairs))
    }
}
