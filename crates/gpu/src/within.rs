//! Fills and copies of resident buffers: what the device does for itself.
//!
//! Whatever starts and ends with whole words, or ends with its memory, can be copied in whole
//! words: memory is padded to them.

use seawall_core::device::Error;

use crate::driver::Driver;
use crate::memory::{ALIGN_BYTES, Place, padded};
use crate::staging::{Up, piece_bytes};

/// A pattern is copied from so many bytes of it, as often as it takes.
const PATTERN_BYTES: u64 = 1 << 20;

/// Copies within a memory go through so many bytes.
const SCRATCH_BYTES: u64 = 8 << 20;

fn encoder(driver: &Driver) -> wgpu::CommandEncoder {
    driver.raw.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}

/// Repeats a pattern from a byte of the memory on.
pub(crate) fn fill(driver: &Driver, raw: &wgpu::Buffer, at: u64, bytes: u64, pattern: &[u8]) -> Result<(), Error> {
    let mut commands = encoder(driver);
    if pattern.iter().all(|&byte| byte == 0) {
        commands.clear_buffer(raw, at, Some(padded(bytes)));
        return driver.wait(driver.submit(commands)?);
    }
    // Whole patterns of whole words.
    let words = (1..=ALIGN_BYTES as usize).find(|times| (pattern.len() * times).is_multiple_of(ALIGN_BYTES as usize));
    let unit = pattern.repeat(words.unwrap_or(ALIGN_BYTES as usize));
    let wanted = piece_bytes(driver, PATTERN_BYTES.min(padded(bytes)), 1);
    let piece = unit.repeat((wanted as usize / unit.len()).max(1));
    let mut up = Up::new(driver, piece.len() as u64)?;
    let place = up.write(driver, &piece)?;
    let mut done = 0;
    while done < bytes {
        let more = (piece.len() as u64).min(padded(bytes - done));
        commands.copy_buffer_to_buffer(up.raw(), place, raw, at + done, more);
        done += more;
    }
    up.close();
    driver.wait(driver.submit(commands)?)
}

/// Copies so many bytes from a place to another, which may be in the same memory.
pub(crate) fn copy(driver: &Driver, from: &Place, to: &Place, bytes: u64) -> Result<(), Error> {
    let (bytes, start, end) = (padded(bytes), from.base, to.base);
    let mut commands = encoder(driver);
    if from.raw != to.raw {
        commands.copy_buffer_to_buffer(&from.raw, start, &to.raw, end, bytes);
        return driver.wait(driver.submit(commands)?);
    }
    let piece = piece_bytes(driver, SCRATCH_BYTES.min(bytes), 1).min(bytes);
    let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let scratch = driver.buffer("memory for copies", piece, usage)?;
    let mut pieces: Vec<u64> = (0..bytes.div_ceil(piece)).map(|at| at * piece).collect();
    // What is still to be read must not be written over.
    if start < end {
        pieces.reverse();
    }
    for at in pieces {
        let piece = piece.min(bytes - at);
        commands.copy_buffer_to_buffer(&from.raw, start + at, &scratch.raw, 0, piece);
        commands.copy_buffer_to_buffer(&scratch.raw, 0, &to.raw, end + at, piece);
    }
    driver.wait(driver.submit(commands)?)
}

/// Brings what lies in some places to others, so many bytes each: nothing is written over before all
/// of it was read.
pub(crate) fn exchange(driver: &Driver, moves: &[(&Place, &Place, u64)]) -> Result<(), Error> {
    let longest = moves.iter().map(|(_, _, bytes)| padded(*bytes)).max().unwrap_or(0);
    let piece = piece_bytes(driver, SCRATCH_BYTES.min(longest), moves.len() as u64).min(longest);
    let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let scratch = driver.buffer("memory for copies", piece * moves.len() as u64, usage)?;
    let mut commands = encoder(driver);
    let mut at = 0;
    while at < longest {
        let parts = moves.iter().zip((0..).map(|turn| turn * piece)).filter(|((_, _, bytes), _)| at < padded(*bytes));
        for ((from, _, bytes), place) in parts.clone() {
            let more = piece.min(padded(*bytes) - at);
            commands.copy_buffer_to_buffer(&from.raw, from.base + at, &scratch.raw, place, more);
        }
        for ((_, to, bytes), place) in parts {
            let more = piece.min(padded(*bytes) - at);
            commands.copy_buffer_to_buffer(&scratch.raw, place, &to.raw, to.base + at, more);
        }
        at += piece;
    }
    driver.wait(driver.submit(commands)?)
}
