//! Pieces of the kit in AVX2 by hand, on as many threads as there are.

#![expect(unsafe_code, reason = "vectors are read and written by address")]

use std::arch::x86_64::*;

use crate::protocol::Kernel;
use crate::{word_bytes, words};

/// Numbers of a vector.
const WIDE: usize = 8;

/// Stretches of whole vectors, one for each thread.
fn each(len: usize) -> usize {
    len.div_ceil(rayon::current_num_threads()).next_multiple_of(WIDE).max(WIDE)
}

/// Prefix sums: sums of stretches first, then each stretch from there on, eight at a time in a register (Hillis and
/// Steele, by shifts), and past the caches.
pub(crate) struct Scan {
    x: Vec<u32>,
    y: Vec<u32>,
}

impl Scan {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let x = words(&buffers[0]);
        Self { y: vec![0; x.len()], x }
    }
}

impl Kernel for Scan {
    fn run(&mut self) {
        let each = each(self.x.len());
        let mut sums = vec![0u32; self.x.len().div_ceil(each)];
        let last = sums.len() - 1;
        rayon::scope(|scope| {
            // Nobody asks for the last one.
            for (x, sum) in self.x.chunks(each).zip(&mut sums[..last]) {
                scope.spawn(move |_| *sum = x.iter().fold(0, |sum, &x| sum.wrapping_add(x)));
            }
        });
        let mut before = 0u32;
        rayon::scope(|scope| {
            for ((x, y), sum) in self.x.chunks(each).zip(self.y.chunks_mut(each)).zip(sums) {
                let carry = before;
                before = before.wrapping_add(sum);
                scope.spawn(move |_| scan(x, y, carry));
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.y)
    }
}

fn scan(x: &[u32], y: &mut [u32], mut carry: u32) {
    let mut one = |x: &[u32], y: &mut [u32]| {
        for (x, y) in x.iter().zip(y) {
            carry = carry.wrapping_add(*x);
            *y = carry;
        }
        carry
    };
    // Up to where a vector may be written past the caches.
    let head = y.as_ptr().align_offset(32).min(x.len());
    let carried = one(&x[..head], &mut y[..head]);
    let (x, y) = (&x[head..], &mut y[head..]);
    let whole = x.len() / WIDE * WIDE;
    // SAFETY: both have at least `whole` numbers, and `y` begins at a multiple of 32 bytes unless `whole` is 0. The
    // processor has AVX2, since this is compiled for it.
    let carried = unsafe {
        let mut all = _mm256_set1_epi32(carried as i32);
        let seven = _mm256_set1_epi32(7);
        for at in (0..whole).step_by(WIDE) {
            let v = _mm256_loadu_si256(x.as_ptr().add(at).cast());
            let v = _mm256_add_epi32(v, _mm256_slli_si256::<4>(v));
            let v = _mm256_add_epi32(v, _mm256_slli_si256::<8>(v));
            // The last of the lower half to all of the upper.
            let low = _mm256_shuffle_epi32::<0xff>(_mm256_permute2x128_si256::<0x08>(v, v));
            all = _mm256_add_epi32(_mm256_add_epi32(v, low), all);
            _mm256_stream_si256(y.as_mut_ptr().add(at).cast(), all);
            all = _mm256_permutevar8x32_epi32(all, seven);
        }
        _mm_sfence();
        _mm256_extract_epi32::<0>(all) as u32
    };
    let mut carry = carried;
    for (x, y) in x[whole..].iter().zip(&mut y[whole..]) {
        carry = carry.wrapping_add(*x);
        *y = carry;
    }
}

/// Those below 2³¹, by a table of permutations for each mask of eight (Lemire's way to prune).
pub(crate) struct Compact {
    x: Vec<u32>,
    y: Vec<u32>,
    count: usize,
    table: Vec<[u32; WIDE]>,
}

impl Compact {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        let x = words(&buffers[0]);
        let permutation = |mask: u32| {
            let mut kept = (0..WIDE as u32).filter(|lane| mask >> lane & 1 == 1);
            std::array::from_fn(|_| kept.next().unwrap_or(0))
        };
        Self { y: vec![0; x.len()], x, count: 0, table: (0..256).map(permutation).collect() }
    }
}

impl Kernel for Compact {
    fn run(&mut self) {
        let (each, table) = (each(self.x.len()), &self.table);
        let mut counts = vec![0usize; self.x.len().div_ceil(each)];
        rayon::scope(|scope| {
            for (x, count) in self.x.chunks(each).zip(&mut counts) {
                scope.spawn(move |_| *count = x.len() - x.iter().map(|&x| (x >> 31) as usize).sum::<usize>());
            }
        });
        self.count = counts.iter().sum();
        let mut rest = &mut self.y[..];
        rayon::scope(|scope| {
            for (x, count) in self.x.chunks(each).zip(counts) {
                let (y, after) = rest.split_at_mut(count);
                rest = after;
                scope.spawn(move |_| compact(x, y, table));
            }
        });
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.y[..self.count])
    }
}

