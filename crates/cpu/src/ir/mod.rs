//! The SPMD form: one invocation's program as structured SSA over scalars, of no fixed width.
//!
//! Vectors, matrices and structs are gone, calls are inlined, and locals that are never
//! indexed dynamically are values. Control flow stays a tree: a [`Region`] is a list of
//! nodes and an end; `Block` and `Loop` carry a label that `Jump` leaves to or repeats.
//! Values that cross a join are its parameters, so that every use lies in the scope of
//! its definition, and a region can be masked or skipped as a whole.

pub(crate) mod text;
pub(crate) mod verify;

use std::collections::{HashMap, HashSet};

pub(crate) use seawall_core::layout::Scalar as Ty;

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
    /// Source spans of loops, by label, for messages about endless ones.
    pub(crate) loops: Vec<(Label, Option<seawall_core::diag::Span>)>,
    pub(crate) abreast: Vec<Abreast>,
    pub(crate) paired: Option<Paired>,
    /// Loops that end by themselves before anybody could wish to stop them.
    pub(crate) bounded: HashSet<Label>,
    /// Between which numbers the counters of loops lie that could be run ahead, both included.
    pub(crate) counters: HashMap<Value, (i64, i64)>,
}

/// A loop that the workgroup goes through abreast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Abreast {
    pub(crate) label: Label,
    /// The loop that does what is left when not all of the workgroup stay.
    pub(crate) rest: Option<Label>,
    /// Each turn takes another row of it.
    pub(crate) memory: Mem,
}

/// Invocations that do the work of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paired {
    /// How far on the second of a pair stands, in a dimension of the workgroup.
    pub(crate) by: u32,
    pub(crate) dimension: u8,
    /// The loop in which both load the same.
    pub(crate) label: Label,
    pub(crate) memory: Mem,
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
    /// A row of the kernel's buffer table; offsets in bytes.
    Buffer { row: u32, read_only: bool },
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

/// How a value comes to be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    /// A parameter of a join: an `If`'s result, a block's or a loop's parameter.
    Param,
    /// The bits of a literal, zero-extended.
    Const(u64),
    Builtin(Builtin),
    /// Elements in the runtime-sized tail of a buffer.
    Length {
        row: u32,
    },
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    /// condition, then, else
    Select(Value, Value, Value),
    /// The same number in this value's type.
    Convert(Value),
    /// The same bits in this value's type.
    Bitcast(Value),
    /// A function of `seawall_core::math`.
    Call(Helper, Vec<Value>),
    /// `uniform` loads give every invocation of the workgroup the same value by contract.
    Load {
        at: Address,
        uniform: bool,
    },
    /// Gives the old value.
    Atomic {
        at: Address,
        fun: Atomic,
        value: Value,
        compare: Option<Value>,
    },
}

