//! What lanes do besides computing: each such operation gets the mask of those that do it, or operands that say so.

use super::state::Carries;
use super::{Flow, Linearize};
use crate::divergence::EVEN;
use crate::ir::{Address, Binary, Group, Memory, Node, Op, Reach, Shape, Slot, Subgroup, Ty, Unary, Value};

impl Linearize<'_> {
    /// Evaluates a value here.
    pub(super) fn evaluate(&mut self, value: Value) {
        let mut op = std::mem::replace(&mut self.f.values[value.index()].op, Op::Param);
        if !self.renamed.is_empty() {
            op.rename(|operand| self.renamed.get(&operand).copied().unwrap_or(operand));
        }
        let mask = self.lanes.mask;
        match op {
            Op::Run(callee, _) => {
                self.f.values[value.index()].op = Op::Run(callee, mask);
                return self.if_any(|this| this.nodes.push(Node::Let(value)));
            }
            Op::Atomic { at, fun, value: with, compare, .. } => {
                let one = self.lanes.alone && self.is_one_for_all(&at, [Some(with), compare]);
                let when = mask.filter(|_| !one);
                self.f.values[value.index()].op = Op::Atomic { at, fun, value: with, compare, when };
                if one {
                    return self.once(value);
                }
            }
            Op::Subgroup(what, args) => {
                let op = mask.map_or(Op::Subgroup(what, args.clone()), |mask| self.together(value, what, args, mask));
                self.f.values[value.index()].op = op;
            }
            op => self.f.values[value.index()].op = op,
        }
        self.nodes.push(Node::Let(value));
    }

    fn is_one_for_all(&self, at: &Address, operands: [Option<Value>; 2]) -> bool {
        let indices = at.terms.iter().map(|term| term.index);
        self.shapes.width > 1 && indices.chain(operands.into_iter().flatten()).all(|operand| self.is_scalar(operand))
    }

    /// For the only lane that may be active, where it does not matter which one that is.
    fn once(&mut self, value: Value) {
        self.told(value, EVEN);
        let Some(mask) = self.lanes.mask.filter(|_| !self.lanes.awake) else {
            return self.nodes.push(Node::Let(value));
        };
        let (any, zeros) = (self.any(mask), self.zeros(&[value]));
        let (_, old) = self.guarded(any, &Carries::default(), &[value], &zeros, |this| {
            this.nodes.push(Node::Let(value));
            (Flow::On, vec![value])
        });
        self.renamed.insert(value, old[0]);
    }

    /// An operation of a subgroup in which only the lanes of a mask take part.
    fn together(&mut self, value: Value, what: Subgroup, mut args: Vec<Value>, mask: Value) -> Op {
        let ty = self.f.ty(value);
        match what {
            Subgroup::Fence => {}
            Subgroup::First => args.push(mask),
            Subgroup::Fold(Binary::And, _) if ty == Ty::Bool => {
                let fails = self.not(args[0]);
                let fails = self.and(Some(mask), fails);
                let any = self.any(fails);
                return Op::Unary(Unary::Not, any);
            }
            Subgroup::Ballot(_) => args[0] = self.and(Some(mask), args[0]),
            Subgroup::Fold(..) if ty == Ty::Bool => args[0] = self.and(Some(mask), args[0]),
            Subgroup::Fold(Binary::Add, Reach::All)
                if matches!(ty, Ty::I32 | Ty::U32) && self.f.condition_of(args[0]).is_some() =>
            {
                // How many hold, where numbers are 0 or 1.
                let condition = self.f.condition_of(args[0]).unwrap_or(args[0]);
                let holds = self.and(Some(mask), condition);
                args[0] = self.emit(ty, Op::Convert(holds));
            }
            Subgroup::Fold(op, _) => args[0] = self.or_bits(mask, args[0], op.neutral(ty)),
            Subgroup::Shuffle(_) => args[0] = self.or_bits(mask, args[0], 0),
        }
        Op::Subgroup(what, args)
    }

    /// A value in the lanes of a mask, and these bits in the others.
    fn or_bits(&mut self, mask: Value, value: Value, bits: u64) -> Value {
        let other = self.literal(self.f.ty(value), bits);
        self.blend(Some(mask), value, other)
    }

    pub(super) fn store(&mut self, at: Address, value: Value, when: Option<Value>) {
        let (at, value, when) = (self.place(at), self.name(value), when.map(|when| self.name(when)));
        let shared = !matches!(self.f.memories[at.memory.index()], Memory::Private { .. });
        let one =
            shared && at.terms.iter().map(|term| term.index).chain([value]).all(|operand| self.is_scalar(operand));
        // Whoever is active stores the same, so that once is enough.
        if one && when.is_none() {
            return self.if_any(|this| this.nodes.push(Node::Store { at, value, when: None }));
        }
        let when = when.map(|when| self.and(self.lanes.mask, when)).or(self.lanes.mask);
        self.nodes.push(Node::Store { at, value, when });
    }

    fn place(&self, mut at: Address) -> Address {
        at.terms.iter_mut().for_each(|term| term.index = self.name(term.index));
        at
    }

    pub(super) fn group(&mut self, mut group: Group) {
        group.rename(|value| self.renamed.get(&value).copied().unwrap_or(value));
        match &mut group {
            Group::Keep { slot, value, merges } => {
                if std::mem::take(merges) {
                    *value = self.merged(*slot, *value);
                }
            }
            Group::Compress { when, .. } => *when = self.lanes.mask,
            Group::Each(_) | Group::Workgroups(_) | Group::Zero(_) | Group::Clear | Group::Prefetch(_) => {
                unreachable!("invariant groups: they do not stand inside one another")
            }
        }
        self.nodes.push(Node::Group(group));
    }

    /// What a slot holds when the active lanes have left a value there.
    fn merged(&mut self, slot: Slot, value: Value) -> Value {
        let kept = self.f.slots[slot.index()];
        // Where it is one for the lane group, all lanes bring the same.
        let Some(mask) = self.lanes.mask.filter(|_| kept.shape == Shape::Varying) else { return value };
        let old = self.recall(slot);
        self.blend(Some(mask), value, old)
    }
}
