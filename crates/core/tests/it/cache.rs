//! What devices make of kernels is kept by content, within a bound, with reasons; and made once,
//! by other threads, for all who wait for it.

use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use seawall_core::cache::{Cache, Found, Hands, Missed, Wanted, Work};
use seawall_core::program::{Kernel, Program};
use seawall_core::stop::{Reason, Stop};

fn kernel(text: &str, entry: &str, scale: Option<f64>) -> Arc<Kernel> {
    let overrides = scale.map(|scale| ("scale".to_owned(), scale)).into_iter().collect();
    Program::wgsl(text).unwrap().kernel(entry, &overrides).unwrap()
}

/// Two entry points with an override, told apart by a comment.
fn text(n: usize) -> String {
    format!(
        "// {n}
        override scale = 1.0;
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(1) fn first() {{ v[0] *= scale; }}
        @compute @workgroup_size(1) fn second() {{ v[0] += scale; }}"
    )
}

fn found<V>(cache: &Cache<V, u32, Infallible>, kernel: &Arc<Kernel>, variant: &V) -> Found
where
    V: std::hash::Hash + Eq + Clone + Send + 'static,
{
    cache.get(kernel, variant, &Stop::default(), |_| Ok(0)).unwrap().1
}

#[test]
fn a_kernel_is_known_by_its_content() {
    let cache = Cache::new(8, None);
    let made = |kernel, value| cache.get(&kernel, &'a', &Stop::default(), move |_| Ok(value)).unwrap();
    assert_eq!(made(kernel(&text(0), "first", None), 1), (Arc::new(1), Found::New));
    // Parsed anew, it is the same kernel.
    assert_eq!(made(kernel(&text(0), "first", None), 2), (Arc::new(1), Found::Kept));
    assert_eq!(made(kernel(&text(0), "second", None), 3), (Arc::new(3), Found::New));
    assert_eq!(made(kernel(&text(1), "first", None), 4), (Arc::new(4), Found::New));
    assert_eq!(made(kernel(&text(0), "first", Some(0.0)), 5), (Arc::new(5), Found::OtherOverrides));
    assert_eq!(made(kernel(&text(0), "first", Some(-0.0)), 6), (Arc::new(6), Found::OtherOverrides));
    assert_eq!(found(&cache, &kernel(&text(0), "first", None), &'b'), Found::OtherVariant);
    assert_eq!(found(&cache, &kernel(&text(0), "first", None), &'b'), Found::Kept);
}

#[test]
fn what_was_asked_for_last_is_kept() {
    let cache = Cache::new(3, None);
    let kernels: Vec<_> = (0..4).map(|n| kernel(&text(n), "first", None)).collect();
    let ask = |n: usize| found(&cache, &kernels[n], &());
    assert_eq!([ask(0), ask(1), ask(2), ask(0)], [Found::New, Found::New, Found::New, Found::Kept]);
    // The fourth takes the place of the one that nobody asked for longest.
    assert_eq!([ask(3), ask(0), ask(2), ask(3)], [Found::New, Found::Kept, Found::Kept, Found::Kept]);
    assert_eq!([ask(1), ask(1)], [Found::Evicted, Found::Kept]);
    assert_eq!(ask(0), Found::Evicted);
}

#[test]
fn what_could_not_be_made_is_not_kept() {
    let (cache, kernel) = (Cache::new(1, None), kernel(&text(0), "first", None));
    let stop = Stop::default();
    assert_eq!(cache.get(&kernel, &(), &stop, |_| Err::<u32, _>("no")), Err(Missed::Failed("no")));
    assert_eq!(cache.get(&kernel, &(), &stop, |_| Ok(0)), Ok((Arc::new(0), Found::New)));
}

/// Counts those that live.
struct Alive(Arc<AtomicUsize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn what_goes_is_freed_with_its_last_holder() {
    let count = Arc::new(AtomicUsize::new(0));
    let alive = || count.load(Ordering::Relaxed);
    let cache = Cache::new(4, None);
    let ask = |n: usize| {
        let count = count.clone();
        let make = move |_: &Wanted<'_>| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Infallible>(Alive(count))
        };
        cache.get(&kernel(&text(n), "first", None), &(), &Stop::default(), make).unwrap().0
    };
    let held = ask(0);
    for n in 1..20 {
        drop(ask(n));
        assert!(alive() <= 5, "four are kept, one is held");
    }
    assert_eq!(alive(), 5);
    drop(held);
    assert_eq!(alive(), 4);
    drop(cache);
    assert_eq!(alive(), 0);
}

