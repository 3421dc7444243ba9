//! Graphs of vertices and edges in compressed rows (CSR), on the host: built, read from text, made up.
//!
//! The edges that leave vertex `v` lead to `edges[offsets[v]..offsets[v + 1]]`, in order. An undirected graph has each
//! edge in the rows of both of its ends; of a directed one the edges that enter a vertex are kept as well, as rows of
//! their own. Whoever has a [`Csr`] has had it checked: no edge leads out of the graph.

mod error;
mod generate;
mod read;

pub use error::{Error, Wrong};
pub use read::Weights;

/// Vertices of a graph, at the most: the number after the last stands for none.
pub const VERTICES_MAX: usize = u32::MAX as usize - 1024;

/// Places in the rows of a graph, at the most; an edge of an undirected one has two.
pub const EDGES_MAX: usize = u32::MAX as usize - 1024;

/// Whether edges lead one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// From the first vertex to the second.
    Directed,
    /// Both ways.
    Undirected,
}

/// Two vertices, and how long the edge between them is.
pub type Edge = (u32, u32, u32);

/// Rows: where each begins, and where edges lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) offsets: Vec<u32>,
    pub(crate) edges: Vec<u32>,
    /// Of each edge; none if they have no weights.
    pub(crate) weights: Vec<u32>,
}

/// A graph on the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Csr {
    kind: Kind,
    out: Rows,
    /// Of a directed graph: where edges come from.
    back: Option<Rows>,
}

impl Csr {
    /// From pairs of vertices, of which there are so many. Loops stay, and so do edges that are given twice.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::csr::Error> {
    /// use seawall_kit::csr::{Csr, Kind};
    ///
    /// let csr = Csr::new(4, Kind::Undirected, &[(0, 1), (2, 1)])?;
    /// assert_eq!((csr.neighbours(1), csr.neighbours(3)), (&[0, 2][..], &[][..]));
    /// let refused = Csr::new(4, Kind::Directed, &[(0, 1), (3, 4)]).unwrap_err();
    /// assert_eq!(refused.to_string(), "edge 1 leads from 3 to 4, and there are 4 vertices");
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(vertices: usize, kind: Kind, pairs: &[(u32, u32)]) -> Result<Self, Error> {
        Self::build(vertices, kind, pairs.len(), |at| (pairs[at].0, pairs[at].1, 0), false)
    }

    /// The same of edges with weights.
    pub fn weighted(vertices: usize, kind: Kind, edges: &[Edge]) -> Result<Self, Error> {
        Self::build(vertices, kind, edges.len(), |at| edges[at], true)
    }

    fn build(
        vertices: usize,
        kind: Kind,
        count: usize,
        edge: impl Fn(usize) -> Edge,
        weighted: bool,
    ) -> Result<Self, Error> {
        if vertices > VERTICES_MAX {
            return Err(Error::Vertices { vertices, max: VERTICES_MAX });
        }
        let places = match kind {
            Kind::Directed => count,
            Kind::Undirected => count.saturating_mul(2),
        };
        if places > EDGES_MAX {
            return Err(Error::Edges { edges: places, max: EDGES_MAX });
        }
        let outside = |&at: &usize| edge(at).0.max(edge(at).1) as usize >= vertices;
        if let Some(at) = (0..count).find(outside) {
            let (from, to, _) = edge(at);
            return Err(Error::Outside { at, from, to, vertices });
        }
        let there = || (0..count).map(&edge);
        let back = || there().map(|(from, to, weight)| (to, from, weight));
        let (out, back) = match kind {
            // A loop has one place only.
            Kind::Undirected => {
                let both = || there().chain(back().filter(|(from, to, _)| from != to));
                (Rows::new(vertices, both, weighted)?, None)
            }
            Kind::Directed => (Rows::new(vertices, there, weighted)?, Some(Rows::new(vertices, back, weighted)?)),
        };
        Ok(Self { kind, out, back })
    }

    /// Without loops, and with one edge where there were several: the one with the least weight.
    #[must_use]
    pub fn simple(self) -> Self {
        Self { kind: self.kind, out: self.out.simple(), back: self.back.map(Rows::simple) }
    }

    /// With other weights, of the two ends of each edge. An undirected graph gives the lower vertex first.
    #[must_use]
    pub fn weighed(mut self, weight: impl Fn(u32, u32) -> u32) -> Self {
        let ends = |from: u32, to: u32| match self.kind {
            Kind::Directed => (from, to),
            Kind::Undirected => (from.min(to), from.max(to)),
        };
        self.out.weigh(|from, to| {
            let (from, to) = ends(from, to);
            weight(from, to)
        });
        if let Some(back) = &mut self.back {
            back.weigh(|to, from| weight(from, to));
        }
        self
    }

