//! Algorithms on graphs, against their verifiers: random graphs with loops, edges that are there twice, vertices without
//! any and parts that do not hang together.

use seawall::Runtime;
use seawall::device::Kind as Device;
use seawall_kit::csr::{Csr, Kind};
use seawall_kit::pagerank::How;
use seawall_kit::{Kit, Resident, betweenness, bfs, components, pagerank, sssp, triangles};

use crate::devices::{runtimes, words};

/// So many vertices and edges, anywhere but in the last third of vertices, with loops and doubles.
fn random(vertices: u32, edges: usize, kind: Kind, seed: u64) -> Csr {
    let below = (vertices - vertices / 3).max(1);
    let mut words = words(seed).map(|word| (word >> 16) as u32);
    let mut edge = |at: usize| {
        let (from, to) = (words.next().unwrap() % below, words.next().unwrap() % below);
        let weight = words.next().unwrap() % 100;
        if at.is_multiple_of(7) { (from, from, weight) } else { (from, to, weight) }
    };
    let mut all: Vec<_> = (0..edges).map(&mut edge).collect();
    all.extend_from_within(..edges / 3);
    Csr::weighted(vertices as usize, kind, &all).unwrap()
}

/// Graphs to try on a device: small ones on the interpreter, which takes its time.
fn graphs(runtime: &Runtime) -> Vec<(String, Csr)> {
    let mut all: Vec<(String, Csr)> = Vec::new();
    let slow = runtime.caps().kind == Device::Reference;
    for kind in [Kind::Undirected, Kind::Directed] {
        for (vertices, edges) in [(1, 0), (1, 3), (2, 1), (33, 20), (65, 300), (if slow { 130 } else { 2101 }, 4000)] {
            let name = format!("{kind:?}, {vertices} vertices, {edges} edges");
            all.push((name, random(vertices, edges, kind, u64::from(vertices) + edges as u64)));
        }
    }
    let scale = if slow { 6 } else { 10 };
    all.push(("kronecker".to_owned(), Csr::kronecker(scale, 8, 1).unwrap().weighed_by(1)));
    all.push(("uniform".to_owned(), Csr::uniform(scale, 8, 2).unwrap().weighed_by(2)));
    all.push(("grid".to_owned(), Csr::grid(9, 7).unwrap().weighed_by(3)));
    all.push(("path".to_owned(), Csr::grid(100, 1).unwrap().weighed_by(4)));
    all.push(("complete".to_owned(), complete(41)));
    all
}

fn complete(vertices: u32) -> Csr {
    let pairs: Vec<(u32, u32)> = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    Csr::new(vertices as usize, Kind::Undirected, &pairs).unwrap().weighed_by(5)
}

