//! Graphs with loops and branches at random, on every device and under any budget, against a plain
//! model of what they mean.

use std::sync::Arc;

use seawall::{Error, Graph, Kernel, Overrides, Program, Runtime};
use seawall_core::check::FlowError;
use seawall_core::graph::{self, Control as Decides, Key, Role, Word, resolve};
use seawall_core::plan::{Plan, plan};
use seawall_core::schedule::Step;

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(4)
fn mix(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&y) { y[id.x] = 3u * y[id.x] + x[id.x] + id.x; }
}

@compute @workgroup_size(1)
fn tick() { y[0] = max(y[0] & 7u, 1u) - 1u; }

@compute @workgroup_size(1)
fn poke() { y[0] = (x[0] ^ (x[1] >> 3u)) % 4u; }
";

const WORDS: usize = 64;
const DATA: u32 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Mix,
    Tick,
    Poke,
}

/// What a graph does, as a list of steps with their ends.
#[derive(Debug, Clone, PartialEq)]
enum Item {
    Wave(Work, u32, u32),
    Begin(Decides, Vec<(u32, u32)>),
    End,
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }

    fn pair(&mut self) -> (u32, u32) {
        let first = self.below(DATA);
        (first, (first + 1 + self.below(DATA - 1)) % DATA)
    }

    fn body(&mut self, items: &mut Vec<Item>, depth: u32) {
        for _ in 0..=self.below(4) {
            let (x, y) = self.pair();
            match self.below(10) {
                0..4 => items.push(Item::Wave(Work::Mix, x, y)),
                4..6 => items.push(Item::Wave(Work::Tick, x, y)),
                6 => items.push(Item::Wave(Work::Poke, x, y)),
                _ if depth > 0 && items.len() < 30 => self.block(items, depth - 1),
                _ => {}
            }
        }
    }

    fn block(&mut self, items: &mut Vec<Item>, depth: u32) {
        let word = Word { data: Key::At(self.below(DATA)), offset: 0, zero: self.below(2) == 0 };
        let (mut swaps, limit) = (Vec::new(), self.below(5));
        let control = match self.below(4) {
            0 => Decides::When { word: Some(word) },
            many => {
                // One that changes places twice goes round.
                (0..self.below(3)).for_each(|_| swaps.push(self.pair()));
                let word = Some(word).filter(|_| many > 1);
                Decides::Repeat { word, limit: Some(limit), must_end: false, swaps: Vec::new() }
            }
        };
        items.push(Item::Begin(control, swaps));
        let (x, y) = self.pair();
        items.push(Item::Wave(Work::Mix, x, y));
        self.body(items, depth);
        items.push(Item::End);
    }
}

type Words = Vec<Vec<u32>>;

/// Does the items from one on to the end of their body; says where that is.
fn model(items: &[Item], mut at: usize, words: &mut Words, turns: &mut [u64]) -> usize {
    while at < items.len() {
        match &items[at] {
            Item::End => return at,
            Item::Wave(work, x, y) => {
                let (x, y) = (words[*x as usize].clone(), &mut words[*y as usize]);
                match work {
                    Work::Mix => {
                        let mix = |(i, y): (usize, &mut u32)| {
                            *y = y.wrapping_mul(3).wrapping_add(x[i]).wrapping_add(i as u32);
                        };
                        y.iter_mut().enumerate().for_each(mix);
                    }
                    Work::Tick => y[0] = (y[0] & 7).max(1) - 1,
                    Work::Poke => y[0] = (x[0] ^ (x[1] >> 3)) % 4,
                }
            }
            Item::Begin(control, swaps) => {
                let (word, limit) = match control {
                    Decides::Repeat { word, limit, .. } => (word, limit.unwrap()),
                    Decides::When { word } => (word, 1),
                };
                let holds = |words: &Words| {
                    word.as_ref().is_none_or(|word| match word.data {
                        Key::At(data) => (words[data as usize][0] == 0) == word.zero,
                        Key::Name(_) => panic!("by place"),
                    })
                };
                let block = items[..at].iter().filter(|item| matches!(item, Item::Begin(..))).count();
                for _ in 0..limit {
                    if !holds(words) {
                        break;
                    }
                    model(items, at + 1, words, turns);
                    for &(a, b) in swaps {
                        words.swap(a as usize, b as usize);
                    }
                    turns[block] += 1;
                }
                let mut depth = 1;
                while depth > 0 {
                    at += 1;
                    depth += match items[at] {
                        Item::Begin(..) => 1,
                        Item::End => -1,
                        Item::Wave(..) => 0,
                    };
                }
            }
        }
        at += 1;
    }
    at
}

