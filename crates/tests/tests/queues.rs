//! Work queues on every device: random producers and consumers against a model on the host, for
//! every capacity and window.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use bytemuck::{Pod, Zeroable};
use seawall::queue::{self, Drained};
use seawall::{Compiled, Error, Graph, Kernel, Overrides, Runtime};

#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
struct Item {
    id: u32,
    depth: u32,
    pad: [u32; 2],
}

/// Each item is written down, and spawns up to three more by a hash of what it is.
const WGSL: &str = "
struct Item { id: u32, depth: u32, pad: vec2<u32> }

struct Trees { deep: u32, salt: u32 }

@group(0) @binding(0) var<storage, read_write> done: array<Item>;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@group(0) @binding(2) var<uniform> trees: Trees;

fn hash(x: u32) -> u32 {
    var h = x * 0x9e3779b9u + trees.salt;
    h = (h ^ (h >> 15u)) * 0x85ebca6bu;
    return h ^ (h >> 13u);
}

fn children(item: Item) -> u32 {
    return select(hash(item.id) % 4u, 0u, item.depth >= trees.deep);
}

fn child(item: Item, i: u32) -> Item {
    return Item(item.id * 4u + i + 1u, item.depth + 1u, vec2(0u));
}

fn note(item: Item) {
    let at = atomicAdd(&count, 1u);
    if at < arrayLength(&done) { done[at] = item; }
}

@compute @workgroup_size(32)
fn one_by_one(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= work_len() { return; }
    let item = work_item(id.x);
    note(item);
    for (var i = 0u; i < children(item); i += 1u) { work_push(child(item, i)); }
}

@compute @workgroup_size(48)
fn at_once(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= work_len() { return; }
    let item = work_item(id.x);
    note(item);
    let first = work_reserve(children(item));
    for (var i = 0u; i < children(item); i += 1u) { work_put(first + i, child(item, i)); }
}

@compute @workgroup_size(16)
fn together(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    var item: Item;
    var many = 0u;
    if id.x < work_len() {
        item = work_item(id.x);
        note(item);
        many = children(item);
    }
    for (var i = 0u; i < 3u; i += 1u) { work_push_if(i < many, child(item, i), local); }
}

// More children than go together at once.
@compute @workgroup_size(8)
fn by_batches(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var at = id.x * 8u; at < min(id.x * 8u + 8u, work_len()); at += 1u) {
        let item = work_item(at);
        note(item);
        for (var i = 0u; i < children(item); i += 1u) { work_add(child(item, i)); }
    }
    work_flush();
}

@compute @workgroup_size(8)
fn by_rooms(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var at = id.x * 8u; at < min(id.x * 8u + 8u, work_len()); at += 1u) {
        let item = work_item(at);
        note(item);
        var i = 0u;
        while i < children(item) {
            let stop = min(children(item), i + work_room());
            for (; i < stop; i += 1u) { work_keep(child(item, i)); }
            if work_room() == 0u { work_flush(); }
        }
    }
    work_flush();
}

// Even ones go to the one queue, odd ones to the other.
@compute @workgroup_size(32)
fn near(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < work_len() { sort(work_item(id.x)); }
}

@compute @workgroup_size(32)
fn far(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < later_len() { sort(later_item(id.x)); }
}

fn sort(item: Item) {
    note(item);
    for (var i = 0u; i < children(item); i += 1u) {
        let next = child(item, i);
        if next.id % 2u == 0u { work_push(next); } else { later_push(next); }
    }
}
";

const ENTRIES: [&str; 7] = ["one_by_one", "at_once", "together", "by_batches", "by_rooms", "near", "far"];

const QUEUES: [(&str, &str); 2] = [("work", "Item"), ("later", "Item")];

fn kernels() -> &'static [Arc<Kernel>; 7] {
    static KERNELS: LazyLock<[Arc<Kernel>; 7]> = LazyLock::new(|| {
        let program = queue::program(WGSL, &QUEUES).unwrap_or_else(|report| panic!("{report}"));
        ENTRIES.map(|entry| program.kernel(entry, &Overrides::new()).unwrap())
    });
    &KERNELS
}

#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Trees {
    deep: u32,
    salt: u32,
}

