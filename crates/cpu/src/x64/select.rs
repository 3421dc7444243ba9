//! Instructions, with registers still to be found.
//!
//! Most operations are one instruction; a test and what depends on it are made together, so that flags
//! never live longer. Literals are made where they are wanted, or read from memory by whoever wants them;
//! so is what was loaded for one use only, if nothing is written in between.

use std::collections::HashMap;

use regalloc2::{Operand, PReg, PRegSet, RegClass, VReg};

use super::form::{Block, End, Form, Val};
use super::op::{Alu, Change, Class, Op, Place, Test};
use super::place::{Placed, is_literal};
use super::ssa::Flow;
use super::vector::{Shape, V};
use crate::helpers::Machine;

pub(super) const RAX: u8 = 0;
pub(super) const RDX: u8 = 2;
/// Arguments of functions in general registers.
const ARGUMENTS: [u8; 4] = [7, 6, RDX, 1];
/// What a function keeps for its caller.
pub(super) const KEPT: [u8; 5] = [3, 12, 13, 14, 15];
/// What it may use besides.
const FREE: [u8; 9] = [RAX, 1, RDX, 6, 7, 8, 9, 10, 11];

/// Loads that wait at once.
const PENDING_MAX: usize = 32;

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
    operands: (u32, u32),
    clobbers: Clobbers,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clobbers {
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
struct Chunk {
    insts: (usize, usize),
    succs: Vec<regalloc2::Block>,
    preds: Vec<regalloc2::Block>,
    params: Vec<VReg>,
    /// For each successor.
    given: Vec<Vec<VReg>>,
}

/// A function for the register allocator.
#[derive(Debug, Default)]
pub(super) struct Selected {
    pub(super) insts: Vec<Inst>,
    operands: Vec<Operand>,
    chunks: Vec<Chunk>,
    vregs: usize,
    /// Blocks as they are to lie, those of edges right behind the ones that they come from.
    pub(super) layout: Vec<usize>,
}

/// Chooses instructions for a function.
pub(super) fn select(form: &Form, flow: &Flow, placed: &Placed) -> Selected {
    let mut uses = vec![0_u32; form.nodes.len()];
    let mut user = vec![Val::NONE; form.nodes.len()];
    for &val in placed.code.iter().flatten() {
        for arg in form.args(val).into_iter().filter(|&arg| arg != Val::NONE) {
            uses[arg.index()] += 1;
            user[arg.index()] = val;
        }
    }
    let outside = |val: Val, uses: &mut Vec<u32>| {
        if val != Val::NONE {
            uses[val.index()] += 2;
        }
    };
    for &block in &placed.layout {
        match form.blocks[block.index()].end() {
            End::Branch { args, .. } => args.into_iter().for_each(|val| outside(val, &mut uses)),
            End::Return(Some(val)) => outside(val, &mut uses),
            End::Return(None) | End::Jump(_) | End::Open => {}
        }
        flow.given[block.index()].iter().flatten().for_each(|&val| outside(val, &mut uses));
    }
    let mut block_of = vec![None; form.nodes.len()];
    for &block in &placed.layout {
        placed.code[block.index()].iter().for_each(|val| block_of[val.index()] = Some(block));
    }
    let vregs = vec![None; form.nodes.len()];
    let numbers = vec![usize::MAX; form.blocks.len()];
    let (edges, pending, out) = (HashMap::new(), Vec::new(), Selected::default());
    let mut select = Select { form, flow, placed, uses, user, block_of, vregs, numbers, edges, pending, out };
    select.number();
    select.run();
    select.out
}

struct Select<'a> {
    form: &'a Form,
    flow: &'a Flow,
    placed: &'a Placed,
    uses: Vec<u32>,
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
    pending: Vec<Val>,
    out: Selected,
}

fn reg_class(class: Class) -> RegClass {
    match class {
        Class::General => RegClass::Int,
        Class::Vector => RegClass::Vector,
    }
}

pub(super) fn general(n: u8) -> PReg {
    PReg::new(n.into(), RegClass::Int)
}

