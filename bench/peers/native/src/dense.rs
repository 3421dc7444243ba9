//! The kernels that arithmetic bounds. Lanes are arrays, which the compiler turns into vector
//! registers.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use rayon::prelude::*;

use crate::{Kernel, float_bytes, floats, word_bytes, words};

pub(crate) struct Mandelbrot {
    width: usize,
    steps: u32,
    x0: f32,
    y0: f32,
    pixel: f32,
    image: Vec<u32>,
}

impl Mandelbrot {
    /// Pixels that are followed together.
    const LANES: usize = 32;

    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let (ints, reals) = (words(&buffers[0]), floats(&buffers[0]));
        Self {
            width: ints[0] as usize,
            steps: ints[2],
            x0: reals[3],
            y0: reals[4],
            pixel: reals[5],
            image: words(&buffers[1]),
        }
    }
}

/// Steps until each point leaves.
fn escape<const LANES: usize>(cx: [f32; LANES], cy: f32, steps: u32) -> [u32; LANES] {
    let (mut zx, mut zy) = ([0.0; LANES], [0.0; LANES]);
    let (mut inside, mut count) = ([1; LANES], [0; LANES]);
    for _ in 0..steps {
        let mut any = 0;
        for lane in 0..LANES {
            let (xx, yy) = (zx[lane] * zx[lane], zy[lane] * zy[lane]);
            inside[lane] = if xx + yy > 4.0 { 0 } else { inside[lane] };
            any |= inside[lane];
            count[lane] += inside[lane];
            zy[lane] = 2.0 * zx[lane] * zy[lane] + cy;
            zx[lane] = xx - yy + cx[lane];
        }
        if any == 0 {
            break;
        }
    }
    count
}

impl Kernel for Mandelbrot {
    fn run(&mut self) {
        let &mut Self { width, steps, x0, y0, pixel, ref mut image } = self;
        image.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let cy = y0 + y as f32 * pixel;
            for (at, pixels) in row.as_chunks_mut::<{ Self::LANES }>().0.iter_mut().enumerate() {
                let cx = std::array::from_fn(|lane| x0 + (at * Self::LANES + lane) as f32 * pixel);
                *pixels = escape(cx, cy, steps);
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.image)
    }
}

pub(crate) struct Matmul {
    n: usize,
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
}

impl Matmul {
    /// The tile of C that is held in registers: eight of 256 bits.
    const ROWS: usize = 4;
    const COLUMNS: usize = 16;

    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let n = words(&buffers[0])[0] as usize;
        Self { n, a: floats(&buffers[1]), b: floats(&buffers[2]), c: floats(&buffers[3]) }
    }
}

/// Some rows of A by a strip of B.
fn product<const ROWS: usize, const COLUMNS: usize>(
    rows: [&[f32]; ROWS],
    strip: &[[f32; COLUMNS]],
) -> [[f32; COLUMNS]; ROWS] {
    // One check for all, outside the loop.
    let rows = rows.map(|row| &row[..strip.len()]);
    let mut tile = [[0.0; COLUMNS]; ROWS];
    for (k, line) in strip.iter().enumerate() {
        for (tile, row) in tile.iter_mut().zip(rows) {
            for (sum, b) in tile.iter_mut().zip(line) {
                *sum = row[k].mul_add(*b, *sum);
            }
        }
    }
    tile
}

