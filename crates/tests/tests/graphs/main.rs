//! Random graphs: whatever the plan, the budget and the device, the results are those of the
//! waves run one by one on the reference device. And a schedule that was tampered with is either
//! refused or does no harm.
//!
//! `SEAWALL_GRAPHS_SEED=n` runs one graph again; `SEAWALL_GRAPHS=n` runs so many.

mod make;
mod run;

use std::collections::HashMap;
use std::sync::Arc;

use seawall_core::check::{Placement, check_graph};
use seawall_core::graph::{self, Resolved, Span, WaveId};
use seawall_core::plan::{self, Plan};
use seawall_core::schedule::{Schedule, Step};
use seawall_tests::kernels::rng::Rng;

/// How many graphs, unless the environment says.
const GRAPHS: u64 = 60;

fn seeds() -> Vec<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    match (number("SEAWALL_GRAPHS_SEED"), number("SEAWALL_GRAPHS")) {
        (Some(seed), _) => vec![seed],
        (None, count) => (0..count.unwrap_or(GRAPHS)).collect(),
    }
}

/// The least that the planner says is enough.
fn least(graph: &Arc<Resolved>) -> u64 {
    let mut budget = 0;
    loop {
        match plan::plan(graph, Some(budget)) {
            Ok(_) => return budget,
            Err(
                plan::Error::WaveOverBudget { required_bytes, .. }
                | plan::Error::ResidentOverBudget { required_bytes, .. },
            ) => {
                assert!(required_bytes > budget, "refused with enough");
                budget = required_bytes;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

fn proven(plan: &Plan) -> Arc<seawall_core::check::Checked> {
    Arc::new(plan.check().unwrap_or_else(|error| panic!("{error} in\n{plan}")))
}

#[test]
fn any_plan_on_any_device_gives_what_the_waves_give_one_by_one() {
    let devices = seawall_tests::devices();
    let mut evictions = 0;
    for seed in seeds() {
        let rng = &mut Rng::new(seed);
        let graph = Arc::new(graph::resolve(&make::graph(rng)).unwrap_or_else(|error| panic!("seed {seed}: {error}")));
        let inputs = make::inputs(rng, &graph);
        let expected = run::one_by_one(&graph, &inputs);
        let least = least(&graph);
        let all: u64 = graph.data.iter().map(|data| data.bytes).sum();
        let between = least + rng.below(all.max(1) as usize) as u64;
        for budget in [None, Some(least), Some(between)] {
            let plan = plan::plan(&graph, budget).unwrap_or_else(|error| panic!("seed {seed}, {budget:?}: {error}"));
            assert_eq!(plan, plan::plan(&graph, budget).unwrap(), "seed {seed}: plans differ");
            evictions += usize::from(plan.evicted_bytes() > 0);
            let checked = proven(&plan);
            assert!(budget.is_none_or(|budget| checked.peak_bytes() <= budget), "seed {seed}");
            for (name, device) in &devices {
                let (got, stats) = run::planned(&**device, &checked, &plan.placement, &graph, &inputs);
                assert_eq!(got, expected, "seed {seed}, budget {budget:?}, on {name}\n{plan}");
                assert!(stats.peak_bytes <= checked.peak_bytes(), "seed {seed}, {name}: {stats:?}");
            }
        }
    }
    assert!(seeds().len() < 20 || evictions > 10, "the budgets are too easy: {evictions} evictions");
}

/// Takes a step away, or doubles it, or lets two trade places, or binds another buffer.
fn tamper(rng: &mut Rng, steps: &mut Vec<(Step, Option<WaveId>)>, buffers: usize) -> String {
    let at = rng.below(steps.len());
    match rng.below(5) {
        0 | 1 => format!("without step {at}, {}", steps.remove(at).0),
        2 => {
            let with = rng.below(steps.len());
            steps.swap(at, with);
            format!("steps {at} and {with} swapped")
        }
        3 => {
            steps.insert(at, steps[at].clone());
            format!("step {at} twice")
        }
        _ => {
            if let Step::Dispatch { bindings, .. } = &mut steps[at].0
                && let Some(binding) = bindings.first_mut()
            {
                binding.buffer.0 = rng.below(buffers) as u32;
            }
            format!("step {at} bound to another buffer")
        }
    }
}

/// The plan's schedule after someone had his way with it.
fn tampered(rng: &mut Rng, plan: &Plan) -> (Schedule, Placement, String) {
    let (mut schedule, mut placement) = ((*plan.schedule).clone(), plan.placement.clone());
    let waves: HashMap<usize, WaveId> = placement.waves.iter().copied().collect();
    let steps = schedule.steps.drain(..).enumerate();
    let mut steps: Vec<(Step, Option<WaveId>)> = steps.map(|(at, step)| (step, waves.get(&at).copied())).collect();
    let how = tamper(rng, &mut steps, schedule.buffers.len());
    placement.waves = steps.iter().enumerate().filter_map(|(at, step)| Some((at, step.1?))).collect();
    schedule.steps = steps.into_iter().map(|(step, _)| step).collect();
    (schedule, placement, how)
}

#[test]
fn a_schedule_that_was_tampered_with_is_refused_or_does_no_harm() {
    let device = seawall_core::reference::Device::new(seawall_core::reference::Config::default());
    let (mut refused, mut harmless) = (0, 0);
    for seed in seeds() {
        let rng = &mut Rng::new(seed);
        let graph = Arc::new(graph::resolve(&make::graph(rng)).unwrap());
        let inputs = make::inputs(rng, &graph);
        let expected = run::one_by_one(&graph, &inputs);
        let plan = plan::plan(&graph, Some(least(&graph))).unwrap();
        for _ in 0..20 {
            let (schedule, placement, how) = tampered(rng, &plan);
            match check_graph(schedule, &placement, &graph) {
                Err(_) => refused += 1,
                Ok(checked) => {
                    let (got, _) = run::planned(&device, &Arc::new(checked), &placement, &graph, &inputs);
                    assert_eq!(got, expected, "seed {seed}: {how}");
                    harmless += 1;
                }
            }
        }
    }
    assert!(refused > harmless, "{refused} refused, {harmless} harmless");
}

/// The level of each wave by comparing it with every one before it.
fn levels(graph: &Resolved) -> Vec<u32> {
    let overlap =
        |a: &Span, b: &Span| a.data == b.data && a.offset.max(b.offset) < (a.offset + a.bytes).min(b.offset + b.bytes);
    let mut levels = vec![0; graph.waves.len()];
    for (at, wave) in graph.order.iter().enumerate() {
        let node = &graph.waves[wave.0 as usize];
        for before in &graph.order[..at] {
            let other = &graph.waves[before.0 as usize];
            let mut pairs = graph.touches(node).flat_map(|a| graph.touches(other).map(move |b| (a, b)));
            let clash = pairs.any(|((a, x), (b, y))| {
                let changes = x.writes || y.writes || (x.updates && y.reads) || (x.reads && y.updates);
                // Asking for a length touches nothing.
                let touched = [x, y].iter().all(|effects| effects.reads || effects.writes || effects.updates);
                overlap(&a, &b) && changes && touched
            });
            if clash || graph.after[wave.0 as usize].contains(before) {
                levels[wave.0 as usize] = levels[wave.0 as usize].max(levels[before.0 as usize] + 1);
            }
        }
    }
    levels
}

#[test]
fn waves_stand_on_the_levels_that_all_pairs_of_them_give() {
    for seed in seeds() {
        let graph = graph::resolve(&make::graph(&mut Rng::new(seed))).unwrap();
        let plan = plan::plan(&Arc::new(graph.clone()), None).unwrap();
        let mut got = vec![0; graph.waves.len()];
        for (level, group) in plan.groups.iter().enumerate() {
            for wave in group.iter().filter(|wave| (wave.0 as usize) < graph.waves.len()) {
                got[wave.0 as usize] = level as u32;
            }
        }
        assert_eq!(got, levels(&graph), "seed {seed}");
    }
}
