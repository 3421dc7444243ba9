//! Deadlines and cancellation hold while a call waits: for a compiler, for its turn, for a buffer,
//! for a thread to run on.

use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use seawall::cache::Found;
use seawall::device::{Control, Reason};
use seawall::{Error, Graph, Runtime, device};
use seawall_cpu::COMPILES_MAX;

/// Soon over; nothing depends on how soon.
const SOON: Duration = Duration::from_millis(20);

/// For runs that are ended by hand: only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_mins(2);

const DOUBLE: &str = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 2u; }";

const TRIPLE: &str = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) { v[id.x] *= 3u; }";

const ENDLESS: &str = "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(64) fn main() { while v[0] != 1u { v[0] += 2u; } }";

/// The devices that are here.
fn runtimes() -> Vec<Runtime> {
    let open = |id| Runtime::builder().device(id).threads(NonZeroUsize::new(2).unwrap()).open();
    let mut all = vec![open("cpu").unwrap(), open("reference").unwrap()];
    if cfg!(feature = "gpu") {
        all.extend(open("gpu"));
    }
    all
}

fn reason<T: std::fmt::Debug>(result: Result<T, Error>) -> Reason {
    match result.unwrap_err() {
        Error::Device(device::Error::Stopped { reason, .. }) => reason,
        error => panic!("{error}"),
    }
}

/// Keeps every compile thread busy until the senders go.
fn busy(runtime: &Runtime) -> Vec<Sender<()>> {
    let hold = |_| {
        let ((open, begun, work), control) = (gate(), Control::default());
        thread::scope(|scope| {
            let held = scope.spawn(|| runtime.apart(&control, work));
            begun.recv().unwrap();
            control.stop.ask(Reason::Caller);
            assert_eq!(reason(held.join().unwrap()), Reason::Caller, "left behind, and still at it");
        });
        open
    };
    (0..COMPILES_MAX).map(hold).collect()
}

#[test]
fn a_call_that_compiles_ends_at_its_deadline_and_holds_up_nobody() {
    for runtime in runtimes() {
        let (double, triple) = (runtime.kernel(DOUBLE).unwrap(), runtime.kernel(TRIPLE).unwrap());
        let mut v = vec![1u32; 64];
        runtime.call(&double).bind("v", &mut v).threads(64).run().unwrap();
        let gates = busy(&runtime);
        thread::scope(|scope| {
            let patient = scope.spawn(|| {
                let mut v = vec![1u32; 64];
                let outcome = runtime.call(&triple).bind("v", &mut v).threads(64).run();
                (v[0], outcome)
            });
            let error = runtime.call(&triple).bind("v", &mut v).threads(64).deadline(SOON).run().unwrap_err();
            let said = "the run was not done at its deadline: `main` was still being compiled";
            assert!(error.to_string().contains(said), "{error}");
            // What is compiled already does not wait for what is not.
            let outcome = runtime.call(&double).bind("v", &mut v).threads(64).run().unwrap();
            assert_eq!((v[0], outcome.code), (4, vec![Found::Kept]));
            assert!(!patient.is_finished());
            drop(gates);
            let (first, outcome) = patient.join().unwrap();
            outcome.unwrap();
            assert_eq!(first, 3);
        });
        let outcome = runtime.call(&triple).bind("v", &mut v[..1]).threads(1).run().unwrap();
        assert_eq!((v[0], outcome.code), (12, vec![Found::Kept]), "compiled once, for all of them");
    }
}

