//! Work queues that the device drains by itself.

use std::collections::HashMap;

use bytemuck::Pod;
use seawall_core::check::Slot;
use seawall_core::diag::Report;
use seawall_core::graph::{self, Data, DataId, Found, Role};
use seawall_core::plan::Plan;
use seawall_core::program::Program;

use crate::control::Repeat;
use crate::error::Error;
use crate::graph::Graph;
use crate::host::Element;

/// What became of a queue in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drained {
    /// Items that were taken, in all windows.
    pub items: u64,
    /// Windows that had any,
    pub windows: u32,
    /// and turns of the drain in which there were none for this queue.
    pub idle: u32,
    /// The most entries of the ring that were in use at once.
    pub peak: u32,
}

/// A program with the functions of its work queues: what it calls each of them, and the type of its
/// entries. For a queue `work` of `Cell`s it can say `work_len()`, `work_item(i)` and `work_push(cell)`;
/// [`helpers`](seawall_core::graph::helpers) has all of them. Lines of the text keep their numbers.
pub fn program(wgsl: &str, queues: &[(&str, &str)]) -> Result<Program, Report> {
    Program::wgsl(&(wgsl.to_owned() + &graph::helpers(queues)))
}

/// A queue being described.
#[derive(Debug)]
pub struct Queue<'a> {
    graph: &'a mut Graph,
    described: graph::Queue,
    element: Element,
}

impl Queue<'_> {
    /// Takes so many items at once, at the most.
    pub fn window(&mut self, items: usize) -> &mut Self {
        self.described.window = Some(u32::try_from(items).unwrap_or(u32::MAX));
        self
    }

    /// Begins each run with so many items, the input of the queue's name.
    pub fn initial(&mut self, items: usize) -> &mut Self {
        self.described.initial = u32::try_from(items).unwrap_or(u32::MAX);
        self
    }
}

/// It is there when it is described.
impl Drop for Queue<'_> {
    fn drop(&mut self) {
        self.graph.add_queue(self.described.clone(), &self.element);
    }
}

impl Graph {
    /// A work queue of at most `capacity` items, those of the window that is worked on among them.
    ///
    /// Waves push to it and take from it by the functions that [`queue::program`](program) gives
    /// their programs; [`Wave::queue`](crate::Wave::queue) binds it, and [`drain`](Self::drain) works
    /// until it is empty. A run in which something did not fit ends in
    /// [`Error::QueueOverflow`](crate::Error::QueueOverflow), with everything as it was when the window
    /// was over.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall::Error> {
    /// // Each number pushes all that are smaller than it by a power of two. How many are visited in all?
    /// let text = "
    ///     @group(0) @binding(0) var<storage, read_write> seen: atomic<u32>;
    ///     @compute @workgroup_size(64)
    ///     fn visit(@builtin(global_invocation_id) id: vec3<u32>) {
    ///         if id.x >= work_len() { return; }
    ///         atomicAdd(&seen, 1u);
    ///         let number = work_item(id.x);
    ///         for (var power = 1u; power <= number; power *= 2u) { work_push(number - power); }
    ///     }";
    /// let program = seawall::queue::program(text, &[("work", "u32")])?;
    /// let visit = program.kernel("visit", &seawall::Overrides::new())?;
    /// let mut graph = seawall::Graph::new();
    /// graph.output::<u32>("seen", 1);
    /// graph.queue::<u32>("numbers", 1000).initial(1);
    /// graph.drain("visits", &["numbers"], |window| {
    ///     window.wave("visit", &visit).queue("work", "numbers").bind("seen", "seen").items("numbers");
    /// });
    /// let visits = seawall::Runtime::new()?.compile(&graph)?;
    /// let mut seen = [0u32];
    /// let finished = visits.call().bind("numbers", &[5u32]).bind("seen", &mut seen).run()?;
    /// assert_eq!((seen, finished.queue("numbers").unwrap().items), ([23], 23));
    /// # Ok(())
    /// # }
    /// ```
    pub fn queue<T: Pod>(&mut self, name: &str, capacity: usize) -> Queue<'_> {
        self.queue_of(name, capacity, Element::of::<T>())
    }

    /// The same, with items whose type is not one of Rust's.
    pub fn queue_of(&mut self, name: &str, capacity: usize, element: Element) -> Queue<'_> {
        let described = graph::Queue {
            name: name.to_owned(),
            entry_bytes: element.bytes(),
            capacity: u32::try_from(capacity).unwrap_or(u32::MAX),
            window: None,
            initial: 0,
        };
        Queue { graph: self, described, element }
    }

    /// Does what `body` adds for a window of items after the other, each of the first queue that has
    /// any, until all of them are empty. The loop has a limit only if it is given one.
    pub fn drain(&mut self, name: &str, queues: &[&str], body: impl FnOnce(&mut Self)) -> Repeat<'_> {
        let queues: Vec<String> = queues.iter().map(|&queue| queue.to_owned()).collect();
        let at = self.described(|inner| inner.begin_drain(name, &queues), Element::of::<u32>());
        self.inside(at, body);
        self.described(|inner| inner.end_drain(at, &queues), Element::of::<u32>());
        self.repeated(at)
    }
}

/// Whether data is the words of a queue, which nobody but us wants back.
pub(crate) fn is_words(plan: &Plan, data: &Data) -> bool {
    data.role == Role::Output && plan.graph.queues.iter().any(|queue| queue.control() == data.name)
}

/// What became of each queue, from the slices that are ours; an error if something did not fit.
pub(crate) fn drained(plan: &Plan, ours: &[Vec<u8>]) -> Result<Vec<(String, Drained)>, Error> {
    let mut slices: HashMap<DataId, &[u8]> = HashMap::new();
    for (slot, slice) in plan.placement.slots.iter().zip(ours) {
        if let Slot::Data(data) = slot {
            slices.insert(*data, slice);
        }
    }
    let of = |queue: &graph::Queue| {
        let at = plan.graph.data.iter().position(|data| data.name == queue.control());
        let slice = at.and_then(|at| slices.get(&DataId(at as u32)));
        let slice = slice.expect("invariant words: they came back");
        let word = |at: usize| {
            let bytes = slice[4 * at..].first_chunk().copied().expect("invariant words: so many at least");
            u32::from_le_bytes(bytes)
        };
        let Found { dropped, peak, windows, idle, items } = Found::read(&std::array::from_fn(word));
        if dropped > 0 {
            let (queue, capacity) = (queue.name.clone(), queue.capacity);
            let needed = u64::from(capacity) + u64::from(dropped);
            return Err(Error::QueueOverflow { queue, dropped, capacity, needed });
        }
        Ok((queue.name.clone(), Drained { items, windows, idle, peak }))
    };
    plan.graph.queues.iter().map(of).collect()
}
