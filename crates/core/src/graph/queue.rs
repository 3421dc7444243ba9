//! Work queues that the device drains by itself, made of what graphs have: data, waves and a loop.
//!
//! A queue is a ring of entries and a block of words. Kernels push to it and take from it with
//! functions in plain WGSL that [`helpers`] writes for them. A drain is a loop whose turns each take
//! a window of the first queue that has any: one wave ends the last window and begins the next, and
//! says how many workgroups that is for those that work on it. Entries of a window keep their places
//! until it ends, so nothing that is pushed meanwhile can touch them; and what does not fit is
//! counted, and ends the loop. Nobody waits for anybody, which no GPU promises to allow.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::{Block, Control, Graph, Grid, Key, Role, Wave, Word};
use crate::program::{Kernel, Overrides, Program};
use crate::queue::{self, Profile};

/// Words of a queue's block, in which the first [`Found::WORDS`] mean something.
const CONTROL_WORDS: u64 = 64;

/// Sizes of workgroups that a grid is there for: 1, 2, 4 and so on.
const SIZES: u32 = 11;

/// The most entries of a ring: places and their sums stay in 32 bits.
pub const CAPACITY_MAX: u32 = 1 << 30;

/// A queue, as the caller describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// What waves call it. The ring is the data `NAME.ring`, the words are `NAME.control`, and the
    /// items that it begins with are the input `NAME`.
    pub name: String,
    /// Of each entry.
    pub entry_bytes: u64,
    /// Entries of the ring.
    pub capacity: u32,
    /// Items of one window, at the most; all there are if `None`.
    pub window: Option<u32>,
    /// Items that each run begins with.
    pub initial: u32,
}

impl Queue {
    /// What it takes, and how it is drained; an error if it is over the budget.
    pub fn plan(&self, budget_bytes: u64) -> Result<queue::Plan, queue::Error> {
        queue::plan(&Profile {
            initial_items: self.initial.into(),
            capacity_items: self.capacity.into(),
            entry_bytes: self.entry_bytes,
            control_bytes: 4 * CONTROL_WORDS + grid_bytes(),
            budget_bytes,
            host: queue::Host::FinalOnly,
            drain_limit_items: self.window.map(u64::from),
        })
    }

    fn window(&self) -> u32 {
        self.window.unwrap_or(u32::MAX).min(self.capacity)
    }

    fn data(&self, part: &str) -> Key {
        Key::Name(format!("{}.{part}", self.name))
    }

    /// The data that holds its words.
    pub fn control(&self) -> String {
        format!("{}.control", self.name)
    }
}

/// What a run's words say about a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Found {
    /// Items that did not fit.
    pub dropped: u32,
    /// The most entries that were in use at once.
    pub peak: u32,
    /// Windows that had items,
    pub windows: u32,
    /// and turns of the loop in which there were none for it.
    pub idle: u32,
    /// Items of all windows.
    pub items: u64,
}

impl Found {
    /// Words that there have to be.
    pub const WORDS: usize = 34;

    /// From the words of [`Queue::control`], in their order.
    pub fn read(words: &[u32; Self::WORDS]) -> Self {
        let [_, _, peak, windows, idle, low, high, ..] = *words;
        let dropped = words[Self::WORDS - 1];
        Self { dropped, peak, windows, idle, items: u64::from(high) << 32 | u64::from(low) }
    }
}

fn grid_bytes() -> u64 {
    u64::from(SIZES) * 12
}

/// The functions of queues for a program, by what it calls each of them and the type of its entries.
/// They are to be appended to the program's text.
///
/// - `NAME_len()`: items of the window.
/// - `NAME_item(i)`: one of them, from 0 on.
/// - `NAME_waiting()`: items for later windows, where nobody pushes at the same time.
/// - `NAME_push(item)`: adds one for a later window; whether it fits.
/// - `NAME_reserve(count)` and `NAME_put(place, item)`: places for several, 65,536 at the most, each to
///   be filled once, from the one that `reserve` gives on; whether one fits.
/// - `NAME_add(item)`: keeps up to 16 items in the invocation and adds them together, which is faster where
///   many push at once. `NAME_flush()` adds what is left and says whether it fits: without it, before the
///   invocation ends, that is lost.
/// - `NAME_keep(item)` and `NAME_room()`: the same for loops that are to stay short. Keeps one of as many items as
///   there is room for, and leaves it to the caller to flush; one for which there is no room counts as one that
///   does not fit.
/// - `NAME_push_if(wanted, item, local_index)`: for all invocations of a workgroup at once, in uniform
///   control flow: those that want to push one item each, with one reservation for all of them.
pub fn helpers(queues: &[(&str, &str)]) -> String {
    let one = |(at, (name, entry)): (usize, &(&str, &str))| {
        let text = include_str!("queue_helpers.wgsl").replace("NAME", name).replace("ENTRY", entry);
        text.replace("RING", &(2 * at).to_string()).replace("WORDS", &(2 * at + 1).to_string())
    };
    queues.iter().enumerate().map(one).collect()
}

/// The kernels that are the same for every queue.
static KERNELS: OnceLock<[Arc<Kernel>; 2]> = OnceLock::new();

