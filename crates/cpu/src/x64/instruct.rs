//! The instruction of an operation: which registers it takes, and what it reads from memory itself.

use regalloc2::{Operand, VReg};

use super::form::Val;
use super::function::{ARGUMENTS, Clobbers, RAX, RDX, Source, What, general, vector};
use super::op::{Alu, Change, Mask, Op};
use super::reg::Class;
use super::select::Select;
use super::vector::{Shape, V};
use crate::helpers::Machine;

impl Select<'_> {
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

    pub(super) fn instruction(&mut self, val: Val) {
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
            Op::Alu(Alu::Add, _)
            | Op::Shift(..)
            | Op::Deposit
            | Op::Collect
            | Op::Insert(..)
            | Op::Mask(Mask::And | Mask::AndNot | Mask::Or | Mask::Xor | Mask::Join) => {
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
            | Op::Signs(_)
            | Op::ToMask
            | Op::FromMask
            | Op::Mask(Mask::Not | Mask::NotEight | Mask::Upper) => {
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
            Op::Load(_, place) => {
                let (address, index) = self.address(args, false);
                source = Source::Memory(place, index);
                [vec![Operand::reg_def(self.vreg(val))], address].concat()
            }
            Op::Gather(_) => {
                let masked = args[2] != Val::NONE;
                let temp = self.fresh(Class::Mask);
                // The result is not where the offsets are, and the mask is no more after it.
                let mut own = vec![Operand::reg_def(self.vreg(val)), Operand::reg_temp(temp)];
                for arg in args.into_iter().take(if masked { 3 } else { 2 }) {
                    let vreg = self.used(arg);
                    own.push(Operand::reg_use_at_end(vreg));
                }
                own
            }
            Op::Scatter(_) => {
                let masked = args[3] != Val::NONE;
                what = What::Do(val);
                let temp = self.fresh(Class::Mask);
                let mut own = vec![Operand::reg_temp(temp)];
                for arg in args.into_iter().take(if masked { 4 } else { 3 }) {
                    let vreg = self.used(arg);
                    own.push(Operand::reg_use_at_end(vreg));
                }
                own
            }
            Op::Fence => {
                what = What::Do(val);
                Vec::new()
            }
            Op::Store(_, place) | Op::Stream(_, place) => {
                let stored = self.used(args[2]);
                let (address, index) = self.address(args, false);
                (what, source) = (What::Do(val), Source::Memory(place, index));
                [vec![Operand::reg_use(stored)], address].concat()
            }
            Op::StoreMasked(_, place) => {
                let [stored, mask] = [args[2], args[3]].map(|arg| self.used(arg));
                let (address, index) = self.address(args, false);
                (what, source) = (What::Do(val), Source::Memory(place, index));
                [vec![Operand::reg_use(stored), Operand::reg_use(mask)], address].concat()
            }
            Op::AddTo(_, place) | Op::Prefetch(place) => {
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
            | Op::MaskLiteral(_)
            | Op::V(..)
            | Op::Call(_)
            | Op::Fetch
            | Op::Run(_) => unreachable!("invariant selection: {op:?} is made elsewhere"),
        };
        self.push(what, source, clobbers, &operands);
    }

    /// The operands of a test.
    pub(super) fn tested(&mut self, args: [Val; 2]) -> Vec<Operand> {
        let given: Vec<Val> = args.into_iter().filter(|&arg| arg != Val::NONE).collect();
        given.into_iter().map(|arg| Operand::reg_use(self.used(arg))).collect()
    }

    fn vector_instruction(&mut self, val: Val, op: V, mut args: [Val; 4]) {
        let Op::V(_, bits, _) = self.form.op(val) else { unreachable!("invariant selection: a vector operation") };
        let bytes = op.memory_bytes(bits);
        let mut source = Source::Operand;
        let mut address = Vec::new();
        let place = op.in_memory();
        if place == Some(1) && args[1] != Val::NONE {
            let literal = |val: Val| self.form.bytes(val).is_some();
            let loaded = |val: Val| self.pending.contains(&val);
            let turn = if op.commutes() {
                (literal(args[0]) && !literal(args[1])) || loaded(args[0]) && !loaded(args[1]) && op.swaps()
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
}
