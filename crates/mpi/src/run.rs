//! A graph that is ready to run on this rank.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytemuck::Pod;
use seawall::device::Control;
use seawall::{Buffer, Element, Runtime};

use crate::check;
use crate::checkpoint::{self, Checkpoint, State};
use crate::cluster::{Cluster, Heard, VOTE_EVERY};
use crate::error::Error;
use crate::graph::{Data, Graph};
use crate::memory::Memory;
use crate::plan::{self, Op, Plan};
use crate::segment::segment;
use crate::stage::{Made, Stage};
use crate::touch::Touch;
use crate::transfer::{Done, Staging, Transfer};

/// A graph, planned and compiled. Its data is on the device, zeros at first, and stays there from run to run.
pub struct Compiled<'a> {
    cluster: &'a Cluster,
    plan: Plan,
    data: Vec<Option<Data>>,
    /// By step; none where this rank has no waves.
    segments: Vec<Option<Segment>>,
    /// By step; none where nothing is exchanged.
    stages: Vec<Option<Stage>>,
    /// By data. They change places at the end of turns.
    memories: RefCell<Vec<Option<Memory>>>,
    staging: RefCell<Staging>,
}

/// The waves of a step, and the data that they are bound to.
struct Segment {
    compiled: seawall::Compiled,
    /// By name, and whether they change it.
    bound: Vec<(String, usize, bool)>,
}

impl std::fmt::Debug for Compiled<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} on {:?}", self.plan.summary(), self.cluster)
    }
}

/// What a run did, on this rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// From the first step to the last.
    pub elapsed: Duration,
    /// Stages of exchanges, those before a checkpoint that was resumed among them.
    pub exchanges: u64,
    /// Bytes that this rank sent.
    pub sent_bytes: u64,
    /// Turns of the last time that each loop was entered, in the order of the graph.
    pub loops: Vec<(String, u32)>,
    /// The step of the last checkpoint that was written.
    pub checkpoint: Option<u64>,
}

impl Finished {
    /// Of a loop.
    pub fn turns(&self, name: &str) -> Option<u32> {
        self.loops.iter().find(|(of, _)| of == name).map(|(_, turns)| *turns)
    }
}

impl Cluster {
    /// Plans a graph on this rank without compiling it.
    pub fn plan(&self, graph: &Graph) -> Result<Plan, Error> {
        let plan = plan::plan(graph)?;
        match check::check(graph, &plan) {
            Ok(()) => Ok(plan),
            Err(error) => unreachable!("invariant plan: it computes its graph: {error}"),
        }
    }

    /// Plans a graph and compiles it for this rank's runtime. All ranks call it together: an error on one is an error
    /// on all.
    pub fn compile<'a>(&'a self, runtime: &Runtime, graph: &Graph) -> Result<Compiled<'a>, Error> {
        self.agree(Compiled::new(self, runtime, graph))
    }
}

impl<'a> Compiled<'a> {
    fn new(cluster: &'a Cluster, runtime: &Runtime, graph: &Graph) -> Result<Self, Error> {
        let plan = cluster.plan(graph)?;
        let mut segments = Vec::new();
        for op in &plan.ops {
            let units = match op {
                Op::Run { units } | Op::Exchange { beside: units, .. } => &units[..],
                Op::Begin { .. } | Op::End { .. } => &[],
            };
            segments.push(match segment(graph, &plan, units) {
                Some((segment, bound)) => {
                    let named = |(at, written)| (graph.name(at).to_owned(), at, written);
                    let bound = bound.into_iter().map(named).collect();
                    Some(Segment { compiled: runtime.compile(&segment)?, bound })
                }
                None => None,
            });
        }
        let inner = graph.inner.description();
        let memory = |(at, (ours, of)): (usize, (&Option<Data>, &seawall::description::Data))| match ours {
            Some(_) => Memory::new(runtime, of.bytes as usize, !plan.evicted.contains(&at)).map(Some),
            None => Ok(None),
        };
        let memories = graph.data.iter().zip(&inner.data).enumerate().map(memory).collect::<Result<Vec<_>, _>>()?;
        let whole: Vec<&Buffer<u8>> = memories.iter().flatten().filter_map(Memory::device).collect();
        let is_host = Buffer::lend(&whole, |_| ())?.is_some();
        let lends = |data: usize| is_host || plan.evicted.contains(&data);
        let stages = plan.ops.iter().map(|op| stage(cluster, graph, &plan, op, &lends)).collect();
        let (data, staging) = (graph.data.clone(), RefCell::default());
        Ok(Self { cluster, plan, data, segments, stages, memories: RefCell::new(memories), staging })
    }

