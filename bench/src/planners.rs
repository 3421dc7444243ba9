//! The planners at a million waves and a million slots.

mod graphs;
mod peers;

use std::convert::Infallible;

use seawall_core::barrier::{self, Edge};
use seawall_core::frontier::{self, Budget, Wave};
use seawall_core::readback::{self, Packing, Slot};

use crate::inputs::{self, Random};
use crate::race::{Contender, contender, race};

const WAVES: u32 = 1_000_000;
const EDGES: usize = 4_000_000;
const LAYERS: u32 = 100;
const SLOTS: u32 = 1_000_000;

const OURS: &str = "seawall";
const AGAIN: &str = "seawall, scratch and plan reused";
const PETGRAPH: &str = "petgraph toposort (no layers)";
const KAHN: &str = "Kahn on compressed rows";
const HASH: &str = "hash set and sort";
const NEXT_FIT: &str = "next-fit";

pub(crate) fn run(rounds: u32) {
    println!("best of {rounds} rounds, contenders in turn, one thread");
    let random = &mut Random::new(1);
    let edges = inputs::random_edges(random, WAVES, EDGES);
    barriers(rounds, "1 M waves, 4 M random edges, lower to higher id", &edges);
    barriers(rounds, "the same, waves renamed at random", &inputs::shuffled_ids(random, WAVES, &edges));
    let mut sorted = edges;
    sorted.sort_unstable();
    barriers(rounds, "the same as the first, edges sorted", &sorted);
    let layered = inputs::layered_edges(random, WAVES, LAYERS, EDGES);
    barriers(rounds, "1 M waves in 100 layers, 4 M edges, lower to higher id", &layered);
    barriers(rounds, "the same, waves renamed at random", &inputs::shuffled_ids(random, WAVES, &layered));
    barriers(rounds, "1 M waves, no edges", &[]);

    let mut slots = inputs::slots(random, SLOTS, 1);
    readbacks(rounds, "1 M slots, sorted", &slots);
    random.shuffle(&mut slots);
    readbacks(rounds, "1 M slots, shuffled", &slots);
    let mut slots = inputs::slots(random, SLOTS, 4_000);
    random.shuffle(&mut slots);
    readbacks(rounds, "1 M slots, ids 4000 apart, shuffled", &slots);

    let waves = inputs::waves(random, WAVES);
    for times in [1, 2, 4, 30] {
        frontiers(rounds, &format!("one layer of 1 M waves, {times} x the costliest for a group"), &waves, times);
    }
    graphs::run(rounds);
}

fn frontiers(rounds: u32, case: &str, waves: &[Wave], times: u64) {
    let layers = barrier::plan(WAVES, &[]).expect("there is no edge");
    let cost = |wave: &Wave| frontier::fused_bytes(wave).expect("the inputs are small");
    let limit_bytes = times * waves.iter().map(cost).max().unwrap_or(0);
    let budget = Budget { limit_bytes, resident_bytes: 0 };
    let input = frontier::Input { waves, layers: &layers, budget, measured_readback_bytes: 0 };
    let plan = frontier::plan(&input).expect("each wave fits");
    let (ours, theirs) = (plan.groups().len(), peers::next_fit(waves, limit_bytes).groups().len());
    assert!(ours <= theirs, "never more groups than next-fit");
    let (mut scratch, mut reused) = Default::default();
    frontier::plan_with(&mut scratch, &mut reused, &input).expect("each wave fits");
    let contenders = vec![
        contender(NEXT_FIT, || peers::next_fit(waves, limit_bytes)),
        contender(OURS, || frontier::plan(&input)),
        contender(AGAIN, || frontier::plan_with(&mut scratch, &mut reused, &input)),
    ];
    let case = format!("{case}: {ours} groups, {theirs} by next-fit");
    run_and_print(rounds, &case, ("wave", waves.len()), contenders, &[(NEXT_FIT, 1.0 / 3.0)]);
}