fn kernels() -> [Arc<Kernel>; 3] {
    let program = Program::wgsl(WGSL).unwrap();
    ["mix", "tick", "poke"].map(|entry| program.kernel(entry, &Overrides::new()).unwrap())
}

fn graph(items: &[Item], kernels: &[Arc<Kernel>; 3], after: &[(usize, usize)]) -> graph::Graph {
    graph_of([Role::InOut; DATA as usize], items, kernels, after)
}

/// Outputs and transients among the data, where waves change them.
fn roles(items: &[Item], random: &mut Random) -> [Role; DATA as usize] {
    let changed = |data: u32| {
        items.iter().any(|item| match item {
            Item::Wave(_, _, y) => *y == data,
            Item::Begin(_, swaps) => swaps.iter().any(|&(a, b)| a == data || b == data),
            Item::End => false,
        })
    };
    std::array::from_fn(|data| match random.below(6) {
        0 if changed(data as u32) => Role::Output,
        1 => Role::Transient,
        _ => Role::InOut,
    })
}

fn graph_of(
    roles: [Role; DATA as usize],
    items: &[Item],
    kernels: &[Arc<Kernel>; 3],
    after: &[(usize, usize)],
) -> graph::Graph {
    let mut graph = graph::Graph::default();
    for (data, role) in roles.into_iter().enumerate() {
        graph.data(role, &format!("d{data}"), WORDS as u64 * 4);
    }
    let mut open = Vec::new();
    for item in items {
        match item {
            Item::Wave(work, x, y) => {
                let name = format!("wave {}", graph.waves.len());
                let wave = graph.wave(&name, &kernels[*work as usize]);
                let groups = if *work == Work::Mix { WORDS as u32 / 4 } else { 1 };
                wave.bind("y", Key::At(*y)).grid(graph::Grid::Workgroups([groups, 1, 1]));
                if *work != Work::Tick {
                    wave.bind("x", Key::At(*x));
                }
            }
            Item::Begin(control, pairs) => {
                let mut control = control.clone();
                if let Decides::Repeat { swaps, .. } = &mut control {
                    swaps.extend(pairs.iter().map(|&(a, b)| (Key::At(a), Key::At(b))));
                }
                let (name, first) = (format!("block {}", graph.blocks.len()), graph.waves.len());
                open.push(graph.blocks.len());
                graph.blocks.push(graph::Block { name, waves: first..first, control });
            }
            Item::End => {
                let at = open.pop().unwrap();
                graph.blocks[at].waves.end = graph.waves.len();
            }
        }
    }
    for &(before, later) in after {
        let name = graph.waves[before].name.to_string();
        graph.waves[later].after(&name);
    }
    graph
}

fn start(seed: u32) -> Words {
    let word = |data: u32, i: u32| seed.wrapping_add(data * 100 + i).wrapping_mul(0x9e37_79b9) >> 20;
    (0..DATA).map(|data| (0..WORDS as u32).map(|i| word(data, i)).collect()).collect()
}

fn runtimes() -> Vec<Runtime> {
    let open = |id: &str| Runtime::builder().device(id).open();
    ["reference", "cpu", "gpu"].iter().filter_map(|id| open(id).ok()).collect()
}

/// Plans within the least budget that works, for a start too small.
fn least(graph: &graph::Graph) -> Plan {
    let resolved = Arc::new(resolve(graph).unwrap());
    let mut budget = 256;
    loop {
        match plan(&resolved, Some(budget)) {
            Ok(plan) => return plan,
            Err(_) => budget += 256,
        }
    }
}

fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let first = std::env::var("SEAWALL_SEED").map_or(1, |text| text.parse().expect("SEAWALL_SEED is a number"));
    (first..first + count).inspect(|seed| println!("SEAWALL_SEED={seed} is this one"))
}

#[test]
fn random_graphs_with_loops() {
    let (kernels, runtimes) = (kernels(), runtimes());
    let mut all = 0;
    for seed in seeds(150) {
        let (mut random, mut items) = (Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)), Vec::new());
        random.body(&mut items, 2);
        random.block(&mut items, 2);
        random.body(&mut items, 2);
        let waves = items.iter().filter(|item| matches!(item, Item::Wave(..))).count();
        let pairs: Vec<(usize, usize)> = (0..random.below(3))
            .map(|_| (random.below(waves as u32) as usize, random.below(waves as u32) as usize))
            .filter(|(before, later)| before < later)
            .collect();
        let roles = roles(&items, &mut random);
        let graph = graph_of(roles, &items, &kernels, &pairs);
        // What does not come from the caller starts as zeros.
        let from_caller = |words: Words| -> Words {
            let kept = |(words, role): (Vec<u32>, &Role)| if *role == Role::InOut { words } else { vec![0; WORDS] };
            words.into_iter().zip(&roles).map(kept).collect()
        };
        let mut expected = from_caller(start(seed as u32));
        let mut turns = vec![0; graph.blocks.len()];
        model(&items, 0, &mut expected, &mut turns);
        all += turns.iter().sum::<u64>();
        let least = least(&graph).schedule.budget_bytes;
        for budget in [None, least] {
            let mut front = Graph::from(graph.clone());
            budget.map(|bytes| front.budget_bytes(bytes));
            for runtime in &runtimes {
                let tell = || format!("seed {seed}, {budget:?} on {}:\n{}", runtime.caps().id, front.plan().unwrap());
                let compiled = runtime.compile(&front).unwrap_or_else(|error| panic!("{error}: {}", tell()));
                let mut words = start(seed as u32);
                let mut call = compiled.call();
                for (data, words) in words.iter_mut().enumerate().filter(|(data, _)| roles[*data] != Role::Transient) {
                    call = call.bind(&format!("d{data}"), bytemuck::cast_slice_mut::<u32, u8>(words));
                }
                let finished = call.run().unwrap_or_else(|error| panic!("{error}: {}", tell()));
                for data in (0..DATA as usize).filter(|&data| roles[data] != Role::Transient) {
                    assert_eq!(words[data], expected[data], "d{data}: {}", tell());
                }
                let mut ran: Vec<(String, u64)> = finished.loops.iter().map(|it| (it.name.clone(), it.turns)).collect();
                ran.sort_by_key(|(name, _)| name["block ".len()..].parse::<usize>().unwrap());
                assert!(ran.iter().map(|it| it.1).eq(turns.iter().copied()), "{ran:?}, not {turns:?}: {}", tell());
            }
        }
    }
    assert!(all > 300, "{all} turns show too little");
}

