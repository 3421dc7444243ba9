//! A graph on a device, in compressed rows.
//!
//! It is checked once, when it is made, so that no algorithm has to look again: rows follow each other and end with the
//! edges, and no edge leads out of the graph.

use seawall::{Buffer, Graph, Run, Runtime};

use crate::csr::{Csr, EDGES_MAX, Error as Refused, Kind, VERTICES_MAX};
use crate::error::Error;
use crate::kit::{Kit, Stage, expect, len_of};

const WGSL: &str = include_str!("check.wgsl");

const LANES: usize = 64;

/// Rows on a device. There is a place at least, since a graph of waves has no empty data.
#[derive(Debug, Clone)]
struct Rows {
    offsets: Buffer<u32>,
    edges: Buffer<u32>,
}

/// A graph on a device.
#[derive(Debug, Clone)]
pub struct Resident {
    kind: Kind,
    out: Rows,
    /// Of a directed graph: where edges come from.
    back: Option<Rows>,
    weights: Option<Buffer<u32>>,
    vertices: usize,
    edges: usize,
    weight_max: u32,
    unsorted: usize,
}

/// What a check found.
#[derive(Debug, Default, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Found {
    rows: u32,
    outside: u32,
    unsorted: u32,
    weight_max: u32,
}

impl Resident {
    /// Brings a graph to a device.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::Error> {
    /// use seawall_kit::{Kit, Resident, bfs, csr::Csr};
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let grid = Resident::new(&runtime, &Csr::grid(3, 2)?)?;
    /// let dist = runtime.buffer(grid.vertices())?;
    /// bfs::search(&Kit::new(&runtime), &grid, 0, &dist)?;
    /// assert_eq!(dist.to_vec()?, [0, 1, 2, 1, 2, 3]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(runtime: &Runtime, csr: &Csr) -> Result<Self, Error> {
        let up = |numbers: &[u32]| runtime.buffer_from(if numbers.is_empty() { &[0] } else { numbers });
        let (out, back) = csr.rows();
        let rows = |offsets: &[u32], edges: &[u32]| -> Result<Rows, Error> {
            Ok(Rows { offsets: up(offsets)?, edges: up(edges)? })
        };
        Ok(Self {
            kind: csr.kind(),
            out: rows(&out.offsets, &out.edges)?,
            back: back.map(|back| rows(&back.offsets, &back.edges)).transpose()?,
            // There are none of no edges, which any search may use.
            weights: (csr.weights().len() == csr.edges().len()).then(|| up(csr.weights())).transpose()?,
            vertices: csr.vertices(),
            edges: csr.edges().len(),
            weight_max: csr.weights().iter().copied().max().unwrap_or(0),
            unsorted: 0,
        })
    }

    /// From rows that are on the device already. A directed graph has `back` too, the rows of edges that enter each
    /// vertex; whether they are the same edges, and whether those of an undirected graph lead both ways, is not
    /// checked.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::Error> {
    /// use seawall_kit::{Kit, Resident};
    ///
    /// let runtime = seawall::Runtime::new()?;
    /// let (offsets, edges) = (runtime.buffer_from(&[0u32, 1, 2])?, runtime.buffer_from(&[1u32, 2])?);
    /// let refused = Resident::from_rows(&Kit::new(&runtime), (&offsets, &edges), None, None).unwrap_err();
    /// assert_eq!(refused.to_string(), "1 of the indices in `edges` are not below 2");
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_rows(
        kit: &Kit<'_>,
        (offsets, edges): (&Buffer<u32>, &Buffer<u32>),
        back: Option<(&Buffer<u32>, &Buffer<u32>)>,
        weights: Option<&Buffer<u32>>,
    ) -> Result<Self, Error> {
        let Some(vertices) = offsets.len().checked_sub(1) else {
            return Err(Error::Length { data: "offsets".to_owned(), got: 0, expected: 1 });
        };
        if vertices > VERTICES_MAX {
            return Err(Refused::Vertices { vertices, max: VERTICES_MAX }.into());
        }
        if edges.len() > EDGES_MAX {
            return Err(Refused::Edges { edges: edges.len(), max: EDGES_MAX }.into());
        }
        if let Some(weights) = weights {
            expect("weights", weights.len(), edges.len())?;
        }
        let one = |numbers: &Buffer<u32>| {
            if numbers.is_empty() { kit.runtime().buffer_from(&[0]) } else { Ok(numbers.clone()) }
        };
        let out = Rows { offsets: offsets.clone(), edges: one(edges)? };
        let weights = weights.map(one).transpose()?;
        let found = check(kit, ["offsets", "edges"], &out, edges.len(), weights.as_ref())?;
        let back = match back {
            Some((back_offsets, back_edges)) => {
                expect("back_offsets", back_offsets.len(), offsets.len())?;
                expect("back_edges", back_edges.len(), edges.len())?;
                let back = Rows { offsets: back_offsets.clone(), edges: one(back_edges)? };
                check(kit, ["back_offsets", "back_edges"], &back, edges.len(), None)?;
                Some(back)
            }
            None => None,
        };
        Ok(Self {
            kind: if back.is_some() { Kind::Directed } else { Kind::Undirected },
            out,
            back,
            weights,
            vertices,
            edges: edges.len(),
            weight_max: found.weight_max,
            unsorted: found.unsorted as usize,
        })
    }

    /// Whether edges lead one way.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Places in its rows; an edge that leads both ways has two.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Where rows begin; one more than there are vertices.
    pub fn offsets(&self) -> &Buffer<u32> {
        &self.out.offsets
    }

    /// Where edges lead, row after row.
    pub fn targets(&self) -> Result<Buffer<u32>, Error> {
        Ok(self.out.edges.range(..self.edges)?)
    }

    /// How long edges are, or that they have no weights.
    pub fn lengths(&self) -> Result<Buffer<u32>, Error> {
        Ok(self.weights()?.range(..self.edges)?)
    }

    /// The longest edge.
    pub(crate) fn weight_max(&self) -> u32 {
        self.weight_max
    }

    /// How many edges are out of order.
    pub(crate) fn unsorted(&self) -> usize {
        self.unsorted
    }

    /// An error unless there is such a vertex.
    pub(crate) fn vertex(&self, vertex: u32) -> Result<(), Error> {
        if (vertex as usize) < self.vertices {
            return Ok(());
        }
        Err(Error::Vertex { vertex, vertices: self.vertices })
    }

    /// What the graphs of two calls have to have in common.
    pub(crate) fn key(&self) -> String {
        format!("{:?} {} {}", self.kind, self.vertices, self.out.edges.len())
    }

    /// Names of its rows, which this adds to a graph of waves.
    pub(crate) fn describe(&self, graph: &mut Graph) -> Names<'static> {
        let (offsets, edges) = (self.vertices + 1, self.out.edges.len());
        graph.input::<u32>("offsets", offsets).input::<u32>("edges", edges);
        let undirected = Names { offsets: "offsets", edges: "edges", back: None };
        if self.back.is_none() {
            return undirected;
        }
        graph.input::<u32>("back_offsets", offsets).input::<u32>("back_edges", edges);
        Names { back: Some(("back_offsets", "back_edges")), ..undirected }
    }

    /// Its rows for a call.
    pub(crate) fn bind<'a>(&'a self, call: Run<'a>) -> Run<'a> {
        let call = call.bind("offsets", &self.out.offsets).bind("edges", &self.out.edges);
        match &self.back {
            Some(back) => call.bind("back_offsets", &back.offsets).bind("back_edges", &back.edges),
            None => call,
        }
    }

    /// Its weights.
    pub(crate) fn weights(&self) -> Result<&Buffer<u32>, Error> {
        self.weights.as_ref().ok_or(Error::NoWeights)
    }
}

