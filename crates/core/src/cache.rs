//! What a device makes of kernels, kept for the next schedule that uses the same one.
//!
//! The key is the content: the program's text, the entry point, the overrides, and whatever
//! else the device lets into the result (its variant). Bounded: the one that was not asked for
//! longest goes first, and is freed when the last schedule that holds it goes too.
//!
//! Making one takes long and cannot be interrupted, so that it is done by other threads where
//! the cache was given some ([`Hands`]), and never under the lock: who needs the same kernel
//! waits for it, who needs another does not. Who waits may stop waiting at any time. What nobody
//! waits for any more is still made and kept, unless its thread is needed for something else.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::program::Kernel;
use crate::stop::{Reason, Stop};
use crate::turn::LOOK;

/// Keys that are remembered after their product went, for each that is kept.
const GONE_PER_KEPT: usize = 8;

/// Whether a product was made or found, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// It was kept from before.
    Kept,
    /// Made: neither this entry point of this program nor a variant of it was here.
    New,
    /// Made: it was here with other overrides only.
    OtherOverrides,
    /// Made: it was here in another variant only.
    OtherVariant,
    /// Made again: it had gone, to make room for others.
    Evicted,
    /// Another call was already making it.
    Joined,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept => "kept from before",
            Self::New => "made: a new kernel",
            Self::OtherOverrides => "made: other overrides",
            Self::OtherVariant => "made: another variant",
            Self::Evicted => "made again: it had gone to make room",
            Self::Joined => "made by another call at the same time",
        })
    }
}

/// Something to do.
pub type Work = Box<dyn FnOnce() + Send>;

/// The threads that make products, a bounded number of them.
pub trait Hands: Send + Sync {
    /// Does it as soon as a thread is free; says why if there can be none.
    fn take(&self, work: Work) -> Result<(), String>;

    /// Whether something waits for a thread to be free.
    fn pressed(&self) -> bool;
}

/// Why there is no product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missed<E> {
    /// It cannot be made.
    Failed(E),
    /// Whoever made it panicked, and said this.
    Panicked(String),
    /// The caller was asked to stop waiting.
    Stopped(Reason),
    /// There is no thread to make it on.
    NoThread(String),
}

/// What became of a product that was being made.
enum Outcome<T, E> {
    Made(Arc<T>),
    Missed(Missed<E>),
    /// Given up, since nobody waited for it.
    GivenUp,
}

/// A product that is being made, as those see it who wait for it.
struct Slot<T, E> {
    outcome: Mutex<Option<Outcome<T, E>>>,
    over: Condvar,
    waiting: AtomicUsize,
}

struct Entry<V, P> {
    kernel: Arc<Kernel>,
    variant: V,
    product: P,
}

struct State<V, T, E> {
    /// The one asked for last first.
    entries: Vec<Entry<V, Arc<T>>>,
    making: Vec<Entry<V, Arc<Slot<T, E>>>>,
    /// Digests of what went, the last first.
    gone: VecDeque<u64>,
}

struct Shared<V, T, E> {
    kept_max: usize,
    state: Mutex<State<V, T, E>>,
}

/// Products of type `T`, in variants told apart by a `V`.
pub struct Cache<V, T, E> {
    shared: Arc<Shared<V, T, E>>,
    hands: Option<Arc<dyn Hands>>,
}

impl<V, T, E> fmt::Debug for Cache<V, T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("kept_max", &self.shared.kept_max).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asked now and then by whoever makes something.
pub struct Wanted<'a> {
    waiting: &'a AtomicUsize,
    hands: Option<&'a dyn Hands>,
    given_up: AtomicBool,
}

impl Wanted<'_> {
    /// Whether to go on: somebody waits for it, or there is nothing else to do. Once it says no,
    /// whatever is made is thrown away.
    pub fn go_on(&self) -> bool {
        let wanted = self.waiting.load(Ordering::Relaxed) > 0 || !self.hands.is_some_and(Hands::pressed);
        if !wanted {
            self.given_up.store(true, Ordering::Relaxed);
        }
        wanted
    }
}