#[test]
fn texts_and_graphs_are_made_within_a_deadline() {
    for runtime in runtimes() {
        let double = runtime.kernel(DOUBLE).unwrap();
        let mut graph = Graph::new();
        graph.in_out::<u32>("v", 64);
        graph.wave("double", &double).bind("v", "v").over("v");
        let gates = busy(&runtime);
        let control = Control::default();
        let made = seawall::within(SOON, &control, || runtime.kernel_with(DOUBLE, &control));
        assert_eq!(reason(made), Reason::Deadline);
        let control = Control::default();
        let made = seawall::within(SOON, &control, || runtime.compile_with(&graph, &control));
        assert_eq!(reason(made), Reason::Deadline);
        drop(gates);
        let control = Control::default();
        let compiled = seawall::within(Duration::MAX, &control, || {
            assert_eq!(runtime.kernel_with(DOUBLE, &control)?, double);
            assert!(matches!(runtime.kernel_with("nonsense", &control), Err(Error::Program(_))));
            runtime.compile_with(&graph, &control)
        });
        let mut v = vec![1u32; 64];
        compiled.unwrap().call().bind("v", &mut v).run().unwrap();
        assert_eq!(v, [2; 64]);
    }
}

/// Work that holds a compile thread from when it begins until the sender goes.
fn gate() -> (Sender<()>, mpsc::Receiver<()>, impl FnOnce() -> Result<(), Error> + Send + 'static) {
    let ((open, gate), (begin, begun)) = (mpsc::channel::<()>(), mpsc::channel());
    let work = move || {
        begin.send(()).unwrap();
        let _opened = gate.recv();
        Ok(())
    };
    (open, begun, work)
}

/// The kernels of a graph are compiled within the deadline, too: one thread is let go, which plans,
/// and is held again before it can compile.
#[test]
fn a_graph_that_compiles_ends_at_its_deadline() {
    for runtime in runtimes() {
        // The three may come in another order, or the machine be busy: then another kernel is tried.
        let said = (0..).find_map(|turn| {
            let (mut gates, control, never) = (busy(&runtime), Control::default(), Control::default());
            let (open, begun, work) = gate();
            let mut graph = Graph::new();
            graph.in_out::<u32>("v", 64);
            graph.wave("double", &runtime.kernel(&format!("// {turn}\n{DOUBLE}")).unwrap()).bind("v", "v").over("v");
            let time = (SOON * (turn + 1)).min(PATIENCE);
            let compile = || seawall::within(time, &control, || runtime.compile_with(&graph, &control));
            let compiled = thread::scope(|scope| {
                let compile = scope.spawn(compile);
                let hold = scope.spawn(|| runtime.apart(&never, work));
                gates.pop();
                begun.recv().unwrap();
                let compiled = compile.join().unwrap();
                drop(open);
                hold.join().unwrap().unwrap();
                compiled
            });
            let error = compiled.err()?;
            assert_eq!(reason::<()>(Err(error.clone())), Reason::Deadline);
            Some(error.to_string()).filter(|said| said.contains("being compiled"))
        });
        assert!(said.is_some());
    }
}

#[test]
fn deadlines_of_nothing_and_calls_that_are_over_before_they_begin() {
    for runtime in runtimes() {
        let kernel = runtime.kernel(DOUBLE).unwrap();
        let mut v = vec![1u32; 64];
        for compiled in [false, true] {
            let zero = runtime.call(&kernel).bind("v", &mut v).threads(64).deadline(Duration::ZERO).run();
            assert_eq!(reason(zero), Reason::Deadline, "compiled: {compiled}");
            let control = Control::default();
            control.stop.ask(Reason::Caller);
            control.stop.ask(Reason::Deadline);
            let stopped = runtime.call(&kernel).bind("v", &mut v).threads(64).run_with(&control);
            assert_eq!(reason(stopped), Reason::Caller, "the first who asks is the reason");
            assert_eq!(v, [1; 64]);
            if !compiled {
                runtime.call(&kernel).bind("v", &mut [1u32; 64]).threads(64).deadline(Duration::MAX).run().unwrap();
            }
        }
        let control = Control::default();
        let made = seawall::within(Duration::ZERO, &control, || runtime.kernel_with(DOUBLE, &control));
        assert_eq!(reason(made), Reason::Deadline);
    }
}

/// Whether it had not begun.
fn waited(result: Result<seawall::Outcome, Error>) -> bool {
    match result.unwrap_err() {
        Error::Device(device::Error::Stopped { reason: Reason::Deadline, report }) => report.is_none(),
        error => panic!("{error}"),
    }
}

