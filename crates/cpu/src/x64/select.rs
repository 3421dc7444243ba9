//! Instructions, with registers still to be found.
//!
//! Most operations are one instruction; a test and what depends on it are made together, so that flags
//! never live longer. Literals are made where they are wanted, or read from memory by whoever wants them;
//! so is what was loaded for one use only, if nothing is written in between.

use std::collections::HashMap;

use regalloc2::{Operand, VReg};

use super::form::{Block, End, Form, Val};
use super::function::{ARGUMENTS, Chunk, Clobbers, Inst, RAX, Selected, Source, What, general, reg_class};
use super::op::Op;
use super::place::{Placed, is_literal};
use super::reg::Class;
use super::ssa::Flow;

/// Loads that wait at once.
const PENDING_MAX: usize = 32;

/// Chooses instructions for a function.
pub(super) fn select(form: &Form, flow: &Flow, placed: &Placed) -> Selected {
    let uses = placed.uses(form, flow);
    let (mut user, mut block_of) = (vec![Val::NONE; form.nodes.len()], vec![None; form.nodes.len()]);
    for &block in &placed.layout {
        for &val in &placed.code[block.index()] {
            block_of[val.index()] = Some(block);
            form.args(val).into_iter().filter(|&arg| arg != Val::NONE).for_each(|arg| user[arg.index()] = val);
        }
    }
    let vregs = vec![None; form.nodes.len()];
    let numbers = vec![usize::MAX; form.blocks.len()];
    let (edges, pending, out) = (HashMap::new(), Vec::new(), Selected::new(form.isa));
    let mut select = Select { form, flow, placed, uses, user, block_of, vregs, numbers, edges, pending, out };
    select.number();
    select.run();
    select.out
}

pub(super) struct Select<'a> {
    pub(super) form: &'a Form,
    flow: &'a Flow,
    placed: &'a Placed,
    pub(super) uses: Vec<u32>,
    /// The only user of what is used once.
    user: Vec<Val>,
    block_of: Vec<Option<Block>>,
    vregs: Vec<Option<VReg>>,
    /// Of blocks, for the register allocator: values are made in blocks before those that use them.
    numbers: Vec<usize>,
    /// Of edges, by the block that they come from and the way that it goes: one from a block that goes on in
    /// two ways to one that is entered in two has a block of its own.
    edges: HashMap<(Block, usize), usize>,
    /// Loads that wait for their users.
    pub(super) pending: Vec<Val>,
    out: Selected,
}