    /// What is done, and why.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Replaces what this rank has of some data, halos included.
    pub fn write<T: Pod>(&self, data: &str, from: &[T]) -> Result<(), Error> {
        let at = self.find::<T>(data, from.len())?;
        self.with(at, |memory| memory.write(0, bytemuck::cast_slice(from)))?;
        Ok(())
    }

    /// What this rank has of some data, halos included.
    pub fn read<T: Pod>(&self, data: &str) -> Result<Vec<T>, Error> {
        let len = self.data.iter().flatten().find(|of| of.name == data).map_or(0, Data::len_of_callers);
        let at = self.find::<T>(data, len as usize)?;
        let mut to = vec![T::zeroed(); len as usize];
        self.with(at, |memory| memory.read(0, bytemuck::cast_slice_mut(&mut to)))?;
        Ok(to)
    }

    fn with<T>(&self, at: usize, work: impl FnOnce(&Memory) -> T) -> T {
        work(self.memories.borrow()[at].as_ref().expect("invariant memories: shared data has one"))
    }

    fn find<T: Pod>(&self, name: &str, len: usize) -> Result<usize, Error> {
        let found = self
            .data
            .iter()
            .enumerate()
            .find_map(|(at, of)| of.as_ref().filter(|of| of.name == name).map(|of| (at, of)));
        let Some((at, data)) = found else {
            let known = self.data.iter().flatten().map(|of| of.name.clone()).collect();
            return Err(Error::UnknownData { data: name.to_owned(), known });
        };
        let element = Element::of::<T>();
        if element != data.element {
            let (expected, got) = (data.element.name().to_owned(), element.name().to_owned());
            return Err(Error::Type { data: name.to_owned(), expected, got });
        }
        let expected = data.len_of_callers();
        if len as u64 != expected {
            let (rank, len) = (self.cluster.rank(), len as u64);
            return Err(Error::Length { data: name.to_owned(), rank, expected, len });
        }
        Ok(at)
    }

    /// Starts describing a run.
    pub fn call(&self) -> Run<'_> {
        Run { compiled: self, deadline: None, checkpoint: None, resume: None }
    }
}

/// What a step exchanges.
fn stage(cluster: &Cluster, graph: &Graph, plan: &Plan, op: &Op, lends: &dyn Fn(usize) -> bool) -> Option<Stage> {
    let Op::Exchange { exchanges, beside } = op else { return None };
    let touched = beside.iter().flat_map(|&unit| Touch::of(graph, &plan.items[unit]).all().collect::<Vec<_>>());
    let (touched, part_bytes) = (touched.collect(), cluster.part_bytes());
    let made = Made { graph, part_bytes, lends, beside: (!beside.is_empty()).then_some(&touched) };
    Some(Stage::new(exchanges.iter().map(|&at| plan.exchanges[at].clone()).collect(), &made))
}

/// A run being described; nothing happens until [`run`](Self::run), which all ranks call together.
#[derive(Debug)]
#[must_use = "a run does nothing until it is run"]
pub struct Run<'a> {
    compiled: &'a Compiled<'a>,
    deadline: Option<Duration>,
    checkpoint: Option<Checkpoint>,
    resume: Option<PathBuf>,
}

impl Run<'_> {
    /// Ends the run on all ranks if it is not done in this time; the shortest that a rank asks for counts.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Writes checkpoints; the same on all ranks.
    pub fn checkpoint(mut self, checkpoint: Checkpoint) -> Self {
        self.checkpoint = Some(checkpoint);
        self
    }

    /// Goes on from the latest checkpoint in this directory, whatever the data was. It is an error if there is none.
    pub fn resume(mut self, dir: impl Into<PathBuf>) -> Self {
        self.resume = Some(dir.into());
        self
    }

    /// Runs, together with all ranks. An error on one of them is an error on all.
    pub fn run(self) -> Result<Finished, Error> {
        let Compiled { cluster, plan, .. } = self.compiled;
        let resumed = match &self.resume {
            Some(dir) => checkpoint::latest(dir).map(|step| step + 1).map_err(Error::from),
            None => Ok(0),
        };
        let resumed = cluster.agree(resumed)?;
        let deadline = self.deadline.map_or(u64::MAX, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        let said = cluster.gather([plan.digest, deadline, resumed]);
        if let Some(rank) = said.iter().position(|of| of[0] != said[0][0]) {
            return Err(Error::Plans { rank });
        }
        if said.iter().any(|of| of[2] != said[0][2]) {
            let steps = said.iter().map(|of| of[2].saturating_sub(1)).collect();
            return Err(checkpoint::Error::Differ { steps }.into());
        }
        let deadline = said.iter().map(|of| of[1]).min().filter(|&nanos| nanos < u64::MAX);
        let (control, start) = (Control::default(), Instant::now());
        let mut walk = Walk {
            compiled: self.compiled,
            control: &control,
            checkpoint: self.checkpoint,
            sent_bytes: 0,
            written: None,
            failed: None,
            spoiled: false,
        };
        let work = || walk.from(self.resume.filter(|_| resumed > 0).map(|dir| (dir, resumed - 1)));
        let state = match deadline {
            Some(nanos) => seawall::within(Duration::from_nanos(nanos), &control, work),
            None => work(),
        }?;
        let loops = plan.loops.iter().zip(&state.turns).map(|(of, turns)| (of.name.clone(), *turns)).collect();
        let (sent_bytes, checkpoint) = (walk.sent_bytes, walk.written);
        Ok(Finished { elapsed: start.elapsed(), exchanges: state.exchanges, sent_bytes, loops, checkpoint })
    }
}

