//! From the vector form to code, through an [`Emit`]: the lanes of a group run together.
//!
//! All that is decided here is by which instructions: control is that of whole lane groups, and what only some lanes do
//! names their mask.

pub(crate) mod frame;

mod pin;
mod choice;
mod count;
mod mask;
mod way;
mod pointer;
mod strength_reduce;
mod gather;
mod scalarize;
mod stream;
mod privatize;
mod atomic;
mod value;
mod subgroup;
mod strided;
mod memory;
mod element;
mod compress;
mod control;
mod call;
mod group;
mod grid;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::context;
use crate::divergence::Shapes;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Function, Label, Mem, Memory, Shape, Slot, Ty, Value};
use crate::range::Ranges;
pub(crate) use call::callee;
use control::Target;
use frame::Frame;

/// A function with all that its code depends on.
pub(crate) struct Part {
    pub(crate) function: Function,
    pub(crate) shapes: Shapes,
    pub(crate) ranges: Ranges,
}

/// What stands for a value while lanes run together.
enum Rep<E: Emit> {
    /// The same in every lane, or `base + lane * stride` by its base.
    Scalar(E::S),
    Each(E::V),
}

impl<E: Emit> Clone for Rep<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Scalar(scalar) => Self::Scalar(*scalar),
            Self::Each(each) => Self::Each(each.clone()),
        }
    }
}

/// Where the walk is: which workgroup, and which of its lanes.
#[derive(Debug, Clone, Copy)]
struct Here<S> {
    /// The current workgroup's.
    scratch: S,
    workgroup: [S; 3],
    /// Lanes from the workgroup's first to the last of those that the loop over lane groups is for, or more.
    lanes: u64,
    /// The local index of the lane group's first lane.
    first: Option<S>,
}

struct Walk<'a, E: Emit> {
    f: &'a Function,
    shapes: &'a Shapes,
    ranges: &'a Ranges,
    frame: &'a Frame,
    e: E,
    context: E::S,
    here: Here<E::S>,
    /// The whole call's scratch memory.
    base: E::S,
    constants: E::S,
    stop: E::S,
    buffers: HashMap<u32, (E::S, E::S)>,
    grid: [E::S; 3],
    /// Workgroups that go with the current one, itself included, where some do.
    together: Option<E::S>,
    reps: Vec<Option<Rep<E>>>,
    /// Where the words of rows lie that are left in memory.
    rows: HashMap<Value, E::S>,
    /// By memory that is written past the caches: the bits that a pointer has to be without, which are all where the
    /// memory is small.
    streamed: HashMap<Mem, E::S>,
    /// Slots of the workgroup, which stand in registers.
    slots: HashMap<Slot, E::Cell>,
    /// Values that something depends on.
    used: BTreeSet<Value>,
    /// Values that are to be computed where they stand.
    pinned: HashSet<Value>,
    targets: HashMap<Label, Target<E::Block, E::Cell>>,
    /// Where a stopped run leaves.
    exit: E::Block,
}

/// Writes the code of a kernel.
pub(crate) fn walk<E: Emit>(f: &Function, shapes: &Shapes, ranges: &Ranges, frame: &Frame, e: E) -> E {
    let mut walk = begin(f, shapes, ranges, frame, e);
    for &slot in &frame.registers {
        let cell = walk.e.cell(f.slots[slot.index()].ty, false);
        walk.slots.insert(slot, cell);
    }
    walk.begin_streams();
    walk.begin_privates();
    walk.grid_loop();
    walk.e.enter(walk.exit);
    walk.end_privates();
    if !walk.streamed.is_empty() {
        walk.e.fence();
    }
    walk.e.ret();
    walk.e
}

/// What every function finds first.
fn begin<'a, E: Emit>(
    f: &'a Function,
    shapes: &'a Shapes,
    ranges: &'a Ranges,
    frame: &'a Frame,
    mut e: E,
) -> Walk<'a, E> {
    let context = e.argument(0);
    let exit = e.block();
    let load = |e: &mut E, ty: Ty, offset: u64| {
        let offset = e.constant(Ty::U64, offset);
        let at = e.scalar(Prim::Binary(Binary::Add), Ty::U64, Ty::U64, &[context, offset]);
        e.load(ty, at)
    };
    let scratch = load(&mut e, Ty::U64, context::SCRATCH);
    let constants = load(&mut e, Ty::U64, context::CONSTANTS);
    let stop = load(&mut e, Ty::U64, context::STOP);
    let grid: [E::S; 3] = std::array::from_fn(|d| load(&mut e, Ty::U32, context::GRID + 4 * d as u64));
    let table = load(&mut e, Ty::U64, context::BUFFERS);
    let mut buffers = HashMap::new();
    for memory in &f.memories {
        let Memory::Buffer { buffer, .. } = memory else { continue };
        let mut field = |offset: u64| {
            let offset = e.constant(Ty::U64, u64::from(*buffer) * context::BUFFER_BYTES + offset);
            let at = e.scalar(Prim::Binary(Binary::Add), Ty::U64, Ty::U64, &[table, offset]);
            e.load(Ty::U64, at)
        };
        let (pointer, length) = (field(0), field(context::BUFFER_LENGTH));
        buffers.insert(*buffer, (pointer, length));
    }
    let nowhere = e.constant(Ty::U32, 0);
    let pinned = if e.recomputes() { pin::pinned(f, shapes) } else { HashSet::new() };
    Walk {
        f,
        shapes,
        ranges,
        frame,
        e,
        context,
        here: Here { scratch, workgroup: [nowhere; 3], lanes: ranges.lanes, first: None },
        base: scratch,
        constants,
        stop,
        buffers,
        grid,
        together: None,
        reps: (0..f.values.len()).map(|_| None).collect(),
        rows: HashMap::new(),
        streamed: HashMap::new(),
        slots: HashMap::new(),
        used: f.body.uses(f).into_keys().collect(),
        pinned,
        targets: HashMap::new(),
        exit,
    }
}

