//! What a peer in Rust answers on its standard input; `bench/README.md` has the protocol.

use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

/// A kernel with its buffers.
pub(crate) trait Kernel {
    fn run(&mut self);

    /// A buffer's bytes, by its binding.
    fn read(&self, buffer: usize) -> Vec<u8>;
}

/// Answers until the input ends. `load` knows kernels by name, and makes them of their buffers.
pub(crate) fn serve(about: &str, load: impl Fn(&str, &[Vec<u8>]) -> Option<Box<dyn Kernel>>) -> io::Result<()> {
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
            (["about"], _) => writeln!(output, "{about}")?,
            (["load", name, ..], _) => {
                // What was loaded before goes first: both may be large.
                drop(kernel.take());
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
