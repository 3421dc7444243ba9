//! The peer in hand-written Rust: loads a kernel's buffers from its standard input, runs it,
//! and says how long that took. `bench/README.md` has the protocol.

mod bits;
mod dense;
mod memory;

use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

/// A kernel with its buffers.
trait Kernel {
    fn run(&mut self);

    /// A buffer's bytes, by its binding.
    fn read(&self, buffer: usize) -> Vec<u8>;
}

fn main() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut kernel: Option<Box<dyn Kernel>> = None;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match (words.as_slice(), &mut kernel) {
            (["about"], _) => writeln!(output, "{} threads", rayon::current_num_threads())?,
            (["load", name, ..], _) => {
                kernel = load(name, &buffers(&mut input, &words)?);
                let reply = if kernel.is_some() { "ok" } else { "error no such kernel" };
                writeln!(output, "{reply}")?;
            }
            (["run", times], Some(kernel)) => {
                let start = Instant::now();
                for _ in 0..number(times)? {
                    kernel.run();
                }
                writeln!(output, "{}", start.elapsed().as_nanos())?;
            }
            (["read", buffer], Some(kernel)) => {
                let bytes = kernel.read(number(buffer)?);
                writeln!(output, "{}", bytes.len())?;
                output.write_all(&bytes)?;
            }
            _ => writeln!(output, "error not understood: {}", line.trim())?,
        }
        output.flush()?;
    }
}

fn number(word: &str) -> io::Result<usize> {
    word.parse().map_err(io::Error::other)
}

/// What follows a `load`: as many bytes of each buffer as its line says.
fn buffers(input: &mut impl Read, words: &[&str]) -> io::Result<Vec<Vec<u8>>> {
    // The name, the grid, the workgroup's size and the length of the OpenCL text stand first.
    let lengths = words.iter().skip(8);
    let read = |length: &&str| {
        let mut bytes = vec![0; number(length)?];
        input.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    let mut all: Vec<Vec<u8>> = lengths.map(read).collect::<io::Result<_>>()?;
    // The text is for those who compile it.
    all.remove(0);
    Ok(all)
}

fn load(name: &str, buffers: &[Vec<u8>]) -> Option<Box<dyn Kernel>> {
    Some(match name {
        "saxpy" => Box::new(memory::Saxpy::new(buffers)),
        "particles" => Box::new(memory::Particles::new(buffers)),
        "reduce" | "reduce_strided" => Box::new(memory::Sum::new(buffers)),
        "spmv" => Box::new(memory::Spmv::new(buffers)),
        "histogram" => Box::new(memory::Histogram::new(buffers)),
        "mandelbrot" => Box::new(dense::Mandelbrot::new(buffers)),
        "matmul" => Box::new(dense::Matmul::new(buffers)),
        "nbody" => Box::new(dense::Nbody::new(buffers)),
        "softmax" => Box::new(dense::Softmax::new(buffers)),
        "jacobi" => Box::new(bits::Jacobi::new(buffers)),
        "sha256" => Box::new(bits::Sha256::new(buffers)),
        "gemv" => Box::new(bits::Gemv::new(buffers)),
        "layers" => Box::new(memory::Layers::new(buffers)),
        "empty" => Box::new(memory::Empty::new(buffers)),
        _ => return None,
    })
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&word| f32::from_ne_bytes(word)).collect()
}

fn word_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

fn float_bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|float| float.to_ne_bytes()).collect()
}
