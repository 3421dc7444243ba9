//! Resident buffers in calls and graphs: whole, in parts, shared; and values that a run sets.

use seawall::{Buffer, Compiled, Error, Graph, Runtime, device};

use super::graph::{chain, everywhere, expected, filter, kernel};

fn iota(runtime: &Runtime, len: u32) -> Buffer<u32> {
    runtime.buffer_from(&(0..len).collect::<Vec<u32>>()).unwrap()
}

#[test]
fn inputs_and_outputs_that_are_there_already() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&chain(1000)).unwrap();
        let (x, y) = (iota(&runtime, 1000), runtime.buffer::<u32>(1000).unwrap());
        y.fill(&77).unwrap();
        let wanted = expected(&(0..1000).collect::<Vec<u32>>());
        let finished = compiled.call().bind("x", &x).bind("y", &y).run().unwrap();
        assert_eq!(y.to_vec().unwrap(), wanted);
        // The values of the waves, and nothing else.
        assert_eq!((finished.stats.uploaded_bytes, finished.stats.downloaded_bytes), (512, 0));
        // Each of them, and slices again.
        let mut slice = vec![0; 1000];
        compiled.call().bind("x", &x).bind("y", &mut slice).run().unwrap();
        assert_eq!(slice, wanted);
        y.clear().unwrap();
        compiled.call().bind("x", &slice).bind("y", &y).run().unwrap();
        assert_eq!(y.to_vec().unwrap(), expected(&wanted));
        compiled.call().bind("x", &wanted).bind("y", &mut slice).run().unwrap();
        assert_eq!(slice, expected(&wanted));
        assert_eq!(x.to_vec().unwrap()[999], 999);
        // A job has them too, beside vectors.
        let results = compiled.job().bind("x", &x).bind("y", vec![0u32; 1000]).submit().unwrap().wait();
        assert_eq!(results.unwrap().take::<u32>("y").unwrap(), wanted);
        compiled.job().bind("x", wanted.clone()).bind("y", y.clone()).submit().unwrap().wait().unwrap();
        assert_eq!(y.to_vec().unwrap(), expected(&wanted));
    }
}

/// An output that waves only add to is zeros at the start of each run.
#[test]
fn outputs_start_as_zeros() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&filter()).unwrap();
        let count = compiled.persistent::<u32>("count").unwrap();
        let (x, even) = (iota(&runtime, 100), runtime.buffer::<u32>(100).unwrap());
        for _ in 0..2 {
            even.fill(&9).unwrap();
            count.clear().unwrap();
            let finished = compiled.call().bind("x", &x).bind("even", &even).run().unwrap();
            assert_eq!(finished.count("even"), Some(50), "the count comes back");
            assert_eq!(finished.stats.downloaded_bytes, 4);
            let mut got = even.to_vec().unwrap();
            assert_eq!(got[50..], [0; 50], "all of it is there, and was cleared");
            got[..50].sort_unstable();
            assert_eq!(got[..50], (0..50).map(|i| 2 * i).collect::<Vec<u32>>());
        }
    }
}

/// Two graphs and a call share one memory, each a part of it.
#[test]
fn graphs_and_calls_share_a_buffer() {
    for runtime in everywhere() {
        let all = iota(&runtime, 1024);
        let parts: Vec<Buffer<u32>> = (0..4).map(|i| all.range(256 * i..256 * (i + 1)).unwrap()).collect();
        let (first, second) = (runtime.compile(&chain(256)).unwrap(), runtime.compile(&chain(512)).unwrap());
        first.call().bind("x", &parts[0]).bind("y", &parts[1]).run().unwrap();
        let zero: Vec<u32> = (0..256).collect();
        let one = expected(&zero);
        assert_eq!(parts[1].to_vec().unwrap(), one);
        second.call().bind("x", &all.range(..512).unwrap()).bind("y", &all.range(512..).unwrap()).run().unwrap();
        let three = expected(&one);
        let mut model = [zero, one.clone(), one, three].concat();
        assert_eq!(all.to_vec().unwrap(), model);
        let scale = kernel("scale");
        let call = runtime.call(&scale).bind("x", &parts[3]).bind("y", &parts[0]).value("p", &[2u32, 1]);
        let outcome = call.over("y").run().unwrap();
        assert_eq!(outcome.grid, [4, 1, 1]);
        for i in 0..256 {
            model[i] = model[768 + i] * 2 + 1;
        }
        assert_eq!(all.to_vec().unwrap(), model);
        // In-outs, too.
        let mut graph = Graph::new();
        graph.in_out::<u32>("v", 256).input::<u32>("x", 256);
        graph.wave("w", &scale).bind("x", "x").bind("y", "v").value("p", &[1u32, 5]).over("y");
        runtime.compile(&graph).unwrap().call().bind("v", &parts[2]).bind("x", &parts[0]).run().unwrap();
        assert_eq!(parts[2].to_vec().unwrap()[..2], [model[0] + 5, model[1] + 5]);
    }
}

