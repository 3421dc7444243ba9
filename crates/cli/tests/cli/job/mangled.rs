//! Job files with loops and queues that lost lines, or have some in other places: each is planned or
//! refused, with a place in the file.

use super::{blocks, queues};
use crate::support::{Dir, transcript};

fn below(state: &mut u64, n: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % n as u64) as usize
}

#[test]
fn mangled_jobs_are_planned_or_refused() {
    let (mut planned, mut refused) = (0, 0);
    for seed in 0..160u64 {
        println!("seed {seed}");
        let (wgsl, job) = if seed % 2 == 0 { blocks::JOB } else { queues::JOB };
        let (mut state, mut lines) = (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), job.lines().collect::<Vec<_>>());
        for _ in 0..=below(&mut state, 3) {
            let (from, to) = (below(&mut state, lines.len()), below(&mut state, lines.len()));
            match below(&mut state, 4) {
                0 => lines.swap(from, to),
                1 => lines.insert(to, lines[from]),
                2 => lines[to] = lines[from],
                _ => drop(lines.remove(from)),
            }
        }
        let job = lines.join("\n");
        let dir = Dir::new().with("w.wgsl", wgsl).with("job.toml", &job);
        let output = dir.output(&["plan", "job.toml", "--svg", "p.svg"]);
        match output.status.code() {
            Some(0) => planned += 1,
            Some(1) => {
                let said = transcript(&output);
                assert!(said.contains("─ job.toml:") || said.contains("─ w.wgsl:"), "{job}\n{said}");
                refused += 1;
            }
            _ => panic!("{job}\n{}", transcript(&output)),
        }
    }
    assert!(planned > 10 && refused > 60, "{planned} planned, {refused} refused");
}
