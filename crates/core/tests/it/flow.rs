//! A schedule that does not compute its graph is refused by name.

use std::sync::Arc;

use seawall_core::check::{Checked, Error, FlowError, Placement, Slot, check_graph};
use seawall_core::graph::{Block, Control, Graph, Grid, Role, Word, resolve};
use seawall_core::plan::{Plan, plan};
use seawall_core::schedule::{Binding, Buffer, BufferId, Host, HostId, Life, Schedule, Step};

use crate::graph::kernel;
use crate::plan::diamond;

fn text(text: &str) -> String {
    text.to_owned()
}

/// The plan without one of its steps.
fn without(plan: &Plan, step: usize) -> Result<Checked, FlowError> {
    let (mut schedule, mut placement) = ((*plan.schedule).clone(), plan.placement.clone());
    schedule.steps.remove(step);
    placement.waves.retain(|&(at, _)| at != step);
    for (at, _) in &mut placement.waves {
        *at -= usize::from(*at > step);
    }
    check_graph(schedule, &placement, &plan.graph)
}

fn changed(plan: &Plan, change: impl FnOnce(&mut Schedule, &mut Placement)) -> FlowError {
    let (mut schedule, mut placement) = ((*plan.schedule).clone(), plan.placement.clone());
    change(&mut schedule, &mut placement);
    check_graph(schedule, &placement, &plan.graph).expect_err("a broken schedule was accepted")
}

fn place(plan: &Plan, step: impl Fn(&Step) -> bool) -> usize {
    plan.schedule.steps.iter().position(step).expect("there is one")
}

/// With just enough memory no step can be spared, but for what is freed at the very end.
#[test]
fn every_step_of_a_tight_plan_is_needed() {
    let plan = plan(&diamond(), Some(2048)).unwrap();
    let youngest = plan.schedule.buffers.len() as u32 - 1;
    for step in 0..plan.schedule.steps.len() {
        // Nothing comes after the last buffers that could use their memory.
        if matches!(plan.schedule.steps[step], Step::Free { buffer } if buffer.0 + 1 >= youngest) {
            continue;
        }
        let error = without(&plan, step).expect_err("a step was spared");
        let named = matches!(
            (&plan.schedule.steps[step], &error),
            (Step::Barrier, FlowError::Schedule(Error::Hazard { .. } | Error::OverBudget { .. }))
                | (Step::Free { .. }, FlowError::Schedule(Error::OverBudget { .. }))
                | (Step::Upload { .. }, FlowError::Stale { .. } | FlowError::Schedule(Error::FreedUntouched { .. }))
                | (Step::Download { .. }, FlowError::Stale { .. } | FlowError::NotReturned { .. })
                | (Step::Dispatch { .. }, FlowError::NotOnce { times: 0, .. })
                | (Step::Dispatch { .. }, FlowError::Schedule(Error::FreedUntouched { .. }))
        );
        assert!(named, "without step {step}, {}: {error:?}", plan.schedule.steps[step]);
    }
}

#[test]
fn steps_that_go_missing() {
    let plan = plan(&diamond(), None).unwrap();
    let upload = place(&plan, |step| matches!(step, Step::Upload { .. }));
    let mut error = without(&plan, upload).unwrap_err();
    if let FlowError::Stale { step, .. } = &mut error {
        *step = 0;
    }
    assert_eq!(error, FlowError::Stale { step: 0, data: text("in") });
    let download = place(&plan, |step| matches!(step, Step::Download { .. }));
    assert_eq!(without(&plan, download).unwrap_err(), FlowError::NotReturned { data: text("a") });
}

#[test]
fn dispatches_that_are_not_as_written() {
    let plan = plan(&diamond(), None).unwrap();
    let step = place(&plan, |step| matches!(step, Step::Dispatch { .. }));
    let differs = FlowError::Differs { step, wave: text("l") };
    let error = changed(&plan, |schedule, _| {
        if let Step::Dispatch { grid, .. } = &mut schedule.steps[step] {
            grid[0] -= 1;
        }
    });
    assert_eq!(error, differs);
    let error = changed(&plan, |schedule, _| {
        if let Step::Dispatch { bindings, .. } = &mut schedule.steps[step] {
            bindings[0].bytes -= 4;
        }
    });
    assert_eq!(error, differs);
}

#[test]
fn steps_that_are_nobodys() {
    let plan = plan(&diamond(), None).unwrap();
    let step = place(&plan, |step| matches!(step, Step::Dispatch { .. }));
    let error = changed(&plan, |_, placement| {
        placement.waves.remove(0);
    });
    assert_eq!(error, FlowError::Stray { step });
    let last = plan.schedule.steps.len();
    let error = changed(&plan, |schedule, _| {
        let Step::Download { from: range, .. } = schedule.steps[last - 2] else { panic!("a download") };
        schedule.steps[last - 1] = Step::Barrier;
        schedule.steps.push(Step::Clear { range });
    });
    assert_eq!(error, FlowError::Stray { step: last });
    let error = changed(&plan, |_, placement| {
        placement.lives.pop();
    });
    assert_eq!(error, FlowError::Placement);
}

