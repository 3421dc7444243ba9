//! Makes a failing kernel smaller, line by line and block by block.

use super::Kernel;

/// Takes out what it can while `fails` stays true. Barriers stay: without them there is a race.
pub fn shrink(kernel: &Kernel, mut fails: impl FnMut(&Kernel) -> bool) -> Kernel {
    let mut best = kernel.clone();
    loop {
        let lines: Vec<String> = best.text.lines().map(str::to_owned).collect();
        let mut smaller = None;
        for at in (0..lines.len()).rev() {
            for (from, to, keep) in cuts(&lines, at) {
                let mut rest = lines[..from].to_vec();
                rest.extend_from_slice(&lines[keep.0..keep.1]);
                rest.extend_from_slice(&lines[to..]);
                let candidate = Kernel { text: rest.join("\n") + "\n", ..best.clone() };
                let barriers = |text: &str| text.matches("Barrier()").count();
                if barriers(&candidate.text) == barriers(&best.text) && fails(&candidate) {
                    smaller = Some(candidate);
                    break;
                }
            }
            if smaller.is_some() {
                break;
            }
        }
        match smaller {
            Some(kernel) => best = kernel,
            None => return best,
        }
    }
}

/// Ways to cut at a line: what goes, and which part of it stays.
type Cut = (usize, usize, (usize, usize));

fn cuts(lines: &[String], at: usize) -> Vec<Cut> {
    let line = &lines[at];
    if !line.ends_with('{') {
        return if line.trim_start().starts_with('}') { Vec::new() } else { vec![(at, at + 1, (at, at))] };
    }
    let indent = |line: &String| line.len() - line.trim_start().len();
    let end =
        (at + 1..lines.len()).find(|&i| indent(&lines[i]) <= indent(line) && lines[i].trim_start().starts_with('}'));
    match end {
        Some(end) => vec![(at, end + 1, (at, at)), (at, end + 1, (at + 1, end))],
        None => Vec::new(),
    }
}
