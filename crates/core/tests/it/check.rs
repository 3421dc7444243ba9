//! The checker refuses every way of breaking a sound schedule, by name.

use std::sync::Arc;

use seawall_core::check::{Error, check};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, Host, HostId, KernelId, Life, Schedule, Step};

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
    let kernel = |entry| Arc::new(program.kernel(entry, &Overrides::new()).unwrap());
    let buffer = |name: &str, bytes| Buffer { name: name.to_owned(), bytes, life: Life::Transient };
    let host = |name: &str, writable| Host { name: name.to_owned(), bytes: 1024, writable };
    let (x, y) = (whole(0, 1024), whole(1, 1024));
    Schedule {
        kernels: vec![kernel("copy"), kernel("tally")],
        buffers: vec![buffer("x", 1024), buffer("y", 1024), buffer("count", 4)],
        hosts: vec![host("in", false), host("out", true)],
        steps: vec![
            Step::Upload { host: HostId(0), to: x },
            Step::Barrier,
            Step::Dispatch { kernel: KernelId(0), grid: [4, 1, 1], bindings: vec![x, y] },
            Step::Barrier,
            Step::Download { from: y, host: HostId(1) },
        ],
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
        upload h0 -> b0[0+1024]
        barrier
        dispatch k0 grid 4,1,1 b0[0+1024] b1[0+1024]
        barrier
        download b1[0+1024] -> h1
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
    assert_eq!(error, Error::OutsideHost { step: 4, host: HostId(1), bytes: 1024, host_bytes: 1000 });
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
}

#[test]
fn a_grid_beyond_what_ids_can_count() {
    let error = broken(|schedule| match &mut schedule.steps[2] {
        Step::Dispatch { grid, .. } => grid[0] = u32::MAX,
        other => panic!("not a dispatch: {other}"),
    });
    assert_eq!(error, Error::GridTooLarge { step: 2, dimension: 0, groups: u32::MAX, size: 64 });
}