fn barriers(rounds: u32, case: &str, edges: &[Edge]) {
    let graph = peers::petgraph(WAVES, edges);
    let plan = barrier::plan(WAVES, edges).expect("the inputs have no cycle");
    assert_eq!(peers::kahn(WAVES, edges).as_ref(), Some(&plan), "Kahn's groups are ours");
    let mut place = vec![0; WAVES as usize];
    let order = petgraph::algo::toposort(&graph, None).expect("the inputs have no cycle");
    order.iter().enumerate().for_each(|(i, wave)| place[wave.index()] = i);
    assert!(edges.iter().all(|edge| place[edge.before.0 as usize] < place[edge.after.0 as usize]));

    let (mut scratch, mut reused) = Default::default();
    barrier::plan_with(&mut scratch, &mut reused, WAVES, edges).expect("the inputs have no cycle");
    let contenders = vec![
        contender(PETGRAPH, || petgraph::algo::toposort(&graph, None)),
        contender(KAHN, || peers::kahn(WAVES, edges)),
        contender(OURS, || barrier::plan(WAVES, edges)),
        contender(AGAIN, || barrier::plan_with(&mut scratch, &mut reused, WAVES, edges)),
    ];
    let (unit, units) = if edges.is_empty() { ("wave", WAVES as usize) } else { ("edge", edges.len()) };
    run_and_print(rounds, case, (unit, units), contenders, &[(PETGRAPH, 5.0), (KAHN, 1.0)]);
}

fn readbacks(rounds: u32, case: &str, slots: &[Slot]) {
    let packing = Packing::new(32);
    let plan = readback::plan(slots, packing).expect("the inputs have no faults");
    assert_eq!(peers::hash_and_sort(slots, packing).as_ref(), Some(&plan), "both make the same copies");
    let (mut scratch, mut reused) = Default::default();
    readback::plan_with(&mut scratch, &mut reused, slots, packing).expect("the inputs have no faults");
    let contenders = vec![
        contender(HASH, || peers::hash_and_sort(slots, packing)),
        contender(OURS, || readback::plan(slots, packing)),
        contender(AGAIN, || readback::plan_with(&mut scratch, &mut reused, slots, packing)),
    ];
    run_and_print(rounds, case, ("slot", slots.len()), contenders, &[(HASH, 4.0)]);
}

/// Prints the laps, the most that each had allocated at once (input not counted), how many
/// times as long as ours each took and, where a figure is to be reached, whether it was.
fn run_and_print(
    rounds: u32,
    case: &str,
    (unit, units): (&str, usize),
    mut contenders: Vec<Contender<'_, Infallible>>,
    wanted: &[(&str, f64)],
) {
    let peak = |contender: &mut Contender<'_, Infallible>| {
        let measured = allocation_counter::measure(|| {
            let Ok(_) = (contender.run)();
        });
        measured.bytes_max as f64 / f64::from(1 << 20)
    };
    let peaks: Vec<f64> = contenders.iter_mut().map(peak).collect();
    let Ok(laps) = race(rounds, contenders);
    println!("\n{case}");
    println!("  {:<34} {:>9} {:>10} {:>9} {:>10}", "", "ms", format!("ns/{unit}"), "peak MiB", "ours is");
    let ours = laps.iter().find(|lap| lap.name == OURS).expect("invariant ours: seawall is a contender").ms();
    for (lap, memory) in laps.iter().zip(peaks) {
        let (name, ms) = (lap.name, lap.ms());
        let each = ms * 1e6 / units.max(1) as f64;
        let ratio = ms / ours;
        let least = wanted.iter().find(|(who, _)| *who == name).map(|(_, least)| *least);
        let verdict = least.map_or(String::new(), |least| {
            format!("  at least {least:.2} wanted: {}", if ratio >= least { "reached" } else { "MISSED" })
        });
        println!("  {name:<34} {ms:>9.2} {each:>10.2} {memory:>9.1} {ratio:>8.2} x{verdict}");
    }
}
