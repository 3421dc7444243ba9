//! The kernels, what they are given and what is wanted of them.
//!
//! Inputs come from one generator, `SplitMix64` seeded with the case's number, and every
//! contender is given the same bytes.

use bytemuck::cast_slice;
use seawall_kit::csr::Csr;

use crate::inputs::Random;

/// Elements of the large arrays: a grid of 256 at a time stays under 65,535 workgroups.
const N: u32 = 16_000_000;
const PARTICLES: u32 = 2_000_000;
const ROWS: u32 = 1_000_000;
const ROW_MAX: u32 = 32;
const STRIDING_WORKGROUPS: u32 = 1024;
const IMAGE: u32 = 2048;
const IMAGE_STEPS: u32 = 256;
const MATRIX: u32 = 1024;
const BODIES: u32 = 16_384;
const WEIGHTS: [u32; 2] = [16_384, 1024];
const FIELD: u32 = 4096;
const BLOCKS: u32 = 1 << 18;
const BYTES: u32 = 8192;
const COLLATZ: u32 = 1024;
const GRAPH_SCALE: u32 = 16;

/// What a case is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Reading and writing memory.
    Memory,
    /// Arithmetic.
    Compute,
    /// An elementary function, or bits.
    Function,
    /// The same memory several times, from near.
    Near,
    /// Arithmetic, against a library that does nothing else.
    Library,
    /// Work that few workgroups have most of, against whoever steals it.
    Skew,
    /// The cost of a call.
    Call,
    /// From text to the first result.
    Cold,
}

/// When two answers are the same.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Same {
    /// Bit for bit.
    Bits,
    /// Floats apart by at most this share of the largest.
    Floats(f32),
    /// Words of which at most this share differ: where a multiplication and an addition may
    /// be contracted into one rounding, a point near the edge takes a step more or less.
    Words(f64),
}

/// What a buffer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Uniform,
    Input,
    Output,
}

/// A buffer's name in the kernel, and its first contents.
pub(crate) struct Buffer {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
    pub(crate) bytes: Vec<u8>,
}

/// A kernel with everything that it takes.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) size: &'static str,
    pub(crate) bound: Bound,
    pub(crate) wgsl: &'static str,
    /// Its twin.
    pub(crate) opencl: &'static str,
    /// In the order of their bindings.
    pub(crate) buffers: Vec<Buffer>,
    /// Invocations in a workgroup, and workgroups.
    pub(crate) workgroup: [u32; 3],
    pub(crate) grid: [u32; 3],
    pub(crate) same: Same,
    /// Runs that make one lap.
    pub(crate) repeat: u32,
}

impl Case {
    /// For programs with kernels of their own: what one computes from these buffers is read in place of the last.
    pub(crate) fn of_program(name: &'static str, size: &'static str, inputs: Vec<Vec<u8>>, same: Same) -> Self {
        let input = |bytes| Buffer { name: "input", role: Role::Input, bytes };
        let result = Buffer { name: "the result", role: Role::Output, bytes: Vec::new() };
        Self {
            name,
            size,
            bound: Bound::Compute,
            wgsl: "",
            opencl: "",
            workgroup: [0; 3],
            grid: [0; 3],
            buffers: inputs.into_iter().map(input).chain([result]).collect(),
            same,
            repeat: 1,
        }
    }
}

/// The text of the cold case, WGSL or `OpenCL` C, with another salt.
pub(crate) fn salted(text: &str, salt: u32) -> String {
    text.replace("SALT = 0u", &format!("SALT = {salt}u"))
}

