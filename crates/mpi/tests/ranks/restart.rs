//! A run that is resumed from any checkpoint ends with the bits that it would have had.

use std::path::{Path, PathBuf};

use seawall_mpi::{Checkpoint, Cluster, Compiled, Error, Graph, Op, checkpoint};

use crate::kernels::{add, runtime, stencil};
use crate::{Case, End, well};

pub(crate) const CASES: &[Case] = &[
    well("resume_at_every_checkpoint", every),
    well("resume_after_an_error", after_error),
    well("checkpoints_that_are_broken", broken),
    Case { name: "checkpoint_then_die", ranks_min: 2, end: End::Killed, run: die },
    Case { name: "checkpoint_then_resume", ranks_min: 2, end: End::Well, run: resume },
];

/// A directory that all ranks know.
fn dir(cluster: &Cluster, name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("seawall-mpi-{name}-{}", cluster.ranks()));
    if cluster.rank() == 0 {
        let _absent = std::fs::remove_dir_all(&dir);
    }
    cluster.agree(Ok(())).unwrap();
    dir
}

/// Loops in loops, swaps, and several exchanges in a turn.
fn graph(cluster: &Cluster) -> Graph {
    let (stencil, add) = (stencil(), add());
    let rows = cluster.block(31).halo(1);
    let mut graph = cluster.graph();
    graph.rows::<u32>("now", &rows).rows::<u32>("next", &rows).replicated::<u32>("sum", 4);
    graph
        .repeat("outer", |body| {
            body.repeat("inner", |body| {
                body.halo("edges", "now");
                body.wave("step", &stencil).bind("now", "now").bind("next", "next").over("next");
                body.swap("now", "next");
            })
            .times(3);
            body.wave("add", &add).bind("v", "sum").value("by", &(cluster.rank() as u32 + 1)).over("v");
            body.all_reduce::<u32>("total", "sum", Op::Sum);
        })
        .times(3);
    graph
}

fn start(cluster: &Cluster, compiled: &Compiled<'_>) {
    let rows = cluster.block(31).halo(1);
    let whole: Vec<u32> = (0..31).map(|i| i * 7 + 1).collect();
    compiled.write("now", &rows.cut(cluster.rank(), &whole).unwrap()).unwrap();
    compiled.write("sum", &[1u32; 4]).unwrap();
}

fn result(compiled: &Compiled<'_>) -> [Vec<u32>; 3] {
    ["now", "next", "sum"].map(|data| compiled.read(data).unwrap())
}

fn every(cluster: &Cluster) {
    let (runtime, graph, dir) = (runtime(), graph(cluster), dir(cluster, "every"));
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    start(cluster, &compiled);
    let finished = compiled.call().checkpoint(Checkpoint::new(&dir, 1).keep_all()).run().unwrap();
    assert_eq!((finished.exchanges, finished.checkpoint), (12, Some(11)));
    let wanted = result(&compiled);
    for step in 1..=11 {
        if cluster.rank() == 0 {
            std::fs::write(dir.join("latest"), format!("{step}\n")).unwrap();
        }
        cluster.agree(Ok(())).unwrap();
        // Another process: nothing is known but the files.
        let compiled = cluster.compile(&runtime, &graph).unwrap();
        let finished = compiled.call().resume(&dir).run().unwrap();
        assert_eq!((result(&compiled), finished.exchanges), (wanted.clone(), 12), "from {step}");
        assert_eq!([finished.turns("outer"), finished.turns("inner")], [Some(3), Some(3)]);
    }
}