fn kernels() -> &'static [Arc<Kernel>; 2] {
    KERNELS.get_or_init(|| {
        let program = Program::wgsl(include_str!("queue.wgsl"));
        let program = program.unwrap_or_else(|report| unreachable!("invariant queue.wgsl: {report}"));
        ["window", "fill"].map(|entry| match program.kernel(entry, &Overrides::new()) {
            Ok(kernel) => kernel,
            Err(report) => unreachable!("invariant queue.wgsl: {report}"),
        })
    })
}

/// Whether a kernel is one that queues bring themselves: to it, entries are words.
pub fn is_own(kernel: &Arc<Kernel>) -> bool {
    KERNELS.get().is_some_and(|all| all.iter().any(|own| Arc::ptr_eq(own, kernel)))
}

impl Graph {
    /// Adds a queue: its data, and the wave that brings what it begins with.
    pub fn queue(&mut self, queue: Queue) {
        let Queue { name, entry_bytes, capacity, initial, .. } = &queue;
        let part = |part: &str| format!("{name}.{part}");
        let bytes = |count: u32| entry_bytes.saturating_mul(count.into());
        self.data(Role::Transient, &part("ring"), bytes(*capacity));
        self.data(Role::Output, &part("control"), 4 * CONTROL_WORDS);
        self.data(Role::Transient, &part("grids"), grid_bytes());
        if *initial > 0 {
            self.data(Role::Input, name, bytes(*initial));
            let words = u32::try_from(bytes(*initial) / 4).unwrap_or(u32::MAX);
            let wave = self.wave(&part("fill"), &kernels()[1]);
            wave.bind("items", name.as_str()).bind("ring", part("ring")).bind("control", part("control"));
            wave.value("initial", &initial.to_le_bytes()).grid(Grid::Threads([words, 1, 1]));
        }
        self.queues.push(queue);
    }

    fn queue_named(&self, name: &str) -> Option<&Queue> {
        self.queues.iter().find(|queue| queue.name == name)
    }

    /// Begins to drain these queues, the first that has items first: what is added from here on up to
    /// [`end_drain`](Self::end_drain) is done for each window. Gives the block's place.
    pub fn begin_drain(&mut self, name: &str, queues: &[String]) -> usize {
        self.data(Role::Transient, &format!("{name}.drain"), 4 * CONTROL_WORDS);
        self.windows(name, queues, true);
        let (at, first) = (self.blocks.len(), self.waves.len());
        let word = Some(Word { data: Key::Name(format!("{name}.drain")), offset: 0, zero: false });
        let control = Control::Repeat { word, limit: None, must_end: false, swaps: Vec::new() };
        self.blocks.push(Block { name: name.to_owned(), waves: first..first, control });
        at
    }

    /// Ends what [`begin_drain`](Self::begin_drain) began.
    pub fn end_drain(&mut self, at: usize, queues: &[String]) {
        let name = self.blocks[at].name.clone();
        self.windows(&name, queues, false);
        let waves: &mut Range<usize> = &mut self.blocks[at].waves;
        *waves = waves.start..self.waves.len();
    }

    /// Waves that begin the next windows.
    fn windows(&mut self, drain: &str, queues: &[String], opens: bool) {
        let when = if opens { "open" } else { "next" };
        for (at, queue) in queues.iter().enumerate() {
            let found = self.queue_named(queue).cloned();
            let found = found.unwrap_or_else(|| Queue {
                // Its data is missing, which is found where the graph is resolved.
                name: queue.clone(),
                entry_bytes: 0,
                capacity: 1,
                window: None,
                initial: 0,
            });
            let flags = [at == 0, at + 1 == queues.len(), opens].map(u32::from);
            let words = [found.capacity, found.window(), flags[0], flags[1], flags[2]];
            let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let wave = self.wave(&format!("{drain}.{when} {queue}"), &kernels()[0]);
            wave.bind("control", found.data("control")).bind("grids", found.data("grids"));
            wave.bind("drain", format!("{drain}.drain")).value("queue", &words);
            wave.grid(Grid::Workgroups([1, 1, 1]));
        }
    }
}

impl Wave {
    /// Binds a queue to what the kernel calls `name`.
    pub fn queue(&mut self, name: &str, queue: &str) -> &mut Self {
        let rows = ["ring", "control"].map(|part| (format!("{name}_{part}"), format!("{queue}.{part}")));
        let used = rows.iter().any(|(row, _)| self.kernel.buffer(row).is_some());
        for (row, data) in &rows {
            // A kernel that only pushes has both, one that only counts has one.
            if !used || self.kernel.buffer(row).is_some() {
                self.bind(row, data);
            }
        }
        self
    }

    /// Runs an invocation, in x, for each item of the queue's window, and some more: to be used in a
    /// drain of it.
    pub fn items(&mut self, queue: &Queue) -> &mut Self {
        let size = self.kernel.workgroup_size[0].max(1).ilog2().min(SIZES - 1);
        let limit = [queue.window().div_ceil(1 << size), 1, 1];
        self.grid(Grid::Indirect { data: queue.data("grids"), offset: u64::from(size) * 12, limit })
    }
}