impl Trees {
    fn hash(self, x: u32) -> u32 {
        let h = x.wrapping_mul(0x9e37_79b9).wrapping_add(self.salt);
        let h = (h ^ (h >> 15)).wrapping_mul(0x85eb_ca6b);
        h ^ (h >> 13)
    }

    fn children(self, item: Item) -> impl Iterator<Item = Item> {
        let many = if item.depth >= self.deep { 0 } else { self.hash(item.id) % 4 };
        (0..many).map(move |i| Item {
            id: item.id.wrapping_mul(4).wrapping_add(i + 1),
            depth: item.depth + 1,
            pad: [0; 2],
        })
    }
}

fn roots(count: u32) -> Vec<Item> {
    (0..count).map(|id| Item { id: id * 1_000_003, depth: 0, pad: [0; 2] }).collect()
}

/// What a queue does: all items, or how many do not fit in the window that overflows.
struct Model {
    items: Vec<Item>,
    drained: Drained,
    dropped: u32,
}

fn model(trees: Trees, first: &[Item], capacity: usize, window: usize) -> Model {
    let mut ring: VecDeque<Item> = first.iter().copied().collect();
    let mut model =
        Model { items: Vec::new(), drained: Drained { items: 0, windows: 0, idle: 0, peak: 0 }, dropped: 0 };
    model.drained.peak = ring.len() as u32;
    while !ring.is_empty() && model.dropped == 0 {
        let count = ring.len().min(window);
        model.drained.windows += 1;
        model.drained.items += count as u64;
        for at in 0..count {
            model.items.push(ring[at]);
            for child in trees.children(ring[at]) {
                if ring.len() < capacity {
                    ring.push_back(child);
                } else {
                    model.dropped += 1;
                }
            }
        }
        model.drained.peak = model.drained.peak.max(ring.len() as u32);
        ring.drain(..count);
    }
    model
}

fn runtimes() -> &'static [Runtime] {
    static RUNTIMES: LazyLock<Vec<Runtime>> = LazyLock::new(|| {
        let open = |id: &&str| Runtime::builder().device(id).open().ok();
        ["reference", "cpu", "gpu"].iter().filter_map(open).collect()
    });
    &RUNTIMES
}

const DONE: usize = 4096;

fn compiled(runtime: &Runtime, entry: usize, first: usize, capacity: usize, window: usize) -> Compiled {
    let graph = graph(&kernels()[entry], first, capacity, window);
    runtime.compile(&graph).unwrap_or_else(|error| panic!("{error}"))
}

fn graph(kernel: &Arc<Kernel>, first: usize, capacity: usize, window: usize) -> Graph {
    let mut graph = Graph::new();
    graph.output::<Item>("done", DONE).output::<u32>("count", 1).value::<Trees>("trees");
    graph.queue::<Item>("items", capacity).window(window).initial(first);
    graph.drain("drain", &["items"], |body| {
        let mut wave = body.wave("work", kernel);
        wave.queue("work", "items").bind("done", "done").bind("count", "count").bind("trees", "trees").items("items");
    });
    graph
}

type Ran = (Vec<Item>, Result<Drained, Error>);

fn run(compiled: &Compiled, trees: Trees, first: &[Item]) -> Ran {
    let (mut done, mut count) = (vec![Item::zeroed(); DONE], [0u32]);
    let call = compiled.call().bind("done", &mut done).bind("count", &mut count).set("trees", &trees);
    let result = if first.is_empty() { call.run() } else { call.bind("items", first).run() };
    done.truncate(count[0] as usize);
    done.sort_unstable();
    (done, result.map(|finished| finished.queue("items").unwrap()))
}

fn seeds(count: u32) -> impl Iterator<Item = u32> {
    let first = std::env::var("SEAWALL_SEED").map_or(1, |text| text.parse().expect("SEAWALL_SEED is a number"));
    (first..first + count).inspect(|seed| println!("SEAWALL_SEED={seed} is this one"))
}