    /// Whether edges lead one way.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.out.offsets.len() - 1
    }

    /// Where rows begin; one more than there are vertices.
    pub fn offsets(&self) -> &[u32] {
        &self.out.offsets
    }

    /// Where edges lead, row after row.
    pub fn edges(&self) -> &[u32] {
        &self.out.edges
    }

    /// How long edges are, or nothing if they have no weights.
    pub fn weights(&self) -> &[u32] {
        &self.out.weights
    }

    /// Where edges lead from a vertex.
    pub fn neighbours(&self, v: u32) -> &[u32] {
        &self.out.edges[self.out.row(v)]
    }

    /// Where edges come from that lead to a vertex.
    pub fn sources(&self, v: u32) -> &[u32] {
        let rows = self.back.as_ref().unwrap_or(&self.out);
        &rows.edges[rows.row(v)]
    }

    /// Where edges lead from a vertex, and their weights.
    pub fn weighted_neighbours(&self, v: u32) -> impl Iterator<Item = (u32, u32)> {
        let row = self.out.row(v);
        self.out.edges[row.clone()].iter().copied().zip(self.out.weights[row].iter().copied())
    }

    pub(crate) fn rows(&self) -> (&Rows, Option<&Rows>) {
        (&self.out, self.back.as_ref())
    }

    /// A vertex that as many edges leave as any.
    pub fn hub(&self) -> u32 {
        (0..self.vertices() as u32).max_by_key(|&v| self.neighbours(v).len()).unwrap_or(0)
    }
}

impl Rows {
    /// By counting: how many edges leave each vertex, where its row begins, and then the rows.
    fn new<E: Iterator<Item = Edge>>(vertices: usize, edges: impl Fn() -> E, weighted: bool) -> Result<Self, Error> {
        let mut offsets = zeros(vertices + 1)?;
        edges().for_each(|(from, ..)| offsets[from as usize + 1] += 1);
        for v in 0..vertices {
            offsets[v + 1] += offsets[v];
        }
        let (count, mut next) = (offsets[vertices] as usize, zeros(vertices)?);
        next.copy_from_slice(&offsets[..vertices]);
        let (mut targets, mut weights) = (zeros(count)?, zeros(if weighted { count } else { 0 })?);
        for (from, to, weight) in edges() {
            let at = next[from as usize] as usize;
            next[from as usize] += 1;
            targets[at] = to;
            if weighted {
                weights[at] = weight;
            }
        }
        let mut rows = Self { offsets, edges: targets, weights };
        rows.sort();
        Ok(rows)
    }

    fn sort(&mut self) {
        let mut pairs = Vec::new();
        for v in 0..self.offsets.len() as u32 - 1 {
            let row = self.row(v);
            if self.weights.is_empty() {
                self.edges[row].sort_unstable();
                continue;
            }
            pairs.clear();
            pairs.extend(self.edges[row.clone()].iter().copied().zip(self.weights[row.clone()].iter().copied()));
            pairs.sort_unstable();
            for (at, &(to, weight)) in row.zip(&pairs) {
                (self.edges[at], self.weights[at]) = (to, weight);
            }
        }
    }

    fn row(&self, v: u32) -> std::ops::Range<usize> {
        self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize
    }

    fn simple(mut self) -> Self {
        let (mut to, mut last) = (0, 0);
        for v in 0..self.offsets.len() as u32 - 1 {
            let row = last..self.offsets[v as usize + 1] as usize;
            last = row.end;
            let first = to;
            for at in row {
                let edge = self.edges[at];
                if edge != v && (to == first || self.edges[to - 1] != edge) {
                    self.edges[to] = edge;
                    if !self.weights.is_empty() {
                        self.weights[to] = self.weights[at];
                    }
                    to += 1;
                }
            }
            self.offsets[v as usize + 1] = to as u32;
        }
        self.edges.truncate(to);
        self.weights.truncate(to);
        self
    }

    fn weigh(&mut self, weight: impl Fn(u32, u32) -> u32) {
        let from = (0..self.offsets.len() as u32 - 1).flat_map(|v| self.row(v).map(move |_| v));
        self.weights = from.zip(&self.edges).map(|(from, &to)| weight(from, to)).collect();
        self.sort();
    }
}

/// So many, if there is memory for them: a file of a few lines can ask for billions.
fn zeros(len: usize) -> Result<Vec<u32>, Error> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(len).map_err(|_| Error::Memory { bytes: len.saturating_mul(4) })?;
    zeros.resize(len, 0);
    Ok(zeros)
}