/// A name, and how to make the case: inputs are large, so one lives at a time.
pub(crate) type Entry = (&'static str, fn() -> Case);

/// All cases, in the order in which they run.
pub(crate) const ALL: [Entry; 17] = [
    ("saxpy", saxpy),
    ("particles", particles),
    ("reduce", reduce),
    ("reduce_strided", reduce_strided),
    ("spmv", spmv),
    ("histogram", histogram),
    ("mandelbrot", mandelbrot),
    ("matmul", matmul),
    ("blocked", blocked),
    ("nbody", nbody),
    ("softmax", softmax),
    ("jacobi", jacobi),
    ("sha256", sha256),
    ("gemv", gemv),
    ("triangles", triangles),
    ("empty", empty),
    ("cold", cold),
];

fn buffer(name: &'static str, role: Role, words: &[u32]) -> Buffer {
    Buffer { name, role, bytes: cast_slice(words).to_vec() }
}

fn floats(name: &'static str, role: Role, len: u32, mut next: impl FnMut() -> f32) -> Buffer {
    let values: Vec<f32> = (0..len).map(|_| next()).collect();
    Buffer { name, role, bytes: cast_slice(&values).to_vec() }
}

fn zeros(name: &'static str, len: u32) -> Buffer {
    Buffer { name, role: Role::Output, bytes: vec![0; len as usize * 4] }
}

fn saxpy() -> Case {
    let mut random = Random::new(1);
    Case {
        name: "saxpy",
        size: "16 M f32",
        bound: Bound::Memory,
        wgsl: include_str!("../../kernels/saxpy.wgsl"),
        opencl: include_str!("../../kernels/saxpy.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[0.75_f32.to_bits(), N]),
            floats("x", Role::Input, N, || random.unit()),
            zeros("y", N),
        ],
        workgroup: [256, 1, 1],
        grid: [N.div_ceil(256), 1, 1],
        same: Same::Floats(1e-6),
        repeat: 1,
    }
}

/// Two vectors each, so that they are as large as the arrays of the others.
fn particles() -> Case {
    let mut random = Random::new(7);
    Case {
        name: "particles",
        size: "2 M of 8 f32",
        bound: Bound::Memory,
        wgsl: include_str!("../../kernels/particles.wgsl"),
        opencl: include_str!("../../kernels/particles.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[PARTICLES, 1e-2_f32.to_bits(), 0.5_f32.to_bits()]),
            floats("particles", Role::Output, PARTICLES * 8, || random.unit()),
        ],
        workgroup: [256, 1, 1],
        grid: [PARTICLES.div_ceil(256), 1, 1],
        same: Same::Floats(1e-5),
        repeat: 1,
    }
}

fn sum(name: &'static str, [wgsl, opencl]: [&'static str; 2], workgroups: u32) -> Case {
    let mut random = Random::new(2);
    let words: Vec<u32> = (0..N).map(|_| random.word()).collect();
    Case {
        name,
        size: "16 M u32",
        bound: Bound::Memory,
        wgsl,
        opencl,
        buffers: vec![buffer("params", Role::Uniform, &[N]), buffer("x", Role::Input, &words), zeros("total", 1)],
        workgroup: [256, 1, 1],
        grid: [workgroups, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

fn reduce() -> Case {
    const TEXTS: [&str; 2] = [include_str!("../../kernels/reduce.wgsl"), include_str!("../../kernels/reduce.cl")];
    sum("reduce", TEXTS, N.div_ceil(4 * 256))
}

fn reduce_strided() -> Case {
    const TEXTS: [&str; 2] =
        [include_str!("../../kernels/reduce_strided.wgsl"), include_str!("../../kernels/reduce_strided.cl")];
    sum("reduce_strided", TEXTS, STRIDING_WORKGROUPS)
}

/// Rows of 0 to 32 entries, 16 on average, in columns anywhere.
fn spmv() -> Case {
    let mut random = Random::new(3);
    let mut starts = vec![0; ROWS as usize + 1];
    for pair in (0..ROWS as usize).step_by(2) {
        starts[pair + 1] = starts[pair] + random.below(ROW_MAX + 1);
        starts[pair + 2] = starts[pair] + ROW_MAX;
    }
    let columns: Vec<u32> = (0..N).map(|_| random.below(ROWS)).collect();
    Case {
        name: "spmv",
        size: "1 M rows, 16 M entries",
        bound: Bound::Memory,
        wgsl: include_str!("../../kernels/spmv.wgsl"),
        opencl: include_str!("../../kernels/spmv.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[ROWS]),
            buffer("starts", Role::Input, &starts),
            buffer("columns", Role::Input, &columns),
            floats("values", Role::Input, N, || random.unit()),
            floats("x", Role::Input, ROWS, || random.unit()),
            zeros("y", ROWS),
        ],
        workgroup: [64, 1, 1],
        grid: [ROWS.div_ceil(64), 1, 1],
        same: Same::Floats(1e-5),
        repeat: 1,
    }
}

fn histogram() -> Case {
    let mut random = Random::new(4);
    let keys: Vec<u32> = (0..N).map(|_| random.word()).collect();
    Case {
        name: "histogram",
        size: "16 M u32, 256 bins",
        bound: Bound::Memory,
        wgsl: include_str!("../../kernels/histogram.wgsl"),
        opencl: include_str!("../../kernels/histogram.cl"),
        buffers: vec![buffer("params", Role::Uniform, &[N]), buffer("keys", Role::Input, &keys), zeros("bins", 256)],
        workgroup: [256, 1, 1],
        grid: [STRIDING_WORKGROUPS, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

/// A Kronecker graph of 2^16 vertices: few of them do most of the work, and they are neighbours.
fn triangles() -> Case {
    let graph = Csr::kronecker(GRAPH_SCALE, 16, 1).expect("a graph of this size").simple();
    let vertices = graph.vertices() as u32;
    let degree = |vertex: u32| graph.neighbours(vertex).len();
    let mut order: Vec<u32> = (0..vertices).collect();
    order.sort_by_key(|&vertex| std::cmp::Reverse(degree(vertex)));
    let mut ranks = vec![0; order.len()];
    (0..).zip(&order).for_each(|(rank, &vertex)| ranks[vertex as usize] = rank);
    let (mut starts, mut edges) = (vec![0], Vec::new());
    for (rank, &vertex) in (0..).zip(&order) {
        let lower = graph.neighbours(vertex).iter().map(|&other| ranks[other as usize]).filter(|&other| other < rank);
        let mut row: Vec<u32> = lower.collect();
        row.sort_unstable();
        edges.extend(row);
        starts.push(edges.len() as u32);
    }
    Case {
        name: "triangles",
        size: "kron16 by degree",
        bound: Bound::Skew,
        wgsl: include_str!("../../kernels/triangles.wgsl"),
        opencl: include_str!("../../kernels/triangles.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[vertices]),
            buffer("starts", Role::Input, &starts),
            buffer("edges", Role::Input, &edges),
            zeros("counts", vertices),
        ],
        workgroup: [64, 1, 1],
        grid: [vertices.div_ceil(64), 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

fn mandelbrot() -> Case {
    let corner = [-2.0, -1.25, 2.5 / IMAGE as f32].map(f32::to_bits);
    let params = [IMAGE, IMAGE, IMAGE_STEPS, corner[0], corner[1], corner[2]];
    Case {
        name: "mandelbrot",
        size: "2048², 256 steps",
        bound: Bound::Compute,
        wgsl: include_str!("../../kernels/mandelbrot.wgsl"),
        opencl: include_str!("../../kernels/mandelbrot.cl"),
        buffers: vec![buffer("params", Role::Uniform, &params), zeros("image", IMAGE * IMAGE)],
        workgroup: [16, 16, 1],
        grid: [IMAGE / 16, IMAGE / 16, 1],
        same: Same::Words(3e-3),
        repeat: 1,
    }
}

/// The product of two matrices, by tiles of so many rows and columns.
fn product(name: &'static str, bound: Bound, [wgsl, opencl]: [&'static str; 2], tile: u32) -> Case {
    let mut random = Random::new(5);
    let mut matrix = |name| floats(name, Role::Input, MATRIX * MATRIX, || random.unit());
    Case {
        name,
        size: "1024³ f32",
        bound,
        wgsl,
        opencl,
        buffers: vec![
            buffer("params", Role::Uniform, &[MATRIX]),
            matrix("a"),
            matrix("b"),
            zeros("c", MATRIX * MATRIX),
        ],
        workgroup: [16, 16, 1],
        grid: [MATRIX / tile, MATRIX / tile, 1],
        same: Same::Floats(1e-5),
        repeat: 1,
    }
}

fn matmul() -> Case {
    const TEXTS: [&str; 2] = [include_str!("../../kernels/matmul.wgsl"), include_str!("../../kernels/matmul.cl")];
    product("matmul", Bound::Compute, TEXTS, 16)
}

fn blocked() -> Case {
    const TEXTS: [&str; 2] = [include_str!("../../kernels/blocked.wgsl"), include_str!("../../kernels/blocked.cl")];
    product("blocked", Bound::Library, TEXTS, 64)
}

fn nbody() -> Case {
    let mut random = Random::new(6);
    let params = [BODIES, 1e-4_f32.to_bits(), 1e-3_f32.to_bits()];
    Case {
        name: "nbody",
        size: "16,384 bodies",
        bound: Bound::Compute,
        wgsl: include_str!("../../kernels/nbody.wgsl"),
        opencl: include_str!("../../kernels/nbody.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &params),
            floats("bodies", Role::Input, BODIES * 4, || random.unit()),
            zeros("velocities", BODIES * 4),
            zeros("moved", BODIES * 4),
        ],
        workgroup: [64, 1, 1],
        grid: [BODIES / 64, 1, 1],
        same: Same::Floats(1e-4),
        repeat: 1,
    }
}

fn softmax() -> Case {
    let ([rows, columns], mut random) = (WEIGHTS, Random::new(9));
    Case {
        name: "softmax",
        size: "16384 x 1024",
        bound: Bound::Function,
        wgsl: include_str!("../../kernels/softmax.wgsl"),
        opencl: include_str!("../../kernels/softmax.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[columns]),
            floats("x", Role::Input, rows * columns, || 20.0 * random.unit() - 10.0),
            zeros("y", rows * columns),
        ],
        workgroup: [256, 1, 1],
        grid: [rows, 1, 1],
        same: Same::Floats(1e-5),
        repeat: 1,
    }
}

fn jacobi() -> Case {
    let mut random = Random::new(10);
    Case {
        name: "jacobi",
        size: "4096², 5 points",
        bound: Bound::Near,
        wgsl: include_str!("../../kernels/jacobi.wgsl"),
        opencl: include_str!("../../kernels/jacobi.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[FIELD, FIELD]),
            floats("old", Role::Input, FIELD * FIELD, || random.unit()),
            zeros("next", FIELD * FIELD),
        ],
        workgroup: [64, 4, 1],
        grid: [FIELD / 64, FIELD / 4, 1],
        same: Same::Floats(1e-6),
        repeat: 1,
    }
}

fn sha256() -> Case {
    let mut random = Random::new(11);
    let words: Vec<u32> = (0..16 * BLOCKS).map(|_| random.word()).collect();
    Case {
        name: "sha256",
        size: "256 Ki blocks",
        bound: Bound::Function,
        wgsl: include_str!("../../kernels/sha256.wgsl"),
        opencl: include_str!("../../kernels/sha256.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[BLOCKS]),
            buffer("words", Role::Input, &words),
            zeros("digests", 8 * BLOCKS),
        ],
        workgroup: [64, 1, 1],
        grid: [BLOCKS / 64, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

fn gemv() -> Case {
    let mut random = Random::new(12);
    let matrix: Vec<u32> = (0..BYTES * BYTES / 4).map(|_| random.word()).collect();
    let x: Vec<u32> = (0..BYTES / 4).map(|_| random.word()).collect();
    Case {
        name: "gemv",
        size: "8192² i8",
        bound: Bound::Memory,
        wgsl: include_str!("../../kernels/gemv.wgsl"),
        opencl: include_str!("../../kernels/gemv.cl"),
        buffers: vec![
            buffer("params", Role::Uniform, &[BYTES / 4]),
            buffer("matrix", Role::Input, &matrix),
            buffer("x", Role::Input, &x),
            zeros("y", BYTES),
        ],
        workgroup: [64, 1, 1],
        grid: [BYTES, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}

fn empty() -> Case {
    Case {
        name: "empty",
        size: "one call",
        bound: Bound::Call,
        wgsl: include_str!("../../kernels/empty.wgsl"),
        opencl: include_str!("../../kernels/empty.cl"),
        buffers: vec![zeros("x", 1)],
        workgroup: [1, 1, 1],
        grid: [1, 1, 1],
        same: Same::Bits,
        repeat: 1000,
    }
}

fn cold() -> Case {
    let starts: Vec<u32> = (0..COLLATZ).collect();
    Case {
        name: "cold",
        size: "text to first result",
        bound: Bound::Cold,
        wgsl: include_str!("../../kernels/cold.wgsl"),
        opencl: include_str!("../../kernels/cold.cl"),
        buffers: vec![Buffer { name: "x", role: Role::Output, bytes: cast_slice(&starts).to_vec() }],
        workgroup: [64, 1, 1],
        grid: [COLLATZ / 64, 1, 1],
        same: Same::Bits,
        repeat: 1,
    }
}
