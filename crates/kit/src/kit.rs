//! The kit on a device, and how a piece adds itself to a graph.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use seawall::device::Control;
use seawall::plan::Plan;
use seawall::program::Overrides;
use seawall::{Compiled, Dims, Finished, Graph, Kernel, Program, Run, Runtime, Wave};

use crate::error::Error;
use crate::number::Number;
use crate::{part, text};

/// Graphs of calls that are kept.
const CALLS_MAX: usize = 64;

/// Kernels that are kept.
const KERNELS_MAX: usize = 512;

/// What was compiled for earlier calls.
#[derive(Debug, Default)]
pub struct Kept {
    /// The one that was used last comes first.
    calls: Mutex<Vec<(String, Compiled)>>,
    kernels: Mutex<HashMap<(String, &'static str), Arc<Kernel>>>,
}

impl Kept {
    /// Calls that are kept.
    pub fn len(&self) -> usize {
        lock(&self.calls).len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plans of the calls that are kept, with what was chosen for the device and why. The one that was used last
    /// comes last.
    ///
    /// ```
    /// # fn main() -> Result<(), seawall_kit::Error> {
    /// # use seawall_kit::{Kit, sort};
    /// let runtime = seawall::Runtime::builder().device("cpu").open()?;
    /// let (kit, x, y) = (Kit::new(&runtime), runtime.buffer_from(&[3u32, 1, 2])?, runtime.buffer(3)?);
    /// sort::keys(&kit, sort::Order::Ascending, &x, &y)?;
    /// let plans = kit.kept().plans();
    /// assert!(plans[0].graph.choices[0].what.starts_with("digits of "));
    /// # Ok(())
    /// # }
    /// ```
    pub fn plans(&self) -> Vec<Plan> {
        lock(&self.calls).iter().rev().map(|(_, compiled)| compiled.plan().clone()).collect()
    }
}

/// The kit on the device of a runtime. Keep it: it remembers what was compiled for earlier calls.
#[derive(Debug)]
pub struct Kit<'a> {
    runtime: &'a Runtime,
    kept: Arc<Kept>,
    control: Option<&'a Control>,
    part_bytes: u64,
}

impl<'a> Kit<'a> {
    /// For calls on this runtime's device, and for graphs that it compiles.
    pub fn new(runtime: &'a Runtime) -> Self {
        Self::with(runtime, Arc::default())
    }

    /// With what other kits on this runtime compile, for who can keep that but no kit, which borrows its runtime.
    pub fn with(runtime: &'a Runtime, kept: Arc<Kept>) -> Self {
        Self { runtime, kept, control: None, part_bytes: runtime.caps().limits.binding_bytes_max }
    }

    /// Lets others watch or stop its calls.
    #[must_use]
    pub fn control(self, control: &'a Control) -> Self {
        Self { control: Some(control), ..self }
    }

    /// Cuts what is longer than so many bytes into parts, also where the device could bind more at once. Parts of less
    /// than 512 elements are not made. Sums of floats are added part after part.
    #[must_use]
    pub fn part_bytes(self, most: u64) -> Self {
        Self { part_bytes: most.min(self.part_bytes), ..self }
    }

    /// What calls keep compiled.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Elements of such a size that are worked on at once.
    pub(crate) fn part(&self, element_bytes: usize) -> usize {
        part::len(self.part_bytes, element_bytes)
    }

    /// Parts of so many elements.
    pub(crate) fn parts<T>(&self, len: usize) -> impl Iterator<Item = Range<usize>> + use<T> {
        part::ranges(len, self.part(size_of::<T>()))
    }

    /// Where it runs.
    pub fn runtime(&self) -> &'a Runtime {
        self.runtime
    }