/// Whatever is left out of a schedule with loops, or moved in it, is noticed or does no harm.
#[test]
fn tampered_schedules_are_refused() {
    let kernels = kernels();
    let (mut refused, mut harmless) = (0, 0);
    for seed in seeds(60) {
        let (mut random, mut items) = (Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)), Vec::new());
        random.body(&mut items, 1);
        random.block(&mut items, 2);
        random.body(&mut items, 1);
        let plan = least(&graph(&items, &kernels, &[]));
        plan.check().unwrap_or_else(|error| panic!("seed {seed}: {error}\n{plan}"));
        for at in 0..plan.schedule.steps.len() {
            let mut changed = plan.clone();
            let mut schedule = (*plan.schedule).clone();
            let step = schedule.steps.remove(at);
            let moved = |(place, _): &mut (usize, _)| *place -= usize::from(*place > at);
            changed.placement.waves.iter_mut().for_each(moved);
            let moved = |(place, _): &mut (usize, _)| *place -= usize::from(*place > at);
            changed.placement.blocks.iter_mut().for_each(moved);
            let lost = matches!(
                step,
                Step::Loop { .. } | Step::When { .. } | Step::End | Step::Swap { .. } | Step::Dispatch { .. }
            );
            changed.schedule = Arc::new(schedule);
            if changed.check().is_err() {
                refused += 1;
            } else {
                assert!(!lost, "seed {seed}: nobody misses `{step}`, step {at} of\n{plan}");
                harmless += 1;
            }
        }
        // A loop that goes round more often is another.
        for at in 0..plan.schedule.steps.len() {
            let mut schedule = (*plan.schedule).clone();
            let tampered = match &mut schedule.steps[at] {
                Step::Loop { limit, .. } => {
                    *limit += 1;
                    true
                }
                Step::When { test } => {
                    test.zero = !test.zero;
                    true
                }
                _ => false,
            };
            let changed = Plan { schedule: Arc::new(schedule), ..plan.clone() };
            assert_eq!(matches!(changed.check(), Err(FlowError::Control { .. })), tampered, "step {at}");
        }
    }
    assert!(refused > 500 && harmless > 0, "{refused} refused, {harmless} harmless");
}

#[test]
fn waves_that_are_written_late_come_where_they_should() {
    // The last wave is to come before a loop's, and brings another loop with it.
    let decides = |limit| Decides::Repeat { word: None, limit: Some(limit), must_end: false, swaps: Vec::new() };
    let items = [
        Item::Begin(decides(2), Vec::new()),
        Item::Wave(Work::Mix, 0, 1),
        Item::End,
        Item::Begin(decides(3), Vec::new()),
        Item::Wave(Work::Mix, 1, 2),
        Item::Wave(Work::Mix, 2, 0),
        Item::End,
        Item::Wave(Work::Mix, 3, 0),
    ];
    let kernels = kernels();
    let order = |after: &[(usize, usize)]| -> Vec<u32> {
        resolve(&graph(&items, &kernels, after)).unwrap().order.iter().map(|wave| wave.0).collect()
    };
    assert_eq!(order(&[]), [0, 1, 2, 3]);
    assert_eq!(order(&[(3, 0)]), [1, 2, 3, 0]);
    assert_eq!(order(&[(2, 0)]), [1, 2, 0, 3]);
    assert_eq!(order(&[(3, 2)]), [0, 3, 1, 2]);
    assert_eq!(order(&[(2, 1)]), [0, 2, 1, 3]);
    // Where nothing but the caller's word parts them, the plan keeps that.
    let apart = [
        Item::Begin(decides(2), Vec::new()),
        Item::Wave(Work::Mix, 0, 1),
        Item::End,
        Item::Wave(Work::Mix, 2, 3),
        Item::Begin(decides(2), Vec::new()),
        Item::Wave(Work::Mix, 4, 5),
        Item::End,
    ];
    for before in 0..3 {
        for later in (0..3).filter(|&later| later != before) {
            let resolved = resolve(&graph(&apart, &kernels, &[(before, later)])).unwrap();
            let plan = plan(&Arc::new(resolved), None).unwrap();
            plan.check().unwrap_or_else(|error| panic!("{later} after {before}: {error}\n{plan}"));
        }
    }
    let cycle = resolve(&graph(&items, &kernels, &[(2, 0), (0, 1)])).unwrap_err();
    assert!(matches!(cycle, graph::Error::Cycle { .. }), "{cycle}");
}

