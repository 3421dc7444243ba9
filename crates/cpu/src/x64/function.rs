//! A function as the register allocator sees it, and the registers that there are.

use regalloc2::{Operand, PReg, PRegSet, RegClass, VReg};

use super::condition::Test;
use super::form::Val;
use super::isa::Isa;
use super::op::Place;
use super::reg::Class;

pub(super) const RAX: u8 = 0;
pub(super) const RDX: u8 = 2;
/// Arguments of functions in general registers.
pub(super) const ARGUMENTS: [u8; 4] = [7, 6, RDX, 1];
/// What a function keeps for its caller.
pub(super) const KEPT: [u8; 5] = [3, 12, 13, 14, 15];
/// What it may use besides.
const FREE: [u8; 9] = [RAX, 1, RDX, 6, 7, 8, 9, 10, 11];

/// Where an operand in memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// In a register or a slot of the stack.
    Operand,
    /// A literal behind the code.
    Pool(u32),
    /// The next operands are its base and, if there is one, its index.
    Memory(Place, bool),
}

#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// The function's arguments.
    Arguments,
    /// A literal or an operation.
    Make(Val),
    /// The same, for its effect only.
    Do(Val),
    Jump(usize),
    Branch {
        test: Test,
        accept: usize,
        reject: usize,
    },
    Return,
}

#[derive(Debug)]
pub(super) struct Inst {
    pub(super) what: What,
    pub(super) source: Source,
    pub(super) operands: (u32, u32),
    pub(super) clobbers: Clobbers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clobbers {
    None,
    /// Everything that a function may use, but for these results.
    Call {
        general: bool,
        vector: bool,
    },
    Rax,
    Rdx,
}

#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) insts: (usize, usize),
    pub(super) succs: Vec<regalloc2::Block>,
    pub(super) preds: Vec<regalloc2::Block>,
    pub(super) params: Vec<VReg>,
    /// For each successor.
    pub(super) given: Vec<Vec<VReg>>,
}

/// A function for the register allocator.
#[derive(Debug)]
pub(super) struct Selected {
    pub(super) isa: Isa,
    pub(super) insts: Vec<Inst>,
    pub(super) operands: Vec<Operand>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) vregs: usize,
    /// Blocks as they are to lie, those of edges right behind the ones that they come from.
    pub(super) layout: Vec<usize>,
}

pub(super) fn reg_class(class: Class) -> RegClass {
    match class {
        Class::General => RegClass::Int,
        Class::Vector => RegClass::Vector,
        Class::Mask => RegClass::Float,
    }
}

pub(super) fn general(n: u8) -> PReg {
    PReg::new(n.into(), RegClass::Int)
}

pub(super) fn vector(n: usize) -> PReg {
    PReg::new(n, RegClass::Vector)
}

/// The mask that stands for all lanes cannot be written for some.
const MASKS: std::ops::Range<usize> = 1..8;

fn mask(n: usize) -> PReg {
    PReg::new(n, RegClass::Float)
}

impl Selected {
    pub(super) fn new(isa: Isa) -> Self {
        Self { isa, insts: Vec::new(), operands: Vec::new(), chunks: Vec::new(), vregs: 0, layout: Vec::new() }
    }

    pub(super) fn blocks(&self) -> usize {
        self.chunks.len()
    }
}

impl regalloc2::Function for Selected {
    fn num_insts(&self) -> usize {
        self.insts.len()
    }

    fn num_blocks(&self) -> usize {
        self.chunks.len()
    }

    fn entry_block(&self) -> regalloc2::Block {
        regalloc2::Block::new(0)
    }

    fn block_insns(&self, block: regalloc2::Block) -> regalloc2::InstRange {
        let (first, end) = self.chunks[block.index()].insts;
        regalloc2::InstRange::new(regalloc2::Inst::new(first), regalloc2::Inst::new(end))
    }

    fn block_succs(&self, block: regalloc2::Block) -> &[regalloc2::Block] {
        &self.chunks[block.index()].succs
    }

    fn block_preds(&self, block: regalloc2::Block) -> &[regalloc2::Block] {
        &self.chunks[block.index()].preds
    }

    fn block_params(&self, block: regalloc2::Block) -> &[VReg] {
        &self.chunks[block.index()].params
    }

    fn is_ret(&self, inst: regalloc2::Inst) -> bool {
        matches!(self.insts[inst.index()].what, What::Return)
    }

    fn is_branch(&self, inst: regalloc2::Inst) -> bool {
        matches!(self.insts[inst.index()].what, What::Jump(_) | What::Branch { .. })
    }

    fn branch_blockparams(&self, block: regalloc2::Block, _: regalloc2::Inst, succ: usize) -> &[VReg] {
        &self.chunks[block.index()].given[succ]
    }

    fn inst_operands(&self, inst: regalloc2::Inst) -> &[Operand] {
        let (first, end) = self.insts[inst.index()].operands;
        &self.operands[first as usize..end as usize]
    }

    fn inst_clobbers(&self, inst: regalloc2::Inst) -> PRegSet {
        let mut set = PRegSet::empty();
        match self.insts[inst.index()].clobbers {
            Clobbers::None => {}
            Clobbers::Rax => set.add(general(RAX)),
            Clobbers::Rdx => set.add(general(RDX)),
            Clobbers::Call { general: number, vector: float } => {
                FREE.iter().filter(|&&n| !number || n != RAX).for_each(|&n| set.add(general(n)));
                (0..self.isa.registers()).filter(|&n| !float || n != 0).for_each(|n| set.add(vector(n)));
                if self.isa == Isa::Avx512 {
                    MASKS.for_each(|n| set.add(mask(n)));
                }
            }
        }
        set
    }

    fn num_vregs(&self) -> usize {
        self.vregs
    }

    fn spillslot_size(&self, class: RegClass) -> usize {
        match class {
            RegClass::Int | RegClass::Float => 1,
            RegClass::Vector => self.isa.vector() as usize / 8,
        }
    }
}

/// The registers that there are.
pub(super) fn machine(isa: Isa) -> regalloc2::MachineEnv {
    let set = |all: &mut dyn Iterator<Item = PReg>| all.fold(PRegSet::empty(), regalloc2::PRegSet::with);
    let masks = isa.pick(0..0, MASKS);
    regalloc2::MachineEnv {
        preferred_regs_by_class: [
            set(&mut FREE.iter().map(|&n| general(n))),
            set(&mut masks.map(mask)),
            set(&mut (0..isa.registers()).map(vector)),
        ],
        non_preferred_regs_by_class: [set(&mut KEPT.iter().map(|&n| general(n))), PRegSet::empty(), PRegSet::empty()],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}