impl<E: Emit> Walk<'_, E> {
    fn u64(&mut self, n: u64) -> E::S {
        self.e.constant(Ty::U64, n)
    }

    fn u32(&mut self, n: u32) -> E::S {
        self.e.constant(Ty::U32, n.into())
    }

    fn binary(&mut self, op: Binary, ty: Ty, a: E::S, b: E::S) -> E::S {
        let result = if op.compares() { Ty::Bool } else { ty };
        self.e.scalar(Prim::Binary(op), result, ty, &[a, b])
    }

    fn add64(&mut self, a: E::S, b: E::S) -> E::S {
        self.binary(Binary::Add, Ty::U64, a, b)
    }

    fn widen(&mut self, n: E::S) -> E::S {
        self.e.scalar(Prim::Convert(Ty::U32), Ty::U64, Ty::U32, &[n])
    }

    fn get_same(&mut self, cell: &E::Cell) -> E::S {
        match self.e.get(cell) {
            Lanes::Same(scalar) => scalar,
            Lanes::Each(_) => unreachable!("invariant cells: a scalar cell holds a scalar"),
        }
    }

    fn get_each(&mut self, cell: &E::Cell) -> E::V {
        match self.e.get(cell) {
            Lanes::Each(each) => each,
            Lanes::Same(_) => unreachable!("invariant cells: a lane cell holds lanes"),
        }
    }

    /// Leaves the call if the run was stopped; at the back edge of a loop, or between workgroups.
    fn poll(&mut self, at: Option<Label>) {
        if at.is_some_and(|label| self.f.bounded.contains(&label)) {
            return;
        }
        let stopped = self.e.flag(self.stop);
        let (leave, on) = (self.e.cold_block(), self.e.block());
        self.e.branch(stopped, leave, on);
        self.e.enter(leave);
        let offset = self.u64(context::STOPPED_IN);
        let pointer = self.add64(self.context, offset);
        let label = self.u32(at.map_or(0, |label| label.0 + 1));
        self.e.store(Ty::U32, pointer, label);
        self.e.jump(self.exit);
        self.e.enter(on);
    }

    /// Where a memory starts.
    fn start(&mut self, memory: Mem) -> E::S {
        match &self.f.memories[memory.index()] {
            Memory::Buffer { buffer, .. } => match self.frame.privates.get(&memory) {
                Some((start, _)) => {
                    let offset = self.u64(*start);
                    self.add64(self.base, offset)
                }
                None => self.buffers[buffer].0,
            },
            Memory::Workgroup { start } => self.in_scratch(u64::from(*start)),
            Memory::Private { .. } => {
                let area = self.frame.private[&memory];
                self.in_area(area)
            }
            Memory::Constants { .. } => {
                let offset = self.u64(self.frame.tables[&memory]);
                self.add64(self.constants, offset)
            }
        }
    }

    fn in_scratch(&mut self, offset: u64) -> E::S {
        let offset = self.u64(offset);
        self.add64(self.here.scratch, offset)
    }

    /// This lane group's part of an area.
    fn in_area(&mut self, area: frame::Area) -> E::S {
        let start = self.in_scratch(area.start);
        if area.group_stride == 0 {
            return start;
        }
        let first = self.first();
        let (first, stride) = (self.widen(first), self.u64(area.group_stride / u64::from(self.e.width())));
        let offset = self.binary(Binary::Mul, Ty::U64, first, stride);
        self.add64(start, offset)
    }

    /// Of the lane group's lanes.
    fn first(&self) -> E::S {
        self.here.first.expect("invariant groups: lanes are looked at inside a loop over lane groups")
    }

    /// Runs code that goes elsewhere, and comes back.
    fn elsewhere<T>(&mut self, code: impl FnOnce(&mut Self) -> T) -> T {
        let here = self.here;
        let result = code(self);
        self.here = here;
        result
    }

    fn is_scalar(&self, value: Value) -> bool {
        self.shapes.of(value) != Shape::Varying
    }

    fn define(&mut self, value: Value, rep: Rep<E>) {
        self.reps[value.index()] = Some(rep);
    }
}
