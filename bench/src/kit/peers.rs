//! The same in plain Rust on as many threads as the machine runs at once, compiled as a release build is.

use std::thread;

fn threads() -> usize {
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
