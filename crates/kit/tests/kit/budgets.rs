//! Every piece within the least budget that it can have: the same comes out, and no more is on the device.

use seawall::{Graph, Runtime};
use seawall_kit::compact::Keep;
use seawall_kit::csr::Csr;
use seawall_kit::resident::Names;
use seawall_kit::scan::Kind;
use seawall_kit::sort::Order;
use seawall_kit::{
    Error, Kit, Op, betweenness, bfs, compact, components, fft, gather, histogram, matmul, pagerank, partition, random,
    reduce, runs, scan, segment, sort, spmv, sssp, top, transpose, triangles, unique,
};

use crate::devices::{random as numbers, runtimes};

const LEN: usize = 20_000;

/// What a piece is given, what comes out with how many words, and its waves.
struct Case {
    name: &'static str,
    ins: Vec<(&'static str, Vec<u32>)>,
    outs: Vec<(&'static str, usize)>,
    stage: fn(&Kit<'_>, &mut Graph) -> Result<(), Error>,
}

impl Case {
    fn graph(&self, kit: &Kit<'_>) -> Graph {
        let mut graph = Graph::new();
        for (name, words) in &self.ins {
            graph.input::<u8>(name, 4 * words.len());
        }
        for &(name, words) in &self.outs {
            graph.output::<u8>(name, 4 * words);
        }
        (self.stage)(kit, &mut graph).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        // Data beside the piece's own, before it and after it, which need not be there meanwhile.
        graph.input::<u8>("aside", 4 * LEN).output::<u8>("aside sum", 4);
        reduce::stage::<u32>(kit, &mut graph, "aside", Op::Sum, "aside", "aside sum").unwrap();
        graph
    }

    /// What comes out, and the most bytes that are on the device by plan; there were no more.
    fn run(&self, runtime: &Runtime, graph: &Graph) -> (Vec<Vec<u8>>, u64) {
        let compiled = runtime.compile(graph).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut outs: Vec<Vec<u8>> = self.outs.iter().map(|&(_, words)| vec![0; 4 * words]).collect();
        let (aside, mut sum) = (vec![1u8; 4 * LEN], vec![0u8; 4]);
        let mut call = compiled.call().bind("aside", &aside).bind("aside sum", &mut sum);
        for (name, words) in &self.ins {
            call = call.bind(name, bytemuck::cast_slice::<u32, u8>(words));
        }
        for ((name, _), out) in self.outs.iter().zip(&mut outs) {
            call = call.bind(name, out);
        }
        let peak = call.run().unwrap_or_else(|error| panic!("{}: {error}", self.name)).stats.peak_bytes;
        assert!(peak <= compiled.peak_bytes(), "{}: {peak} of {}", self.name, compiled.peak_bytes());
        (outs, compiled.peak_bytes())
    }
}

const ROWS: Names<'static> = Names { offsets: "offsets", edges: "edges", back: None };

fn cases() -> Vec<Case> {
    let x = || ("x", numbers::<u32>(LEN, 1));
    let ones = |len: usize| numbers::<u32>(len, 2).into_iter().map(|word| word % 7 / 6).collect::<Vec<u32>>();
    let below = |len: usize, n: u32| numbers::<u32>(len, 3).into_iter().map(|word| word % n).collect::<Vec<u32>>();
    let steps = |count: usize, each: u32| (0..=count as u32).map(|at| at * each).collect::<Vec<u32>>();
    let floats = |len: usize| below(len, 100).into_iter().map(|word| (word as f32).to_bits()).collect::<Vec<u32>>();
    let csr = Csr::kronecker(8, 8, 1).unwrap().weighed_by(1);
    let (n, rows) = (csr.vertices(), vec![("offsets", csr.offsets().to_vec()), ("edges", csr.edges().to_vec())]);
    let also = |name, words| [&rows[..], &[(name, words)]].concat();
    let how = vec![0.85f32.to_bits(), 1e-3f32.to_bits()];
    let case = |name, ins, outs, stage| Case { name, ins, outs, stage };
    vec![
        case("reduce", vec![x()], vec![("y", 1)], |kit, graph| {
            reduce::stage::<u32>(kit, graph, "it", Op::Max, "x", "y")
        }),
        case("scan", vec![x()], vec![("y", LEN)], |kit, graph| {
            scan::stage::<u32>(kit, graph, "it", Kind::Inclusive, Op::Sum, "x", "y")
        }),
        case("segment scan", vec![x(), ("heads", ones(LEN))], vec![("y", LEN)], |kit, graph| {
            segment::stage_scan::<u32>(kit, graph, "it", (Kind::Exclusive, Op::Sum), "x", "heads", "y")
        }),
        case("segment reduce", vec![x(), ("offsets", steps(100, 200))], vec![("y", 100)], |kit, graph| {
            segment::stage_reduce::<u32>(kit, graph, "it", Op::Sum, "x", "offsets", "y")
        }),
        case("compact", vec![x(), ("flags", ones(LEN))], vec![("y", LEN), ("total", 1)], |kit, graph| {
            compact::stage::<u32>(kit, graph, "it", Keep::Flags("flags"), "x", "y", "total")
        }),
        case("partition", vec![x()], vec![("y", LEN), ("total", 1)], |kit, graph| {
            partition::stage::<u32>(kit, graph, "it", Keep::Where("value % 3u == 0u"), "x", "y", "total")
        }),
        case("unique", vec![("x", ones(LEN))], vec![("y", LEN), ("total", 1)], |kit, graph| {
            unique::stage::<u32>(kit, graph, "it", "x", "y", "total")
        }),
        case("runs", vec![("x", ones(LEN))], vec![("y", LEN), ("lengths", LEN), ("total", 1)], |kit, graph| {
            runs::stage::<u32>(kit, graph, "it", "x", "y", "lengths", "total")
        }),
        case("sort", vec![x()], vec![("y", LEN)], |kit, graph| {
            sort::stage::<u32>(kit, graph, "it", Order::Ascending, "x", "y")
        }),
        case("sort pairs", vec![x(), ("v", steps(LEN - 1, 1))], vec![("y", LEN), ("w", LEN)], |kit, graph| {
            sort::stage_pairs::<u32, u32>(kit, graph, "it", Order::Descending, ("x", "v"), ("y", "w"))
        }),
        case("top", vec![x()], vec![("keys", 50), ("places", 50)], |kit, graph| {
            top::stage::<u32>(kit, graph, "it", Order::Descending, "x", ("keys", "places"))
        }),
        case("histogram", vec![x()], vec![("y", 64)], |kit, graph| {
            histogram::stage::<u32>(kit, graph, "it", "value & 63u", "x", "y")
        }),
        case("transpose", vec![x()], vec![("y", LEN)], |kit, graph| {
            transpose::stage::<u32>(kit, graph, "it", (100, 200), "x", "y")
        }),
        case("gather", vec![x(), ("at", below(LEN, 20_000))], vec![("y", LEN), ("outside", 1)], |kit, graph| {
            gather::stage::<u32>(kit, graph, "it", gather::Way::Gather, ("x", "at"), "y", "outside")
        }),
        case(
            "spmv",
            vec![("offsets", steps(100, 5)), ("columns", below(500, 70)), ("entries", floats(500)), ("x", floats(70))],
            vec![("y", 100), ("outside", 1)],
            |kit, graph| {
                let matrix = spmv::Names { offsets: "offsets", columns: "columns", entries: "entries" };
                spmv::stage(kit, graph, "it", &matrix, "x", "y", "outside")
            },
        ),
        case("matmul", vec![("a", floats(600)), ("b", floats(1200))], vec![("c", 800)], |kit, graph| {
            matmul::stage(kit, graph, "it", matmul::Shape { rows: 20, inner: 30, columns: 40 }, ("a", "b"), "c")
        }),
        case("fft", vec![("x", floats(8192))], vec![("y", 8192)], |kit, graph| {
            fft::stage(kit, graph, "it", fft::Way::Forward, 4096, "x", "y")
        }),
        case("random", vec![], vec![("y", LEN)], |kit, graph| {
            random::stage::<u32>(kit, graph, "it", random::Stream { seed: 1, number: 2 }, "y")
        }),
        case("bfs", also("source", vec![csr.hub()]), vec![("dist", n)], |kit, graph| {
            bfs::stage(kit, graph, "it", &ROWS, "source", "dist")
        }),
        case(
            "sssp",
            [also("weights", csr.weights().to_vec()), vec![("source", vec![csr.hub()]), ("delta", vec![9])]].concat(),
            vec![("dist", n), ("too far", 1)],
            |kit, graph| sssp::stage(kit, graph, "it", &ROWS, "weights", ("source", "delta"), "dist", "too far"),
        ),
        case("components", rows.clone(), vec![("component", n)], |kit, graph| {
            components::stage(kit, graph, "it", &ROWS, "component")
        }),
        case("pagerank", also("how", how), vec![("ranks", n)], |kit, graph| {
            pagerank::stage(kit, graph, "it", &ROWS, "how", "ranks")
        }),
        case("triangles", rows.clone(), vec![("total", 2)], |kit, graph| {
            triangles::stage(kit, graph, "it", &ROWS, "total")
        }),
        case("betweenness", also("sources", vec![csr.hub(), 3]), vec![("scores", n), ("lost", 2)], |kit, graph| {
            betweenness::stage(kit, graph, "it", &ROWS, "sources", "scores", "lost")
        }),
    ]
}

/// The least budget for which there is a plan.
fn least(graph: &mut Graph, most: u64) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low) / 2;
        if graph.budget_bytes(middle).plan().is_ok() { high = middle } else { low = middle + 1 }
    }
    low
}

#[test]
fn any_budget_gives_the_same() {
    for runtime in &runtimes()[1..] {
        let kit = Kit::new(runtime);
        for case in cases() {
            let mut graph = case.graph(&kit);
            let (expected, most) = case.run(runtime, &graph);
            let budget = least(&mut graph, most);
            // What is aside is not there with the rest.
            assert!(budget < most, "{}: {budget} of {most}", case.name);
            let (found, peak) = case.run(runtime, graph.budget_bytes(budget));
            assert!(peak <= budget, "{}: {peak} of {budget}", case.name);
            assert!(found == expected, "{} on {} within {budget}", case.name, runtime.caps().id);
        }
    }
}
