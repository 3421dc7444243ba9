//! Whoever waits can leave: for a compilation, for another's compilation, for a turn.

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

use seawall_core::cache::{Found, Hands};
use seawall_core::check::{Checked, check};
use seawall_core::device::{Device as _, Error, Loaded, Reason, Stop, fit};
use seawall_core::program::{Overrides, Program};
use seawall_core::schedule::{Binding, Buffer, BufferId, KernelId, Life, Schedule, Step};
use seawall_cpu::{COMPILES_MAX, Config, Crew, Device, compilers};

/// Every compile thread is busy until this is dropped.
struct Busy {
    _open: Vec<mpsc::Sender<()>>,
}

impl Busy {
    fn new(crew: &Crew, threads: usize) -> Self {
        let hold = |_| {
            let ((open, gate), (begin, begun)) = (mpsc::channel::<()>(), mpsc::channel());
            let work = move || {
                begin.send(()).unwrap();
                // It opens when the sender goes.
                let _opened = gate.recv();
            };
            crew.take(Box::new(work)).unwrap();
            begun.recv().unwrap();
            open
        };
        Self { _open: (0..threads).map(hold).collect() }
    }
}

fn schedule(n: u32) -> Arc<Checked> {
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{ v[id.x] += {n}u; }}"
    );
    let kernel = Program::wgsl(&text).unwrap().kernel("main", &Overrides::new()).unwrap();
    let whole = Binding { buffer: BufferId(0), offset: 0, bytes: 256 };
    let schedule = Schedule {
        kernels: vec![kernel],
        buffers: vec![Buffer { name: "v".to_owned(), bytes: 256, life: Life::Resident }],
        hosts: Vec::new(),
        steps: vec![Step::Dispatch { kernel: KernelId(0), grid: [4096, 1, 1], bindings: vec![whole] }],
        budget_bytes: None,
    };
    Arc::new(check(schedule).unwrap())
}

fn found(loaded: Result<Box<dyn Loaded>, Error>) -> Result<Found, Error> {
    loaded.map(|loaded| loaded.found()[0])
}

fn assert_compiling(error: &Error, expected: Reason) {
    let Error::Stopped { reason, report: Some(report) } = error else { panic!("{error:?}") };
    assert_eq!((*reason, report.diagnostics.len()), (expected, 1));
    assert_eq!(report.diagnostics[0].message, format!("{expected}: `main` was still being compiled"));
}

#[test]
fn a_load_that_is_stopped_waits_no_longer_and_its_kernel_is_compiled_all_the_same() {
    let crew = compilers();
    let device = Device::open_with(Config::default(), crew.clone()).unwrap();
    assert_eq!(found(device.load(schedule(0))), Ok(Found::New));
    let busy = Busy::new(&crew, COMPILES_MAX);
    for (reason, asked_before) in [(Reason::Caller, true), (Reason::Deadline, false)] {
        let stop = Stop::default();
        if asked_before {
            stop.ask(reason);
        }
        let error = thread::scope(|scope| {
            let load = scope.spawn(|| found(device.load_with(fit(schedule(1), device.caps()).unwrap(), &stop)));
            stop.ask(reason);
            load.join().unwrap().unwrap_err()
        });
        assert_compiling(&error, reason);
    }
    // What is compiled already waits for nobody.
    assert_eq!(found(device.load(schedule(0))), Ok(Found::Kept));
    drop(busy);
    let found = found(device.load(schedule(1))).unwrap();
    assert!([Found::Joined, Found::Kept].contains(&found), "it was begun by the first who left: {found}");
}

/// Many who need one kernel take one thread.
#[test]
fn who_waits_for_the_same_kernel_holds_up_nobody() {
    let crew = compilers();
    let device = Device::open_with(Config::default(), crew.clone()).unwrap();
    let busy = Busy::new(&crew, COMPILES_MAX);
    thread::scope(|scope| {
        let load = || found(device.load(schedule(1)));
        let all: Vec<_> = (0..2 * COMPILES_MAX).map(|_| scope.spawn(load)).collect();
        drop(busy);
        let all: Vec<Found> = all.into_iter().map(|load| load.join().unwrap().unwrap()).collect();
        assert_eq!(all.iter().filter(|found| **found == Found::New).count(), 1, "{all:?}");
        assert!(all.iter().all(|found| [Found::New, Found::Joined, Found::Kept].contains(found)), "{all:?}");
    });
}

/// In a child there are none of the threads; that is an error, and a new device works.
#[test]
#[cfg(unix)]
fn a_forked_child_is_told_so() {
    use std::num::NonZeroUsize;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    use seawall_core::device::{self, Control, Io, Stats};

    fn run(loaded: &dyn Loaded, buffer: &device::Buffer) -> Result<Stats, Error> {
        loaded.run(Io { hosts: Vec::new(), residents: vec![buffer] }, &Control::default())
    }

    let open = || Device::open(Config { threads: NonZeroUsize::new(3), ..Config::default() }).unwrap();
    let device = open();
    let buffer = device.alloc(256).unwrap();
    let loaded = device.load(schedule(1)).unwrap();
    run(&*loaded, &buffer).unwrap();
    let forked = Err(Error::Forked { device: "cpu".to_owned() });
    let child = || {
        let told = [run(&*loaded, &buffer).map(|_| ()), device.load(schedule(2)).map(|_| ())];
        let told = told.iter().all(|result| *result == forked);
        // Neither waits for threads that are not there.
        drop((loaded, device));
        let device = open();
        let buffer = device.alloc(256).unwrap();
        run(&*device.load(schedule(2)).unwrap(), &buffer).unwrap();
        told
    };
    // SAFETY: the child allocates and starts threads, which glibc and Apple allow after a fork, and
    // leaves without running what others have registered for the end.
    let status = unsafe {
        match libc::fork() {
            0 => {
                // A child that hangs would hold up the test for ever.
                libc::alarm(60);
                let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child));
                libc::_exit(i32::from(!told.unwrap_or(false)))
            }
            pid => {
                assert!(pid > 0, "no child");
                let mut status = 0;
                assert_eq!(libc::waitpid(pid, &raw mut status, 0), pid);
                ExitStatus::from_raw(status)
            }
        }
    };
    assert!(status.success(), "{status}");
}
