//! The peer in hand-written Rust: loads a kernel's buffers from its standard input, runs it,
//! and says how long that took.

#[path = "../../protocol.rs"]
mod protocol;
#[cfg(target_arch = "x86_64")]
mod avx2;
mod bits;
mod dense;
mod memory;

use std::io;

use protocol::Kernel;

fn main() -> io::Result<()> {
    protocol::serve(&format!("{} threads", rayon::current_num_threads()), load)
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
        "blocked" => Box::new(dense::Product::new(buffers)),
        "nbody" => Box::new(dense::Nbody::new(buffers)),
        "softmax" => Box::new(dense::Softmax::new(buffers)),
        "jacobi" => Box::new(bits::Jacobi::new(buffers)),
        "sha256" => Box::new(bits::Sha256::new(buffers)),
        "gemv" => Box::new(bits::Gemv::new(buffers)),
        "triangles" => Box::new(memory::Triangles::new(buffers)),
        "layers" => Box::new(memory::Layers::new(buffers)),
        #[cfg(target_arch = "x86_64")]
        "kit_scan" => Box::new(avx2::Scan::new(buffers)),
        #[cfg(target_arch = "x86_64")]
        "kit_compact" => Box::new(avx2::Compact::new(buffers)),
        #[cfg(target_arch = "x86_64")]
        "kit_histogram" => Box::new(avx2::Bytes::new(buffers)),
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