/// For every device and graph.
fn each(check: impl Fn(&Kit<'_>, &Csr, &Resident) -> Result<(), String>) {
    for runtime in runtimes() {
        let kit = Kit::new(runtime);
        for (name, csr) in graphs(runtime) {
            let resident = Resident::new(runtime, &csr).unwrap();
            check(&kit, &csr, &resident).unwrap_or_else(|wrong| panic!("{}, {name}: {wrong}", runtime.caps().id));
        }
    }
}

fn told<T>(result: Result<T, seawall_kit::Error>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

#[test]
fn searches_reach_everything() {
    each(|kit, csr, graph| {
        let dist = kit.runtime().buffer(csr.vertices()).unwrap();
        for source in [csr.hub(), csr.vertices() as u32 - 1] {
            told(bfs::search(kit, graph, source, &dist))?;
            bfs::verify(csr, source, &dist.to_vec().unwrap())?;
        }
        Ok(())
    });
}

#[test]
fn large_frontiers_turn_the_search_around() {
    let runtime = &runtimes()[1];
    let (kit, csr) = (Kit::new(runtime), Csr::kronecker(10, 16, 1).unwrap());
    let (graph, dist) = (Resident::new(runtime, &csr).unwrap(), runtime.buffer(csr.vertices()).unwrap());
    let levels = bfs::search(&kit, &graph, csr.hub(), &dist).unwrap();
    assert!(levels.up > 0 && levels.up < levels.all, "{levels:?}");
    let path = Resident::new(runtime, &Csr::grid(500, 1).unwrap()).unwrap();
    let dist = runtime.buffer(500).unwrap();
    let levels = bfs::search(&kit, &path, 0, &dist).unwrap();
    // Only where hardly anything is left.
    assert!(levels.all == 500 && levels.up < 10, "{levels:?}");
}

#[test]
fn shortest_paths_are_found() {
    each(|kit, csr, graph| {
        let dist = kit.runtime().buffer(csr.vertices()).unwrap();
        for (source, delta) in [(csr.hub(), None), (0, Some(1)), (csr.vertices() as u32 / 2, Some(u32::MAX))] {
            told(sssp::search(kit, graph, source, delta, &dist))?;
            sssp::verify(csr, source, &dist.to_vec().unwrap())?;
        }
        Ok(())
    });
}

#[test]
fn distances_that_do_not_fit_are_told() {
    for runtime in runtimes() {
        let (kit, half) = (Kit::new(runtime), u32::MAX / 2);
        let search = |edges: &[(u32, u32, u32)]| {
            let graph = Resident::new(runtime, &Csr::weighted(4, Kind::Directed, edges).unwrap()).unwrap();
            let dist = runtime.buffer(4).unwrap();
            told(sssp::search(&kit, &graph, 0, None, &dist)).map(|()| dist.to_vec().unwrap())
        };
        let long = [(0, 1, half), (1, 2, half), (2, 3, 1)];
        assert_eq!(search(&long).unwrap_err(), "1 edges lead to vertices whose distance is over 4294967294");
        // There is another way.
        assert_eq!(search(&[&long[..], &[(0, 3, 7)]].concat()), Ok(vec![0, half, 2 * half, 7]));
        // Far from each other, which does not take as many turns.
        assert_eq!(search(&[(0, 1, half), (1, 2, 1), (0, 2, u32::MAX - 1)]), Ok(vec![0, half, half + 1, sssp::FAR]));
    }
}

#[test]
fn components_are_found() {
    each(|kit, csr, graph| {
        let component = kit.runtime().buffer(csr.vertices()).unwrap();
        told(components::find(kit, graph, &component))?;
        components::verify(csr, &component.to_vec().unwrap())
    });
}

#[test]
fn ranks_settle() {
    each(|kit, csr, graph| {
        let ranks = kit.runtime().buffer(csr.vertices()).unwrap();
        for how in [How::default(), How { damping: 0.5, tolerance: 1e-3 }] {
            told(pagerank::rank(kit, graph, how, &ranks))?;
            pagerank::verify(csr, how, &ranks.to_vec().unwrap())?;
        }
        Ok(())
    });
}

/// From equal ranks it would be six turns.
#[test]
fn ranks_begin_near_the_end() {
    let runtime = &runtimes()[1];
    let csr = Csr::uniform(10, 16, 2).unwrap();
    let (graph, ranks) = (Resident::new(runtime, &csr).unwrap(), runtime.buffer(csr.vertices()).unwrap());
    assert_eq!(pagerank::rank(&Kit::new(runtime), &graph, How::default(), &ranks), Ok(4));
}

#[test]
fn triangles_are_counted() {
    each(|kit, csr, graph| match csr.kind() {
        Kind::Undirected => triangles::verify(csr, told(triangles::count(kit, graph))?),
        Kind::Directed => {
            assert_eq!(
                triangles::count(kit, graph).unwrap_err().to_string(),
                "the edges of the graph lead one way, and should lead both ways"
            );
            Ok(())
        }
    });
}

#[test]
fn scores_are_those_of_brandes() {
    each(|kit, csr, graph| {
        let scores = kit.runtime().buffer(csr.vertices()).unwrap();
        let some = [csr.hub(), 0, csr.vertices() as u32 / 2];
        let all: Vec<u32> = (0..csr.vertices() as u32).collect();
        // The host looks at a GPU once for each source.
        let few = csr.vertices() <= 65 && !kit.runtime().caps().id.starts_with("gpu");
        let sources = if few { &all[..] } else { &some };
        told(betweenness::score(kit, graph, sources, &scores))?;
        betweenness::verify(csr, sources, &scores.to_vec().unwrap())
    });
}

#[test]
fn graphs_of_several_blocks_are_gone_through() {
    for runtime in runtimes().iter().filter(|runtime| runtime.caps().kind != Device::Reference) {
        let kit = Kit::new(runtime);
        for csr in [Csr::uniform(16, 4, 2).unwrap(), Csr::kronecker(16, 4, 1).unwrap()] {
            let graph = Resident::new(runtime, &csr).unwrap();
            let (words, ranks) = (runtime.buffer(csr.vertices()).unwrap(), runtime.buffer(csr.vertices()).unwrap());
            bfs::search(&kit, &graph, csr.hub(), &words).unwrap();
            assert_eq!(bfs::verify(&csr, csr.hub(), &words.to_vec().unwrap()), Ok(()));
            components::find(&kit, &graph, &words).unwrap();
            assert_eq!(components::verify(&csr, &words.to_vec().unwrap()), Ok(()));
            pagerank::rank(&kit, &graph, How::default(), &ranks).unwrap();
            assert_eq!(pagerank::verify(&csr, How::default(), &ranks.to_vec().unwrap()), Ok(()));
        }
    }
}

#[test]
fn floats_have_the_same_bits() {
    let csr = random(300, 2000, Kind::Undirected, 5);
    let mut all = Vec::new();
    for runtime in runtimes().iter().filter(|runtime| !runtime.caps().id.starts_with("gpu")) {
        let (kit, graph) = (Kit::new(runtime), Resident::new(runtime, &csr).unwrap());
        let (ranks, scores) = (runtime.buffer(300).unwrap(), runtime.buffer(300).unwrap());
        pagerank::rank(&kit, &graph, How::default(), &ranks).unwrap();
        betweenness::score(&kit, &graph, &[0, 9, 100], &scores).unwrap();
        let bits = |numbers: Vec<f32>| numbers.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        all.push((bits(ranks.to_vec().unwrap()), bits(scores.to_vec().unwrap())));
    }
    assert!(all.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn graphs_of_nothing_have_nothing() {
    for runtime in runtimes() {
        let (kit, csr) = (Kit::new(runtime), Csr::new(0, Kind::Undirected, &[]).unwrap());
        let graph = Resident::new(runtime, &csr).unwrap();
        let (words, floats) = (runtime.buffer::<u32>(0).unwrap(), runtime.buffer::<f32>(0).unwrap());
        let refused = Err("there is no vertex 0: the graph has 0".to_owned());
        assert_eq!(told(bfs::search(&kit, &graph, 0, &words)).map(drop), refused);
        assert_eq!(told(sssp::search(&kit, &graph, 0, None, &words)), refused);
        assert_eq!(told(betweenness::score(&kit, &graph, &[0], &floats)), refused);
        assert_eq!(betweenness::score(&kit, &graph, &[], &floats), Ok(()));
        assert_eq!(components::find(&kit, &graph, &words), Ok(()));
        assert_eq!(pagerank::rank(&kit, &graph, How::default(), &floats), Ok(0));
        assert_eq!(triangles::count(&kit, &graph), Ok(0));
    }
}

#[test]
fn rows_on_the_device_are_checked() {
    for runtime in runtimes() {
        let kit = Kit::new(runtime);
        let up = |numbers: &[u32]| runtime.buffer_from(numbers).unwrap();
        let rows =
            |offsets: &[u32], edges: &[u32]| told(Resident::from_rows(&kit, (&up(offsets), &up(edges)), None, None));
        let refused = |offsets: &[u32], edges: &[u32]| rows(offsets, edges).unwrap_err();
        let bad_rows = |count| {
            format!("{count} of the rows in `offsets` begin before the one that they follow, or end beyond the edges")
        };
        assert_eq!(refused(&[], &[]), "`offsets` has 0 elements, but 1 are needed");
        assert_eq!(refused(&[0, 2, 1, 3], &[0, 1, 2]), bad_rows(1));
        assert_eq!(refused(&[1, 2, 2, 3], &[0, 1, 2]), bad_rows(1));
        assert_eq!(refused(&[0, 1, 2], &[0, 1, 1]), bad_rows(1));
        assert_eq!(refused(&[0, 1, 9, 2], &[0, 1]), bad_rows(2));
        assert_eq!(refused(&[0, 1, 3], &[0, 7, 2]), "2 of the indices in `edges` are not below 2");
        assert!(rows(&[0], &[]).is_ok() && rows(&[0, 0], &[]).is_ok());

        // Out of order, which only counts of triangles cannot have.
        let graph = rows(&[0, 2, 4, 6], &[2, 1, 0, 2, 1, 0]).unwrap();
        let refused = triangles::count(&kit, &graph).unwrap_err().to_string();
        assert_eq!(refused, "2 edges of the graph are not in the order of the vertices that they lead to");
        let dist = runtime.buffer(3).unwrap();
        assert!(bfs::search(&kit, &graph, 1, &dist).is_ok());
        assert_eq!(dist.to_vec().unwrap(), [1, 0, 1]);
        assert_eq!(
            told(sssp::search(&kit, &graph, 0, None, &dist)).unwrap_err(),
            "the edges of the graph have no weights"
        );

        // A directed graph has rows both ways, and weights are its longest.
        let (offsets, edges, back) = (up(&[0, 1, 2, 2]), up(&[1, 2]), (up(&[0, 0, 1, 2]), up(&[0, 1])));
        let weights = up(&[u32::MAX, 5]);
        let graph = Resident::from_rows(&kit, (&offsets, &edges), Some((&back.0, &back.1)), Some(&weights)).unwrap();
        assert_eq!(graph.kind(), Kind::Directed);
        bfs::search(&kit, &graph, 1, &dist).unwrap();
        assert_eq!(dist.to_vec().unwrap(), [bfs::FAR, 0, 1]);
        let refused = told(sssp::search(&kit, &graph, 0, None, &dist)).unwrap_err();
        assert_eq!(refused, "1 edges lead to vertices whose distance is over 4294967294");
        let short = told(Resident::from_rows(&kit, (&offsets, &edges), Some((&offsets, &up(&[0]))), None));
        assert_eq!(short.unwrap_err(), "`back_edges` has 1 elements, but 2 are needed");
        let short = told(Resident::from_rows(&kit, (&offsets, &edges), None, Some(&up(&[1]))));
        assert_eq!(short.unwrap_err(), "`weights` has 1 elements, but 2 are needed");
    }
}

#[test]
fn more_paths_than_can_be_counted_are_told() {
    // Each diamond doubles the paths.
    let diamonds = 140u32;
    let pairs: Vec<(u32, u32)> = (0..diamonds)
        .flat_map(|at| [(3 * at, 3 * at + 1), (3 * at, 3 * at + 2), (3 * at + 1, 3 * at + 3), (3 * at + 2, 3 * at + 3)])
        .collect();
    let csr = Csr::new(3 * diamonds as usize + 1, Kind::Undirected, &pairs).unwrap();
    for runtime in &runtimes()[..3] {
        let (graph, scores) = (Resident::new(runtime, &csr).unwrap(), runtime.buffer(csr.vertices()).unwrap());
        let refused = betweenness::score(&Kit::new(runtime), &graph, &[210, 0, 1], &scores).unwrap_err().to_string();
        assert_eq!(refused, "from vertex 0 there are more shortest paths to 37 vertices than an `f32` can count");
    }
}

#[test]
fn wrong_results_are_noticed() {
    let csr = Csr::grid(3, 1).unwrap().weighed(|_, _| 2);
    assert_eq!(bfs::verify(&csr, 0, &[0, 1, 2]), Ok(()));
    assert_eq!(bfs::verify(&csr, 0, &[0, 1, 3]), Err("vertex 1 is at 1, and its neighbour 2 at 3".to_owned()));
    assert_eq!(
        bfs::verify(&csr, 0, &[0, 1, 1]),
        Err("vertex 2 is at 1, and nothing that leads there is at 0".to_owned())
    );
    assert_eq!(bfs::verify(&csr, 0, &[0, 0, 1]), Err("vertex 1 is 0 from 0".to_owned()));
    assert_eq!(sssp::verify(&csr, 0, &[0, 2, 3]), Err("vertex 2 is at 4, not 3".to_owned()));
    assert_eq!(components::verify(&csr, &[0, 0, 2]), Err("vertex 2 hangs together with 0, not 2".to_owned()));
    assert_eq!(triangles::verify(&csr, 1), Err("there are 0 triangles, not 1".to_owned()));
    assert_eq!(betweenness::verify(&csr, &[0], &[0.0, 2.0, 0.0]), Err("vertex 1 has 1, not 2".to_owned()));
    assert!(pagerank::verify(&csr, How::default(), &[0.3, 0.4, 0.3]).is_err());
}