#[test]
fn parts_and_views() {
    for runtime in everywhere() {
        let all = iota(&runtime, 200);
        let part = all.range(64..=127).unwrap();
        assert_eq!((part.len(), part.to_vec().unwrap()[0]), (64, 64));
        assert_eq!(part.range(..4).unwrap().to_vec().unwrap(), [64, 65, 66, 67]);
        assert_eq!(all.range(3..5).unwrap_err(), Error::RangeAlign { start: 3, end: 5, element_bytes: 4 });
        assert_eq!(part.range(64..65).unwrap_err(), Error::Range { start: 64, end: 65, len: 64 });
        assert_eq!(all.range(..=usize::MAX).unwrap_err(), Error::Range { start: 0, end: usize::MAX, len: 200 });
        let backwards = std::ops::Range { start: 128, end: 64 };
        assert_eq!(all.range(backwards).unwrap_err(), Error::Range { start: 128, end: 64, len: 200 });
        assert!(all.range(192..192).unwrap().is_empty());
        all.range(192..192).unwrap().fill(&1).unwrap();
        part.fill(&3).unwrap();
        assert_eq!(all.to_vec().unwrap()[63..129].iter().sum::<u32>(), 63 + 64 * 3 + 128);
        let pairs = all.view::<[u32; 2]>().unwrap();
        assert_eq!((pairs.len(), pairs.to_vec().unwrap()[96]), (100, [192, 193]));
        assert_eq!(all.view::<[u32; 3]>().unwrap_err(), Error::Elements { bytes: 800, element_bytes: 12 });
        all.view::<f32>().unwrap().range(128..).unwrap().fill(&1.0).unwrap();
        assert_eq!(all.to_vec().unwrap()[127..129], [3, 1.0f32.to_bits()]);
        // Overlapping, either way.
        let overlapping = iota(&runtime, 300);
        overlapping.range(64..264).unwrap().copy_from(&overlapping.range(..200).unwrap()).unwrap();
        overlapping.range(..100).unwrap().copy_from(&overlapping.range(64..164).unwrap()).unwrap();
        let model: Vec<u32> = (0..100).chain(36..200).chain(264..300).collect();
        assert_eq!(overlapping.to_vec().unwrap(), model);
        assert_eq!(part.copy_from(&all).unwrap_err(), Error::Length { len: 200, buffer_len: 64 });
        let bytes = runtime.buffer::<u8>(300).unwrap();
        assert_eq!(bytes.range(256..258).unwrap_err(), Error::RangeAlign { start: 256, end: 258, element_bytes: 1 });
        bytes.range(256..).unwrap().fill(&7).unwrap();
        assert_eq!(bytes.to_vec().unwrap()[255..].iter().map(|&byte| u32::from(byte)).sum::<u32>(), 44 * 7);
    }
}

fn bound(compiled: &Compiled, x: &Buffer<u32>, y: &Buffer<u32>) -> Error {
    compiled.call().bind("x", x).bind("y", y).run().unwrap_err()
}

