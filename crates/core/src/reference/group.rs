//! A workgroup: its shared memory, and invocations that meet at barriers, with each other and
//! with those of all other workgroups.

use super::dispatch::Dispatch;
use super::flatten::Op;
use super::machine::{Event, Machine};
use super::{memory, watch};
use crate::device::Error;

/// Machines that are not in use.
#[derive(Debug, Default)]
pub(super) struct Pool {
    machines: Vec<Machine>,
}

impl Pool {
    fn take(&mut self, dispatch: &Dispatch<'_>) -> Result<Machine, Error> {
        if let Some(machine) = self.machines.pop() {
            return Ok(machine);
        }
        let refused = |_| dispatch.out_of_memory("an invocation", Machine::size(dispatch.code) as u64);
        Machine::new(dispatch.code, &dispatch.constants).map_err(refused)
    }
}

/// One invocation of a group. It takes a machine when it starts and gives it back at its end.
#[derive(Debug, Default)]
enum Lane {
    #[default]
    Fresh,
    Running(Machine),
    Done,
}

impl Lane {
    /// Where it is: how deep in calls, the function, and the next operation.
    fn place(&self) -> Option<(usize, usize, usize)> {
        match self {
            Self::Running(machine) => Some((machine.callers.len(), machine.top.function, machine.top.pc)),
            Self::Fresh | Self::Done => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Group {
    id: [u32; 3],
    shared: Vec<u8>,
    lanes: Vec<Lane>,
    /// At a barrier of the workgroup.
    waiting: usize,
    /// At a barrier of the grid.
    waiting_for_all: usize,
    done: usize,
    /// What the sanitizer keeps for it.
    watched: watch::Group,
}

impl Group {
    /// The workgroup `id`, not started yet.
    pub(super) fn new(dispatch: &Dispatch<'_>, id: [u32; 3]) -> Result<Self, Error> {
        let count = dispatch.kernel.workgroup_invocations() as usize;
        let bytes = dispatch.code.workgroup_bytes;
        let shared = memory::filled(bytes, 0).map_err(|_| dispatch.out_of_memory("workgroup memory", bytes as u64))?;
        let mut lanes = Vec::new();
        let refused = |_| dispatch.out_of_memory("a workgroup", (count * size_of::<Lane>()) as u64);
        lanes.try_reserve_exact(count).map_err(refused)?;
        lanes.resize_with(count, Lane::default);
        Ok(Self { id, shared, lanes, waiting: 0, waiting_for_all: 0, done: 0, watched: watch::Group::default() })
    }

    /// Makes it the workgroup `id`, not started yet.
    pub(super) fn reset(&mut self, id: [u32; 3]) {
        self.id = id;
        self.shared.fill(0);
        self.lanes.fill_with(Lane::default);
        (self.waiting, self.waiting_for_all, self.done) = (0, 0, 0);
        self.watched.reset();
    }

    /// Invocations.
    pub(super) fn len(&self) -> usize {
        self.lanes.len()
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.lanes.len()
    }

    /// Whether nothing can happen in it before all other workgroups have come as far.
    pub(super) fn waits_for_all(&self) -> bool {
        self.waiting_for_all == self.lanes.len()
    }

    /// Bytes that a workgroup takes with all its invocations alive.
    pub(super) fn size(dispatch: &Dispatch<'_>) -> u64 {
        let invocation = (Machine::size(dispatch.code) + size_of::<Lane>()) as u64;
        let all = invocation.saturating_mul(dispatch.kernel.workgroup_invocations());
        all.saturating_add((dispatch.code.workgroup_bytes + size_of::<Self>()) as u64)
    }

    /// Runs one invocation, which is neither waiting nor done, until something happens.
    pub(super) fn run(&mut self, lane: usize, dispatch: &mut Dispatch<'_>, pool: &mut Pool) -> Result<Event, Error> {
        if let Lane::Fresh = self.lanes[lane] {
            let mut machine = pool.take(dispatch)?;
            dispatch.start(&mut machine, self.id, lane);
            self.lanes[lane] = Lane::Running(machine);
        }
        let Lane::Running(machine) = &mut self.lanes[lane] else {
            unreachable!("invariant one-life: an invocation that is done does not run")
        };
        if let Some(watch) = &mut dispatch.watch {
            watch.enter(&mut self.watched, self.id, lane)?;
        }
        let event = machine.run(dispatch, &mut self.shared)?;
        if let Some(watch) = &mut dispatch.watch {
            watch.leave(&mut self.watched)?;
        }
        match event {
            Event::Access => {}
            Event::Barrier => self.waiting += 1,
            Event::GridBarrier => self.waiting_for_all += 1,
            Event::Done => {
                self.done += 1;
                if let Lane::Running(machine) = std::mem::replace(&mut self.lanes[lane], Lane::Done) {
                    pool.machines.push(machine);
                }
            }
        }
        Ok(event)
    }

    /// Whether everyone has just met at a barrier; if so they may all go on.
    pub(super) fn release(&mut self, dispatch: &Dispatch<'_>) -> bool {
        if self.waiting == 0 || self.waiting + self.waiting_for_all + self.done < self.lanes.len() {
            return false;
        }
        assert_together(&self.lanes);
        self.waiting = 0;
        if let Some((_, function, pc)) = self.lanes[0].place()
            && let Op::Barrier(barrier) = dispatch.code.functions[function].ops[pc - 1]
        {
            self.watched.pass(barrier);
        }
        true
    }

    /// Whether all workgroups of a grid, none of which can go on by itself, have met at a barrier
    /// of the grid; if not they are done.
    pub(super) fn release_all(groups: &mut [Self], dispatch: &mut Dispatch<'_>) -> bool {
        if groups.iter().all(Self::is_done) {
            return false;
        }
        assert_together(groups.iter().flat_map(|group| &group.lanes));
        for group in groups {
            group.waiting_for_all = 0;
        }
        if let Some(watch) = &mut dispatch.watch {
            watch.grid_barrier();
        }
        true
    }
}

fn assert_together<'a>(lanes: impl IntoIterator<Item = &'a Lane>) {
    let mut places = lanes.into_iter().map(Lane::place);
    let first = places.next().flatten();
    if first.is_none() || !places.all(|place| place == first) {
        unreachable!("invariant uniform-barriers: program refuses barriers that not all invocations reach");
    }
}