/// A run under way. Errors of its methods are known to all ranks; what goes wrong on this one is told in the next
/// vote, and until then the rank does its part of the exchanges and nothing else.
struct Walk<'a> {
    compiled: &'a Compiled<'a>,
    control: &'a Control,
    checkpoint: Option<Checkpoint>,
    sent_bytes: u64,
    /// The last checkpoint.
    written: Option<u64>,
    /// What went wrong here.
    failed: Option<Error>,
    /// A rank that had failed sent something, or nothing rather.
    spoiled: bool,
}

impl Walk<'_> {
    /// From the beginning, or from a checkpoint.
    fn from(&mut self, resumed: Option<(PathBuf, u64)>) -> Result<State, Error> {
        let plan = &self.compiled.plan;
        let mut state = State { op: 0, turns: vec![0; plan.loops.len()], exchanges: 0 };
        // What was resumed is there already.
        let mut fresh = true;
        if let Some((dir, step)) = resumed {
            state = self.compiled.cluster.agree(self.restore(&dir, step))?;
            fresh = false;
        }
        while let Some(op) = plan.ops.get(state.op) {
            match op {
                Op::Run { .. } => {
                    if self.is_well() {
                        self.failed = self.waves(state.op).err().map(Error::from);
                    }
                    state.op += 1;
                }
                Op::Exchange { .. } => {
                    if std::mem::replace(&mut fresh, true) {
                        self.save(&state)?;
                    }
                    self.exchange(&state)?;
                    (state.op, state.exchanges) = (state.op + 1, state.exchanges + 1);
                }
                Op::Begin { at, end } => {
                    state.turns[*at] = 0;
                    state.op = if self.goes_on(*at, 0)? { state.op + 1 } else { end + 1 };
                }
                Op::End { begin } => {
                    let Op::Begin { at, .. } = plan.ops[*begin] else { unreachable!("invariant ends: of a loop") };
                    for &(first, second) in &plan.loops[at].swaps {
                        self.compiled.memories.borrow_mut().swap(first, second);
                    }
                    state.turns[at] += 1;
                    state.op = if self.goes_on(at, state.turns[at])? { begin + 1 } else { state.op + 1 };
                }
            }
        }
        self.vote(0)?;
        Ok(state)
    }

    fn is_well(&self) -> bool {
        self.failed.is_none() && !self.spoiled
    }

    /// Ends the run if some rank has failed; if none has, what the greatest of all ranks' words is.
    fn vote(&mut self, word: u64) -> Result<u64, Error> {
        let failed = self.failed.take();
        let message = failed.as_ref().map(ToString::to_string);
        match (self.compiled.cluster.vote(message.as_deref(), word), failed) {
            (Ok(word), _) => {
                assert!(!self.spoiled, "invariant spoiled: the rank that failed says so");
                Ok(word)
            }
            (Err(Heard::Mine), Some(error)) | (Err(Heard::Theirs(error)), _) => Err(error),
            (Err(Heard::Mine), None) => unreachable!("invariant vote: this rank has said nothing"),
        }
    }

    fn waves(&self, op: usize) -> Result<(), seawall::Error> {
        self.control.go_on()?;
        let Some(Segment { compiled, bound }) = &self.compiled.segments[op] else { return Ok(()) };
        let memories = self.compiled.memories.borrow();
        let of = |at: usize| memories[at].as_ref().expect("invariant memories: shared data has one");
        let mut host: Vec<_> = bound.iter().map(|(_, at, _)| of(*at).host()).collect();
        let mut call = compiled.call();
        for ((name, at, written), host) in bound.iter().zip(&mut host) {
            call = match (of(*at), host) {
                (Memory::Device(buffer), _) => call.bind(name, buffer),
                (_, Some(bytes)) => {
                    if *written {
                        call.bind(name, &mut **bytes)
                    } else {
                        call.bind(name, &**bytes)
                    }
                }
                (Memory::Host { .. }, None) => unreachable!("invariant host: it has what it has"),
            };
        }
        call.run_with(self.control).map(|_| ())
    }

    fn exchange(&mut self, state: &State) -> Result<(), Error> {
        let Compiled { cluster, data, stages, memories, staging, .. } = self.compiled;
        let stage = stages[state.op].as_ref().expect("invariant stages: one for each exchange");
        if self.is_well()
            && let Err(error) = self.control.go_on()
        {
            self.failed = Some(seawall::Error::from(error).into());
        }
        if stage.votes || (state.exchanges > 0 && state.exchanges.is_multiple_of(VOTE_EVERY)) {
            self.vote(0)?;
        }
        let memories = memories.borrow();
        let transfer = Transfer { cluster, stage, data, memories: &memories };
        let mut counts = Vec::new();
        if !stage.counted.is_empty() {
            match transfer.count() {
                Ok(counted) => counts = counted,
                Err(error) => _ = self.failed.get_or_insert(error),
            }
            self.vote(0)?;
        }
        let well = self.is_well();
        let beside = || if well && stage.overlaps { self.waves(state.op) } else { Ok(()) };
        let Done { sent_bytes, spoiled, known, error } = transfer.run(&mut staging.borrow_mut(), well, &counts, beside);
        self.sent_bytes += sent_bytes;
        self.spoiled |= spoiled || known;
        if let Some(error) = error {
            self.failed.get_or_insert(*error);
        }
        if known {
            self.vote(0)?;
        }
        Ok(())
    }

    /// Whether a loop has another turn, after so many; all ranks come to the same.
    fn goes_on(&mut self, at: usize, turns: u32) -> Result<bool, Error> {
        let looped = &self.compiled.plan.loops[at];
        let Some(word) = looped.word else { return Ok(turns < looped.limit) };
        let mut mine = [0u8; 4];
        if self.is_well() {
            let read = self.control.go_on().map_err(seawall::Error::from);
            let read = read.and_then(|()| self.compiled.with(word.data, |memory| memory.read(0, &mut mine)));
            self.failed = read.err().map(Error::from);
        }
        let some = self.vote(u64::from(mine != [0; 4]))? != 0;
        let more = some != word.zero;
        if more && turns >= looped.limit && looped.must_end {
            return Err(Error::LoopLimit { name: looped.name.clone(), limit: looped.limit });
        }
        Ok(more && turns < looped.limit)
    }

    /// Writes a checkpoint before an exchange, if it is time for one.
    fn save(&mut self, state: &State) -> Result<(), Error> {
        let Some(Checkpoint { dir, every, keep_all }) = self.checkpoint.clone() else { return Ok(()) };
        if state.exchanges == 0 || !state.exchanges.is_multiple_of(every) {
            return Ok(());
        }
        let (step, rank) = (state.exchanges, self.compiled.cluster.rank());
        if self.is_well() {
            self.failed = self.write(&dir, state).err();
        }
        self.vote(0)?;
        if rank == 0 {
            self.failed = checkpoint::declare(&dir, step).err().map(Error::from);
        }
        self.vote(0)?;
        if let (Some(old), false) = (self.written, keep_all) {
            self.failed = checkpoint::remove(&dir, old, rank).err().map(Error::from);
        }
        self.written = Some(step);
        Ok(())
    }

    /// This rank's part of a checkpoint.
    fn write(&self, dir: &Path, state: &State) -> Result<(), Error> {
        let Compiled { cluster, plan, data, .. } = self.compiled;
        let mut all = Vec::new();
        for (at, of) in data.iter().enumerate().filter_map(|(at, of)| Some((at, of.as_ref()?))) {
            let bytes = self.compiled.with(at, |memory| {
                let mut bytes = vec![0; memory.len()];
                memory.read(0, &mut bytes).map(|()| bytes)
            })?;
            all.push((of.name.as_str(), bytes));
        }
        Ok(checkpoint::write(dir, state.exchanges, cluster.rank(), plan.digest, state, &all)?)
    }

    fn restore(&mut self, dir: &Path, step: u64) -> Result<State, Error> {
        let Compiled { cluster, plan, data, .. } = self.compiled;
        let (state, named) = checkpoint::read(dir, step, cluster.rank(), plan.digest)?;
        for (name, bytes) in named {
            let at = data.iter().position(|of| of.as_ref().is_some_and(|of| of.name == name));
            let fits = at.filter(|&at| self.compiled.with(at, Memory::len) == bytes.len());
            let Some(at) = fits else {
                return Err(checkpoint::Error::Other { path: dir.display().to_string() }.into());
            };
            self.compiled.with(at, |memory| memory.write(0, &bytes))?;
        }
        if self.checkpoint.as_ref().is_some_and(|to| to.dir == dir) {
            self.written = Some(step);
        }
        Ok(state)
    }
}