impl<V, T, E> Cache<V, T, E>
where
    V: Hash + Eq + Clone + Send + 'static,
    T: Send + Sync + 'static,
    E: Clone + Send + 'static,
{
    /// One that keeps up to `kept_max` products, and one at least, and has them made by `hands`,
    /// or else by whoever asks.
    pub fn new(kept_max: usize, hands: Option<Arc<dyn Hands>>) -> Self {
        let state = State { entries: Vec::new(), making: Vec::new(), gone: VecDeque::new() };
        Self { shared: Arc::new(Shared { kept_max: kept_max.max(1), state: Mutex::new(state) }), hands }
    }

    /// The product for a kernel, made if need be; and whether it was. A failure is not kept.
    pub fn get(
        &self,
        kernel: &Arc<Kernel>,
        variant: &V,
        stop: &Stop,
        make: impl FnOnce(&Wanted<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<(Arc<T>, Found), Missed<E>> {
        let mut make = Some(make);
        loop {
            let (slot, found) = match self.shared.find(kernel, variant) {
                Search::Kept(product) => return Ok((product, Found::Kept)),
                Search::Making(slot) => (slot, Found::Joined),
                Search::Missing(slot, found) => {
                    let slot = Waiting(slot);
                    let make = make.take().expect("invariant making: what is waited for is not given up");
                    self.begin(kernel, variant, &slot.0, make)?;
                    (slot, found)
                }
            };
            if let Some(product) = slot.wait(stop).map_err(Missed::Stopped)? {
                return Ok((product?, found));
            }
            // It was given up just before this call came to wait for it.
        }
    }

    fn begin(
        &self,
        kernel: &Arc<Kernel>,
        variant: &V,
        slot: &Arc<Slot<T, E>>,
        make: impl FnOnce(&Wanted<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<(), Missed<E>> {
        let hands = self.hands.clone();
        let entry = Entry { kernel: kernel.clone(), variant: variant.clone(), product: slot.clone() };
        let (maker, slot) = (Maker(Some((self.shared.clone(), entry))), slot.clone());
        let work = move || {
            let mut maker = maker;
            let wanted = Wanted { waiting: &slot.waiting, hands: hands.as_deref(), given_up: AtomicBool::new(false) };
            // Whoever wanted it may have left while it waited for a thread.
            let made = catch_unwind(AssertUnwindSafe(|| if wanted.go_on() { Some(make(&wanted)) } else { None }));
            let outcome = match made {
                _ if wanted.given_up.load(Ordering::Relaxed) => Outcome::GivenUp,
                Ok(Some(Ok(product))) => Outcome::Made(Arc::new(product)),
                Ok(Some(Err(error))) => Outcome::Missed(Missed::Failed(error)),
                Ok(None) => Outcome::GivenUp,
                Err(panic) => Outcome::Missed(Missed::Panicked(message(&*panic))),
            };
            maker.end(outcome);
        };
        match &self.hands {
            None => work(),
            Some(hands) => hands.take(Box::new(work)).map_err(Missed::NoThread)?,
        }
        Ok(())
    }
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// Tells the cache and those who wait what has become of a product, also if it is never begun.
struct Maker<V: Hash + Eq, T, E>(Option<Making<V, T, E>>);

/// The cache, and what is made for it.
type Making<V, T, E> = (Arc<Shared<V, T, E>>, Entry<V, Arc<Slot<T, E>>>);

impl<V: Hash + Eq, T, E> Maker<V, T, E> {
    fn end(&mut self, outcome: Outcome<T, E>) {
        let Some((shared, entry)) = self.0.take() else { return };
        let slot = entry.product.clone();
        shared.end(entry, &outcome);
        // Whoever waited may be the last to have the cache, and wants what it keeps to go with it.
        drop(shared);
        *lock(&slot.outcome) = Some(outcome);
        slot.over.notify_all();
    }
}

impl<V: Hash + Eq, T, E> Drop for Maker<V, T, E> {
    fn drop(&mut self) {
        self.end(Outcome::Missed(Missed::NoThread("it was never begun".to_owned())));
    }
}

impl<T, E> Slot<T, E> {
    fn new() -> Self {
        Self { outcome: Mutex::new(None), over: Condvar::new(), waiting: AtomicUsize::new(1) }
    }
}

/// Counted among those who wait, until dropped.
struct Waiting<T, E>(Arc<Slot<T, E>>);

impl<T, E> Drop for Waiting<T, E> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<T, E: Clone> Waiting<T, E> {
    /// The product; `None` if it was given up.
    #[expect(clippy::type_complexity, reason = "three ends, each with its own handling")]
    fn wait(&self, stop: &Stop) -> Result<Option<Result<Arc<T>, Missed<E>>>, Reason> {
        let mut outcome = lock(&self.0.outcome);
        loop {
            match &*outcome {
                Some(Outcome::Made(product)) => return Ok(Some(Ok(product.clone()))),
                Some(Outcome::Missed(missed)) => return Ok(Some(Err(missed.clone()))),
                Some(Outcome::GivenUp) => return Ok(None),
                None => stop.go_on()?,
            }
            outcome = self.0.over.wait_timeout(outcome, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// What the cache has.
enum Search<T, E> {
    Kept(Arc<T>),
    Making(Waiting<T, E>),
    /// Nothing; whoever asked is to begin.
    Missing(Arc<Slot<T, E>>, Found),
}

impl<V: Hash + Eq + Clone, T, E> Shared<V, T, E> {
    fn find(&self, kernel: &Arc<Kernel>, variant: &V) -> Search<T, E> {
        let mut state = lock(&self.state);
        if let Some(at) = state.entries.iter().position(|entry| entry.is(kernel, variant)) {
            state.entries[..=at].rotate_right(1);
            return Search::Kept(state.entries[0].product.clone());
        }
        if let Some(entry) = state.making.iter().find(|entry| entry.is(kernel, variant)) {
            entry.product.waiting.fetch_add(1, Ordering::Relaxed);
            return Search::Making(Waiting(entry.product.clone()));
        }
        let found = state.why_missing(kernel, digest(kernel, variant));
        let slot = Arc::new(Slot::new());
        state.making.push(Entry { kernel: kernel.clone(), variant: variant.clone(), product: slot.clone() });
        Search::Missing(slot, found)
    }
}

impl<V: Hash + Eq, T, E> Shared<V, T, E> {
    fn end(&self, entry: Entry<V, Arc<Slot<T, E>>>, outcome: &Outcome<T, E>) {
        let Entry { kernel, variant, product: slot } = entry;
        let mut state = lock(&self.state);
        state.making.retain(|making| !Arc::ptr_eq(&making.product, &slot));
        if let Outcome::Made(product) = outcome {
            if state.entries.len() == self.kept_max
                && let Some(last) = state.entries.pop()
            {
                state.gone.push_front(digest(&last.kernel, &last.variant));
                state.gone.truncate(self.kept_max.saturating_mul(GONE_PER_KEPT));
            }
            state.entries.insert(0, Entry { kernel, variant, product: product.clone() });
        }
    }
}

impl<V: Eq, P> Entry<V, P> {
    fn is(&self, kernel: &Arc<Kernel>, variant: &V) -> bool {
        self.variant == *variant && self.kernel == *kernel
    }
}

impl<V, T, E> State<V, T, E> {
    fn why_missing(&self, kernel: &Arc<Kernel>, digest: u64) -> Found {
        let kin = |entry: &&Entry<V, Arc<T>>| entry.kernel.same_entry(kernel);
        match self.entries.iter().find(kin) {
            _ if self.gone.contains(&digest) => Found::Evicted,
            None => Found::New,
            Some(_) if self.entries.iter().any(|entry| entry.kernel == *kernel) => Found::OtherVariant,
            Some(_) => Found::OtherOverrides,
        }
    }
}

fn digest(kernel: &Kernel, variant: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    kernel.hash(&mut hasher);
    variant.hash(&mut hasher);
    hasher.finish()
}
