//! One IR in three forms: structured SSA over scalars, of no fixed width.
//!
//! The SPMD form is one invocation's program. Vectors, matrices and structs are gone, calls are inlined but for those of
//! functions that are too large ([`Op::Run`]), and locals that are never indexed dynamically are values. Control flow
//! stays a tree: a [`Region`] is a list of nodes and an end; `Block` and `Loop` carry a label that `Jump` leaves to or
//! repeats. Values that cross a join are its parameters, so that every use lies in the scope of its definition, and a
//! region can be masked or skipped as a whole.
//!
//! The group form is the same for a whole workgroup, with explicit loops over its lane groups ([`Group`]). In the vector
//! form, which is the last, all control is that of whole lane groups, and what only some lanes do names their mask.

mod slot;
mod address;
mod binary;
mod op;
mod region;
pub(crate) mod remark;
mod access;
mod loops;
mod make;
pub(crate) mod text;
#[cfg(test)]
pub(crate) mod parse;
pub(crate) mod verify;

use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(crate) use seawall_core::layout::Scalar as Ty;

pub(crate) use crate::helpers::Helper;
pub(crate) use access::{Access, Kind};
pub(crate) use address::{Address, Bound, Lanes, Term, is_gathered};
pub(crate) use binary::Binary;
pub(crate) use loops::{Back, Exit, Turns};
pub(crate) use op::{Atomic, Builtin, Edge, Op, Reach, Shuffle, Subgroup, Unary};
pub(crate) use region::{Each, End, Extent, Group, Node, Region, Span};
pub(crate) use slot::{Any, EVEN, Kept, Shape, Slot};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A scalar of one invocation: index into [`Function::values`].
    Value;
    /// Where jumps go: index into [`Function::labels`].
    Label;
    /// A piece of memory: index into [`Function::memories`].
    Mem;
}

/// A kernel.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) workgroup_size: [u32; 3],
    pub(crate) workgroup_bytes: u64,
    pub(crate) values: Vec<Def>,
    pub(crate) labels: Vec<LabelKind>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) body: Region,
    /// Source spans of loops, by label, for messages about endless ones and for remarks.
    pub(crate) loops: Vec<(Label, Option<seawall_core::diag::Span>)>,
    pub(crate) interchanged: Vec<Interchange>,
    pub(crate) coarsened: Vec<Coarsened>,
    /// Loops that end by themselves before anybody could wish to stop them.
    pub(crate) bounded: HashSet<Label>,
    /// The most work that each function which is called does before it is over or asks whether to
    /// stop, by its number.
    pub(crate) calls: Vec<u64>,
    /// Blocks whose ends are seldom come to.
    pub(crate) cold: HashSet<Label>,
    /// What lane groups keep from one loop over them to the next; none before the group form.
    pub(crate) slots: Vec<Kept>,
    /// Buffers that are only counted in, which each call does by itself.
    pub(crate) privates: BTreeMap<Mem, Private>,
    /// Buffers that are written once and not read, whose stores may go past the caches.
    pub(crate) nontemporal: BTreeSet<Mem>,
    /// Loads whose words stay in memory until their lanes want them, and what is made of such words: lane by lane, and
    /// only for indices.
    pub(crate) scalarized: BTreeSet<Value>,
    /// Workgroups that go together at most.
    pub(crate) tile: u32,
    /// Whether memory of an invocation is used by several loops over lane groups.
    pub(crate) outlives: bool,
    /// Lanes of a subgroup, if lanes do something together.
    pub(crate) subgroup: Option<u32>,
    /// Whether it is called by others: for the lanes of one group, which may not be all.
    pub(crate) is_callee: bool,
    pub(crate) origins: remark::Origins,
    pub(crate) remarks: remark::Remarks,
}

/// A loop of which the workgroup takes one turn after the other, all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interchange {
    pub(crate) label: Label,
    /// The loop that does what is left when not all of the workgroup stay.
    pub(crate) rest: Option<Label>,
    /// Each turn takes another row of it.
    pub(crate) memory: Mem,
    /// Bytes of a row, if the next workgroup's lies beside it.
    pub(crate) row: Option<u32>,
}

