//! The checker refuses every way of breaking a sound schedule, by name.

use seawall_core::check::{Alive, Error, NESTING_MAX, check};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, Host, HostId, KernelId, Length, Life, Schedule, Step, Test};

const WGSL: &str = "
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(64)
fn copy(@builtin(global_invocation_id) id: vec3<u32>) { y[id.x] = x[id.x]; }

@group(0) @binding(2) var<storage, read_write> count: atomic<u32>;
@compute @workgroup_size(64)
fn tally(@builtin(global_invocation_id) id: vec3<u32>) { atomicAdd(&count, x[id.x]); }
";

fn whole(buffer: u32, bytes: u64) -> Binding {
    Binding { buffer: BufferId(buffer), offset: 0, bytes }
}

/// Copies host 0 through x and y into host 1.
fn sound() -> Schedule {
    let program = Program::wgsl(WGSL).unwrap();
    let kernel = |entry| program.kernel(entry, &Overrides::new()).unwrap();
    let buffer = |name: &str, bytes| Buffer { name: name.to_owned(), bytes, life: Life::Transient };
    let host = |name: &str, writable| Host { name: name.to_owned(), bytes: 1024, writable };
    let (x, y) = (whole(0, 1024), whole(1, 1024));
    Schedule {
        kernels: vec![kernel("copy"), kernel("tally")],
        buffers: vec![buffer("x", 1024), buffer("y", 1024), buffer("count", 4)],
        hosts: vec![host("in", false), host("out", true)],
        steps: vec![
            Step::Upload { host: HostId(0), at: 0, to: x },
            Step::Barrier,
            Step::Dispatch { kernel: KernelId(0), grid: [4, 1, 1], bindings: vec![x, y] },
            Step::Barrier,
            Step::Download { from: y, host: HostId(1), at: 0, length: None },
        ],
        budget_bytes: None,
    }
}

fn broken(change: impl FnOnce(&mut Schedule)) -> Error {
    let mut schedule = sound();
    change(&mut schedule);
    check(schedule).expect_err("a broken schedule was accepted")
}

fn bindings(schedule: &mut Schedule) -> &mut Vec<Binding> {
    match &mut schedule.steps[2] {
        Step::Dispatch { bindings, .. } => bindings,
        other => panic!("not a dispatch: {other}"),
    }
}

#[test]
fn a_sound_schedule_is_accepted_and_unchanged() {
    assert_eq!(*check(sound()).unwrap(), sound());
}