impl Select<'_> {
    fn number(&mut self) {
        let mut next = 0;
        for &block in &self.placed.order {
            self.numbers[block.index()] = next;
            next += 1;
            let end = self.form.blocks[block.index()].end();
            if matches!(end, End::Branch { .. }) {
                for (way, to) in end.successors().enumerate() {
                    if self.flow.preds[to.index()].len() > 1 {
                        self.edges.insert((block, way), next);
                        next += 1;
                    }
                }
            }
        }
        self.out.chunks.resize_with(next, Chunk::default);
        for &block in &self.placed.layout {
            self.out.layout.push(self.numbers[block.index()]);
            let edges = [0, 1].into_iter().filter_map(|way| self.edges.get(&(block, way)));
            self.out.layout.extend(edges);
        }
    }

    fn run(&mut self) {
        for &block in &self.placed.order {
            let number = self.numbers[block.index()];
            let params = self.form.blocks[block.index()].params.iter().map(|&(val, _)| self.vreg(val)).collect();
            self.out.chunks[number].params = params;
            let first = self.out.insts.len();
            if number == 0 {
                self.arguments();
            }
            for &val in &self.placed.code[block.index()] {
                self.node(block, val);
            }
            self.flush();
            let ways = self.finish(block);
            self.out.chunks[number].insts = (first, self.out.insts.len());
            for (way, (to, given)) in ways.into_iter().enumerate() {
                self.leave(block, way, to, given);
            }
        }
        for number in 0..self.out.chunks.len() {
            for to in self.out.chunks[number].succs.clone() {
                self.out.chunks[to.index()].preds.push(regalloc2::Block::new(number));
            }
        }
    }

    /// A way on from a block, through a block of its own if it has one.
    fn leave(&mut self, block: Block, way: usize, to: usize, given: Vec<VReg>) {
        let mut from = self.numbers[block.index()];
        if let Some(&edge) = self.edges.get(&(block, way)) {
            self.out.chunks[from].succs.push(regalloc2::Block::new(edge));
            self.out.chunks[from].given.push(Vec::new());
            let first = self.out.insts.len();
            self.push(What::Jump(to), Source::Operand, Clobbers::None, &[]);
            self.out.chunks[edge].insts = (first, first + 1);
            from = edge;
        }
        self.out.chunks[from].succs.push(regalloc2::Block::new(to));
        self.out.chunks[from].given.push(given);
    }

    pub(super) fn fresh(&mut self, class: Class) -> VReg {
        self.out.vregs += 1;
        VReg::new(self.out.vregs - 1, reg_class(class))
    }

    pub(super) fn vreg(&mut self, val: Val) -> VReg {
        if let Some(vreg) = self.vregs[val.index()] {
            return vreg;
        }
        let vreg = self.fresh(self.form.op(val).class());
        self.vregs[val.index()] = Some(vreg);
        vreg
    }

    /// A value in a register: literals are made for this use.
    pub(super) fn used(&mut self, val: Val) -> VReg {
        if !is_literal(self.form.op(val)) {
            return self.vreg(val);
        }
        let vreg = self.fresh(self.form.op(val).class());
        self.push(What::Make(val), Source::Operand, Clobbers::None, &[Operand::reg_def(vreg)]);
        vreg
    }

    pub(super) fn push(&mut self, what: What, source: Source, clobbers: Clobbers, operands: &[Operand]) {
        let first = self.out.operands.len() as u32;
        self.out.operands.extend_from_slice(operands);
        self.out.insts.push(Inst { what, source, operands: (first, self.out.operands.len() as u32), clobbers });
    }

    fn arguments(&mut self) {
        let defs: Vec<Operand> = self.form.blocks[0]
            .pinned
            .iter()
            .filter_map(|&val| match self.form.op(val) {
                Op::Argument(i) => Some((val, i)),
                _ => None,
            })
            .map(|(val, i)| Operand::reg_fixed_def(self.vreg(val), general(ARGUMENTS[i as usize])))
            .collect();
        self.push(What::Arguments, Source::Operand, Clobbers::None, &defs);
    }

    fn node(&mut self, block: Block, val: Val) {
        let op = self.form.op(val);
        match op {
            Op::Argument(_) => return,
            Op::Load(..) | Op::Gather(_) if self.uses[val.index()] == 0 => return,
            Op::Load(..) if self.pending.len() < PENDING_MAX && self.waits(block, val) => {
                return self.pending.push(val);
            }
            _ => {}
        }
        if op.writes() {
            self.flush();
        }
        self.instruction(val);
    }

    /// Whether a load can be a part of its only user.
    fn waits(&self, block: Block, val: Val) -> bool {
        let user = self.user[val.index()];
        if self.uses[val.index()] != 1 || self.block_of[user.index()] != Some(block) {
            return false;
        }
        let (Op::V(op, bits, _), Op::Load(width, _)) = (self.form.op(user), self.form.op(val)) else {
            return false;
        };
        let args = self.form.args(user);
        op.memory_bytes(bits) == width.bytes()
            && width.class() == Class::Vector
            && op.in_memory().is_some_and(|at| args[at] == val || at == 1 && args[0] == val && op.swaps())
    }

    /// Loads that nobody has taken yet, before something is written.
    pub(super) fn flush(&mut self) {
        for val in std::mem::take(&mut self.pending) {
            self.instruction(val);
        }
    }

    /// Ends a block; gives where it goes on, with what those blocks' parameters become.
    fn finish(&mut self, block: Block) -> Vec<(usize, Vec<VReg>)> {
        let end = self.form.blocks[block.index()].end();
        let mut ways = Vec::new();
        for to in end.successors() {
            let at = self.flow.preds[to.index()].iter().position(|&pred| pred == block);
            let given = at.map(|at| self.flow.given[to.index()].iter().map(move |all| all[at]));
            let given = given.into_iter().flatten().map(|val| self.used(val)).collect();
            ways.push((self.numbers[to.index()], given));
        }
        match end {
            End::Jump(to) => self.push(What::Jump(self.numbers[to.index()]), Source::Operand, Clobbers::None, &[]),
            End::Branch { test, args, .. } => {
                let operands = self.tested(args);
                let number = |way: usize| *self.edges.get(&(block, way)).unwrap_or(&ways[way].0);
                let (accept, reject) = (number(0), number(1));
                self.push(What::Branch { test, accept, reject }, Source::Operand, Clobbers::None, &operands);
            }
            End::Return(given) => {
                let given: Vec<Operand> =
                    given.into_iter().map(|val| Operand::reg_fixed_use(self.used(val), general(RAX))).collect();
                self.push(What::Return, Source::Operand, Clobbers::None, &given);
            }
            End::Open => unreachable!("invariant blocks: each ends"),
        }
        ways
    }
}