#[test]
fn buffers_that_cannot_be_bound() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&chain(128)).unwrap();
        let all = iota(&runtime, 256);
        let (low, high) = (all.range(..128).unwrap(), all.range(128..).unwrap());
        let both = |first: &str, second: &str| {
            Error::Device(device::Error::ResidentOverlap { first: first.to_owned(), second: second.to_owned() })
        };
        assert_eq!(bound(&compiled, &low, &low), both("x", "y"));
        assert_eq!(bound(&compiled, &low, &all.range(64..192).unwrap()), both("x", "y"));
        compiled.call().bind("x", &low).bind("y", &high).run().unwrap();
        let error = bound(&compiled, &all, &high);
        assert_eq!(error, Error::DataSize { data: "x".to_owned(), expected_bytes: 512, got_bytes: 1024 });
        let floats = low.view::<f32>().unwrap();
        let error = compiled.call().bind("x", &floats).bind("y", &high).run().unwrap_err();
        assert_eq!(error, Error::DataType { data: "x".to_owned(), expected: "u32".to_owned(), got: "f32".to_owned() });
        let other = Runtime::builder().device("reference").open().unwrap();
        let error = bound(&compiled, &low, &other.buffer(128).unwrap());
        assert_eq!(error, Error::OtherDevice { buffer: "y".to_owned(), device: runtime.caps().id.clone() });
        // In a call, the parts of a memory are told apart too.
        let scale = kernel("scale");
        let call = runtime.call(&scale).bind("x", &low).bind("y", &all).value("p", &[1u32, 0]).over("y");
        assert_eq!(call.run().unwrap_err(), both("x", "y"));
    }
}

/// What is bound to a buffer is on the device all the time, and counts.
#[test]
fn buffers_count_in_the_budget() {
    // Two of the three data at once, and a value.
    let needs = 2 * 4000 + 256;
    for runtime in everywhere() {
        let mut graph = chain(1000);
        let compiled = runtime.compile(graph.budget_bytes(needs)).unwrap();
        let (x, y) = (iota(&runtime, 1000), runtime.buffer::<u32>(1000).unwrap());
        let mut slice = vec![0u32; 1000];
        let error = compiled.call().bind("x", &x).bind("y", &mut slice).run().unwrap_err();
        let over = seawall_core::plan::Error::WaveOverBudget {
            wave: "second".to_owned(),
            required_bytes: needs + 4000,
            limit_bytes: needs,
        };
        assert_eq!(error, Error::Resident { data: vec!["x".to_owned()], source: Box::new(over) });
        assert!(error.to_string().starts_with("with `x` bound to resident buffers: wave `second` needs"), "{error}");
        let compiled = runtime.compile(graph.budget_bytes(3 * 4000 + 256)).unwrap();
        let finished = compiled.call().bind("x", &x).bind("y", &y).run().unwrap();
        assert!(finished.stats.peak_bytes <= 3 * 4000 + 256);
        let compiled = runtime.compile(graph.budget_bytes(needs)).unwrap();
        let error = compiled.call().bind("x", &x).bind("y", &y).run().unwrap_err();
        let data = vec!["x".to_owned(), "y".to_owned()];
        assert!(matches!(&error, Error::Resident { data: named, .. } if *named == data), "{error}");
        compiled.call().bind("x", &vec![1u32; 1000]).bind("y", &mut slice).run().unwrap();
    }
}

#[test]
fn grids_of_calls() {
    for runtime in everywhere() {
        let scale = kernel("scale");
        let (x, y) = (iota(&runtime, 256), runtime.buffer::<u32>(256).unwrap());
        let grids = runtime.buffer_from(&[[0u32; 3]; 64].concat()).unwrap();
        let grid = grids.range(64..128).unwrap();
        let run = |limit: usize| {
            let call = runtime.call(&scale).bind("x", &x).bind("y", &y).value("p", &[0u32, 1]);
            y.clear().unwrap();
            call.indirect(&grid, [limit, 1, 1]).run().map(|outcome| (outcome.grid, outcome.stats.workgroups))
        };
        grid.write(0, &[3, 1, 1]).unwrap();
        assert_eq!(run(4), Ok(([4, 1, 1], 3)));
        assert_eq!(y.to_vec().unwrap().iter().sum::<u32>(), 192);
        let over = Error::CallGridLimit { kernel: "scale".to_owned(), grid: [3, 1, 1], limit: [2, 1, 1] };
        assert_eq!(run(2), Err(over));
        grid.write(0, &[0]).unwrap();
        assert_eq!(run(4), Ok(([4, 1, 1], 0)));
        let small = grids.range(..2).unwrap();
        let call = || runtime.call(&scale).bind("x", &x).bind("y", &y).value("p", &[0u32, 1]);
        assert_eq!(call().indirect(&small, 1).run().unwrap_err(), Error::GridBuffer { len: 2 });
        let error = call().indirect(&y, 1).run().unwrap_err();
        assert!(matches!(error, Error::Check(seawall::check::Error::ChangesGrid { .. })), "{error}");
        let error = call().indirect(&y.range(64..).unwrap(), 1).run().unwrap_err();
        assert!(matches!(error, Error::Device(device::Error::ResidentOverlap { .. })), "{error}");
        let mut slice = [0u32; 100];
        runtime.call(&scale).bind("x", &x).bind("y", &mut slice).value("p", &[1u32, 0]).over("y").run().unwrap();
        assert_eq!(slice[99], 99);
        assert_eq!(
            call().over("p").run().unwrap_err(),
            Error::GridOver { kernel: "scale".to_owned(), buffer: "p".to_owned() }
        );
        assert!(matches!(call().over("nothing").run().unwrap_err(), Error::GridOver { .. }));
    }
}

