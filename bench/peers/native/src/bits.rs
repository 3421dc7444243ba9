//! Neighbours in a field, and words of bits and bytes.

use rayon::prelude::*;

use crate::{Kernel, float_bytes, floats, word_bytes, words};

pub(crate) struct Jacobi {
    width: usize,
    height: usize,
    old: Vec<f32>,
    next: Vec<f32>,
}

impl Jacobi {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let params = words(&buffers[0]);
        let [width, height] = [params[0], params[1]].map(|n| n as usize);
        Self { width, height, old: floats(&buffers[1]), next: floats(&buffers[2]) }
    }
}

impl Kernel for Jacobi {
    fn run(&mut self) {
        let Self { width, height, old, next } = self;
        let (width, inside) = (*width, *width - 2);
        let rows = next.par_chunks_mut(width).enumerate().filter(|(y, _)| (1..*height - 1).contains(y));
        rows.for_each(|(y, next)| {
            let row = |y: usize, from: usize| &old[y * width + from..][..inside];
            let (above, below, left, right) = (row(y - 1, 1), row(y + 1, 1), row(y, 0), row(y, 2));
            let all = above.iter().zip(left).zip(right).zip(below);
            for (next, (((above, left), right), below)) in next[1..].iter_mut().zip(all) {
                *next = 0.25 * (above + left + right + below);
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        float_bytes(&self.next)
    }
}

pub(crate) struct Sha256 {
    blocks: usize,
    words: Vec<u32>,
    digests: Vec<u32>,
}

impl Sha256 {
    /// Blocks that go together.
    const LANES: usize = 8;

    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { blocks: words(&buffers[0])[0] as usize, words: words(&buffers[1]), digests: words(&buffers[2]) }
    }
}

type Lanes = [u32; Sha256::LANES];

fn each(f: impl Fn(usize) -> u32) -> Lanes {
    std::array::from_fn(f)
}

const START: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
];

fn compress(words: &[u32], blocks: usize, first: usize) -> [Lanes; 8] {
    let mut w: [Lanes; 16] = std::array::from_fn(|i| each(|lane| words[i * blocks + first + lane]));
    let mut v: [Lanes; 8] = START.map(|start| [start; Sha256::LANES]);
    for i in 0..64 {
        let at = i % 16;
        if i >= 16 {
            let (before, last, other) = (w[(i + 1) % 16], w[(i + 14) % 16], w[(i + 9) % 16]);
            let now = w[at];
            w[at] = each(|l| {
                let s0 = before[l].rotate_right(7) ^ before[l].rotate_right(18) ^ before[l] >> 3;
                let s1 = last[l].rotate_right(17) ^ last[l].rotate_right(19) ^ last[l] >> 10;
                now[l].wrapping_add(s0).wrapping_add(other[l]).wrapping_add(s1)
            });
        }
        let [a, b, c, d, e, f, g, h] = v;
        let w = w[at];
        let t1 = each(|l| {
            let s1 = e[l].rotate_right(6) ^ e[l].rotate_right(11) ^ e[l].rotate_right(25);
            let chosen = e[l] & f[l] ^ !e[l] & g[l];
            h[l].wrapping_add(s1).wrapping_add(chosen).wrapping_add(K[i]).wrapping_add(w[l])
        });
        let t2 = each(|l| {
            let s0 = a[l].rotate_right(2) ^ a[l].rotate_right(13) ^ a[l].rotate_right(22);
            s0.wrapping_add(a[l] & b[l] ^ a[l] & c[l] ^ b[l] & c[l])
        });
        v = [each(|l| t1[l].wrapping_add(t2[l])), a, b, c, each(|l| d[l].wrapping_add(t1[l])), e, f, g];
    }
    std::array::from_fn(|i| each(|l| START[i].wrapping_add(v[i][l])))
}

impl Kernel for Sha256 {
    fn run(&mut self) {
        let Self { blocks, words, digests } = self;
        let blocks = *blocks;
        // Digests of a piece first, then each to its place: words of a digest lie apart.
        let pieces: Vec<[Lanes; 8]> = (0..blocks / Self::LANES)
            .into_par_iter()
            .map(|piece| compress(words, blocks, piece * Self::LANES))
            .collect();
        digests.par_chunks_mut(blocks).enumerate().for_each(|(i, row)| {
            for (row, piece) in row.chunks_mut(Self::LANES).zip(&pieces) {
                row.copy_from_slice(&piece[i]);
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.digests)
    }
}

pub(crate) struct Gemv {
    matrix: Vec<i8>,
    x: Vec<i8>,
    y: Vec<u32>,
}

impl Gemv {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let bytes = |buffer: &[u8]| buffer.iter().map(|&byte| byte.cast_signed()).collect();
        Self { matrix: bytes(&buffers[1]), x: bytes(&buffers[2]), y: words(&buffers[3]) }
    }
}

impl Kernel for Gemv {
    fn run(&mut self) {
        let Self { matrix, x, y } = self;
        let rows = matrix.par_chunks(x.len()).zip(y.par_iter_mut());
        rows.for_each(|(row, y)| {
            // Products of 16 bits each, two of them in a sum: what `pmaddwd` is for.
            let product = |(a, b): (&i8, &i8)| i32::from(i16::from(*a)) * i32::from(i16::from(*b));
            *y = row.iter().zip(&*x).map(product).sum::<i32>().cast_unsigned();
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.y)
    }
}