/// Rows of a graph as data of a graph of waves, by names. Stages that are given them trust them: an edge that leads
/// nowhere is read as zero, and written nowhere.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// Where rows begin; one more than there are vertices.
    pub offsets: &'a str,
    /// Where edges lead.
    pub edges: &'a str,
    /// The same for edges that enter each vertex, if edges lead one way.
    pub back: Option<(&'a str, &'a str)>,
}

impl<'a> Names<'a> {
    /// Vertices and places in the rows.
    pub(crate) fn sizes(&self, graph: &Graph) -> Result<(usize, usize), Error> {
        let (offsets, edges) = (len_of::<u32>(graph, self.offsets)?, len_of::<u32>(graph, self.edges)?);
        if let Some((back_offsets, back_edges)) = self.back {
            expect(back_offsets, len_of::<u32>(graph, back_offsets)?, offsets)?;
            expect(back_edges, len_of::<u32>(graph, back_edges)?, edges)?;
        }
        if offsets - 1 > VERTICES_MAX {
            return Err(Refused::Vertices { vertices: offsets - 1, max: VERTICES_MAX }.into());
        }
        if edges > EDGES_MAX {
            return Err(Refused::Edges { edges, max: EDGES_MAX }.into());
        }
        Ok((offsets - 1, edges))
    }

    /// Rows of edges that enter.
    pub(crate) fn back(&self) -> (&'a str, &'a str) {
        self.back.unwrap_or((self.offsets, self.edges))
    }

    /// The waves of a piece, with these rows bound to what its text calls them.
    pub(crate) fn bind<'s, 'k>(&self, stage: Stage<'s, 'k>) -> Stage<'s, 'k> {
        let (back_offsets, back_edges) = self.back();
        let stage = stage.bind("offsets", self.offsets).bind("edges", self.edges);
        stage.bind("back_offsets", back_offsets).bind("back_edges", back_edges)
    }
}

fn check(
    kit: &Kit<'_>,
    [offsets, edges]: [&str; 2],
    rows: &Rows,
    count: usize,
    weights: Option<&Buffer<u32>>,
) -> Result<Found, Error> {
    let vertices = rows.offsets.len() - 1;
    let key = format!("check {vertices} {count} {}", weights.is_some());
    let describe = |graph: &mut Graph| {
        graph.input::<u32>("offsets", vertices + 1).input::<u32>("edges", rows.edges.len());
        graph.output::<Found>("found", 1);
        let lines = [format!("const EDGES = {count}u;")];
        if weights.is_some() {
            graph.input::<u32>("weights", rows.edges.len());
        }
        let mut stage = Stage::new(kit, graph, "check", WGSL, &lines)
            .bind("offsets", "offsets")
            .bind("edges", "edges")
            .bind("weights", "weights")
            .bind("found", "found");
        stage.wave("rows", (vertices + 1).div_ceil(LANES))?;
        if weights.is_some() {
            stage.wave("longest", rows.edges.len().div_ceil(LANES))?;
        }
        Ok(())
    };
    let mut found = [Found::default()];
    kit.call(&key, describe, |call| {
        let call = call.bind("offsets", &rows.offsets).bind("edges", &rows.edges).bind("found", &mut found);
        match weights {
            Some(weights) => call.bind("weights", weights).run(),
            None => call.run(),
        }
    })?;
    let [found] = found;
    if found.rows > 0 {
        return Err(Error::Rows { data: offsets.to_owned(), count: found.rows as usize });
    }
    if found.outside > 0 {
        return Err(Error::Outside { data: edges.to_owned(), count: found.outside as usize, len: vertices });
    }
    Ok(found)
}