#[test]
fn counts_of_any_type() {
    let runtime = &everywhere()[0];
    let scale = kernel("scale");
    let (x, mut y) = ([1u32; 70], [0u32; 70]);
    for threads in [70usize, 70] {
        let call = runtime.call(&scale).bind("x", &x).bind("y", &mut y).value("p", &[1u32, 0]);
        assert_eq!(call.threads(threads).run().unwrap().grid, [2, 1, 1]);
    }
    let huge = usize::MAX;
    let mut run = |huge: seawall::Dims| {
        let call = runtime.call(&scale).bind("x", &x).bind("y", &mut y).value("p", &[1u32, 0]);
        call.workgroups(huge).run().unwrap_err()
    };
    assert_eq!(run(huge.into()), Error::Grid { grid: format!("{huge} x 1 x 1") });
    assert_eq!(run([1, -1].into()), Error::Grid { grid: "1 x -1 x 1".to_owned() });
    let mut graph = chain(70);
    graph.wave("third", &scale).bind("x", "x").bind("y", "y").value("p", &[1u32, 0]).threads([1, huge]);
    let error = runtime.compile(&graph).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("wave `third`: a grid of 1 x {huge} x 1 does not fit: each dimension has 0 to 4294967295")
    );
}

/// A loop whose data are on the device already, and change places there.
#[test]
fn loops_over_buffers() {
    for runtime in everywhere() {
        let mut graph = Graph::new();
        graph.in_out::<u32>("now", 100).output::<u32>("next", 100).value::<[u32; 2]>("p");
        let body = |body: &mut Graph| {
            body.wave("w", &kernel("scale")).bind("x", "now").bind("y", "next").bind("p", "p").over("y");
            body.swap("now", "next");
        };
        graph.repeat("turns", body).times(5);
        let compiled = runtime.compile(&graph).unwrap();
        let (now, next) = (iota(&runtime, 100), runtime.buffer::<u32>(100).unwrap());
        let mut slice = vec![9u32; 100];
        let one = compiled.call().bind("now", &now).bind("next", &mut slice).set("p", &[2u32, 1]).run();
        let why = "bind both to resident buffers, or neither";
        let [block, first, second] = ["turns", "now", "next"].map(str::to_owned);
        assert_eq!(one.unwrap_err(), Error::Graph(seawall_core::graph::Error::Swap { block, first, second, why }));
        for _ in 0..2 {
            now.write(0, &(0..100).collect::<Vec<u32>>()).unwrap();
            let all = compiled.call().bind("now", &now).bind("next", &next).set("p", &[2u32, 1]).run().unwrap();
            assert_eq!(all.turns("turns"), Some(5));
            assert_eq!(now.to_vec().unwrap(), (0..100).map(|x| 32 * x + 31).collect::<Vec<u32>>());
            assert_eq!(next.to_vec().unwrap(), (0..100).map(|x| 16 * x + 15).collect::<Vec<u32>>());
        }
    }
}

fn settable() -> Graph {
    let mut graph = Graph::new();
    graph.input::<u32>("x", 100).value::<[u32; 2]>("p").output::<u32>("y", 100);
    graph.wave("w", &kernel("scale")).bind("x", "x").bind("y", "y").bind("p", "p").over("y");
    graph
}

#[test]
fn values_are_set_at_each_run() {
    for runtime in everywhere() {
        let compiled = runtime.compile(&settable()).unwrap();
        let (x, mut y) = (vec![3u32; 100], vec![0u32; 100]);
        for p in [[2u32, 1], [5, 0], [0, 8]] {
            compiled.call().set("p", &p).bind("x", &x).bind("y", &mut y).run().unwrap();
            assert_eq!(y, [3 * p[0] + p[1]; 100]);
            let job = compiled.job().bind("x", x.clone()).bind("y", vec![0u32; 100]).set("p", &p);
            assert_eq!(job.submit().unwrap().wait().unwrap().take::<u32>("y").unwrap(), y);
        }
        // On the device as well.
        let p = runtime.buffer_from(&[[7u32, 1]]).unwrap();
        compiled.call().bind("p", &p).bind("x", &x).bind("y", &mut y).run().unwrap();
        assert_eq!(y, [22; 100]);
    }
}

