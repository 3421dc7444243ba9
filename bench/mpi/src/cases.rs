//! What a rank measures.

#[path = "../../../crates/mpi/examples/bfs.rs"]
#[allow(dead_code, unreachable_pub)]
mod bfs;
#[path = "../../../crates/mpi/examples/jacobi.rs"]
#[allow(dead_code, unreachable_pub)]
mod jacobi;
#[path = "../../../crates/mpi/examples/pagerank.rs"]
#[allow(dead_code, unreachable_pub)]
mod pagerank;

use std::error::Error;
use std::time::Instant;

use seawall::Runtime;
use seawall_mpi::{Cluster, Compiled};

use crate::exchange;

/// The programs that are measured.
pub const NAMES: [&str; 3] = ["jacobi", "pagerank", "bfs"];

/// Cells of a side, and steps.
pub const JACOBI: (u64, u32) = (1024, 10);
/// How often each is run, of which the best counts.
const RUNS: u32 = 25;
/// Of Kronecker graphs.
pub const SCALE: u32 = 16;
pub const TURNS: u32 = 5;

pub fn run(case: &str) -> Result<(), Box<dyn Error>> {
    let cluster = Cluster::world()?;
    let runtime = Runtime::builder().device("cpu").open()?;
    let numbers = match case {
        "jacobi" => {
            let (size, steps) = JACOBI;
            let jacobi::Jacobi { rows, graph } = jacobi::describe(&cluster, [size, size], 0.0, steps, 1)?;
            let compiled = cluster.compile(&runtime, &graph)?;
            vec![best(&compiled, || Ok(jacobi::start(&cluster, &rows, &compiled)?))?]
        }
        "pagerank" => {
            let csr = graph();
            let rows = csr.rows(cluster.ranks(), 256)?;
            let graph = pagerank::describe(&cluster, &csr, &rows, TURNS)?;
            let compiled = cluster.compile(&runtime, &graph)?;
            pagerank::start(&cluster, &compiled, &csr)?;
            vec![best(&compiled, || Ok(()))?]
        }
        "bfs" => {
            let csr = bfs_graph();
            let rows = csr.rows(cluster.ranks(), 1)?;
            let compiled = cluster.compile(&runtime, &bfs::describe(&cluster, &csr, &rows)?)?;
            let source = bfs::hub(&csr);
            vec![best(&compiled, || bfs::start(&cluster, &compiled, &csr, source))?]
        }
        "exchange" => exchange::exchanges(&cluster, &runtime)?,
        "constants" => exchange::constants(),
        _ => return Err(format!("there is no case {case}").into()),
    };
    if cluster.rank() == 0 {
        numbers.iter().for_each(|number| println!("{number:e}"));
    }
    Ok(())
}

fn graph() -> pagerank::kronecker::Csr {
    pagerank::kronecker::graph(SCALE, 1)
}

fn bfs_graph() -> bfs::kronecker::Csr {
    bfs::kronecker::graph(SCALE, 1)
}

/// Of short runs, after one that warms up: on a busy machine one of them has the processors for itself.
fn best(compiled: &Compiled<'_>, start: impl Fn() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut best = f64::INFINITY;
    for round in 0..=RUNS {
        start()?;
        let clock = Instant::now();
        compiled.call().run()?;
        if round > 0 {
            best = best.min(clock.elapsed().as_secs_f64());
        }
    }
    Ok(best)
}
