//! Every mistake in a graph is named by wave and data, and dependencies are found.

use std::sync::Arc;

use seawall_core::graph::{Edge, Error, Graph, Grid, Launch, Role, WaveId, Why, resolve};
use seawall_core::program::{Kernel, Overrides, Program};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> sum: atomic<u32>;
@group(0) @binding(3) var<uniform> p: vec4<u32>;

@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = x[id.x]; }

@compute @workgroup_size(64)
fn tally(@builtin(global_invocation_id) id: vec3<u32>) { atomicAdd(&sum, x[id.x]); }

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = p.x; }
";

pub(crate) fn kernel(entry: &str) -> Arc<Kernel> {
    Program::wgsl(WGSL).unwrap().kernel(entry, &Overrides::new()).unwrap()
}

/// in -> middle -> out
fn sound() -> Graph {
    let mut graph = Graph::default();
    graph.data(Role::Input, "in", 1024);
    graph.data(Role::Transient, "middle", 1024);
    graph.data(Role::Output, "out", 1024);
    let copy = kernel("copy");
    graph.wave("first", &copy).bind("x", "in").bind("y", "middle").grid(Grid::Over("y".into()));
    graph.wave("second", &copy).bind("x", "middle").bind("y", "out").grid(Grid::Threads([256, 1, 1]));
    graph
}