/// What the caller hands in on the device is cleared if it is an output, and is the caller's own.
#[test]
fn data_that_is_on_the_device_already() {
    let mut graph = (*diamond()).clone();
    for data in [0, 3] {
        graph.data[data].resident = true;
    }
    let plan = plan(&Arc::new(graph), None).unwrap();
    let clear = place(&plan, |step| matches!(step, Step::Clear { .. }));
    let wave = place(&plan, |step| matches!(step, Step::Dispatch { bindings, .. } if bindings[1].buffer.0 == 1));
    assert_eq!(without(&plan, clear).unwrap_err(), FlowError::Stale { step: wave - 1, data: text("a") });
    let error = changed(&plan, |schedule, _| {
        if let Step::Clear { range } = &mut schedule.steps[clear] {
            range.bytes -= 4;
        }
    });
    assert_eq!(error, FlowError::Stray { step: clear }, "not all of it");
    let error = changed(&plan, |schedule, _| {
        schedule.buffers[2].life = Life::Resident;
        schedule.steps.retain(|step| *step != Step::Free { buffer: BufferId(2) });
    });
    assert_eq!(error, FlowError::Placement, "`left` is nobody's outside");
    let error = changed(&plan, |schedule, _| schedule.buffers[0].life = Life::Transient);
    assert_eq!(error, FlowError::Placement, "`in` would be zeros");
    let error = changed(&plan, |_, placement| placement.lives[1] = placement.lives[0]);
    assert_eq!(error, FlowError::Placement, "two buffers for one");
    let error = changed(&plan, |_, placement| placement.slots[0] = Slot::Data(placement.lives[0].unwrap()));
    assert_eq!(error, FlowError::Placement, "no slice is handed in for it");
}

/// A branch that is not taken clears nothing.
#[test]
fn what_is_cleared_only_perhaps() {
    let mut graph = Graph::default();
    graph.data(Role::Persistent, "flag", 4);
    graph.data(Role::Output, "a", 256).resident = true;
    graph.wave("w", &kernel("fill")).bind("y", "a").value("p", &[0; 16]).grid(Grid::Over("y".into()));
    let word = Some(Word { data: "flag".into(), offset: 0, zero: false });
    graph.blocks.push(Block { name: text("b"), waves: 0..1, control: Control::When { word } });
    let plan = plan(&Arc::new(resolve(&graph).unwrap()), None).unwrap();
    plan.check().unwrap();
    let clear = place(&plan, |step| matches!(step, Step::Clear { .. }));
    let when = place(&plan, |step| matches!(step, Step::When { .. }));
    let error = changed(&plan, |schedule, placement| {
        let step = schedule.steps.remove(clear);
        schedule.steps.splice(when..when, [step, Step::Barrier]);
        placement.blocks[0].0 -= 1;
        placement.waves[0].0 += 1;
    });
    assert_eq!(error, FlowError::Stray { step: when });
}

/// Persistent data that is changed elsewhere, and left there.
#[test]
fn data_that_does_not_come_home() {
    let mut graph = Graph::default();
    graph.data(Role::Persistent, "a", 256);
    graph.wave("w", &kernel("fill")).bind("y", "a").value("p", &[0; 16]).grid(Grid::Over("y".into()));
    let plan = plan(&Arc::new(resolve(&graph).unwrap()), None).unwrap();
    let error = changed(&plan, |schedule, placement| {
        let (data, other) = (placement.lives[0], BufferId(schedule.buffers.len() as u32));
        schedule.buffers.push(Buffer { life: Life::Transient, ..schedule.buffers[0].clone() });
        placement.lives.push(data);
        schedule.hosts.push(Host { name: text("aside"), bytes: 256, writable: true });
        placement.slots.push(Slot::Scratch(data.unwrap()));
        let host = HostId(schedule.hosts.len() as u32 - 1);
        let [from, to] = [BufferId(0), other].map(|buffer| Binding { buffer, offset: 0, bytes: 256 });
        let there =
            [Step::Download { from, host, at: 0, length: None }, Step::Barrier, Step::Upload { host, at: 0, to }];
        schedule.steps.splice(0..0, there);
        placement.waves[0].0 += 3;
        if let Step::Dispatch { bindings, .. } = &mut schedule.steps[placement.waves[0].0] {
            bindings.iter_mut().filter(|binding| binding.buffer.0 == 0).for_each(|binding| binding.buffer = other);
        }
    });
    assert_eq!(error, FlowError::NotReturned { data: text("a") });
}

/// Two waves that write the same data, with a barrier between them, but the wrong way round.
#[test]
fn waves_in_the_wrong_order() {
    let mut graph = Graph::default();
    graph.data(Role::Output, "a", 256);
    for name in ["first", "second"] {
        graph.wave(name, &kernel("fill")).bind("y", "a").value("p", &[0; 16]).grid(Grid::Over("y".into()));
    }
    let plan = plan(&Arc::new(resolve(&graph).unwrap()), None).unwrap();
    let error = changed(&plan, |_, placement| {
        let (first, second) = placement.waves.split_at_mut(1);
        std::mem::swap(&mut first[0].1, &mut second[0].1);
    });
    assert_eq!(error, FlowError::Order { before: text("first"), after: text("second"), data: Some(text("a")) });
}

/// Two waves that share nothing, but one is to come after the other.
#[test]
fn waves_that_do_not_wait() {
    let graph = |after: bool| {
        let mut graph = Graph::default();
        for data in ["a", "b"] {
            graph.data(Role::Output, data, 256);
            graph.wave(data, &kernel("fill")).bind("y", data).value("p", &[0; 16]).grid(Grid::Over("y".into()));
        }
        if after {
            graph.waves[1].after("a");
        }
        Arc::new(resolve(&graph).unwrap())
    };
    let Plan { schedule, placement, .. } = plan(&graph(false), None).unwrap();
    let error = check_graph(schedule, &placement, &graph(true)).unwrap_err();
    assert_eq!(error, FlowError::Order { before: text("a"), after: text("b"), data: None });
}