#[test]
fn what_is_wrong_with_a_loop_is_said() {
    let kernels = kernels();
    let wrong = |build: &dyn Fn(&mut Graph)| -> String {
        let mut graph = Graph::new();
        graph.in_out::<u32>("a", 64).in_out::<u32>("b", 64).in_out::<u32>("c", 32).input::<u32>("i", 64);
        graph.persistent::<u32>("p", 64);
        build(&mut graph);
        graph.plan().unwrap_err().to_string()
    };
    let mix = |graph: &mut Graph| {
        let name = format!("mix {}", graph.description().waves.len());
        graph.wave(&name, &kernels[0]).bind("x", "a").bind("y", "b").workgroups(1);
    };
    assert_eq!(
        wrong(&|graph| {
            graph.repeat("r", mix);
        }),
        "nothing decides about `r`: say how often it runs, or name a word that does"
    );
    assert_eq!(
        wrong(&|graph| {
            graph.when("w", mix);
        }),
        "nothing decides about `w`: name the word that does"
    );
    assert_eq!(
        wrong(&|graph| {
            graph.repeat("r", |_| {}).times(2);
        }),
        "there is no wave in `r`"
    );
    assert_eq!(
        wrong(&|graph| {
            graph.repeat("r", mix).while_zero("nothing");
        }),
        "`r` is decided by the word at byte 0 of `nothing`: there is no such data"
    );
    assert_eq!(
        wrong(&|graph| {
            graph.repeat("r", mix).while_zero(("c", 32));
        }),
        "`r` is decided by the word at byte 128 of `c`: it lies outside"
    );
    let swapped = |first: &'static str, second: &'static str| {
        wrong(&move |graph| {
            graph
                .repeat("r", |body| {
                    mix(body);
                    body.swap(first, second);
                })
                .times(2);
        })
    };
    assert_eq!(swapped("a", "a"), "`r` swaps `a` and `a`: they are the same");
    assert_eq!(swapped("a", "c"), "`r` swaps `a` and `c`: they are not of one size");
    assert_eq!(swapped("a", "x"), "`r` swaps `a` and `x`: there is no such data");
    assert_eq!(swapped("a", "i"), "`r` swaps `a` and `i`: an input cannot be changed; make it in-out");
    assert_eq!(
        swapped("a", "p"),
        "`r` swaps `a` and `p`: one of them stays on the device from run to run, the other does not"
    );
    let stray = "`a` and `b` are swapped outside of a loop, or in a branch inside of it";
    assert_eq!(
        wrong(&|graph| {
            graph.swap("a", "b");
        }),
        stray
    );
    let twice = |graph: &mut Graph| {
        for _ in 0..2 {
            graph.repeat("r", mix).times(1);
        }
    };
    assert_eq!(wrong(&twice), "`r` is the name of two loops or branches");
    let deep = |graph: &mut Graph| {
        fn nest(graph: &mut Graph, left: u32, mix: &dyn Fn(&mut Graph)) {
            if left == 0 {
                return mix(graph);
            }
            graph.repeat(&format!("r{left}"), |body| nest(body, left - 1, mix)).times(1);
        }
        nest(graph, 65, &mix);
    };
    assert_eq!(wrong(&deep), "`r1` is inside 64 loops and branches already");
}

#[test]
fn reaching_a_limit_is_told_and_can_be_an_error() {
    let kernels = kernels();
    for runtime in runtimes() {
        for must_end in [false, true] {
            let mut graph = Graph::new();
            graph.in_out::<u32>("x", 1);
            let mut repeat = graph.repeat("ticks", |body| {
                body.wave("tick", &kernels[1]).bind("y", "x").workgroups(1);
            });
            repeat.while_nonzero("x").limit(3);
            if must_end {
                repeat.must_end();
            }
            let compiled = runtime.compile(&graph).unwrap();
            for (from, turns, limited) in [(2, 2, 0), (3, 3, 0), (5, 3, 1)] {
                let mut x = [from];
                let result = compiled.call().bind("x", &mut x).run();
                assert_eq!(x, [from - turns as u32]);
                match result {
                    Ok(finished) => {
                        assert!(limited == 0 || !must_end);
                        let it = &finished.loops[0];
                        assert_eq!((it.entries, it.turns, it.limited), (1, turns, limited));
                        assert_eq!(finished.turns("ticks"), Some(turns));
                    }
                    Err(error) => {
                        assert!(limited == 1 && must_end, "{error}");
                        assert_eq!(error, Error::LoopLimit { name: "ticks".to_owned(), limit: 3 });
                        assert_eq!(error.to_string(), "`ticks` ran 3 times, its limit, and was to go on");
                    }
                }
            }
        }
    }
}