fn broken(change: impl FnOnce(&mut Graph)) -> Error {
    let mut graph = sound();
    change(&mut graph);
    resolve(&graph).expect_err("a broken graph was accepted")
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn a_sound_graph() {
    let graph = resolve(&sound()).unwrap();
    assert_eq!(graph.waves[0].launch, Launch::Workgroups([4, 1, 1]));
    assert_eq!(graph.waves[1].launch, Launch::Workgroups([4, 1, 1]));
    let why = Why::ReadAfterWrite { data: seawall_core::graph::DataId(1) };
    assert_eq!(graph.edges, [Edge { before: WaveId(0), after: WaveId(1), why }]);
}

#[test]
fn names_that_lead_nowhere_or_to_two_places() {
    assert_eq!(
        broken(|graph| {
            graph.data(Role::Input, "in", 4);
        }),
        Error::DataTwice { data: text("in") }
    );
    let error = broken(|graph| {
        graph.wave("first", &kernel("copy"));
    });
    assert_eq!(error, Error::WaveTwice { wave: text("first") });
    let error = broken(|graph| {
        graph.waves[0].bind("z", "in");
    });
    let known = vec![text("x"), text("y")];
    assert_eq!(error, Error::UnknownBuffer { wave: text("first"), kernel: text("copy"), buffer: text("z"), known });
    let error = broken(|graph| {
        graph.waves[0].binds.pop();
        graph.waves[0].bind("y", "nothing");
    });
    assert_eq!(error, Error::UnknownData { wave: text("first"), data: text("nothing") });
    let error = broken(|graph| {
        graph.waves[0].after("third");
    });
    assert_eq!(error, Error::UnknownWave { wave: text("first"), after: text("third") });
    let error = broken(|graph| {
        graph.waves[0].bind("x", "in");
    });
    assert_eq!(error, Error::BoundTwice { wave: text("first"), buffer: text("x") });
    let error = broken(|graph| {
        graph.waves[0].binds.pop();
    });
    assert_eq!(error, Error::Unbound { wave: text("first"), buffer: text("y"), ty: text("array<u32>") });
}

#[test]
fn ranges_and_sizes_that_do_not_fit() {
    let bind = |range: std::ops::Range<u64>| {
        broken(|graph| {
            graph.waves[0].binds.remove(0);
            graph.waves[0].bind_range("x", "in", range);
        })
    };
    let outside = |start, end| Error::Outside { wave: text("first"), data: text("in"), start, end, data_bytes: 1024 };
    assert_eq!(bind(512..1028), outside(512, 1028));
    assert_eq!(bind(512..512), outside(512, 512));
    assert!(matches!(bind(4..8), Error::Align { start: 4, .. }));
    assert!(matches!(bind(256..262), Error::Size { got_bytes: 6, stride_bytes: 4, .. }));
    assert_eq!(broken(|graph| graph.data[0].bytes = 0), Error::Empty { data: text("in") });
}

#[test]
fn changes_where_there_must_be_none() {
    let error = broken(|graph| graph.data[1].role = Role::Input);
    assert_eq!(error, Error::ChangesInput { wave: text("first"), buffer: text("y"), data: text("middle") });
    let error = broken(|graph| {
        graph.waves[0].binds.pop();
        graph.waves[0].value("y", &[0; 4]);
    });
    assert_eq!(error, Error::ChangesValue { wave: text("first"), buffer: text("y") });
    let error = broken(|graph| {
        graph.waves[0].binds.remove(0);
        graph.waves[0].bind("x", "middle");
    });
    let (first, second) = (text("y"), text("x"));
    let (wave, data) = (text("first"), text("middle"));
    assert!(
        [
            Error::Aliased { wave: wave.clone(), data: data.clone(), first: first.clone(), second: second.clone() },
            Error::Aliased { wave, data, first: second, second: first },
        ]
        .contains(&error)
    );
    let error = broken(|graph| {
        graph.data(Role::Output, "more", 4);
    });
    assert_eq!(error, Error::NeverWritten { data: text("more") });
}

#[test]
fn grids_that_make_no_sense() {
    assert_eq!(broken(|graph| graph.waves[0].grid = None), Error::NoGrid { wave: text("first") });
    let error = broken(|graph| {
        graph.waves[0].grid(Grid::Over("q".into()));
    });
    assert_eq!(error, Error::GridOver { wave: text("first"), buffer: text("q") });
    let error = broken(|graph| {
        graph.waves[0].grid(Grid::Workgroups([u32::MAX, 1, 1]));
    });
    assert_eq!(error, Error::GridTooLarge { wave: text("first"), dimension: 0 });
    let indirect = |data: &str, offset| {
        let grid = Grid::Indirect { data: data.into(), offset, limit: [1, 1, 1] };
        broken(|graph| {
            graph.waves[0].grid(grid);
        })
    };
    assert!(matches!(indirect("in", 1020), Error::Outside { start: 1020, end: 1032, .. }));
    assert_eq!(indirect("in", 2), Error::GridAlign { wave: text("first"), data: text("in"), offset: 2 });
    assert_eq!(indirect("middle", 0), Error::ChangesGrid { wave: text("first"), data: text("middle") });
}

#[test]
fn lengths_that_count_nothing() {
    let length = |data: usize, count: &str, offset| {
        let error = broken(|graph| {
            graph.data[data].counted(count, offset, 4);
        });
        let Error::Length { why, .. } = error else { panic!("{error}") };
        why
    };
    assert_eq!(length(2, "nothing", 0), "there is no such data");
    assert_eq!(length(1, "in", 0), "it is not an output");
    assert_eq!(length(2, "in", 2), "words start at multiples of 4");
    assert_eq!(length(2, "in", 1024), "it lies outside");
}

#[test]
fn a_cycle_is_named() {
    let error = broken(|graph| {
        graph.waves[0].after("second");
        graph.waves[1].after("first");
    });
    assert_eq!(error, Error::Cycle { waves: vec![text("first"), text("second")] });
    assert_eq!(error.to_string(), "waves wait for each other: `first` after `second` after `first`");
    let error = broken(|graph| {
        graph.waves[1].after("second");
    });
    assert_eq!(error, Error::Cycle { waves: vec![text("second")] });
}

/// What `after` says decides which of two waves is the earlier one.
#[test]
fn order_is_as_written_unless_said_otherwise() {
    let mut graph = sound();
    graph.waves[0].after("second");
    let graph = resolve(&graph).unwrap();
    assert_eq!(graph.order, [WaveId(1), WaveId(0)]);
    assert_eq!(graph.edges.len(), 1);
    assert_eq!((graph.edges[0].before, graph.edges[0].after), (WaveId(1), WaveId(0)));
}

fn edges(waves: &[(&str, std::ops::Range<u64>)]) -> Vec<(u32, u32)> {
    let mut graph = Graph::default();
    graph.data(Role::InOut, "a", 2048);
    graph.data(Role::InOut, "other", 1024);
    for (at, (entry, range)) in waves.iter().enumerate() {
        let name = format!("wave {at}");
        let kernel = kernel(if *entry == "read" { "copy" } else { entry });
        let wave = graph.wave(&name, &kernel);
        wave.grid(Grid::Workgroups([1, 1, 1]));
        match *entry {
            "read" => {
                // Each to its own place.
                let at = 256 * (at as u64 % 4);
                wave.bind_range("x", "a", range.clone()).bind_range("y", "other", at..at + 256)
            }
            "tally" => wave.bind_range("sum", "a", range.clone()).bind("x", "other"),
            _ => wave.bind_range("y", "a", range.clone()).value("p", &[0; 16]),
        };
    }
    let graph = resolve(&graph).unwrap();
    graph.edges.iter().map(|edge| (edge.before.0, edge.after.0)).collect()
}

#[test]
fn hazards_by_range_and_kind() {
    assert_eq!(edges(&[("fill", 0..512), ("fill", 512..1024)]), [], "apart");
    assert_eq!(edges(&[("fill", 0..512), ("fill", 256..1024)]), [(0, 1)], "write after write");
    assert_eq!(edges(&[("fill", 0..512), ("read", 256..1024)]), [(0, 1)], "read after write");
    assert_eq!(edges(&[("read", 0..512), ("fill", 256..1024)]), [(0, 1)], "write after read");
    assert_eq!(edges(&[("read", 0..512), ("read", 256..1024)]), [], "reads commute");
    assert_eq!(edges(&[("tally", 0..4), ("tally", 0..4)]), [], "updates commute");
    assert_eq!(
        edges(&[("fill", 0..256), ("tally", 0..4), ("tally", 0..4), ("read", 0..256)]),
        [(0, 1), (0, 2), (1, 3)],
        "of all that a range comes after, the highest"
    );
}
