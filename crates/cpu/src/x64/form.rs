//! Code on its way to the machine: operations in SSA, most of which stand in no block yet.
//!
//! An operation without an effect is made once for the same operands and floats until [`super::place`]
//! gives it a block; what touches memory is pinned to the block it was written in, in order. So common
//! subexpressions and loop-invariant code need no search: two that are alike are one, and it goes where
//! it is wanted least often (C. Click, Global Code Motion / Global Value Numbering, PLDI 1995).

use std::collections::HashMap;

use super::condition::Test;
use super::isa::Isa;
use super::op::Op;

/// A value: the operation that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Val(pub(super) u32);

impl Val {
    /// No operand.
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Block(pub(super) u32);

impl Block {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operands of an operation; those that it does not have are [`Val::NONE`].
pub(super) type Args = [Val; 4];

/// The operands at hand, and no others.
pub(super) fn args<const N: usize>(given: [Val; N]) -> Args {
    let mut all = [Val::NONE; 4];
    all[..N].copy_from_slice(&given);
    all
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) args: Args,
}

/// How a block ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Not yet.
    Open,
    Jump(Block),
    Branch {
        test: Test,
        args: [Val; 2],
        accept: Block,
        reject: Block,
    },
    Return(Option<Val>),
}

impl End {
    pub(super) fn successors(&self) -> impl Iterator<Item = Block> + use<> {
        let [a, b] = match *self {
            Self::Jump(to) => [Some(to), None],
            Self::Branch { accept, reject, .. } => [Some(accept), Some(reject)],
            Self::Open | Self::Return(_) => [None, None],
        };
        a.into_iter().chain(b)
    }
}

#[derive(Debug, Default)]
pub(super) struct BasicBlock {
    /// What is pinned here, in order.
    pub(super) pinned: Vec<Val>,
    /// Parameters with the variables that they stand for.
    pub(super) params: Vec<(Val, u32)>,
    pub(super) end: Option<End>,
    /// Rarely entered.
    pub(super) cold: bool,
}

impl BasicBlock {
    pub(super) fn end(&self) -> End {
        self.end.unwrap_or(End::Open)
    }
}

/// The code of one function.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) isa: Isa,
    pub(super) nodes: Vec<Node>,
    pub(super) blocks: Vec<BasicBlock>,
    /// Blocks in the order in which they were entered.
    pub(super) order: Vec<Block>,
    /// Literals in memory.
    pub(super) pool: Pool,
    known: HashMap<Node, Val>,
}

impl Form {
    pub(super) fn new(isa: Isa) -> Self {
        Self {
            isa,
            nodes: Vec::new(),
            blocks: Vec::new(),
            order: Vec::new(),
            pool: Pool::default(),
            known: HashMap::new(),
        }
    }

    pub(super) fn block(&mut self, cold: bool) -> Block {
        self.blocks.push(BasicBlock { cold, ..BasicBlock::default() });
        Block(self.blocks.len() as u32 - 1)
    }

    /// An operation without an effect.
    pub(super) fn pure(&mut self, op: Op, args: Args) -> Val {
        let node = Node { op, args };
        let next = Val(self.nodes.len() as u32);
        let val = *self.known.entry(node).or_insert(next);
        if val == next {
            self.nodes.push(node);
        }
        val
    }

    /// One that stands where it is written.
    pub(super) fn pinned(&mut self, block: Block, op: Op, args: Args) -> Val {
        let val = Val(self.nodes.len() as u32);
        self.nodes.push(Node { op, args });
        self.blocks[block.index()].pinned.push(val);
        val
    }

    /// A parameter of a block.
    pub(super) fn param(&mut self, block: Block, class: super::reg::Class, variable: u32) -> Val {
        let val = Val(self.nodes.len() as u32);
        self.nodes.push(Node { op: Op::Param(class), args: args([]) });
        self.blocks[block.index()].params.push((val, variable));
        val
    }

    pub(super) fn op(&self, val: Val) -> Op {
        self.nodes[val.index()].op
    }

    pub(super) fn args(&self, val: Val) -> Args {
        self.nodes[val.index()].args
    }

    /// The number, if it is a literal.
    pub(super) fn literal(&self, val: Val) -> Option<i64> {
        match self.op(val) {
            Op::Int(n) => Some(n),
            _ => None,
        }
    }

    /// Bytes of a literal in memory.
    pub(super) fn bytes(&self, val: Val) -> Option<&[u8]> {
        match self.op(val) {
            Op::Pool { at, bytes } => self.pool.bytes.get(at as usize..at as usize + bytes as usize),
            _ => None,
        }
    }
}

/// Literals that lie behind the code.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) bytes: Vec<u8>,
    places: HashMap<Vec<u8>, u32>,
}

impl Pool {
    /// Where these bytes lie; the same for the same. Their number is a power of two, and so is the
    /// distance from the start a multiple of it.
    pub(super) fn place(&mut self, literal: &[u8]) -> u32 {
        if let Some(&at) = self.places.get(literal) {
            return at;
        }
        let at = self.bytes.len().next_multiple_of(literal.len());
        self.bytes.resize(at, 0);
        self.bytes.extend_from_slice(literal);
        self.places.insert(literal.to_vec(), at as u32);
        at as u32
    }
}

impl Form {
    /// Puts other values in the place of some, everywhere but in what blocks give each other.
    pub(super) fn rename(&mut self, mut to: impl FnMut(Val) -> Val) {
        let mut rename = |val: &mut Val| {
            if *val != Val::NONE {
                *val = to(*val);
            }
        };
        for node in &mut self.nodes {
            node.args.iter_mut().for_each(&mut rename);
        }
        for block in &mut self.blocks {
            match &mut block.end {
                Some(End::Branch { args, .. }) => args.iter_mut().for_each(&mut rename),
                Some(End::Return(Some(val))) => rename(val),
                Some(End::Return(None) | End::Jump(_) | End::Open) | None => {}
            }
        }
    }
}