pub(crate) use crate::helpers::Helper;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builtin {
    LocalIndex,
    LocalId(u8),
    WorkgroupId(u8),
    NumWorkgroups(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    /// Of a boolean, or of every bit.
    Not,
    Abs,
    Floor,
    Ceil,
    Trunc,
    /// Ties to even.
    Round,
    Sqrt,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    Reverse,
}

/// Integer semantics are total: division by zero and shifts are as WGSL defines them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// Integers only; the float form is spelled out.
    Rem,
    And,
    Or,
    Xor,
    /// By an unsigned amount, modulo the width.
    Shl,
    Shr,
    /// `if b < a { b } else { a }`
    Min,
    /// `if a < b { b } else { a }`
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Binary {
    pub(crate) fn compares(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }

    /// The comparison that holds exactly where this one does not. Numbers that are not ordered
    /// have none for `<` and its like.
    pub(crate) fn opposite(self, of: Ty) -> Option<Self> {
        let ordered = matches!(of, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64);
        match self {
            Self::Eq => Some(Self::Ne),
            Self::Ne => Some(Self::Eq),
            Self::Lt if ordered => Some(Self::Ge),
            Self::Le if ordered => Some(Self::Gt),
            Self::Gt if ordered => Some(Self::Le),
            Self::Ge if ordered => Some(Self::Lt),
            _ => None,
        }
    }

    /// Whether a comparison of two 32-bit integers holds.
    pub(crate) fn decide(self, of: Ty, a: u64, b: u64) -> Option<bool> {
        let number = |bits: u64| match of {
            Ty::U32 => Some(i64::from(bits as u32)),
            Ty::I32 => Some(i64::from(bits as i32)),
            Ty::Bool | Ty::F16 | Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64 => None,
        };
        let order = number(a)?.cmp(&number(b)?);
        match self {
            Self::Eq => Some(order.is_eq()),
            Self::Ne => Some(order.is_ne()),
            Self::Lt => Some(order.is_lt()),
            Self::Le => Some(order.is_le()),
            Self::Gt => Some(order.is_gt()),
            Self::Ge => Some(order.is_ge()),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Atomic {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Min,
    Max,
    Exchange,
    /// Stores only where the old value equals the comparand.
    CompareExchange,
}

/// A place: `offset` plus the sum of index · stride, if every index is within its bound.
/// Outside, loads give zero, stores do nothing, atomics do nothing and give zero.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Address {
    pub(crate) memory: Mem,
    pub(crate) offset: u32,
    pub(crate) terms: Vec<Term>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Term {
    /// Unsigned 32 bits.
    pub(crate) index: Value,
    pub(crate) stride: u32,
    pub(crate) bound: Bound,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Const(u32),
    /// The length of a buffer's runtime-sized tail.
    Length {
        row: u32,
    },
    /// Holds, as a branch around the place has shown.
    Shown,
}

/// Nodes in order, then an end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Region {
    pub(crate) nodes: Vec<Node>,
    pub(crate) end: End,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// Evaluate the value here.
    Let(Value),
    Store {
        at: Address,
        value: Value,
    },
    /// All invocations of the workgroup arrive before any goes on.
    Barrier,
    If {
        condition: Value,
        accept: Region,
        reject: Region,
        results: Vec<Value>,
    },
    /// Falling out of the body or jumping to the label gives the results.
    Block {
        label: Label,
        body: Region,
        results: Vec<Value>,
    },
    /// Jumping to the label repeats the body with new parameters; nothing falls out of it.
    Loop {
        label: Label,
        params: Vec<Value>,
        init: Vec<Value>,
        body: Region,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// On to what follows, with values for the enclosing node's results.
    Fall(Vec<Value>),
    Jump(Label, Vec<Value>),
    /// Every way to here has jumped.
    Unreachable,
}

impl Default for End {
    fn default() -> Self {
        Self::Fall(Vec::new())
    }
}

impl Function {
    /// The parameters of all labels: results of blocks and parameters of loops.
    pub(crate) fn params(&self) -> HashMap<Label, Vec<Value>> {
        let mut params = HashMap::new();
        self.body.visit(&mut |region| {
            for node in &region.nodes {
                if let Node::Block { label, results: values, .. } | Node::Loop { label, params: values, .. } = node {
                    params.insert(*label, values.clone());
                }
            }
        });
        params
    }

    pub(crate) fn ty(&self, value: Value) -> Ty {
        self.values[value.index()].ty
    }

    pub(crate) fn op(&self, value: Value) -> &Op {
        &self.values[value.index()].op
    }

    /// The bits, if the value is a literal.
    pub(crate) fn constant(&self, value: Value) -> Option<u64> {
        match self.op(value) {
            Op::Const(bits) => Some(*bits),
            _ => None,
        }
    }
}

impl Op {
    /// Calls `f` for every operand.
    pub(crate) fn each(&self, mut f: impl FnMut(Value)) {
        match self {
            Self::Param | Self::Const(_) | Self::Builtin(_) | Self::Length { .. } => {}
            Self::Unary(_, a) | Self::Convert(a) | Self::Bitcast(a) => f(*a),
            Self::Binary(_, a, b) => [*a, *b].into_iter().for_each(f),
            Self::Select(c, a, b) => [*c, *a, *b].into_iter().for_each(f),
            Self::Call(_, args) => args.iter().copied().for_each(f),
            Self::Load { at, .. } => at.each(f),
            Self::Atomic { at, value, compare, .. } => {
                at.each(&mut f);
                f(*value);
                compare.iter().copied().for_each(f);
            }
        }
    }

    /// Replaces every operand.
    pub(crate) fn rename(&mut self, mut f: impl FnMut(Value) -> Value) {
        let mut set = |value: &mut Value| *value = f(*value);
        match self {
            Self::Param | Self::Const(_) | Self::Builtin(_) | Self::Length { .. } => {}
            Self::Unary(_, a) | Self::Convert(a) | Self::Bitcast(a) => set(a),
            Self::Binary(_, a, b) => [a, b].into_iter().for_each(set),
            Self::Select(c, a, b) => [c, a, b].into_iter().for_each(set),
            Self::Call(_, args) => args.iter_mut().for_each(set),
            Self::Load { at, .. } => at.terms.iter_mut().for_each(|term| set(&mut term.index)),
            Self::Atomic { at, value, compare, .. } => {
                at.terms.iter_mut().for_each(|term| set(&mut term.index));
                set(value);
                compare.iter_mut().for_each(set);
            }
        }
    }

    /// Whether evaluating it changes memory.
    pub(crate) fn has_effect(&self) -> bool {
        matches!(self, Self::Atomic { .. })
    }
}

impl Address {
    pub(crate) fn each(&self, f: impl FnMut(Value)) {
        self.terms.iter().map(|term| term.index).for_each(f);
    }
}

impl Region {
    /// Calls `f` for this region and every region inside it.
    pub(crate) fn visit<'a>(&'a self, f: &mut impl FnMut(&'a Region)) {
        f(self);
        for node in &self.nodes {
            node.regions().for_each(|region| region.visit(f));
        }
    }

    /// Whether any node here or inside is a barrier.
    pub(crate) fn has_barrier(&self) -> bool {
        self.nodes.iter().any(Node::has_barrier)
    }
}

impl Node {
    pub(crate) fn regions(&self) -> impl Iterator<Item = &Region> {
        let (first, second) = match self {
            Self::Let(_) | Self::Store { .. } | Self::Barrier => (None, None),
            Self::If { accept, reject, .. } => (Some(accept), Some(reject)),
            Self::Block { body, .. } | Self::Loop { body, .. } => (Some(body), None),
        };
        first.into_iter().chain(second)
    }

    /// Whether anything in it jumps to a label around it.
    pub(crate) fn leaves(&self) -> bool {
        fn region(at: &Region, inside: &mut Vec<Label>) -> bool {
            let leaves = matches!(&at.end, End::Jump(to, _) if !inside.contains(to));
            leaves || at.nodes.iter().any(|at| node(at, inside))
        }
        fn node(at: &Node, inside: &mut Vec<Label>) -> bool {
            let depth = inside.len();
            if let Node::Block { label, .. } | Node::Loop { label, .. } = at {
                inside.push(*label);
            }
            let leaves = at.regions().any(|at| region(at, inside));
            inside.truncate(depth);
            leaves
        }
        node(self, &mut Vec::new())
    }

    pub(crate) fn has_barrier(&self) -> bool {
        matches!(self, Self::Barrier) || self.regions().any(Region::has_barrier)
    }
}
