//! The kernels that memory bounds.

use rayon::prelude::*;

use crate::{Kernel, float_bytes, floats, word_bytes, words};

/// Elements in a task: 256 KiB, so that handing out costs nothing and the work balances.
const CHUNK: usize = 65_536;

pub(crate) struct Saxpy {
    a: f32,
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Saxpy {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { a: floats(&buffers[0])[0], x: floats(&buffers[1]), y: floats(&buffers[2]) }
    }
}

impl Kernel for Saxpy {
    fn run(&mut self) {
        let a = self.a;
        self.y.par_chunks_mut(CHUNK).zip(self.x.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y = a.mul_add(*x, *y);
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        float_bytes(&self.y)
    }
}

pub(crate) struct Particles {
    dt: f32,
    pull: f32,
    /// Position and velocity of each.
    all: Vec<f32>,
}

impl Particles {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let params = floats(&buffers[0]);
        Self { dt: params[1], pull: params[2], all: floats(&buffers[1]) }
    }
}

impl Kernel for Particles {
    fn run(&mut self) {
        let (dt, pull) = (self.dt, self.pull * self.dt);
        self.all.par_chunks_mut(CHUNK).for_each(|chunk| {
            for particle in chunk.as_chunks_mut::<8>().0 {
                let (position, velocity) = particle.split_at_mut(4);
                for (position, velocity) in position.iter_mut().zip(velocity) {
                    *velocity = pull.mul_add(-*position, *velocity);
                    *position = dt.mul_add(*velocity, *position);
                }
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        float_bytes(&self.all)
    }
}

pub(crate) struct Sum {
    x: Vec<u32>,
    total: u32,
}

impl Sum {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { x: words(&buffers[1]), total: 0 }
    }
}

impl Kernel for Sum {
    fn run(&mut self) {
        let add = |a: u32, b: u32| a.wrapping_add(b);
        let sum = self.x.par_chunks(CHUNK).map(|x| x.iter().copied().fold(0, add)).reduce(|| 0, add);
        self.total = add(self.total, sum);
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&[self.total])
    }
}

pub(crate) struct Spmv {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f32>,
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Spmv {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self {
            starts: words(&buffers[1]),
            columns: words(&buffers[2]),
            values: floats(&buffers[3]),
            x: floats(&buffers[4]),
            y: floats(&buffers[5]),
        }
    }
}

impl Kernel for Spmv {
    fn run(&mut self) {
        let Self { starts, columns, values, x, y } = self;
        y.par_iter_mut().zip(starts.par_windows(2)).with_min_len(4096).for_each(|(y, row)| {
            let row = row[0] as usize..row[1] as usize;
            *y = values[row.clone()].iter().zip(&columns[row]).map(|(value, &column)| value * x[column as usize]).sum();
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        float_bytes(&self.y)
    }
}

pub(crate) struct Triangles {
    starts: Vec<u32>,
    edges: Vec<u32>,
    counts: Vec<u32>,
}

impl Triangles {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { starts: words(&buffers[1]), edges: words(&buffers[2]), counts: words(&buffers[3]) }
    }
}

/// How many numbers two rows in order have in common.
fn common(mut a: &[u32], mut b: &[u32]) -> u32 {
    let mut count = 0;
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        count += u32::from(x == y);
        (a, b) = (if x <= y { a_rest } else { a }, if y <= x { b_rest } else { b });
    }
    count
}

impl Kernel for Triangles {
    fn run(&mut self) {
        let Self { starts, edges, counts } = self;
        let row = |vertex: usize| &edges[starts[vertex] as usize..starts[vertex + 1] as usize];
        counts.par_iter_mut().enumerate().for_each(|(vertex, count)| {
            let own = row(vertex);
            *count = own.iter().enumerate().map(|(i, &other)| common(&own[..i], row(other as usize))).sum();
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.counts)
    }
}

pub(crate) struct Histogram {
    keys: Vec<u32>,
    bins: [u32; 256],
}

impl Histogram {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { keys: words(&buffers[1]), bins: [0; 256] }
    }
}

impl Kernel for Histogram {
    fn run(&mut self) {
        let count = |keys: &[u32]| {
            let mut bins = [0_u32; 256];
            for key in keys {
                bins[(key & 255) as usize] += 1;
            }
            bins
        };
        let add = |mut a: [u32; 256], b: [u32; 256]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = a.wrapping_add(b));
            a
        };
        self.bins = add(self.bins, self.keys.par_chunks(CHUNK).map(count).reduce(|| [0; 256], add));
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.bins)
    }
}

/// A parallel call that does next to nothing.
pub(crate) struct Empty {
    x: Vec<u32>,
}

impl Empty {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { x: words(&buffers[0]) }
    }
}

impl Kernel for Empty {
    fn run(&mut self) {
        let x = &mut self.x;
        rayon::join(|| x[0] = 1, || ());
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.x)
    }
}

/// Chains of words that are counted up, a parallel loop over the chains for each layer.
pub(crate) struct Layers {
    width: usize,
    layers: u32,
    x: Vec<u32>,
}

impl Layers {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let params = words(&buffers[0]);
        Self { width: params[0] as usize, layers: params[1], x: words(&buffers[1]) }
    }
}

impl Kernel for Layers {
    fn run(&mut self) {
        for _ in 0..self.layers {
            self.x.par_chunks_mut(self.width).for_each(|chain| chain.iter_mut().for_each(|x| *x += 1));
        }
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.x)
    }
}