/// Threads without a bound, and whether they say that others wait for one.
#[derive(Default)]
struct Threads {
    pressed: Mutex<bool>,
}

impl Hands for Threads {
    fn take(&self, work: Work) -> Result<(), String> {
        thread::spawn(work);
        Ok(())
    }

    fn pressed(&self) -> bool {
        *self.pressed.lock().unwrap()
    }
}

type Numbers = Cache<(), u32, &'static str>;

/// What it gives.
type Got = Result<(Arc<u32>, Found), Missed<&'static str>>;

/// A cache, and what makes its hands look busy.
fn threaded() -> (Arc<Numbers>, Arc<Threads>) {
    let threads = Arc::new(Threads::default());
    (Arc::new(Cache::new(8, Some(threads.clone() as Arc<dyn Hands>))), threads)
}

/// A product that says when it is begun, and is made once it is let.
struct Gate {
    begun: Receiver<()>,
    open: Sender<Result<u32, &'static str>>,
    getter: thread::JoinHandle<Got>,
}

/// Asks for a product that waits at a gate; returns when it is being made.
fn gated(cache: &Arc<Numbers>, kernel: &Arc<Kernel>, stop: &Arc<Stop>) -> Gate {
    let ((begin, begun), (open, gate)) = (mpsc::channel(), mpsc::channel());
    let (cache, kernel, stop) = (cache.clone(), kernel.clone(), stop.clone());
    let make = move |wanted: &Wanted<'_>| {
        begin.send(()).unwrap();
        let result = gate.recv().unwrap();
        if wanted.go_on() { result } else { Err("given up") }
    };
    let getter = thread::spawn(move || cache.get(&kernel, &(), &stop, make));
    begun.recv().unwrap();
    Gate { begun, open, getter }
}

fn two() -> [Arc<Kernel>; 2] {
    [0, 1].map(|n| kernel(&text(n), "first", None))
}

#[test]
fn who_needs_another_kernel_is_not_held_up() {
    let ((cache, _), [slow, other]) = (threaded(), two());
    let gate = gated(&cache, &slow, &Arc::default());
    assert_eq!(cache.get(&other, &(), &Stop::default(), |_| Ok(2)).unwrap(), (Arc::new(2), Found::New));
    assert_eq!(cache.get(&other, &(), &Stop::default(), |_| Ok(3)).unwrap(), (Arc::new(2), Found::Kept));
    gate.open.send(Ok(1)).unwrap();
    assert_eq!(gate.getter.join().unwrap(), Ok((Arc::new(1), Found::New)));
}

#[test]
fn who_needs_the_same_waits_for_it_and_it_is_made_once() {
    let ((cache, _), [slow, _]) = (threaded(), two());
    let gate = gated(&cache, &slow, &Arc::default());
    let waiters: Vec<_> = (0..3)
        .map(|_| {
            let (cache, slow) = (cache.clone(), slow.clone());
            thread::spawn(move || cache.get(&slow, &(), &Stop::default(), |_| unreachable!("it is being made")))
        })
        .collect();
    gate.open.send(Ok(7)).unwrap();
    assert_eq!(gate.getter.join().unwrap(), Ok((Arc::new(7), Found::New)));
    for waiter in waiters {
        let (product, found) = waiter.join().unwrap().unwrap();
        assert_eq!(*product, 7);
        assert!([Found::Joined, Found::Kept].contains(&found), "{found}");
    }
}

#[test]
fn who_waits_may_leave_and_what_was_begun_is_kept() {
    let ((cache, _), [slow, _]) = (threaded(), two());
    let stop = Arc::<Stop>::default();
    let gate = gated(&cache, &slow, &stop);
    let other = Stop::default();
    other.ask(Reason::Deadline);
    let joined = cache.get(&slow, &(), &other, |_| unreachable!("it is being made"));
    assert_eq!(joined, Err(Missed::Stopped(Reason::Deadline)), "while it is made for another");
    stop.ask(Reason::Caller);
    assert_eq!(gate.getter.join().unwrap(), Err(Missed::Stopped(Reason::Caller)), "while the gate is shut");
    // Nobody waits, but nobody needs the thread either.
    gate.open.send(Ok(5)).unwrap();
    let (product, found) = cache.get(&slow, &(), &Stop::default(), |_| unreachable!("it is being made")).unwrap();
    assert_eq!(*product, 5);
    assert!([Found::Joined, Found::Kept].contains(&found), "{found}");
}