/// Only the latest stays, and it is whole.
fn after_error(cluster: &Cluster) {
    let (runtime, graph, dir) = (runtime(), graph(cluster), dir(cluster, "error"));
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    start(cluster, &compiled);
    compiled.call().run().unwrap();
    let wanted = result(&compiled);
    start(cluster, &compiled);
    compiled.write("next", &vec![0u32; wanted[1].len()]).unwrap();
    compiled.call().checkpoint(Checkpoint::new(&dir, 4)).run().unwrap();
    assert_eq!(names(&dir), ["latest", "step-8"]);
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    let finished = compiled.call().resume(&dir).checkpoint(Checkpoint::new(&dir, 1)).run().unwrap();
    assert_eq!((result(&compiled), finished.checkpoint), (wanted, Some(11)));
    cluster.agree(Ok(())).unwrap();
    assert_eq!(names(&dir), ["latest", "step-11"]);
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn broken(cluster: &Cluster) {
    let (runtime, graph, dir) = (runtime(), graph(cluster), dir(cluster, "broken"));
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    start(cluster, &compiled);
    compiled.call().checkpoint(Checkpoint::new(&dir, 5)).run().unwrap();
    let end = cluster.ranks() - 1;
    let file = dir.join(format!("step-10/rank-{end}"));
    let bytes = std::fs::read(&file).unwrap();
    cluster.agree(Ok(())).unwrap();
    let resumed = |bytes: &[u8]| {
        if cluster.rank() == end {
            std::fs::write(&file, bytes).unwrap();
        }
        compiled.call().resume(&dir).run().map(|_| ()).unwrap_err()
    };
    let why = |error: Error| {
        let is_end = cluster.rank() == end;
        match error {
            Error::Checkpoint(checkpoint::Error::Broken { why, .. }) if is_end => why.to_owned(),
            Error::There { rank, message } if rank == end && !is_end => message.rsplit(": ").next().unwrap().to_owned(),
            other => panic!("{other}"),
        }
    };
    let mut flipped = bytes.clone();
    flipped[40] ^= 1;
    assert_eq!(why(resumed(&flipped)), "its sum is another");
    assert_eq!(why(resumed(&bytes[..bytes.len() - 9])), "its sum is another");
    assert_eq!(why(resumed(&[])), "it is too short");
    // Of another graph.
    if cluster.rank() == end {
        std::fs::write(&file, &bytes).unwrap();
    }
    let mut other = cluster.graph();
    other.replicated::<u32>("x", 1).all_reduce::<u32>("sum", "x", Op::Sum);
    let other = cluster.compile(&runtime, &other).unwrap();
    let error = other.call().resume(&dir).run().unwrap_err().to_string();
    assert!(error.ends_with("rank-0 is a checkpoint of another plan"), "{error}");
    if cluster.rank() == 0 {
        std::fs::write(dir.join("latest"), "ten").unwrap();
    }
    cluster.agree(Ok(())).unwrap();
    let error = compiled.call().resume(&dir).run().unwrap_err().to_string();
    assert!(error.ends_with("latest is not a whole checkpoint: it has no number"), "{error}");
}

fn shared(cluster: &Cluster) -> PathBuf {
    std::env::temp_dir().join(format!("seawall-mpi-die-{}", cluster.ranks()))
}

/// Killed in the middle of a run, by a rank whose own checkpoint directory cannot be written any more.
fn die(cluster: &Cluster) {
    let (runtime, graph) = (runtime(), graph(cluster));
    let dir = dir(cluster, "die");
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    start(cluster, &compiled);
    std::thread::scope(|scope| {
        if cluster.rank() == 1 {
            scope.spawn(|| {
                while !dir.join("latest").exists() {
                    std::thread::yield_now();
                }
                let kill = std::process::Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
                panic!("{kill:?}");
            });
        }
        let _killed = compiled.call().checkpoint(Checkpoint::new(&dir, 1)).run();
        if cluster.rank() == 1 {
            std::thread::sleep(std::time::Duration::from_mins(1));
        }
        cluster.agree(Ok(())).unwrap();
    });
}

/// Another launch goes on from what the case before left.
fn resume(cluster: &Cluster) {
    let (runtime, graph, dir) = (runtime(), graph(cluster), shared(cluster));
    let compiled = cluster.compile(&runtime, &graph).unwrap();
    start(cluster, &compiled);
    compiled.call().run().unwrap();
    let wanted = result(&compiled);
    let again = cluster.compile(&runtime, &graph).unwrap();
    again.call().resume(&dir).run().unwrap();
    assert_eq!(result(&again), wanted);
}