#[test]
fn values_that_are_not_set_as_declared() {
    let runtime = &everywhere()[0];
    let compiled = runtime.compile(&settable()).unwrap();
    let (x, mut y) = (vec![3u32; 100], vec![0u32; 100]);
    let error = compiled.call().bind("x", &x).bind("y", &mut y).run().unwrap_err();
    assert_eq!(error, Error::Unset { value: "p".to_owned() });
    assert_eq!(error.to_string(), "`p` is not set: give it a value for this run with `set`");
    let unknown = |name: &str| Error::UnknownValue { name: name.to_owned(), known: vec!["p".to_owned()] };
    for name in ["q", "x"] {
        let error = compiled.call().set(name, &[1u32, 2]).bind("x", &x).bind("y", &mut y).run().unwrap_err();
        assert_eq!(error, unknown(name));
        let job = compiled.job().set(name, &[1u32, 2]).bind("x", x.clone()).bind("y", y.clone());
        assert_eq!(job.submit().unwrap_err(), unknown(name));
    }
    let error = compiled.call().set("p", &[1.0f32, 2.0]).bind("x", &x).bind("y", &mut y).run().unwrap_err();
    assert_eq!(
        error,
        Error::DataType { data: "p".to_owned(), expected: "[u32; 2]".to_owned(), got: "[f32; 2]".to_owned() }
    );
    let error = compiled.call().set("p", &1u32).bind("x", &x).bind("y", &mut y).run().unwrap_err();
    assert_eq!(error, Error::DataSize { data: "p".to_owned(), expected_bytes: 8, got_bytes: 4 });
    let twice = compiled.call().set("p", &[1u32, 2]).set("p", &[1u32, 2]).bind("x", &x).bind("y", &mut y);
    assert_eq!(twice.run().unwrap_err(), Error::BoundTwice { buffer: "p".to_owned() });
    let mut graph = Graph::new();
    graph.value::<u32>("x").output::<u32>("y", 100);
    graph.wave("w", &kernel("endless")).bind("y", "x").workgroups(1);
    let error = runtime.compile(&graph).unwrap_err();
    assert!(matches!(error, Error::Graph(seawall_core::graph::Error::ChangesInput { .. })), "{error}");
}

/// Where a device's memory is the host's, it is lent as it is; where it is not, nothing is called.
#[test]
fn memory_is_lent() {
    for device in ["reference", "cpu", "gpu"] {
        let Ok(runtime) = Runtime::builder().device(device).open() else { continue };
        let (x, y) = (iota(&runtime, 100), iota(&runtime, 64));
        let (bytes, others) = (x.view::<u8>().unwrap(), y.view::<u8>().unwrap());
        let lent = Buffer::lend(&[&others, &bytes], |lent| {
            lent[1][4] = 7;
            (lent[0].len(), lent[1].len(), lent[0][4])
        });
        let is_host = device != "gpu";
        assert_eq!(lent.unwrap(), is_host.then_some((256, 400, 1)), "{device}");
        assert_eq!(x.to_vec().unwrap()[1], if is_host { 7 } else { 1 }, "{device}");
        let part = bytes.range(256..).unwrap();
        let lent = Buffer::lend(&[&part], |lent| lent[0][0]).unwrap();
        assert_eq!(lent, is_host.then_some(64), "{device}");
        assert_eq!(Buffer::lend(&[], |lent| lent.len()).unwrap(), Some(0), "{device}");
        if is_host {
            let twice = Buffer::lend(&[&part, &bytes], |_| ()).unwrap_err().to_string();
            assert_eq!(twice, "`0` and `1` are bound to memory that overlaps, and one of them is changed", "{device}");
        }
        let other = Runtime::builder().device("reference").open().unwrap().buffer::<u8>(4).unwrap();
        let foreign = Buffer::lend(&[&bytes, &other], |_| ()).unwrap_err().to_string();
        assert!(foreign.contains("another device"), "{device}: {foreign}");
    }
}
