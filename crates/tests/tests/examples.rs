//! The examples with barriers of the whole grid, on every device, beside a plain computation.

use std::collections::VecDeque;

use seawall::{Overrides, Program, Runtime};
use seawall_tests::kernels::rng::Rng;

const SCAN: &str = include_str!("../../../examples/scan.wgsl");
const JACOBI: &str = include_str!("../../../examples/jacobi.wgsl");
const LEVELS: &str = include_str!("../../../examples/levels.wgsl");
const NONE: u32 = u32::MAX;

fn on_every_device(test: impl Fn(&Runtime)) {
    for (id, _) in seawall_tests::devices() {
        let runtime = Runtime::builder().device(&id).open().unwrap_or_else(|error| panic!("{id}: {error}"));
        println!("{id}");
        test(&runtime);
    }
}

#[test]
fn scan() {
    on_every_device(|runtime| {
        let kernel = runtime.kernel(SCAN).unwrap();
        for n in [1_usize, 255, 256, 257, 5000] {
            let mut rng = Rng::new(n as u64);
            let start: Vec<u32> = (0..n).map(|_| rng.bits() as u32).collect();
            let sum = |sum: &mut u32, x: &u32| {
                *sum = sum.wrapping_add(*x);
                Some(*sum)
            };
            let expected: Vec<u32> = start.iter().scan(0, sum).collect();
            let (mut x, mut totals) = (start, vec![0_u32; n.div_ceil(256)]);
            runtime.call(&kernel).bind("x", &mut x).bind("totals", &mut totals).threads(n as u32).run().unwrap();
            assert_eq!(x, expected, "{n} elements");
        }
    });
}

/// Jacobi's method, one place after the other, and the turn after which nothing changed.
fn relax(width: usize, tolerance: f32) -> (Vec<f32>, u32) {
    let mut u = vec![0.0_f32; width * width];
    for turn in 1.. {
        let at = |x: usize, y: usize| match (x, y) {
            (_, 0) => 1.0,
            (x, y) if x == 0 || x > width || y > width => 0.0,
            (x, y) => u[(y - 1) * width + x - 1],
        };
        let mean = |x, y| 0.25 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
        let next: Vec<f32> = (0..width * width).map(|i| mean(i % width + 1, i / width + 1)).collect();
        let changed = next.iter().zip(&u).any(|(next, u)| (next - u).abs() > tolerance);
        u = next;
        if !changed {
            return (u, turn);
        }
    }
    unreachable!("it converges")
}

#[test]
fn jacobi() {
    on_every_device(|runtime| {
        for (width, tolerance) in [(1, 0.5), (7, 1e-4), (20, 2e-3)] {
            let tolerance = f64::from(tolerance as f32);
            let overrides = [("width".to_owned(), f64::from(width)), ("tolerance".to_owned(), tolerance)];
            let kernel = Program::wgsl(JACOBI).unwrap().kernel("main", &Overrides::from(overrides)).unwrap();
            let (mut u, mut changed) = (vec![0.0_f32; (width * width) as usize], [0_u32]);
            let call = runtime.call(&kernel).bind("u", &mut u).bind("changed", &mut changed);
            call.threads(width * width).run().unwrap();
            let (expected, turns) = relax(width as usize, tolerance as f32);
            assert_eq!((u, changed[0]), (expected, turns - 1), "{width} x {width}");
        }
    });
}

/// The level of each vertex, by a queue.
fn search(offsets: &[u32], targets: &[u32]) -> Vec<u32> {
    let mut level = vec![NONE; offsets.len() - 1];
    level[0] = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(v) = queue.pop_front() {
        for &target in &targets[offsets[v] as usize..offsets[v + 1] as usize] {
            if level[target as usize] == NONE {
                level[target as usize] = level[v] + 1;
                queue.push_back(target as usize);
            }
        }
    }
    level
}

#[test]
fn levels() {
    on_every_device(|runtime| {
        let kernel = runtime.kernel(LEVELS).unwrap();
        for (vertices, degree) in [(1, 0), (70, 1), (300, 2), (1000, 3)] {
            let mut rng = Rng::new(vertices);
            let (mut offsets, mut targets) = (vec![0], Vec::new());
            for v in 0..vertices {
                // Near ones, so that there are many levels.
                let edges = (0..rng.below(2 * degree + 1)).map(|_| (v + rng.below(40) as u64) % vertices);
                targets.extend(edges.map(|target| target as u32));
                offsets.push(targets.len() as u32);
            }
            let expected = search(&offsets, &targets);
            // Empty buffers cannot be bound.
            targets.push(0);
            let (mut level, mut deepest) = (vec![0_u32; vertices as usize], [0_u32]);
            let call = runtime.call(&kernel).bind("offsets", &offsets).bind("targets", &targets);
            call.bind("level", &mut level).bind("deepest", &mut deepest).over("level").run().unwrap();
            let last = expected.iter().filter(|level| **level != NONE).max();
            assert_eq!((&level, Some(&deepest[0])), (&expected, last), "{vertices} vertices");
        }
    });
}