/// Invocations that do the work of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coarsened {
    /// How far on the second of a pair stands, in a dimension of the workgroup.
    pub(crate) by: u32,
    pub(crate) dimension: u8,
    /// The loop in which both load the same.
    pub(crate) label: Label,
    pub(crate) memory: Mem,
}

/// What is counted in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Private {
    /// How what was counted joins what is there.
    pub(crate) fun: Atomic,
    pub(crate) ty: Ty,
    /// From the buffer's start to the end of what is touched.
    pub(crate) bytes: u64,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Def {
    pub(crate) ty: Ty,
    pub(crate) op: Op,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LabelKind {
    /// Jumps go to the end of its block.
    Block,
    /// Jumps go to the start of its loop.
    Loop,
}

/// Memory that addresses point into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Memory {
    /// A row of the kernel's buffer table; offsets in bytes. If it is aliased, its bytes may be those of others
    /// that are.
    Buffer { buffer: u32, read_only: bool, aliased: bool },
    /// Workgroup memory; offsets in bytes from this one's start.
    Workgroup { start: u32 },
    /// Memory of one invocation; offsets in slots, each wide enough for any scalar in it.
    Private { slots: u32, slot_bytes: u32 },
    /// Constants; offsets in slots of one scalar each.
    Constants { ty: Ty, bits: Vec<u64> },
}

impl Memory {
    /// Whether anybody may write it while the kernel runs.
    pub(crate) fn is_written(&self) -> bool {
        match self {
            Self::Buffer { read_only, .. } => !read_only,
            Self::Workgroup { .. } | Self::Private { .. } => true,
            Self::Constants { .. } => false,
        }
    }
}

impl Function {
    /// One that does nothing yet.
    pub(crate) fn new(name: &str, workgroup_size: [u32; 3]) -> Self {
        Self {
            name: name.to_owned(),
            workgroup_size,
            workgroup_bytes: 0,
            values: Vec::new(),
            labels: Vec::new(),
            memories: Vec::new(),
            body: Region::default(),
            loops: Vec::new(),
            interchanged: Vec::new(),
            coarsened: Vec::new(),
            bounded: HashSet::new(),
            calls: Vec::new(),
            cold: HashSet::new(),
            slots: Vec::new(),
            privates: BTreeMap::new(),
            nontemporal: BTreeSet::new(),
            scalarized: BTreeSet::new(),
            tile: 1,
            outlives: false,
            subgroup: None,
            is_callee: false,
            origins: remark::Origins::default(),
            remarks: remark::Remarks::default(),
        }
    }

    /// Invocations of a workgroup.
    pub(crate) fn invocations(&self) -> u32 {
        self.workgroup_size.iter().product()
    }

    pub(crate) fn ty(&self, value: Value) -> Ty {
        self.values[value.index()].ty
    }

    pub(crate) fn op(&self, value: Value) -> &Op {
        &self.values[value.index()].op
    }

    /// Whether a value is there without being made.
    pub(crate) fn is_input(&self, value: Value) -> bool {
        matches!(self.op(value), Op::Const(_) | Op::Builtin(_) | Op::Length { .. })
    }

    /// The condition of which a number is 1 where it holds, and 0 where it does not.
    pub(crate) fn condition_of(&self, number: Value) -> Option<Value> {
        match *self.op(number) {
            Op::Convert(of) if self.ty(of) == Ty::Bool => Some(of),
            Op::Select(of, one, zero) if [one, zero].map(|side| self.constant(side)) == [Some(1), Some(0)] => Some(of),
            _ => None,
        }
    }

    /// The bits, if the value is a literal.
    pub(crate) fn constant(&self, value: Value) -> Option<u64> {
        match self.op(value) {
            Op::Const(bits) => Some(*bits),
            _ => None,
        }
    }
}
