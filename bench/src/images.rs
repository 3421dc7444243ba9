//! A picture that is blurred on the CPU device, as a texture, and by hand in Rust on its bytes.

use std::thread;

use seawall::texture::{Format, Shape};
use seawall::{Overrides, Program, Runtime};

use crate::error::Error;
use crate::race::{race, timed};

/// Times as long as the Rust, at the most.
const RATIO_MAX: f64 = 1.5;

const SIDE: usize = 4096;
const ROW: usize = 4 * SIDE;

/// As the example has them.
const WEIGHTS: [u32; 5] = [70, 56, 28, 8, 1];

/// Each way so many times; the best counts. Both must agree to the last bit of a byte.
pub(crate) fn run(rounds: u32) -> Result<(), Error> {
    println!("best of {rounds} rounds each, {SIDE} by {SIDE} texels of four bytes, nine in a column");
    println!("{:<8} {:>12} {:>12} {:>7}", "kernel", "seawall", "rust", "ratio");
    let runtime = Runtime::builder().device("cpu").open()?;
    let program = Program::wgsl(include_str!("../../examples/blur.wgsl"))?;
    let kernel = program.kernel("upright", &Overrides::new())?;
    let bytes: Vec<u8> = (0..ROW * SIDE).map(|i| ((i as u32).wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let shape = Shape::d2(Format::Rgba8Unorm, SIDE as u32, SIDE as u32).map_err(seawall::Error::from)?;
    let (photo, result) = (runtime.image_from(shape, &bytes)?, runtime.image(shape)?);
    let ours = || -> Result<(), Error> {
        let call = runtime.call(&kernel).bind("photo", &photo).bind("result", &result);
        Ok(call.workgroups([SIDE as u32 / 64, SIDE as u32, 1]).run().map(drop)?)
    };
    let mut blurred = vec![0_u8; bytes.len()];
    let by_hand = || -> Result<(), Error> {
        blur(&bytes, &mut blurred);
        Ok(())
    };
    let laps = race(rounds, vec![timed("seawall", 1, ours), timed("rust", 1, by_hand)])?;
    let close = result.to_bytes()?.iter().zip(&blurred).all(|(a, b)| a.abs_diff(*b) <= 1);
    assert!(close, "both ways give the same picture");
    let ratio = laps[0].ms() / laps[1].ms();
    let missed = if ratio > RATIO_MAX { "  MISSED" } else { "" };
    println!("{:<8} {:>9.2} ms {:>9.2} ms {ratio:>6.2}x{missed}", "blur", laps[0].ms(), laps[1].ms());
    Ok(())
}

/// Two threads, each with half of the rows.
fn blur(from: &[u8], to: &mut [u8]) {
    let (upper, lower) = to.split_at_mut(SIDE / 2 * ROW);
    thread::scope(|scope| {
        scope.spawn(|| rows(from, upper, 0));
        rows(from, lower, SIDE / 2);
    });
}

fn rows(from: &[u8], to: &mut [u8], first: usize) {
    let row = |at: isize| {
        let at = at.clamp(0, SIDE as isize - 1) as usize;
        &from[at * ROW..(at + 1) * ROW]
    };
    let mut sums = vec![0_u32; ROW];
    for (y, to) in to.chunks_exact_mut(ROW).enumerate() {
        let y = (first + y) as isize;
        sums.iter_mut().zip(row(y)).for_each(|(sum, &byte)| *sum = WEIGHTS[0] * u32::from(byte));
        for (i, weight) in (1..).zip(&WEIGHTS[1..]) {
            let both = row(y - i).iter().zip(row(y + i));
            sums.iter_mut().zip(both).for_each(|(sum, (&a, &b))| *sum += weight * (u32::from(a) + u32::from(b)));
        }
        to.iter_mut().zip(&sums).for_each(|(byte, sum)| *byte = ((sum + 128) >> 8) as u8);
    }
}