fn compact(x: &[u32], y: &mut [u32], table: &[[u32; WIDE]]) {
    let (mut from, mut to) = (0, 0);
    while from + WIDE <= x.len() && to + WIDE <= y.len() {
        // SAFETY: there are eight numbers from both places on, and a permutation for each mask of eight bits. The
        // processor has AVX2, since this is compiled for it.
        unsafe {
            let v = _mm256_loadu_si256(x.as_ptr().add(from).cast());
            let mask = !_mm256_movemask_ps(_mm256_castsi256_ps(v)) as usize & 255;
            let places = _mm256_loadu_si256(table[mask].as_ptr().cast());
            _mm256_storeu_si256(y.as_mut_ptr().add(to).cast(), _mm256_permutevar8x32_epi32(v, places));
            to += mask.count_ones() as usize;
        }
        from += WIDE;
    }
    for &value in &x[from..] {
        if value >> 31 == 0 {
            y[to] = value;
            to += 1;
        }
    }
}

/// Of low bytes: a table for each lane, so that equal neighbours do not wait for each other.
pub(crate) struct Bytes {
    x: Vec<u32>,
    counts: Vec<u32>,
}

impl Bytes {
    pub(crate) fn new(buffers: &[Vec<u8>]) -> Self {
        Self { x: words(&buffers[0]), counts: vec![0; 256] }
    }
}

impl Kernel for Bytes {
    fn run(&mut self) {
        let each = each(self.x.len());
        let mut parts = vec![[0u32; 256]; self.x.len().div_ceil(each)];
        rayon::scope(|scope| {
            for (x, part) in self.x.chunks(each).zip(&mut parts) {
                scope.spawn(move |_| *part = count(x));
            }
        });
        self.counts = (0..256).map(|bin| parts.iter().map(|part| part[bin]).sum()).collect();
    }

    fn read(&self, _: usize) -> Vec<u8> {
        word_bytes(&self.counts)
    }
}

fn count(x: &[u32]) -> [u32; 256] {
    let mut tables = [[0u32; 256]; WIDE];
    let (vectors, rest) = x.as_chunks::<WIDE>();
    for eight in vectors {
        // SAFETY: eight numbers are read. The processor has AVX2, since this is compiled for it.
        let bytes: [u64; 4] = unsafe {
            let v = _mm256_loadu_si256(eight.as_ptr().cast());
            std::mem::transmute(_mm256_and_si256(v, _mm256_set1_epi32(255)))
        };
        for (two, pair) in bytes.into_iter().zip(tables.as_chunks_mut::<2>().0) {
            pair[0][two as usize & 255] += 1;
            pair[1][(two >> 32) as usize & 255] += 1;
        }
    }
    for &value in rest {
        tables[0][value as usize & 255] += 1;
    }
    std::array::from_fn(|bin| tables.iter().map(|table| table[bin]).sum())
}
