//! What a device makes of kernels, kept for the next schedule that uses the same one.
//!
//! The key is the content: the program's text, the entry point, the overrides, and whatever
//! else the device lets into the result (its variant). Bounded: the one that was not asked for
//! longest goes first, and is freed when the last schedule that holds it goes too. A kernel is
//! made under the lock, so that two schedules that need it at once make it once.

use std::collections::VecDeque;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use crate::program::Kernel;

/// Keys that are remembered after their product went, for each that is kept.
const GONE_PER_KEPT: usize = 8;

/// How a product was come by.
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
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept => "kept from before",
            Self::New => "made: a new kernel",
            Self::OtherOverrides => "made: other overrides",
            Self::OtherVariant => "made: another variant",
            Self::Evicted => "made again: it had gone to make room",
        })
    }
}

struct Entry<V, T> {
    kernel: Arc<Kernel>,
    variant: V,
    product: Arc<T>,
}

struct State<V, T> {
    /// The one asked for last first.
    entries: Vec<Entry<V, T>>,
    /// Digests of what went, the last first.
    gone: VecDeque<u64>,
}

/// Products of type `T`, in variants told apart by a `V`.
pub struct Cache<V, T> {
    kept_max: usize,
    state: Mutex<State<V, T>>,
}

impl<V, T> fmt::Debug for Cache<V, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("kept_max", &self.kept_max).finish_non_exhaustive()
    }
}

impl<V: Hash + Eq, T> Cache<V, T> {
    /// One that keeps up to `kept_max` products, and one at least.
    pub fn new(kept_max: usize) -> Self {
        let state = State { entries: Vec::new(), gone: VecDeque::new() };
        Self { kept_max: kept_max.max(1), state: Mutex::new(state) }
    }

    /// The product for a kernel, made if need be; and how it was come by. A failure is not kept.
    pub fn get<E>(
        &self,
        kernel: &Arc<Kernel>,
        variant: V,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<(Arc<T>, Found), E> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |entry: &Entry<V, T>| entry.variant == variant && entry.kernel == *kernel;
        if let Some(at) = state.entries.iter().position(same) {
            state.entries[..=at].rotate_right(1);
            return Ok((state.entries[0].product.clone(), Found::Kept));
        }
        let found = state.why_missing(kernel, digest(kernel, &variant));
        let product = Arc::new(make()?);
        if state.entries.len() == self.kept_max
            && let Some(last) = state.entries.pop()
        {
            state.gone.push_front(digest(&last.kernel, &last.variant));
            state.gone.truncate(self.kept_max.saturating_mul(GONE_PER_KEPT));
        }
        state.entries.insert(0, Entry { kernel: kernel.clone(), variant, product: product.clone() });
        Ok((product, found))
    }
}

impl<V, T> State<V, T> {
    fn why_missing(&self, kernel: &Arc<Kernel>, digest: u64) -> Found {
        let kin = |entry: &&Entry<V, T>| entry.kernel.same_entry(kernel);
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