impl Kernel for Matmul {
    fn run(&mut self) {
        let &mut Self { n, ref a, ref b, ref mut c } = self;
        // Strips of B are packed once, and then serve all rows.
        let strip = |at: usize| -> Vec<[f32; Self::COLUMNS]> {
            b.chunks_exact(n).map(|row| std::array::from_fn(|j| row[at + j])).collect()
        };
        let strips: Vec<_> = (0..n).into_par_iter().step_by(Self::COLUMNS).map(strip).collect();
        c.par_chunks_mut(n * Self::ROWS).zip(a.par_chunks(n * Self::ROWS)).for_each(|(c, a)| {
            let rows: [&[f32]; Self::ROWS] = std::array::from_fn(|i| &a[i * n..][..n]);
            for (at, strip) in strips.iter().enumerate() {
                for (c, tile) in c.chunks_exact_mut(n).zip(product(rows, strip)) {
                    c[at * Self::COLUMNS..][..Self::COLUMNS].copy_from_slice(&tile);
                }
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        float_bytes(&self.c)
    }
}

/// The same by `matrixmultiply`, through ndarray, which calls it; each thread has some rows.
pub(crate) struct Product(Matmul);

impl Product {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self(Matmul::new(buffers))
    }
}

impl Kernel for Product {
    fn run(&mut self) {
        let Matmul { n, a, b, c } = &mut self.0;
        let (n, each) = (*n, n.div_ceil(rayon::current_num_threads()));
        let shaped = "the matrices are as large as they are said to be";
        let b = ArrayView2::from_shape((n, n), b).expect(shaped);
        c.par_chunks_mut(each * n).zip(a.par_chunks(each * n)).for_each(|(c, a)| {
            let rows = a.len() / n;
            let a = ArrayView2::from_shape((rows, n), a).expect(shaped);
            let mut c = ArrayViewMut2::from_shape((rows, n), c).expect(shaped);
            general_mat_mul(1.0, &a, &b, 0.0, &mut c);
        });
    }

    fn read(&self, output: usize) -> Vec<u8> {
        self.0.read(output)
    }
}

pub(crate) struct Nbody {
    dt: f32,
    softening: f32,
    bodies: Vec<[f32; 4]>,
    velocities: Vec<[f32; 4]>,
    moved: Vec<[f32; 4]>,
}

impl Nbody {
    /// Bodies whose forces are summed together.
    const LANES: usize = 16;

    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let quads = |bytes: &[u8]| floats(bytes).as_chunks().0.to_vec();
        let params = floats(&buffers[0]);
        Self {
            dt: params[1],
            softening: params[2],
            bodies: quads(&buffers[1]),
            velocities: quads(&buffers[2]),
            moved: quads(&buffers[3]),
        }
    }
}

/// The pull of all bodies on each of these.
fn forces<const LANES: usize>(some: &[[f32; 4]; LANES], all: &[[f32; 4]], softening: f32) -> [[f32; LANES]; 3] {
    let at: [[f32; LANES]; 3] = std::array::from_fn(|axis| std::array::from_fn(|lane| some[lane][axis]));
    let mut force = [[0.0; LANES]; 3];
    for &[x, y, z, mass] in all {
        for lane in 0..LANES {
            let (dx, dy, dz) = (x - at[0][lane], y - at[1][lane], z - at[2][lane]);
            let near = 1.0 / (dx * dx + dy * dy + dz * dz + softening).sqrt();
            let pull = mass * near * near * near;
            force[0][lane] += dx * pull;
            force[1][lane] += dy * pull;
            force[2][lane] += dz * pull;
        }
    }
    force
}

impl Kernel for Nbody {
    fn run(&mut self) {
        let &mut Self { dt, softening, ref bodies, ref mut velocities, ref mut moved } = self;
        let groups = bodies.par_chunks_exact(Self::LANES);
        let targets = velocities.par_chunks_exact_mut(Self::LANES).zip(moved.par_chunks_exact_mut(Self::LANES));
        groups.zip(targets).for_each(|(some, (velocities, moved))| {
            let some: &[[f32; 4]; Self::LANES] = some.try_into().expect("chunks are exact");
            let force = forces(some, bodies, softening);
            for lane in 0..Self::LANES {
                let [x, y, z, mass] = some[lane];
                let [vx, vy, vz] = std::array::from_fn(|axis| velocities[lane][axis] + force[axis][lane] * dt);
                velocities[lane] = [vx, vy, vz, 0.0];
                moved[lane] = [x + vx * dt, y + vy * dt, z + vz * dt, mass];
            }
        });
    }

    fn read(&self, buffer: usize) -> Vec<u8> {
        let quads = if buffer == 2 { &self.velocities } else { &self.moved };
        float_bytes(quads.as_flattened())
    }
}

pub(crate) struct Softmax {
    columns: usize,
    x: Vec<f32>,
    y: Vec<f32>,
}

impl Softmax {
    /// Numbers that go through the function together.
    const LANES: usize = 32;

    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { columns: words(&buffers[0])[0] as usize, x: floats(&buffers[1]), y: floats(&buffers[2]) }
    }
}

/// e to the power of what is not positive, with 32 bits: a polynomial over half of a power of two on either side.
fn powers<const LANES: usize>(x: &[f32; LANES], most: f32, y: &mut [f32; LANES]) {
    const ROUND: f32 = 12_582_912.0;
    for lane in 0..LANES {
        let x = (x[lane] - most).max(-87.0);
        let rounded = x * std::f32::consts::LOG2_E + ROUND;
        let whole = rounded - ROUND;
        let part = (x - whole * 0.693_359_4) - whole * -0.000_212_194_44;
        let mut sum = 0.001_388_888_9;
        for coefficient in [0.008_333_334, 0.041_666_668, 0.166_666_67, 0.5, 1.0, 1.0] {
            sum = sum * part + coefficient;
        }
        y[lane] = f32::from_bits(f32::to_bits(sum).wrapping_add(rounded.to_bits() << 23));
    }
}

impl Kernel for Softmax {
    fn run(&mut self) {
        let Self { columns, x, y } = self;
        let rows = x.par_chunks(*columns).zip(y.par_chunks_mut(*columns));
        rows.for_each(|(x, y)| {
            let (x, y) = (x.as_chunks::<{ Self::LANES }>().0, y.as_chunks_mut::<{ Self::LANES }>().0);
            let mut most = x[0];
            for x in x {
                (0..Self::LANES).for_each(|lane| most[lane] = most[lane].max(x[lane]));
            }
            let most = most.into_iter().fold(f32::NEG_INFINITY, f32::max);
            let mut sums = [0.0; Self::LANES];
            for (x, y) in x.iter().zip(&mut *y) {
                powers(x, most, y);
                (0..Self::LANES).for_each(|lane| sums[lane] += y[lane]);
            }
            let scale = 1.0 / sums.into_iter().sum::<f32>();
            y.as_flattened_mut().iter_mut().for_each(|y| *y *= scale);
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        float_bytes(&self.y)
    }
}
