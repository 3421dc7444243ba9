//! A workgroup: its shared memory, and invocations that meet at barriers, with each other and
//! with those of all other workgroups.

use super::dispatch::Dispatch;
use super::flatten::Op;
use super::machine::{Event, Machine};
use super::{memory, subgroup, watch};
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
    /// At a barrier.
    Waiting(Machine),
    /// At an operation of its subgroup: which time it is there.
    Meeting(Machine, Vec<u64>),
    Done,
}

impl Lane {
    /// Where it is: how deep in calls, the function, and the next operation.
    fn place(&self) -> Option<(usize, usize, usize)> {
        match self {
            Self::Running(machine) | Self::Waiting(machine) | Self::Meeting(machine, _) => {
                Some((machine.callers.len(), machine.top.function, machine.top.pc))
            }
            Self::Fresh | Self::Done => None,
        }
    }

    fn go_on(&mut self) {
        *self = match std::mem::take(self) {
            Self::Waiting(machine) | Self::Meeting(machine, _) => Self::Running(machine),
            other @ (Self::Fresh | Self::Running(_) | Self::Done) => other,
        };
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

    /// Whether an invocation neither waits nor is done.
    pub(super) fn can_run(&self, lane: usize) -> bool {
        matches!(self.lanes[lane], Lane::Fresh | Lane::Running(_))
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
        if event == Event::Access {
            return Ok(event);
        }
        let Lane::Running(machine) = std::mem::take(&mut self.lanes[lane]) else {
            unreachable!("invariant one-life: it has just run")
        };
        self.lanes[lane] = match event {
            Event::Access => Lane::Running(machine),
            Event::Barrier => {
                self.waiting += 1;
                Lane::Waiting(machine)
            }
            Event::GridBarrier => {
                self.waiting_for_all += 1;
                Lane::Waiting(machine)
            }
            Event::Subgroup => {
                let instance = machine.instance(dispatch.code);
                Lane::Meeting(machine, instance)
            }
            Event::Done => {
                self.done += 1;
                pool.machines.push(machine);
                Lane::Done
            }
        };
        Ok(event)
    }

    /// If nobody of an invocation's subgroup can go on by itself, and some have met, lets those have
    /// their results; gives who they are.
    pub(super) fn meet(&mut self, lane: usize, dispatch: &Dispatch<'_>) -> Vec<usize> {
        if !dispatch.code.subgroups {
            return Vec::new();
        }
        let size = dispatch.subgroup as usize;
        let first = lane / size * size;
        let end = self.lanes.len().min(first + size);
        let lanes = &mut self.lanes[first..end];
        if lanes.iter().any(|lane| matches!(lane, Lane::Fresh | Lane::Running(_))) {
            return Vec::new();
        }
        let instances = lanes.iter().filter_map(|lane| match lane {
            Lane::Meeting(_, instance) => Some(instance),
            Lane::Fresh | Lane::Running(_) | Lane::Waiting(_) | Lane::Done => None,
        });
        let Some(next) = instances.min().cloned() else { return Vec::new() };
        let mut here: Vec<(usize, &mut Machine)> = Vec::new();
        for (id, lane) in lanes.iter_mut().enumerate() {
            match lane {
                Lane::Meeting(machine, instance) if *instance == next => here.push((id, machine)),
                Lane::Meeting(..) | Lane::Fresh | Lane::Running(_) | Lane::Waiting(_) | Lane::Done => {}
            }
        }
        let top = here[0].1.top;
        let Op::Subgroup(exchange) = dispatch.code.functions[top.function].body.ops[top.pc - 1] else {
            unreachable!("invariant meetings: invocations meet at operations of subgroups")
        };
        subgroup::perform(exchange, size, &mut here);
        let here: Vec<usize> = here.into_iter().map(|(id, _)| id).collect();
        for &id in &here {
            lanes[id].go_on();
        }
        here.into_iter().map(|id| first + id).collect()
    }

    /// Whether everyone has just met at a barrier; if so they may all go on.
    pub(super) fn release(&mut self, dispatch: &Dispatch<'_>) -> bool {
        if self.waiting == 0 || self.waiting + self.waiting_for_all + self.done < self.lanes.len() {
            return false;
        }
        assert_together(&self.lanes);
        self.waiting = 0;
        self.lanes.iter_mut().for_each(Lane::go_on);
        if let Some((_, function, pc)) = self.lanes[0].place()
            && let Op::Barrier(barrier) = dispatch.code.functions[function].body.ops[pc - 1]
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
            group.lanes.iter_mut().for_each(Lane::go_on);
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