    /// Runs the graph that `describe` makes, or made for an earlier call with the same key.
    pub(crate) fn call(
        &self,
        key: &str,
        describe: impl FnOnce(&mut Graph) -> Result<(), Error>,
        bind: impl FnOnce(Run<'_>) -> Result<Finished, seawall::Error>,
    ) -> Result<Finished, Error> {
        let compiled = self.compiled(key, describe)?;
        let mut call = compiled.call();
        if let Some(control) = self.control {
            call = call.control(control);
        }
        Ok(bind(call)?)
    }

    fn compiled(&self, key: &str, describe: impl FnOnce(&mut Graph) -> Result<(), Error>) -> Result<Compiled, Error> {
        let kept = |calls: &mut Vec<(String, Compiled)>| {
            let at = calls.iter().position(|(of, _)| of == key)?;
            calls[..=at].rotate_right(1);
            Some(calls[0].1.clone())
        };
        if let Some(compiled) = kept(&mut lock(&self.kept.calls)) {
            return Ok(compiled);
        }
        let mut graph = Graph::new();
        describe(&mut graph)?;
        let compiled = self.runtime.compile(&graph)?;
        let mut calls = lock(&self.kept.calls);
        calls.truncate(CALLS_MAX - 1);
        calls.insert(0, (key.to_owned(), compiled.clone()));
        Ok(compiled)
    }

    /// An entry point of a text with some of its lines replaced.
    fn kernel(&self, text: &str, entry: &'static str) -> Result<Arc<Kernel>, Error> {
        let key = (text.to_owned(), entry);
        if let Some(kernel) = lock(&self.kept.kernels).get(&key) {
            return Ok(kernel.clone());
        }
        let program = Program::wgsl(text).map_err(seawall::Error::from)?;
        let kernel = program.kernel(entry, &Overrides::new()).map_err(seawall::Error::from)?;
        let mut kernels = lock(&self.kept.kernels);
        if kernels.len() >= KERNELS_MAX {
            kernels.clear();
        }
        kernels.insert(key, kernel.clone());
        Ok(kernel)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Elements of a graph's data.
pub(crate) fn len_of<T: Number>(graph: &Graph, data: &str) -> Result<usize, Error> {
    elements(graph, data, size_of::<T>(), T::WGSL)
}

/// The same of any elements of this size.
pub(crate) fn elements(graph: &Graph, data: &str, size: usize, element: &'static str) -> Result<usize, Error> {
    let found = graph.description().data.iter().find(|known| known.name == data);
    let bytes = found.ok_or_else(|| Error::UnknownData { data: data.to_owned() })?.bytes;
    if !bytes.is_multiple_of(size as u64) {
        return Err(Error::Elements { data: data.to_owned(), bytes, element });
    }
    Ok((bytes / size as u64) as usize)
}

/// An error if there are more than indices of 32 bits can tell apart.
pub(crate) fn counted(data: &str, len: usize) -> Result<(), Error> {
    let max = u32::MAX as usize;
    if len > max { Err(Error::TooLong { data: data.to_owned(), len, max }) } else { Ok(()) }
}

/// An error unless there are so many.
pub(crate) fn expect(data: &str, got: usize, expected: usize) -> Result<(), Error> {
    if got == expected { Ok(()) } else { Err(Error::Length { data: data.to_owned(), got, expected }) }
}

/// The waves of a piece, while they are added to a graph. Buffers of its kernels are known by the data that is
/// bound to them, which is the same in all of its waves.
pub(crate) struct Stage<'a, 'b> {
    kit: &'a Kit<'b>,
    pub(crate) graph: &'a mut Graph,
    name: String,
    text: String,
    binds: Vec<(String, String)>,
}

impl<'a, 'b> Stage<'a, 'b> {
    /// Of a text and the lines of it that vary.
    pub(crate) fn new(kit: &'a Kit<'b>, graph: &'a mut Graph, name: &str, text: &str, lines: &[String]) -> Self {
        Self { kit, graph, name: name.to_owned(), text: text::with(text, lines), binds: Vec::new() }
    }

    /// Tells what was chosen for it, and why.
    pub(crate) fn chosen(&mut self, what: &str, because: &str) {
        self.graph.chosen(&self.name, what, because);
    }

    /// The name of something of its own.
    pub(crate) fn own(&self, what: &str) -> String {
        format!("{}.{what}", self.name)
    }

    /// Another name for what is added from now on, where an entry point has several waves.
    pub(crate) fn rename(&mut self, name: String) {
        self.name = name;
    }

    /// Data for a buffer.
    pub(crate) fn bind(mut self, buffer: &str, data: &str) -> Self {
        self.rebind(buffer, data);
        self
    }

    /// Data for several buffers.
    pub(crate) fn bind_all(self, all: &[(&str, &str)]) -> Self {
        all.iter().fold(self, |stage, (buffer, data)| stage.bind(buffer, data))
    }

    /// Other data for a buffer, from the next wave on.
    pub(crate) fn rebind(&mut self, buffer: &str, data: &str) -> &mut Self {
        self.binds.retain(|(bound, _)| bound != buffer);
        self.binds.push((buffer.to_owned(), data.to_owned()));
        self
    }

    /// Some of its entry points, to be put into loops, and the graph to put them into.
    pub(crate) fn parts(self, entries: &[&'static str]) -> Result<(Parts, &'a mut Graph), Error> {
        let kernels = entries.iter().map(|entry| self.kit.kernel(&self.text, entry));
        let kernels = kernels.collect::<Result<_, _>>()?;
        Ok((Parts { name: self.name, kernels, binds: self.binds, queues: Vec::new() }, self.graph))
    }

    /// Adds a wave of so many workgroups of an entry point.
    pub(crate) fn wave(&mut self, entry: &'static str, workgroups: impl Into<Dims>) -> Result<&mut Self, Error> {
        self.wave_with(entry, |wave| {
            wave.workgroups(workgroups);
        })
    }

    /// Adds a wave of an entry point; `more` says over which grid, and what else is bound.
    pub(crate) fn wave_with(
        &mut self,
        entry: &'static str,
        more: impl FnOnce(&mut Wave<'_>),
    ) -> Result<&mut Self, Error> {
        let kernel = self.kit.kernel(&self.text, entry)?;
        let name = self.own(entry);
        let mut wave = self.graph.wave(&name, &kernel);
        for row in &kernel.buffers {
            if let Some((_, data)) = self.binds.iter().find(|(buffer, _)| *buffer == row.name) {
                wave.bind(&row.name, data);
            }
        }
        more(&mut wave);
        Ok(self)
    }
}

/// The kernels of a piece with loops, compiled before it is described, since what describes a loop's body cannot fail.
pub(crate) struct Parts {
    name: String,
    kernels: Vec<Arc<Kernel>>,
    binds: Vec<(String, String)>,
    /// What its text calls them, and what the graph does.
    queues: Vec<(&'static str, String)>,
}

impl Parts {
    /// The name of something of its own.
    pub(crate) fn own(&self, what: &str) -> String {
        format!("{}.{what}", self.name)
    }

    /// A queue for what the text calls so.
    pub(crate) fn queue(&mut self, called: &'static str, queue: &str) {
        self.queues.push((called, queue.to_owned()));
    }

    /// Adds a wave of an entry point, with everything bound; its grid is yet to be said.
    pub(crate) fn wave<'g>(&self, graph: &'g mut Graph, entry: &str) -> Wave<'g> {
        let kernel = self.kernels.iter().find(|kernel| kernel.name == entry);
        let kernel = kernel.unwrap_or_else(|| unreachable!("invariant parts: {entry} is one of them"));
        let mut wave = graph.wave(&self.own(entry), kernel);
        for row in &kernel.buffers {
            if let Some((_, data)) = self.binds.iter().find(|(buffer, _)| *buffer == row.name) {
                wave.bind(&row.name, data);
            }
        }
        for (called, queue) in &self.queues {
            if kernel.buffers.iter().any(|row| row.name.strip_prefix(called).is_some_and(|rest| rest.starts_with('_')))
            {
                wave.queue(called, queue);
            }
        }
        wave
    }
}