fn vector(n: usize) -> PReg {
    PReg::new(n, RegClass::Vector)
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

    fn fresh(&mut self, class: Class) -> VReg {
        self.out.vregs += 1;
        VReg::new(self.out.vregs - 1, reg_class(class))
    }

    fn vreg(&mut self, val: Val) -> VReg {
        if let Some(vreg) = self.vregs[val.index()] {
            return vreg;
        }
        let vreg = self.fresh(self.form.op(val).class());
        self.vregs[val.index()] = Some(vreg);
        vreg
    }

    /// A value in a register: literals are made for this use.
    fn used(&mut self, val: Val) -> VReg {
        if !is_literal(self.form.op(val)) {
            return self.vreg(val);
        }
        let vreg = self.fresh(self.form.op(val).class());
        self.push(What::Make(val), Source::Operand, Clobbers::None, &[Operand::reg_def(vreg)]);
        vreg
    }

    fn push(&mut self, what: What, source: Source, clobbers: Clobbers, operands: &[Operand]) {
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
            Op::Load(..) | Op::Fixed(..) if self.uses[val.index()] == 0 => return,
            Op::Load(..) | Op::Fixed(..) if self.pending.len() < PENDING_MAX && self.waits(block, val) => {
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
        let (Op::V(op, bits, _), Op::Load(width, _) | Op::Fixed(width, _)) = (self.form.op(user), self.form.op(val))
        else {
            return false;
        };
        let args = self.form.args(user);
        op.memory_bytes(bits) == width.bytes()
            && width.class() == Class::Vector
            && in_memory(op).is_some_and(|at| args[at] == val || at == 1 && args[0] == val && swaps(op))
    }

    /// Loads that nobody has taken yet, before something is written.
    fn flush(&mut self) {
        for val in std::mem::take(&mut self.pending) {
            self.instruction(val);
        }
    }

    fn address(&mut self, args: [Val; 4], at_end: bool) -> (Vec<Operand>, bool) {
        let with_index = args[1] != Val::NONE;
        let make = |vreg: VReg| if at_end { Operand::reg_use_at_end(vreg) } else { Operand::reg_use(vreg) };
        let mut operands = vec![make(self.used(args[0]))];
        if with_index {
            let index = self.used(args[1]);
            operands.push(make(index));
        }
        (operands, with_index)
    }

    fn instruction(&mut self, val: Val) {
        let (op, args) = (self.form.op(val), self.form.args(val));
        match op {
            Op::V(op, ..) => return self.vector_instruction(val, op, args),
            Op::Call(helper) => {
                let (params, result) = helper.signature();
                let (mut generals, mut vectors, mut operands) = (0, 0, Vec::new());
                for (i, param) in params.iter().enumerate() {
                    let vreg = self.used(args[i]);
                    operands.push(match param {
                        Machine::f32 | Machine::f64 => {
                            vectors += 1;
                            Operand::reg_fixed_use(vreg, vector(vectors - 1))
                        }
                        Machine::u32 | Machine::i32 | Machine::i64 => {
                            generals += 1;
                            Operand::reg_fixed_use(vreg, general(ARGUMENTS[generals - 1]))
                        }
                    });
                }
                let float = matches!(result, Machine::f32 | Machine::f64);
                let place = if float { vector(0) } else { general(RAX) };
                operands.insert(0, Operand::reg_fixed_def(self.vreg(val), place));
                let clobbers = Clobbers::Call { general: !float, vector: float };
                return self.push(What::Make(val), Source::Operand, clobbers, &operands);
            }
            Op::Fetch | Op::Run(_) => {
                let given: Vec<Val> = args.into_iter().filter(|&arg| arg != Val::NONE).collect();
                let mut operands = Vec::new();
                for (arg, place) in given.into_iter().zip(ARGUMENTS) {
                    let vreg = self.used(arg);
                    operands.push(Operand::reg_fixed_use(vreg, general(place)));
                }
                let gives = matches!(op, Op::Run(_));
                if gives {
                    operands.insert(0, Operand::reg_fixed_def(self.vreg(val), general(RAX)));
                }
                let clobbers = Clobbers::Call { general: gives, vector: false };
                return self.push(What::Make(val), Source::Operand, clobbers, &operands);
            }
            _ => {}
        }
        let mut clobbers = Clobbers::None;
        let (mut what, mut source) = (What::Make(val), Source::Operand);
        let operands: Vec<Operand> = match op {
            Op::Alu(Alu::Add, _) | Op::Shift(..) | Op::Insert(..) => {
                let [a, b] = [args[0], args[1]].map(|arg| self.used(arg));
                vec![Operand::reg_def(self.vreg(val)), Operand::reg_use(a), Operand::reg_use(b)]
            }
            Op::Alu(..) => {
                let [a, b] = [args[0], args[1]].map(|arg| self.used(arg));
                vec![Operand::reg_reuse_def(self.vreg(val), 1), Operand::reg_use(a), Operand::any_use(b)]
            }
            Op::AluLiteral(Alu::Add | Alu::Mul, ..)
            | Op::Count(..)
            | Op::Low
            | Op::LowByte
            | Op::LowHalf
            | Op::Signed
            | Op::ToVector(_)
            | Op::FromVector(_)
            | Op::Extract(..)
            | Op::ToInt { .. }
            | Op::FromInt { .. }
            | Op::Signs(_) => {
                let a = self.used(args[0]);
                vec![Operand::reg_def(self.vreg(val)), Operand::reg_use(a)]
            }
            Op::ShiftLiteral(super::op::Shift::Left, _, 1..=3) => {
                let a = self.used(args[0]);
                vec![Operand::reg_def(self.vreg(val)), Operand::reg_use(a)]
            }
            Op::AluLiteral(..) | Op::ShiftLiteral(..) | Op::Negate(_) | Op::Not(_) | Op::Swap(_) => {
                let a = self.used(args[0]);
                vec![Operand::reg_reuse_def(self.vreg(val), 1), Operand::reg_use(a)]
            }
            Op::Divide { rest, .. } => {
                let [a, b] = [args[0], args[1]].map(|arg| self.used(arg));
                clobbers = if rest { Clobbers::Rax } else { Clobbers::Rdx };
                let place = general(if rest { RDX } else { RAX });
                vec![
                    Operand::reg_fixed_def(self.vreg(val), place),
                    Operand::reg_fixed_use(a, general(RAX)),
                    Operand::reg_use_at_end(b),
                ]
            }
            Op::Set(_) => {
                let tested = self.tested([args[0], args[1]]);
                [vec![Operand::reg_def(self.vreg(val))], tested].concat()
            }
            Op::FloatEqual { .. } => {
                let [a, b] = [args[0], args[1]].map(|arg| self.used(arg));
                let temp = self.fresh(Class::General);
                vec![
                    Operand::reg_def(self.vreg(val)),
                    Operand::reg_use(a),
                    Operand::reg_use(b),
                    Operand::reg_temp(temp),
                ]
            }
            Op::Select(..) => {
                let [accept, reject] = [args[2], args[3]].map(|arg| self.used(arg));
                let tested = self.tested([args[0], args[1]]);
                let own =
                    [Operand::reg_reuse_def(self.vreg(val), 1), Operand::reg_use(reject), Operand::reg_use(accept)];
                [own.to_vec(), tested].concat()
            }
            Op::Load(_, place) | Op::Fixed(_, place) => {
                let (address, index) = self.address(args, false);
                source = Source::Memory(place, index);
                [vec![Operand::reg_def(self.vreg(val))], address].concat()
            }
            Op::Store(_, place) => {
                let stored = self.used(args[2]);
                let (address, index) = self.address(args, false);
                (what, source) = (What::Do(val), Source::Memory(place, index));
                [vec![Operand::reg_use(stored)], address].concat()
            }
            Op::Prefetch(place) => {
                let (address, index) = self.address(args, false);
                (what, source) = (What::Do(val), Source::Memory(place, index));
                address
            }
            Op::Change(change, _, place) => {
                let number = self.used(args[2]);
                let wanted = self.uses[val.index()] > 0;
                let at_once = matches!(change, Change::Add | Change::Exchange);
                let loops = !at_once && (wanted || matches!(change, Change::Pick(_)));
                let (address, index) = self.address(args, loops);
                source = Source::Memory(place, index);
                if loops {
                    let temp = self.fresh(Class::General);
                    let own = [
                        Operand::reg_fixed_def(self.vreg(val), general(RAX)),
                        Operand::reg_temp(temp),
                        Operand::reg_use_at_end(number),
                    ];
                    [own.to_vec(), address].concat()
                } else if wanted || change == Change::Exchange {
                    let own = [Operand::reg_reuse_def(self.vreg(val), 1), Operand::reg_use(number)];
                    [own.to_vec(), address].concat()
                } else {
                    what = What::Do(val);
                    [vec![Operand::reg_use(number)], address].concat()
                }
            }
            Op::CompareExchange(_, place) => {
                let [new, old] = [args[2], args[3]].map(|arg| self.used(arg));
                let (address, index) = self.address(args, false);
                source = Source::Memory(place, index);
                let own = [
                    Operand::reg_fixed_def(self.vreg(val), general(RAX)),
                    Operand::reg_fixed_use(old, general(RAX)),
                    Operand::reg_use(new),
                ];
                [own.to_vec(), address].concat()
            }
            Op::Argument(_)
            | Op::Param(_)
            | Op::Int(_)
            | Op::Pool { .. }
            | Op::V(..)
            | Op::Call(_)
            | Op::Fetch
            | Op::Run(_) => unreachable!("invariant selection: {op:?} is made elsewhere"),
        };
        self.push(what, source, clobbers, &operands);
    }

    /// The operands of a test.
    fn tested(&mut self, args: [Val; 2]) -> Vec<Operand> {
        let given: Vec<Val> = args.into_iter().filter(|&arg| arg != Val::NONE).collect();
        given.into_iter().map(|arg| Operand::reg_use(self.used(arg))).collect()
    }

    fn vector_instruction(&mut self, val: Val, op: V, mut args: [Val; 4]) {
        let Op::V(_, bits, _) = self.form.op(val) else { unreachable!("invariant selection: a vector operation") };
        let bytes = op.memory_bytes(bits);
        let mut source = Source::Operand;
        let mut address = Vec::new();
        let place = in_memory(op);
        if place == Some(1) && args[1] != Val::NONE {
            let literal = |val: Val| self.form.bytes(val).is_some();
            let loaded = |val: Val| self.pending.contains(&val);
            let turn = if op.commutes() {
                (literal(args[0]) && !literal(args[1])) || loaded(args[0]) && !loaded(args[1]) && swaps(op)
            } else {
                false
            };
            if turn {
                args.swap(0, 1);
            }
        }
        if let Some(at) = place {
            let arg = args[at];
            if let Op::Pool { at: start, bytes: size } = self.form.op(arg) {
                let plain = self
                    .form
                    .bytes(arg)
                    .is_some_and(|bytes| bytes.iter().any(|&byte| byte != 0) && bytes.iter().any(|&byte| byte != 0xff));
                if u32::from(size) >= bytes && plain {
                    source = Source::Pool(start);
                }
            } else if let Some(waiting) = self.pending.iter().position(|&load| load == arg) {
                let count = args.iter().filter(|&&other| other == arg).count();
                if count == 1 {
                    self.pending.remove(waiting);
                    let loaded = self.form.op(arg).place();
                    let (operands, index) = self.address(self.form.args(arg), false);
                    let Some(place) = loaded else { unreachable!("invariant selection: a load has a place") };
                    (address, source) = (operands, Source::Memory(place, index));
                }
            }
        }
        for arg in args.into_iter().filter(|&arg| arg != Val::NONE) {
            if let Some(waiting) = self.pending.iter().position(|&load| load == arg) {
                self.pending.remove(waiting);
                self.instruction(arg);
            }
        }
        let mut operands = Vec::with_capacity(6);
        let folded = if source == Source::Operand { None } else { place };
        for (i, arg) in args.into_iter().enumerate().filter(|(_, arg)| *arg != Val::NONE) {
            if folded == Some(i) {
                continue;
            }
            let vreg = self.used(arg);
            let any = place == Some(i) && !matches!(op.shape(), Shape::Single | Shape::SingleLiteral);
            operands.push(if any { Operand::any_use(vreg) } else { Operand::reg_use(vreg) });
        }
        let def = self.vreg(val);
        let def = if op.shape() == Shape::Fused { Operand::reg_reuse_def(def, 1) } else { Operand::reg_def(def) };
        operands.insert(0, def);
        operands.extend(address);
        self.push(What::Make(val), source, Clobbers::None, &operands);
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

/// Which operand may stand in memory.
pub(super) fn in_memory(op: V) -> Option<usize> {
    match op.shape() {
        Shape::One | Shape::OneLiteral | Shape::Single | Shape::SingleLiteral => Some(0),
        Shape::Two | Shape::TwoLiteral | Shape::Blend => Some(1),
        Shape::Fused => Some(2),
        Shape::Shift | Shape::ShiftBy | Shape::Turned => None,
    }
}

/// Whether operands may change places even where they are not known: of two that are no numbers, floats
/// give the first.
fn swaps(op: V) -> bool {
    op.commutes()
        && !matches!(op, V::AddPs | V::AddPd | V::AddSs | V::AddSd | V::MulPs | V::MulPd | V::MulSs | V::MulSd)
}

impl Selected {
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
                (0..16).filter(|&n| !float || n != 0).for_each(|n| set.add(vector(n)));
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
            RegClass::Vector => super::VECTOR as usize / 8,
        }
    }
}

/// The registers that there are.
pub(super) fn machine() -> regalloc2::MachineEnv {
    let set = |all: &mut dyn Iterator<Item = PReg>| all.fold(PRegSet::empty(), |set, reg| set.with(reg));
    regalloc2::MachineEnv {
        preferred_regs_by_class: [
            set(&mut FREE.iter().map(|&n| general(n))),
            PRegSet::empty(),
            set(&mut (0..16).map(vector)),
        ],
        non_preferred_regs_by_class: [set(&mut KEPT.iter().map(|&n| general(n))), PRegSet::empty(), PRegSet::empty()],
        scratch_by_class: [None; 3],
        fixed_stack_slots: Vec::new(),
    }
}
