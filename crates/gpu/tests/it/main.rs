//! The device on whatever adapter this machine has; skipped if it has none.

mod faults;
mod grids;
mod flaws;
mod limits;
mod loops;
mod results;
mod support;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};

const TESTS: &[(&str, fn())] = &[
    ("faults/load_and_run", faults::load_and_run),
    ("faults/run_again", faults::run_again),
    ("faults/loops", faults::loops),
    ("faults/residents", faults::residents),
    ("faults/large_writes", faults::large_writes),
    ("faults/lost_buffers", faults::lost_buffers),
    ("grids/ids_in_parts", grids::ids_in_parts),
    ("grids/beyond_a_dimension", grids::beyond_a_dimension),
    ("grids/decided_beyond_a_dimension", grids::decided_beyond_a_dimension),
    ("grids/decided_in_parts", grids::decided_in_parts),
    ("grids/decided_beyond_its_limit", grids::decided_beyond_its_limit),
    ("grids/stop_between_slices", grids::stop_between_slices),
    ("grids/stop_within_a_slice", grids::stop_within_a_slice),
    ("limits/budget", limits::budget),
    ("limits/bindings", limits::bindings),
    ("limits/features", limits::features),
    ("limits/parts_of_one_buffer", limits::parts_of_one_buffer),
    ("limits/host_to_host", limits::host_to_host),
    ("limits/times", limits::times),
    ("flaws/loops_cut_short", flaws::loops_cut_short),
    ("limits/larger_than_a_belt", limits::larger_than_a_belt),
    ("limits/belts_within_a_budget", limits::belts_within_a_budget),
    ("limits/refused_before_launch", limits::refused_before_launch),
    ("limits/residents_within_a_budget", limits::residents_within_a_budget),
    ("loops/few_looks", loops::few_looks),
    ("loops/branches_without_a_look", loops::branches_without_a_look),
    ("loops/grids_in_loops", loops::grids_in_loops),
    ("loops/grids_that_grow", loops::grids_that_grow),
    ("loops/swapped_and_freed", loops::swapped_and_freed),
    ("loops/swapped_residents", loops::swapped_residents),
    ("loops/beyond_a_limit", loops::beyond_a_limit),
    ("loops/long_turns", loops::long_turns),
    ("results/any", results::any),
    ("results/many_buffers", results::many_buffers),
    ("results/counted", results::counted),
];

fn main() -> ExitCode {
    let reason = match seawall_gpu::list().first() {
        None => Some("skipped: no adapter".to_owned()),
        Some(_) => None,
    };
    let trial = |&(name, test): &(&'static str, fn())| {
        let reason = reason.clone();
        Trial::ignorable_test(name, move || {
            if let Some(reason) = reason {
                return Ok(Completion::ignored_with(reason));
            }
            test();
            Ok(Completion::Completed)
        })
    };
    libtest_mimic::run(&Arguments::from_args(), TESTS.iter().map(trial).collect()).exit_code()
}