#[test]
fn the_text_form_is_stable() {
    expect_test::expect![[r"
        kernel k0 = copy
        kernel k1 = tally
        buffer b0 = x 1024 bytes transient
        buffer b1 = y 1024 bytes transient
        buffer b2 = count 4 bytes transient
        host h0 = in 1024 bytes read
        host h1 = out 1024 bytes read-write
        upload h0[0] -> b0[0+1024]
        barrier
        dispatch k0 grid 4,1,1 b0[0+1024] b1[0+1024]
        barrier
        download b1[0+1024] -> h1[0]
    "]]
    .assert_eq(&sound().to_string());
}

#[test]
fn a_missing_barrier_is_a_hazard() {
    let after_upload = broken(|schedule| drop(schedule.steps.remove(1)));
    assert_eq!(after_upload, Error::Hazard { first: 0, second: 1, buffer: BufferId(0) });
    let before_download = broken(|schedule| drop(schedule.steps.remove(3)));
    assert_eq!(before_download, Error::Hazard { first: 2, second: 3, buffer: BufferId(1) });
}

#[test]
fn two_writers_in_a_group_are_a_hazard_and_two_updaters_are_not() {
    let error = broken(|schedule| schedule.steps.insert(3, schedule.steps[2].clone()));
    assert_eq!(error, Error::Hazard { first: 2, second: 3, buffer: BufferId(1) });

    let mut schedule = sound();
    let tally = Step::Dispatch { kernel: KernelId(1), grid: [4, 1, 1], bindings: vec![whole(0, 1024), whole(2, 4)] };
    schedule.steps.splice(3..3, [tally.clone(), tally]);
    check(schedule).unwrap();
}

#[test]
fn disjoint_ranges_of_one_buffer_may_be_written_at_once() {
    let mut schedule = sound();
    let half = |offset| Binding { buffer: BufferId(1), offset, bytes: 512 };
    let copy = |to| Step::Dispatch { kernel: KernelId(0), grid: [2, 1, 1], bindings: vec![whole(0, 1024), to] };
    schedule.steps.splice(2..3, [copy(half(0)), copy(half(512))]);
    check(schedule.clone()).unwrap();
    schedule.steps[3] = copy(half(256));
    assert_eq!(check(schedule), Err(Error::Hazard { first: 2, second: 3, buffer: BufferId(1) }));
}

#[test]
fn ids_that_name_nothing() {
    let error = broken(|schedule| schedule.kernels.clear());
    assert_eq!(error, Error::UnknownKernel { step: 2, kernel: KernelId(0), count: 0 });
    let error = broken(|schedule| bindings(schedule)[1].buffer = BufferId(9));
    assert_eq!(error, Error::UnknownBuffer { step: 2, buffer: BufferId(9), count: 3 });
    let error = broken(|schedule| drop(schedule.hosts.pop()));
    assert_eq!(error, Error::UnknownHost { step: 4, host: HostId(1), count: 1 });
}

#[test]
fn ranges_outside_their_memory() {
    let error = broken(|schedule| schedule.buffers[0].bytes = 1023);
    assert_eq!(error, Error::OutsideBuffer { step: 0, binding: whole(0, 1024), buffer_bytes: 1023 });
    let error = broken(|schedule| bindings(schedule)[1].offset = u64::MAX);
    let binding = Binding { buffer: BufferId(1), offset: u64::MAX, bytes: 1024 };
    assert_eq!(error, Error::OutsideBuffer { step: 2, binding, buffer_bytes: 1024 });
    let error = broken(|schedule| schedule.hosts[1].bytes = 1000);
    assert_eq!(error, Error::OutsideHost { step: 4, host: HostId(1), at: 0, bytes: 1024, host_bytes: 1000 });
}

#[test]
fn downloads_into_read_only_memory() {
    let error = broken(|schedule| schedule.hosts[1].writable = false);
    assert_eq!(error, Error::ReadOnlyHost { step: 4, host: HostId(1) });
}

#[test]
fn two_downloads_into_one_slice() {
    let error = broken(|schedule| schedule.steps.push(schedule.steps[4].clone()));
    assert_eq!(error, Error::HostHazard { first: 4, second: 5, host: HostId(1) });
}

#[test]
fn bindings_that_do_not_fit_the_kernel() {
    let error = broken(|schedule| bindings(schedule).truncate(1));
    assert_eq!(error, Error::BindingCount { step: 2, kernel: "copy".to_owned(), expected: 2, got: 1 });
    let error = broken(|schedule| bindings(schedule)[0].bytes = 3);
    assert_eq!(error, Error::BindingTooSmall { step: 2, buffer: "x".to_owned(), min_bytes: 4, got_bytes: 3 });
    let error = broken(|schedule| bindings(schedule)[0] = Binding { buffer: BufferId(0), offset: 4, bytes: 8 });
    assert_eq!(error, Error::BindingAlign { step: 2, buffer: "x".to_owned(), offset: 4 });
}

#[test]
fn one_memory_under_two_names() {
    let error = broken(|schedule| bindings(schedule)[1] = whole(0, 1024));
    assert_eq!(error, Error::Aliased { step: 2, first: "x".to_owned(), second: "y".to_owned() });
    let mut told = sound();
    bindings(&mut told)[1] = whole(0, 1024);
    told.kernels[0] = told.kernels[0].aliased();
    assert!(told.kernels[0].is_aliased() && told.kernels[0] != sound().kernels[0]);
    check(told).unwrap();
}

#[test]
fn a_grid_beyond_what_ids_can_count() {
    let error = broken(|schedule| match &mut schedule.steps[2] {
        Step::Dispatch { grid, .. } => grid[0] = u32::MAX,
        other => panic!("not a dispatch: {other}"),
    });
    assert_eq!(error, Error::GridTooLarge { step: 2, dimension: 0, groups: u32::MAX, size: 64 });
}

fn range(buffer: u32, offset: u64, bytes: u64) -> Binding {
    Binding { buffer: BufferId(buffer), offset, bytes }
}

/// The sound schedule with steps put in at a place.
fn with(at: usize, steps: impl IntoIterator<Item = Step>) -> Result<Schedule, Error> {
    let mut schedule = sound();
    schedule.steps.splice(at..at, steps);
    check(schedule).map(|checked| (*checked).clone())
}

#[test]
fn host_ranges_clash_only_where_they_overlap() {
    let part = |offset: u64, at| Step::Download { from: range(1, offset, 512), host: HostId(1), at, length: None };
    let mut schedule = sound();
    schedule.steps.splice(4.., [part(0, 512), part(512, 0)]);
    check(schedule.clone()).unwrap();
    schedule.steps[5] = part(512, 256);
    assert_eq!(check(schedule.clone()), Err(Error::HostHazard { first: 4, second: 5, host: HostId(1) }));
    schedule.steps[5] = part(512, 513);
    let error = Error::OutsideHost { step: 5, host: HostId(1), at: 513, bytes: 512, host_bytes: 1024 };
    assert_eq!(check(schedule.clone()), Err(error));
    schedule.steps[5] = part(512, u64::MAX);
    assert!(matches!(check(schedule), Err(Error::OutsideHost { at: u64::MAX, .. })));
}

#[test]
fn copies_and_clears_are_touches() {
    let clear = |buffer| Step::Clear { range: whole(buffer, 1024) };
    assert_eq!(with(1, [clear(0)]), Err(Error::Hazard { first: 0, second: 1, buffer: BufferId(0) }));
    with(1, [clear(1)]).unwrap();
    let copy = |from, to| Step::Copy { from, to };
    assert_eq!(
        with(3, [copy(whole(1, 1024), whole(0, 1024))]),
        Err(Error::Hazard { first: 2, second: 3, buffer: BufferId(0) })
    );
    with(4, [copy(whole(0, 4), whole(2, 4))]).unwrap();
}

#[test]
fn copies_that_make_no_sense() {
    let copy = |from, to| with(4, [Step::Copy { from, to }]);
    let error = Error::CopySize { step: 4, from_bytes: 8, to_bytes: 4 };
    assert_eq!(copy(range(1, 0, 8), range(0, 0, 4)), Err(error));
    assert_eq!(copy(range(0, 0, 8), range(0, 4, 8)), Err(Error::CopyOverlap { step: 4, buffer: BufferId(0) }));
    copy(range(0, 0, 8), range(0, 8, 8)).unwrap();
    for binding in [range(0, 2, 8), range(0, 0, 6)] {
        let error = with(4, [Step::Clear { range: binding }]);
        assert_eq!(error, Err(Error::CopyAlign { step: 4, binding }));
    }
    let mut odd = sound();
    odd.buffers[2].bytes = 7;
    odd.steps.push(Step::Clear { range: range(2, 4, 3) });
    check(odd).unwrap();
}

#[test]
fn lengths_are_one_word_and_read() {
    let count = |count| {
        let mut schedule = sound();
        if let Step::Download { length, .. } = &mut schedule.steps[4] {
            *length = Some(Length { count, element_bytes: 4 });
        }
        schedule
    };
    check(count(whole(2, 4))).unwrap();
    let binding = range(0, 0, 8);
    assert_eq!(check(count(binding)), Err(Error::ArgumentSize { step: 4, binding, expected_bytes: 4 }));
    let mut schedule = count(whole(2, 4));
    schedule.steps.push(Step::Clear { range: whole(2, 4) });
    assert_eq!(check(schedule), Err(Error::Hazard { first: 4, second: 5, buffer: BufferId(2) }));
}

fn indirect(args: Binding, limit: [u32; 3]) -> Result<Schedule, Error> {
    let mut schedule = sound();
    let bindings = bindings(&mut schedule).clone();
    schedule.steps[2] = Step::DispatchIndirect { kernel: KernelId(0), args, limit, bindings };
    check(schedule).map(|checked| (*checked).clone())
}

#[test]
fn grids_from_buffers() {
    indirect(range(0, 512, 12), [4, 1, 1]).unwrap();
    let binding = range(0, 0, 16);
    let error = Error::ArgumentSize { step: 2, binding, expected_bytes: 12 };
    assert_eq!(indirect(binding, [4, 1, 1]), Err(error));
    assert!(matches!(indirect(range(0, 1020, 12), [4, 1, 1]), Err(Error::OutsideBuffer { step: 2, .. })));
    let error = Error::ChangesGrid { step: 2, buffer: "y".to_owned() };
    assert_eq!(indirect(range(1, 0, 12), [4, 1, 1]), Err(error));
    assert!(matches!(indirect(range(0, 0, 12), [u32::MAX, 1, 1]), Err(Error::GridTooLarge { step: 2, .. })));
    assert!(matches!(indirect(range(0, 2, 12), [4, 1, 1]), Err(Error::CopyAlign { step: 2, .. })));
}

#[test]
fn lives_begin_at_the_first_touch_and_end_at_the_free() {
    let free = |buffer| Step::Free { buffer: BufferId(buffer) };
    let checked = check(with(3, [free(0)]).unwrap()).unwrap();
    assert_eq!(checked.alive(BufferId(0)), Some(Alive { first: 0, last: 1 }));
    assert_eq!(checked.alive(BufferId(1)), Some(Alive { first: 1, last: 2 }));
    assert_eq!(checked.alive(BufferId(2)), None);
    assert_eq!(checked.peak_bytes(), 2048);
    assert_eq!(checked.live_bytes(), [1024, 2048, 1024]);
    let turnover = checked.turnover();
    assert_eq!(turnover.len(), 3);
    assert_eq!((&turnover[0].come, &turnover[1].come), (&vec![BufferId(0)], &vec![BufferId(1)]));
    assert_eq!((&turnover[1].go, &turnover[2].go), (&vec![BufferId(0)], &vec![BufferId(1)]));
    // Freed in the group that still uses it, before or after.
    with(2, [free(0)]).unwrap();
}

#[test]
fn uses_outside_a_life() {
    let free = |buffer| Step::Free { buffer: BufferId(buffer) };
    assert_eq!(with(1, [free(0)]), Err(Error::UsedAfterFree { step: 3, buffer: BufferId(0), freed: 1 }));
    assert_eq!(with(0, [free(0)]), Err(Error::FreedUntouched { step: 0, buffer: BufferId(0) }));
    let error = Error::FreedTwice { first: 3, second: 4, buffer: BufferId(0) };
    assert_eq!(with(3, [free(0), free(0)]), Err(error));
    assert_eq!(with(3, [free(7)]), Err(Error::UnknownBuffer { step: 3, buffer: BufferId(7), count: 3 }));
    let mut resident = sound();
    resident.buffers[0].life = Life::Resident;
    resident.steps.insert(3, free(0));
    assert_eq!(check(resident), Err(Error::FreedResident { step: 3, buffer: BufferId(0) }));
}

#[test]
fn more_live_than_the_budget() {
    let live = |budget_bytes, early_free: bool| {
        let mut schedule = sound();
        schedule.budget_bytes = Some(budget_bytes);
        // A third buffer in the last group.
        schedule.buffers[2] = Buffer { name: "big".to_owned(), bytes: 1024, life: Life::Transient };
        schedule.steps.push(Step::Clear { range: whole(2, 1024) });
        if early_free {
            schedule.steps.insert(3, Step::Free { buffer: BufferId(0) });
        }
        check(schedule).map(|checked| checked.peak_bytes())
    };
    assert_eq!(live(3072, false), Ok(3072));
    assert_eq!(live(3071, false), Err(Error::OverBudget { group: 2, live_bytes: 3072, budget_bytes: 3071 }));
    assert_eq!(live(2048, true), Ok(2048));
    assert_eq!(live(2047, true), Err(Error::OverBudget { group: 1, live_bytes: 2048, budget_bytes: 2047 }));
}

#[test]
fn residents_count_whether_they_are_touched_or_not() {
    let error = broken(|schedule| {
        schedule.buffers[2].life = Life::Resident;
        schedule.budget_bytes = Some(2051);
    });
    assert_eq!(error, Error::OverBudget { group: 1, live_bytes: 2052, budget_bytes: 2051 });
    let error = broken(|schedule| {
        schedule.buffers.iter_mut().for_each(|buffer| buffer.bytes = u64::MAX);
        schedule.budget_bytes = Some(u64::MAX);
    });
    assert_eq!(error, Error::OverBudget { group: 1, live_bytes: u64::MAX, budget_bytes: u64::MAX });
}

/// A schedule as a graph of ten thousand waves makes it: checked in one pass.
#[test]
fn a_group_of_many_steps() {
    const STEPS: u64 = 20_000;
    let mut schedule = sound();
    schedule.buffers[1].bytes = STEPS * 256;
    let copy = |i: u64| Step::Dispatch {
        kernel: KernelId(0),
        grid: [1, 1, 1],
        bindings: vec![whole(0, 1024), range(1, i * 256, 256)],
    };
    schedule.steps.splice(2..3, (0..STEPS).map(copy));
    check(schedule.clone()).unwrap();
    schedule.steps[1000] = copy(STEPS - 1);
    let error = Error::Hazard { first: 1000, second: STEPS as usize + 1, buffer: BufferId(1) };
    assert_eq!(check(schedule), Err(error));
}

/// A word that loops and branches ask, and one turn of a loop over the copy.
fn looped(body: impl FnOnce(&mut Vec<Step>)) -> Result<seawall_core::check::Checked, Error> {
    let mut schedule = sound();
    schedule.buffers.push(Buffer { name: "z".to_owned(), bytes: 1024, life: Life::Transient });
    let test = Some(Test { word: whole(2, 4), zero: false });
    let mut steps = vec![Step::Loop { test, limit: 10 }, schedule.steps[2].clone(), Step::End];
    body(&mut steps);
    schedule.steps.splice(2..4, steps);
    check(schedule)
}

#[test]
fn a_body_is_parted_from_what_is_around_it() {
    let checked = looped(|_| {}).unwrap();
    assert_eq!(checked.bodies(), [(2, 4)]);
    // The upload's group, the one that ends with the loop, the body, and the download's.
    assert_eq!(checked.turnover().len(), 4);
    // What is first touched inside lives from before the loop on.
    assert_eq!(checked.alive(BufferId(1)), Some(Alive { first: 1, last: 3 }));
    assert_eq!(checked.alive(BufferId(2)), Some(Alive { first: 1, last: 3 }));
    expect_test::expect![[r"
        loop while b2[0+4] is not zero, at most 10 times
          dispatch k0 grid 4,1,1 b0[0+1024] b1[0+1024]
        end
    "]]
    .assert_eq(&checked.to_string().lines().skip(10).take(3).fold(String::new(), |text, line| text + line + "\n"));
}

#[test]
fn what_is_inside_a_loop_lives_as_long_as_it() {
    // What is freed before is not there in any turn.
    let error = looped(|steps| {
        steps.splice(0..0, [steps[1].clone(), Step::Free { buffer: BufferId(1) }]);
    });
    assert_eq!(error, Err(Error::UsedAfterFree { step: 5, buffer: BufferId(1), freed: 3 }));
    let error = looped(|steps| steps.insert(2, Step::Free { buffer: BufferId(1) }));
    assert_eq!(error, Err(Error::Inside { step: 4, begun: 2, what: "nothing is freed" }));
}

#[test]
fn the_host_takes_no_part_in_a_loop() {
    let x = whole(0, 1024);
    let error = looped(|steps| steps.insert(2, Step::Upload { host: HostId(0), at: 0, to: whole(3, 1024) }));
    assert_eq!(error, Err(Error::Inside { step: 4, begun: 2, what: "nothing is uploaded" }));
    let error = looped(|steps| steps.insert(2, Step::Download { from: x, host: HostId(1), at: 0, length: None }));
    assert_eq!(error, Err(Error::Inside { step: 4, begun: 2, what: "nothing is downloaded" }));
    // Nor in a branch inside of it.
    let test = Test { word: whole(2, 4), zero: true };
    let inner = [Step::When { test }, Step::Download { from: x, host: HostId(1), at: 0, length: None }, Step::End];
    let error = looped(|steps| drop(steps.splice(2..2, inner)));
    assert_eq!(error, Err(Error::Inside { step: 5, begun: 4, what: "nothing is downloaded" }));
}

#[test]
fn control_that_is_not_well_nested_is_refused() {
    assert_eq!(
        looped(|steps| drop(steps.pop())),
        Err(Error::Inside { step: 4, begun: 2, what: "nothing is downloaded" })
    );
    assert_eq!(looped(|steps| steps.push(Step::End)), Err(Error::StrayEnd { step: 5 }));
    let error = broken(|schedule| schedule.steps.push(Step::Loop { test: None, limit: 1 }));
    assert_eq!(error, Error::Unended { step: 5 });
    let deep = |depth: usize| {
        looped(|steps| {
            let limit = 1;
            steps.splice(2..2, std::iter::repeat_n(Step::Loop { test: None, limit }, depth));
            steps.extend(std::iter::repeat_n(Step::End, depth));
        })
    };
    deep(NESTING_MAX - 1).unwrap();
    assert_eq!(deep(NESTING_MAX), Err(Error::Nesting { step: 3 + NESTING_MAX }));
}

#[test]
fn a_test_is_one_word_of_a_buffer() {
    let tested = |word: Binding| looped(|steps| steps[0] = Step::When { test: Test { word, zero: false } });
    tested(Binding { offset: 8, ..whole(1, 4) }).unwrap();
    let wide = whole(1, 8);
    assert_eq!(tested(wide), Err(Error::ArgumentSize { step: 2, binding: wide, expected_bytes: 4 }));
    let outside = Binding { offset: 4, ..whole(2, 4) };
    assert_eq!(tested(outside), Err(Error::OutsideBuffer { step: 2, binding: outside, buffer_bytes: 4 }));
    let odd = Binding { offset: 2, ..whole(1, 4) };
    assert_eq!(tested(odd), Err(Error::CopyAlign { step: 2, binding: odd }));
    let unknown = whole(9, 4);
    assert_eq!(tested(unknown), Err(Error::UnknownBuffer { step: 2, buffer: BufferId(9), count: 4 }));
}

#[test]
fn swaps_are_of_like_buffers_and_part_of_a_turn() {
    let swap = |first, second| Step::Swap { first: BufferId(first), second: BufferId(second) };
    let swapped = |first, second| looped(|steps| drop(steps.splice(2..2, [Step::Barrier, swap(first, second)])));
    swapped(1, 3).unwrap();
    for (first, second) in [(1, 1), (1, 2)] {
        let error = Error::SwapUnlike { step: 5, first: BufferId(first), second: BufferId(second) };
        assert_eq!(swapped(first, second), Err(error));
    }
    assert_eq!(swapped(1, 7), Err(Error::UnknownBuffer { step: 5, buffer: BufferId(7), count: 4 }));
    let error = looped(|steps| steps.insert(2, swap(1, 3)));
    assert_eq!(error, Err(Error::Hazard { first: 3, second: 4, buffer: BufferId(1) }));
    let test = Test { word: whole(2, 4), zero: true };
    let error = looped(|steps| drop(steps.splice(2..2, [Step::When { test }, swap(1, 3), Step::End])));
    assert_eq!(error, Err(Error::SwapOutside { step: 5 }));
    let error = looped(|steps| steps.insert(0, swap(1, 3)));
    assert_eq!(error, Err(Error::SwapOutside { step: 2 }));
}