#[test]
fn what_nobody_waits_for_is_given_up_where_its_thread_is_needed() {
    let ((cache, threads), [slow, _]) = (threaded(), two());
    let stop = Arc::<Stop>::default();
    let gate = gated(&cache, &slow, &stop);
    stop.ask(Reason::Caller);
    assert_eq!(gate.getter.join().unwrap(), Err(Missed::Stopped(Reason::Caller)));
    *threads.pressed.lock().unwrap() = true;
    gate.open.send(Ok(5)).unwrap();
    assert!(gate.begun.recv().is_err(), "it has ended");
    // Made anew, also by one who came to wait for it just before it was given up.
    let got = cache.get(&slow, &(), &Stop::default(), |wanted| Ok(if wanted.go_on() { 6 } else { 0 })).unwrap();
    assert_eq!(got, (Arc::new(6), Found::New));
}

/// Work that waits until it is let: as if all threads were busy.
#[derive(Default)]
struct Queue {
    waiting: Mutex<Vec<Work>>,
}

impl Hands for Queue {
    fn take(&self, work: Work) -> Result<(), String> {
        self.waiting.lock().unwrap().push(work);
        Ok(())
    }

    fn pressed(&self) -> bool {
        !self.waiting.lock().unwrap().is_empty()
    }
}

/// However many callers come and go, nothing is made for those who have left.
#[test]
fn what_nobody_waits_for_is_not_begun_where_threads_are_needed() {
    let queue = Arc::new(Queue::default());
    let (cache, made) = (Numbers::new(8, Some(queue.clone() as Arc<dyn Hands>)), Arc::new(AtomicUsize::new(0)));
    let stop = Stop::default();
    stop.ask(Reason::Deadline);
    for n in 0..5 {
        let count = made.clone();
        let make = move |_: &Wanted<'_>| Ok(count.fetch_add(1, Ordering::Relaxed) as u32);
        let got = cache.get(&kernel(&text(n), "first", None), &(), &stop, make);
        assert_eq!(got, Err(Missed::Stopped(Reason::Deadline)));
    }
    loop {
        let Some(work) = queue.waiting.lock().unwrap().pop() else { break };
        work();
    }
    assert_eq!(made.load(Ordering::Relaxed), 1, "the last had the thread to itself");
}

#[test]
fn a_panic_is_an_error_for_all_who_wait() {
    for hands in [None, Some(Arc::new(Threads::default()) as Arc<dyn Hands>)] {
        let (cache, [slow, _]) = (Cache::<(), u32, Infallible>::new(8, hands), two());
        let made = cache.get(&slow, &(), &Stop::default(), |_| std::panic::resume_unwind(Box::new("on purpose")));
        assert_eq!(made, Err(Missed::Panicked("on purpose".to_owned())));
        assert_eq!(cache.get(&slow, &(), &Stop::default(), |_| Ok(1)).unwrap(), (Arc::new(1), Found::New));
    }
}

/// No thread can be had; or one is lost on the way.
struct Refuses {
    says: bool,
}

impl Hands for Refuses {
    fn take(&self, work: Work) -> Result<(), String> {
        drop(work);
        if self.says { Err("no more".to_owned()) } else { Ok(()) }
    }

    fn pressed(&self) -> bool {
        false
    }
}

#[test]
fn without_a_thread_nobody_waits_for_ever() {
    for (says, reason) in [(true, "no more"), (false, "it was never begun")] {
        let cache = Cache::<(), u32, Infallible>::new(8, Some(Arc::new(Refuses { says }) as Arc<dyn Hands>));
        for kernel in two() {
            let made = cache.get(&kernel, &(), &Stop::default(), |_| Ok(1));
            assert_eq!(made, Err(Missed::NoThread(reason.to_owned())));
        }
    }
}