/// One endless run is under way: another that needs its buffer ends at its deadline all the same.
#[test]
fn a_run_that_waits_for_a_buffer_ends_at_its_deadline() {
    for id in ["cpu", "reference"] {
        let runtime = Runtime::builder().device(id).open().unwrap();
        let (kernel, v) = (runtime.kernel(ENDLESS).unwrap(), runtime.buffer::<u32>(1).unwrap());
        let control = Control { steps_max: u64::MAX, ..Control::default() };
        let call = |time| runtime.call(&kernel).bind("v", &v).workgroups(1).deadline(time);
        thread::scope(|scope| {
            let endless = scope.spawn(|| call(PATIENCE).run_with(&control));
            // Until it is the other that has the buffer.
            let second = || Control { steps_max: u64::MAX, ..Control::default() };
            while !waited(call(SOON).run_with(&second())) {}
            assert!(!endless.is_finished());
            control.stop.ask(Reason::Caller);
            assert_eq!(reason(endless.join().unwrap()), Reason::Caller);
        });
    }
}

/// The same for its turn on the CPU device's worker threads.
#[test]
fn a_run_that_waits_its_turn_ends_at_its_deadline() {
    let runtime = Runtime::builder().device("cpu").threads(NonZeroUsize::new(2).unwrap()).open().unwrap();
    let (kernel, control) = (runtime.kernel(ENDLESS).unwrap(), Control::default());
    let run = |time, control: &Control| {
        runtime.call(&kernel).bind("v", &mut [0u32]).workgroups(100_000).deadline(time).run_with(control)
    };
    thread::scope(|scope| {
        let endless = scope.spawn(|| run(PATIENCE, &control));
        while !waited(run(SOON, &Control::default())) {}
        assert!(!endless.is_finished());
        control.stop.ask(Reason::Caller);
        assert_eq!(reason(endless.join().unwrap()), Reason::Caller);
    });
}

/// More endless jobs than there are threads for jobs.
#[test]
fn jobs_end_at_their_deadlines_and_tickets_wait_as_long_as_they_are_told() {
    let runtime = Runtime::builder().device("cpu").open().unwrap();
    let mut graph = Graph::new();
    graph.in_out::<u32>("v", 1);
    graph.wave("endless", &runtime.kernel(ENDLESS).unwrap()).bind("v", "v").workgroups(1);
    let compiled = runtime.compile(&graph).unwrap();
    let job = || compiled.job().bind("v", vec![0u32]);
    let tickets: Vec<_> = (0..20).map(|_| job().submit().unwrap()).collect();

    let late = job().deadline(SOON).submit().unwrap();
    assert_eq!(reason(late.wait()), Reason::Deadline, "it had not begun");
    let none = job().deadline(Duration::ZERO).submit().unwrap();
    assert!(none.poll());
    assert_eq!(reason(none.wait_timeout(Duration::ZERO).unwrap()), Reason::Deadline);

    let ticket = job().deadline(Duration::MAX).submit().unwrap();
    let ticket = ticket.wait_timeout(Duration::ZERO).unwrap_err();
    let ticket = ticket.wait_timeout(SOON).unwrap_err();
    assert!(!ticket.poll());
    ticket.cancel();
    ticket.cancel();
    assert!(ticket.poll(), "it had not begun");
    assert_eq!(reason(ticket.wait_timeout(Duration::MAX).unwrap()), Reason::Caller);

    // Dropping a ticket lets its job go on, or begin.
    let mut tickets = tickets.into_iter();
    let dropped = tickets.next_back();
    drop(job().deadline(SOON).submit().unwrap());
    for ticket in tickets {
        ticket.cancel();
        assert_eq!(reason(ticket.wait()), Reason::Caller);
    }
    dropped.unwrap().cancel();

    // One that has begun ends at its deadline, too.
    let begun = job().deadline(SOON).submit().unwrap();
    assert_eq!(reason(begun.wait()), Reason::Deadline);
}
