//! All algorithms of the kit on one graph, each checked by its verifier.
//!
//! ```text
//! cargo run --release -p seawall-kit --example graph [-- GRAPH.mtx, a list of edges, or kron:16]
//! ```

use std::error::Error;
use std::path::Path;

use seawall::Runtime;
use seawall_kit::csr::{Csr, Kind, Weights};
use seawall_kit::{Kit, Resident, betweenness, bfs, components, pagerank, sssp, triangles};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "kron:10".to_owned());
    let runtime = Runtime::new()?;
    tell(&runtime, &given(&text)?)
}

/// A file if there is one of that name, else what a generator makes.
fn given(text: &str) -> Result<Csr, Box<dyn Error>> {
    let path = Path::new(text);
    if !path.exists() {
        return Ok(Csr::generated(text)?);
    }
    let contents = std::fs::read_to_string(path)?;
    let is_matrix = path.extension().is_some_and(|name| name == "mtx");
    let read = if is_matrix { Csr::mtx } else { Csr::edge_list };
    Ok(read(&contents, Kind::Undirected, Weights::Left)?.simple().weighed_by(1))
}

fn tell(runtime: &Runtime, csr: &Csr) -> Result<(), Box<dyn Error>> {
    let (kit, graph, from) = (Kit::new(runtime), Resident::new(runtime, csr)?, csr.hub());
    let (words, floats) = (runtime.buffer::<u32>(csr.vertices())?, runtime.buffer::<f32>(csr.vertices())?);
    println!("{} vertices, {} edges", csr.vertices(), csr.edges().len() / 2);

    let levels = bfs::search(&kit, &graph, from, &words)?;
    bfs::verify(csr, from, &words.to_vec()?)?;
    let far = words.to_vec()?.into_iter().filter(|&dist| dist != bfs::FAR).max();
    println!("vertex {from} reaches others in up to {far:?} steps; {} levels went to the frontier", levels.up);

    sssp::search(&kit, &graph, from, None, &words)?;
    sssp::verify(csr, from, &words.to_vec()?)?;
    println!("shortest paths with {}", sssp::Tuning::new(&graph));

    components::find(&kit, &graph, &words)?;
    components::verify(csr, &words.to_vec()?)?;
    let parts = (0..).zip(words.to_vec()?).filter(|(v, lowest)| v == lowest).count();
    println!("{parts} components");

    let how = pagerank::How::default();
    let turns = pagerank::rank(&kit, &graph, how, &floats)?;
    pagerank::verify(csr, how, &floats.to_vec()?)?;
    println!("ranks settle in {turns} turns");

    let count = triangles::count(&kit, &graph)?;
    triangles::verify(csr, count)?;
    println!("{count} triangles");

    betweenness::score(&kit, &graph, &[from, 0], &floats)?;
    betweenness::verify(csr, &[from, 0], &floats.to_vec()?)?;
    let most = (0..).zip(floats.to_vec()?).max_by(|a: &(u32, f32), b| a.1.total_cmp(&b.1));
    println!("between vertices {from} and 0 and the others: {most:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_are_right() {
        let runtime = seawall::Runtime::new().unwrap();
        for graph in ["kron:8", "urand:8:1", "grid:20x15"] {
            super::tell(&runtime, &super::given(graph).unwrap()).unwrap();
        }
    }
}