#[test]
fn every_item_is_done_once() {
    let mut items = 0;
    for seed in seeds(6) {
        let trees = Trees { deep: 2 + seed % 4, salt: seed.wrapping_mul(0x1234_5677) };
        let first = roots(1 + seed % 7);
        for window in [1, 3, 64, 1000] {
            // One item after the other, or all there are: no matter who pushes first.
            let exact = window == 1 || window == 1000;
            let ample = model(trees, &first, usize::MAX, window);
            let (just, mut expected) = (ample.drained.peak as usize, ample.items);
            expected.sort_unstable();
            items += expected.len();
            for capacity in if exact { vec![just, just + 1, 2 * just, 2000] } else { vec![2000] } {
                for runtime in runtimes() {
                    for (entry, name) in ENTRIES[..5].iter().enumerate() {
                        let compiled = compiled(runtime, entry, first.len(), capacity, window);
                        let tell = || {
                            let device = &runtime.caps().id;
                            format!("seed {seed}, {name} on {device}, {window} of {capacity}\n{}", compiled.plan())
                        };
                        for _ in 0..2 {
                            let (done, drained) = run(&compiled, trees, &first);
                            assert_eq!(done, expected, "{}", tell());
                            let drained = drained.unwrap_or_else(|error| panic!("{error}: {}", tell()));
                            assert_eq!(drained.items, ample.drained.items, "{}", tell());
                            if exact {
                                assert_eq!(drained, ample.drained, "{}", tell());
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(items > 500, "{items} items show too little");
}

#[test]
fn what_does_not_fit_is_counted_exactly() {
    for seed in seeds(3) {
        let trees = Trees { deep: 4, salt: seed.wrapping_mul(0x1234_5677) };
        let first = roots(5);
        for window in [1, 1000] {
            let peak = model(trees, &first, usize::MAX, window).drained.peak as usize;
            for capacity in first.len()..peak {
                let Model { mut items, dropped, .. } = model(trees, &first, capacity, window);
                assert!(dropped > 0);
                items.sort_unstable();
                let needed = capacity as u64 + u64::from(dropped);
                for runtime in runtimes() {
                    for (entry, name) in ENTRIES[..5].iter().enumerate() {
                        let (done, drained) = run(&compiled(runtime, entry, 5, capacity, window), trees, &first);
                        let (queue, capacity) = ("items".to_owned(), capacity as u32);
                        let overflow = Error::QueueOverflow { queue, dropped, capacity, needed };
                        let tell = || format!("seed {seed}, {name} on {}", runtime.caps().id);
                        assert_eq!(drained, Err(overflow), "{}, {window} of {capacity}", tell());
                        // All of the window that overflowed was done, and nothing after it.
                        assert_eq!(done, items, "{}", tell());
                    }
                }
            }
        }
    }
}

#[test]
fn queues_are_drained_in_their_order() {
    for runtime in runtimes() {
        for (near, far) in [(8, 8), (1, 64), (64, 1)] {
            let trees = Trees { deep: 4, salt: 77 };
            let first = roots(9);
            let mut graph = Graph::new();
            graph.output::<Item>("done", DONE).output::<u32>("count", 1).value::<Trees>("trees");
            graph.queue::<Item>("near", 500).window(near).initial(first.len());
            graph.queue::<Item>("far", 500).window(far);
            graph.drain("drain", &["near", "far"], |body| {
                for (entry, queue) in [(5, "near"), (6, "far")] {
                    let mut wave = body.wave(queue, &kernels()[entry]);
                    wave.queue("work", "near").queue("later", "far");
                    wave.bind("done", "done").bind("count", "count").bind("trees", "trees").items(queue);
                }
            });
            let compiled = runtime.compile(&graph).unwrap();
            let (mut done, mut count) = (vec![Item::zeroed(); DONE], [0u32]);
            let call = compiled.call().bind("done", &mut done).bind("count", &mut count).bind("near", &first);
            let finished = call.set("trees", &trees).run().unwrap();
            done.truncate(count[0] as usize);

            // A window of the far ones only when there are no near ones.
            let mut rings = [first.iter().copied().collect::<VecDeque<_>>(), VecDeque::new()];
            let mut expected = Vec::new();
            let mut idle = [0, 0];
            while let Some(which) = rings.iter().position(|ring| !ring.is_empty()) {
                idle[1 - which] += 1;
                let count = rings[which].len().min([near, far][which]);
                let window: Vec<Item> = rings[which].drain(..count).collect();
                for child in window.iter().flat_map(|&item| trees.children(item)) {
                    rings[child.id as usize % 2].push_back(child);
                }
                expected.push(window);
            }
            // The items of each window in any order, the windows in theirs, as far as that is decided.
            let all = |mut items: Vec<Item>| {
                items.sort_unstable();
                items
            };
            assert_eq!(all(done), all(expected.concat()), "on {}", runtime.caps().id);
            if near > 1 && far > 1 {
                let drained = |queue| finished.queue(queue).unwrap();
                assert_eq!(finished.turns("drain"), Some(expected.len() as u64));
                assert_eq!([drained("near").idle, drained("far").idle], idle);
            }
        }
    }
}

#[test]
fn nothing_to_do_and_one_window_only() {
    for runtime in runtimes() {
        let trees = Trees { deep: 3, salt: 5 };
        let compiled = compiled(runtime, 0, 0, 10, 4);
        let (done, drained) = run(&compiled, trees, &[]);
        assert_eq!((done.len(), drained), (0, Ok(Drained { items: 0, windows: 0, idle: 0, peak: 0 })));

        let mut graph = Graph::new();
        graph.output::<Item>("done", DONE).output::<u32>("count", 1).value::<Trees>("trees");
        graph.queue::<Item>("items", 100).initial(3);
        graph
            .drain("drain", &["items"], |body| {
                let mut wave = body.wave("work", &kernels()[0]);
                wave.queue("work", "items").bind("done", "done").bind("count", "count").bind("trees", "trees");
                wave.items("items");
            })
            .limit(1);
        let compiled = runtime.compile(&graph).unwrap();
        let (done, drained) = run(&compiled, trees, &roots(3));
        assert_eq!((done, drained.unwrap().items), (roots(3), 3), "the next window was not worked on");
    }
}

#[test]
fn what_is_kept_without_room_is_told() {
    let text = "@compute @workgroup_size(1) fn main() {
    if work_item(0u) == 7u { for (var i = 0u; i < 20u; i += 1u) { work_keep(i); } }
    work_flush();
}";
    let program = queue::program(text, &[("work", "u32")]).unwrap();
    let kernel = program.kernel("main", &Overrides::new()).unwrap();
    for runtime in runtimes() {
        let mut graph = Graph::new();
        graph.queue::<u32>("items", 100).initial(1);
        graph.drain("drain", &["items"], |body| {
            body.wave("keep", &kernel).queue("work", "items").items("items");
        });
        let error = runtime.compile(&graph).unwrap().call().bind("items", &[7u32]).run().unwrap_err();
        assert!(matches!(error, Error::QueueOverflow { dropped: 4, .. }), "{error}");
    }
}

#[test]
fn what_is_wrong_with_a_queue_is_said() {
    let wrong = |capacity: usize, initial: usize, window: usize, budget: u64| -> String {
        let mut graph = Graph::new();
        graph.output::<Item>("done", 4).output::<u32>("count", 1).value::<Trees>("trees").budget_bytes(budget);
        graph.queue::<Item>("items", capacity).window(window).initial(initial);
        graph.drain("drain", &["items"], |body| {
            let mut wave = body.wave("work", &kernels()[0]);
            wave.queue("work", "items").bind("done", "done").bind("count", "count").bind("trees", "trees");
            wave.items("items");
        });
        graph.plan().unwrap_err().to_string()
    };
    let all = u64::MAX;
    assert_eq!(wrong(0, 0, 1, all), "queue `items`: the queue has a capacity of 0 items; give it at least 1");
    assert_eq!(wrong(3, 4, 1, all), "queue `items`: 4 items at first in a queue of 3; raise the capacity");
    assert_eq!(
        wrong(3, 2, 0, all),
        "queue `items`: the drain limit is 0 items; give at least 1, or none to drain all at once"
    );
    assert_eq!(wrong(1 << 31, 2, 8, all), "queue `items`: it holds 1073741824 items at the most");
    assert_eq!(
        wrong(1000, 2, 8, 4096),
        "queue `items`: the queue needs 16388 bytes of a budget of 4096; lower its capacity"
    );
}

/// Any window, any capacity: everything is done, or what did not fit is told.
#[test]
fn nothing_is_lost_silently() {
    for seed in seeds(3) {
        let trees = Trees { deep: 5, salt: seed.wrapping_mul(0x9e37_79b1) };
        let first = roots(4);
        let mut all = model(trees, &first, usize::MAX, 1000).items;
        all.sort_unstable();
        for (capacity, window) in [(4, 3), (9, 2), (17, 5), (40, 7), (100, 33)] {
            for runtime in runtimes() {
                for entry in 0..4 {
                    let (done, drained) = run(&compiled(runtime, entry, 4, capacity, window), trees, &first);
                    match drained {
                        Ok(drained) => assert_eq!((drained.items, done.len()), (all.len() as u64, all.len())),
                        Err(Error::QueueOverflow { dropped, needed, .. }) => {
                            assert_eq!(needed, capacity as u64 + u64::from(dropped));
                            assert!(dropped > 0 && done.iter().all(|item| all.binary_search(item).is_ok()));
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
            }
        }
    }
}

/// Helpers with a mistake in them, and a drain that forgets to end its windows: the model notices.
#[test]
fn mutants_are_noticed() {
    let (trees, first) = (Trees { deep: 4, salt: 0x1234_5677 }, roots(5));
    let capacity = model(trees, &first, usize::MAX, 1000).drained.peak as usize - 3;
    let Model { mut items, dropped, .. } = model(trees, &first, capacity, 1000);
    items.sort_unstable();
    assert!(dropped > 0);
    let good =
        |ran: &Ran| matches!(&ran.1, Err(Error::QueueOverflow { dropped: d, .. }) if *d == dropped) && ran.0 == items;
    let runtime = &runtimes()[0];
    let text = WGSL.to_owned() + &seawall_core::graph::helpers(&QUEUES);
    let ran = |text: &str| {
        let program = seawall::Program::wgsl(text).unwrap_or_else(|report| panic!("{report}"));
        let kernel = program.kernel("one_by_one", &Overrides::new()).unwrap();
        run(&runtime.compile(&graph(&kernel, first.len(), capacity, 1000)).unwrap(), trees, &first)
    };
    assert!(good(&ran(&text)), "the helpers as they are");
    for (what, with) in [
        // Overflow is not counted.
        ("atomicAdd(&work_control.dropped, 1u);", ""),
        // What is in the window is overwritten.
        ("work_control.head >= arrayLength(&work_ring)", "work_control.head >= 2u * arrayLength(&work_ring)"),
        // An item is taken twice, and another never.
        ("work_at(work_control.head + i)", "work_at(work_control.head + max(i, 1u))"),
        // Places behind the end of the ring are not those at its start.
        ("place - capacity, place >= capacity", "place - capacity, place > capacity"),
        // All that push get the same place.
        ("work_put(atomicAdd(&work_control.tail, 1u), item)", "work_put(atomicLoad(&work_control.tail), item)"),
    ] {
        assert!(text.contains(what), "{what}");
        assert!(!good(&ran(&text.replace(what, with))), "nobody notices `{with}` instead of `{what}`");
    }

    // The window never ends: its items are done again in each turn.
    let whole = graph(&kernels()[0], first.len(), 2000, 1000);
    let mut inner = whole.description().clone();
    assert_eq!(&*inner.waves.last().unwrap().name, "drain.next items");
    inner.waves.pop();
    inner.blocks[0].waves.end -= 1;
    if let seawall_core::graph::Control::Repeat { limit, .. } = &mut inner.blocks[0].control {
        *limit = Some(3);
    }
    let compiled = runtime.compile(&Graph::from(inner)).unwrap();
    let (mut done, mut count) = (vec![Item::zeroed(); DONE], [0u32]);
    let call = compiled.call().bind("done", bytemuck::cast_slice_mut::<Item, u8>(&mut done)).bind("count", &mut count);
    call.bind("trees", &[trees]).bind("items", &first).run().unwrap();
    assert_eq!(count[0] as usize, 3 * first.len());
}

/// The kernel between two windows, with a mistake in it: the model notices.
#[test]
fn mutants_of_windows_are_noticed() {
    let (trees, first) = (Trees { deep: 4, salt: 0x1234_5677 }, roots(5));
    let ample = model(trees, &first, usize::MAX, 1);
    let short = ample.drained.peak as usize - 1;
    let runtime = &runtimes()[0];
    let ran = |what: &str, with: &str, capacity: usize| {
        let mut inner = graph(&kernels()[0], first.len(), capacity, 1).description().clone();
        for wave in inner.waves.iter_mut().filter(|wave| wave.name.starts_with("drain.")) {
            let text = &wave.kernel.source().text;
            assert!(text.contains(what), "{what}");
            let program = seawall::Program::wgsl(&text.replace(what, with)).unwrap_or_else(|report| panic!("{report}"));
            wave.kernel = program.kernel("window", &Overrides::new()).unwrap();
        }
        if let seawall_core::graph::Control::Repeat { limit, .. } = &mut inner.blocks[0].control {
            *limit = Some(100_000);
        }
        let compiled = runtime.compile(&Graph::from(inner)).unwrap_or_else(|error| panic!("{error}"));
        let (mut done, mut count) = (vec![Item::zeroed(); DONE], [0u32]);
        let call = compiled.call().bind("done", bytemuck::cast_slice_mut::<Item, u8>(&mut done));
        let result = call.bind("count", &mut count).bind("trees", &[trees]).bind("items", &first).run();
        done.truncate(count[0] as usize);
        done.sort_unstable();
        (done, result.map(|finished| finished.queue("items").unwrap()))
    };
    let good = |what: &str, with: &str| {
        let (Model { mut items, dropped, .. }, Model { items: mut all, drained, .. }) =
            (model(trees, &first, short, 1), model(trees, &first, 2000, 1));
        items.sort_unstable();
        all.sort_unstable();
        let (done, result) = ran(what, with, short);
        let overflows = done == items && matches!(result, Err(Error::QueueOverflow { dropped: d, .. }) if d == dropped);
        overflows && ran(what, with, 2000) == (all, Ok(drained))
    };
    assert!(good("let left", "let left"), "the kernel as it is");
    for (what, with) in [
        // A window is lost: the one after it is taken for done, too.
        ("(control[HEAD] + done) % queue.capacity", "(control[HEAD] + min(2u * done, used)) % queue.capacity"),
        // A window is drained twice.
        (
            "let done = select(control[COUNT], 0u, queue.opens == 1u);",
            "let done = select(control[COUNT], 0u, queue.opens == 1u || control[WINDOWS] == 2u && drain[9] == 0u);
             if control[WINDOWS] == 2u { drain[9] = 1u; }",
        ),
        // Overflow is ignored, and windows go on.
        ("if control[DROPPED] > 0u {", "if control[DROPPED] > 1000000u {"),
        // The decision of a turn is published with the next.
        (
            "drain[GO] = drain[TAKEN] * (1u - drain[OVERFLOWED]);",
            "drain[GO] = select(drain[9], drain[TAKEN], queue.opens == 1u);
             drain[9] = drain[TAKEN] * (1u - drain[OVERFLOWED]);",
        ),
    ] {
        assert!(!good(what, with), "nobody notices `{with}` instead of `{what}`");
    }
}

/// What a limit leaves in a queue is there for the next drain, and for the next turn around one.
#[test]
fn a_drain_goes_on_where_another_ended() {
    let trees = Trees { deep: 4, salt: 0x1234_5677 };
    let first = roots(7);
    let mut expected = model(trees, &first, usize::MAX, 1000).items;
    expected.sort_unstable();
    let body = |body: &mut Graph, name: &str| {
        let mut wave = body.wave(name, &kernels()[0]);
        wave.queue("work", "items").bind("done", "done").bind("count", "count").bind("trees", "trees").items("items");
    };
    for runtime in runtimes() {
        for nested in [false, true] {
            let mut graph = Graph::new();
            graph.output::<Item>("done", DONE).output::<u32>("count", 1).value::<Trees>("trees");
            graph.queue::<Item>("items", 1000).window(3).initial(first.len());
            if nested {
                // Enough turns of few windows each.
                let some = |body_of: &mut Graph| {
                    body_of.drain("some", &["items"], |window| body(window, "a few")).limit(5);
                };
                graph.repeat("turns", some).times(200);
            } else {
                graph.drain("some", &["items"], |window| body(window, "a few")).limit(2);
                graph.drain("all", &["items"], |window| body(window, "the rest"));
            }
            let compiled = runtime.compile(&graph).unwrap_or_else(|error| panic!("{error}"));
            let (done, drained) = run(&compiled, trees, &first);
            assert_eq!(done, expected, "nested: {nested}, on {}", runtime.caps().id);
            assert_eq!(drained.unwrap().items, expected.len() as u64);
        }
    }
}
