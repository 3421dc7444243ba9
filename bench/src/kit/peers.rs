//! The same in plain Rust on as many threads as the machine runs at once, compiled as a release build is.

use std::thread;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Wrapping, one stretch for each thread.
pub(crate) fn sum(x: &[u32]) -> u32 {
    let part = |part: &[u32]| part.iter().fold(0u32, |sum, &x| sum.wrapping_add(x));
    let each = x.len().div_ceil(threads()).max(1);
    thread::scope(|scope| {
        let parts: Vec<_> = x.chunks(each).map(|stretch| scope.spawn(move || part(stretch))).collect();
        parts.into_iter().fold(0u32, |sum, part| sum.wrapping_add(part.join().expect("a sum does not panic")))
    })
}

/// Sums of stretches, and then each stretch from there on.
pub(crate) fn scan(x: &[u32], y: &mut [u32]) {
    let each = x.len().div_ceil(threads()).max(1);
    let mut before = 0u32;
    thread::scope(|scope| {
        let sums: Vec<_> = x.chunks(each).map(|part| scope.spawn(move || sum_of(part))).collect();
        let sums: Vec<u32> = sums.into_iter().map(|sum| sum.join().expect("a sum does not panic")).collect();
        for ((x, y), sum) in x.chunks(each).zip(y.chunks_mut(each)).zip(sums) {
            let mut carry = before;
            before = before.wrapping_add(sum);
            scope.spawn(move || {
                for (x, y) in x.iter().zip(y) {
                    carry = carry.wrapping_add(*x);
                    *y = carry;
                }
            });
        }
    });
}

fn sum_of(x: &[u32]) -> u32 {
    x.iter().fold(0u32, |sum, &x| sum.wrapping_add(x))
}

/// Counts of stretches, and then each stretch moved: every element is written, and the place moves on past those that
/// are kept.
pub(crate) fn compact(x: &[u32], keeps: impl Fn(u32) -> bool + Copy + Send, y: &mut [u32]) -> usize {
    let each = x.len().div_ceil(threads()).max(1);
    let count = move |part: &[u32]| part.iter().filter(|&&value| keeps(value)).count();
    thread::scope(|scope| {
        let counts: Vec<_> = x.chunks(each).map(|part| scope.spawn(move || count(part))).collect();
        let counts: Vec<usize> = counts.into_iter().map(|count| count.join().expect("it does not panic")).collect();
        let mut rest = y;
        for (x, &count) in x.chunks(each).zip(&counts) {
            let (part, after) = rest.split_at_mut(count);
            rest = after;
            scope.spawn(move || {
                let mut at = 0;
                for &value in x {
                    if let Some(place) = part.get_mut(at) {
                        *place = value;
                    }
                    at += usize::from(keeps(value));
                }
            });
        }
        counts.iter().sum()
    })
}

/// Of low bytes: four tables for each thread, so that equal neighbours do not wait for each other.
pub(crate) fn histogram(x: &[u32]) -> Vec<u32> {
    let each = x.len().div_ceil(threads()).max(1);
    let count = |part: &[u32]| {
        let mut tables = [[0u32; 256]; 4];
        for four in part.chunks(4) {
            for (&value, table) in four.iter().zip(&mut tables) {
                table[value as usize & 255] += 1;
            }
        }
        tables
    };
    thread::scope(|scope| {
        let parts: Vec<_> = x.chunks(each).map(|part| scope.spawn(move || count(part))).collect();
        let mut all = vec![0; 256];
        for tables in parts.into_iter().map(|part| part.join().expect("it does not panic")) {
            for table in tables {
                all.iter_mut().zip(table).for_each(|(all, count)| *all += count);
            }
        }
        all
    })
}

/// By square tiles; each thread has some columns of `x`.
pub(crate) fn transpose(rows: usize, columns: usize, x: &[u32], y: &mut [u32]) {
    const SIDE: usize = 16;
    let each = columns.div_ceil(threads()).next_multiple_of(SIDE);
    thread::scope(|scope| {
        for (part, y) in y.chunks_mut(each * rows).enumerate() {
            scope.spawn(move || {
                let first = part * each;
                let here = y.len() / rows;
                for row in (0..rows).step_by(SIDE) {
                    for column in (0..here).step_by(SIDE) {
                        for c in column..(column + SIDE).min(here) {
                            for r in row..(row + SIDE).min(rows) {
                                y[c * rows + r] = x[r * columns + first + c];
                            }
                        }
                    }
                }
            });
        }
    });
}

/// By `matrixmultiply`, through ndarray, which calls it; each thread has some rows of the product.
pub(crate) fn product(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    let each = n.div_ceil(threads());
    let shaped = "the matrices are as large as they are said to be";
    let b = ArrayView2::from_shape((n, n), b).expect(shaped);
    thread::scope(|scope| {
        for (a, c) in a.chunks(each * n).zip(c.chunks_mut(each * n)) {
            scope.spawn(move || {
                let rows = a.len() / n;
                let a = ArrayView2::from_shape((rows, n), a).expect(shaped);
                let mut c = ArrayViewMut2::from_shape((rows, n), c).expect(shaped);
                general_mat_mul(1.0, &a, &b, 0.0, &mut c);
            });
        }
    });
}

/// Each thread has some transforms.
pub(crate) fn transforms(len: usize, x: &[[f32; 2]], y: &mut [Complex<f32>]) {
    let each = (x.len() / len).div_ceil(threads()) * len;
    let fft = FftPlanner::new().plan_fft_forward(len);
    thread::scope(|scope| {
        for (x, y) in x.chunks(each).zip(y.chunks_mut(each)) {
            let fft = &fft;
            scope.spawn(move || {
                for (x, y) in x.iter().zip(&mut *y) {
                    *y = Complex::new(x[0], x[1]);
                }
                fft.process(y);
            });
        }
    });
}
