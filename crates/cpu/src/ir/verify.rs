//! What every function in SPMD form keeps to. Shares no code with construction.

use std::collections::{HashMap, HashSet};

use super::{Address, Each, End, Function, Group, Label, LabelKind, Node, Op, Region, Slot, Subgroup, Ty, Value};

/// The rule that a function breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    #[error("{value} is used outside the region that defines it")]
    Scope { value: Value },
    #[error("{value} is defined twice")]
    Twice { value: Value },
    #[error("{label} is jumped to from outside")]
    Label { label: Label },
    #[error("a join of {expected} parameters gets {got}")]
    Arity { expected: usize, got: usize },
    #[error("{value} has type {got} where {expected} belongs")]
    Type { value: Value, expected: Ty, got: Ty },
    #[error("a loop's body falls out of it")]
    Falls,
    #[error("{slot} has type {got} where {expected} belongs")]
    Slot { slot: Slot, expected: Ty, got: Ty },
    #[error("a loop over lane groups stands inside another")]
    Nested,
    #[error("{mask} is a mask outside of lane groups")]
    Mask { mask: Value },
}

struct Verify<'a> {
    f: &'a Function,
    defined: HashSet<Value>,
    in_scope: HashSet<Value>,
    /// The same, in the order in which they came.
    order: Vec<Value>,
    labels: HashMap<Label, Vec<Ty>>,
    in_group: bool,
}

/// Proves `f` or names the rule that it breaks.
pub(crate) fn verify(f: &Function) -> Result<(), Error> {
    let mut verify = Verify {
        f,
        defined: HashSet::new(),
        in_scope: HashSet::new(),
        order: Vec::new(),
        labels: HashMap::new(),
        in_group: false,
    };
    verify.region(&f.body, Some(&[]))
}

impl Verify<'_> {
    fn region(&mut self, region: &Region, falls_to: Option<&[Ty]>) -> Result<(), Error> {
        let outer = self.order.len();
        for node in &region.nodes {
            match node {
                Node::Let(value) => {
                    let mut bad = None;
                    self.f.op(*value).each(|operand| {
                        bad = bad.or(self.uses(operand).err().map(|_| operand));
                    });
                    if let Some(value) = bad {
                        return Err(Error::Scope { value });
                    }
                    self.op_types(*value)?;
                    self.define(&[*value])?;
                }
                Node::Store { at, value, when } => self.stores(at, *value, *when)?,
                Node::Barrier => {}
                Node::Group(group) => self.group(group)?,
                Node::If { condition, accept, reject, results } => {
                    self.uses(*condition)?;
                    self.has_type(*condition, Ty::Bool)?;
                    let tys = self.tys(results);
                    self.region(accept, Some(&tys))?;
                    self.region(reject, Some(&tys))?;
                    self.define(results)?;
                }
                Node::Block { label, body, results } => {
                    let tys = self.tys(results);
                    self.labels.insert(*label, tys.clone());
                    self.region(body, Some(&tys))?;
                    self.labels.remove(label);
                    self.define(results)?;
                }
                Node::Loop { label, params, init, body } => {
                    let tys = self.tys(params);
                    self.args(init, &tys)?;
                    self.labels.insert(*label, tys);
                    let before = self.order.len();
                    self.define(params)?;
                    self.region(body, None)?;
                    self.leave(before);
                    self.labels.remove(label);
                    debug_assert_eq!(self.f.labels[label.index()], LabelKind::Loop);
                }
            }
        }
        match &region.end {
            End::Fall(args) => self.args(args, falls_to.ok_or(Error::Falls)?)?,
            End::Jump(label, args) => {
                let tys = self.labels.get(label).cloned().ok_or(Error::Label { label: *label })?;
                self.args(args, &tys)?;
            }
            End::Unreachable => {}
        }
        self.leave(outer);
        Ok(())
    }

    fn group(&mut self, group: &Group) -> Result<(), Error> {
        match group {
            Group::Each(Each { span, gone, body, .. }) => {
                if std::mem::replace(&mut self.in_group, true) {
                    return Err(Error::Nested);
                }
                for value in span.iter().flat_map(|span| [span.from, span.to]) {
                    self.uses(value)?;
                    self.has_type(value, Ty::U32)?;
                }
                gone.iter().try_for_each(|&slot| self.slot_type(slot, Ty::Bool))?;
                // Nobody jumps out of it.
                let outer = std::mem::take(&mut self.labels);
                self.region(body, Some(&[]))?;
                (self.labels, self.in_group) = (outer, false);
                Ok(())
            }
            Group::Workgroups(body) => {
                let outer = std::mem::take(&mut self.labels);
                self.region(body, Some(&[]))?;
                self.labels = outer;
                Ok(())
            }
            Group::Keep { slot, value, .. } => {
                self.uses(*value)?;
                self.slot_type(*slot, self.f.ty(*value))
            }
            Group::Compress { at, value, when } => self.stores(at, *value, *when),
            Group::Zero(_) | Group::Clear | Group::Prefetch(_) => Ok(()),
        }
    }

    /// A mask is of the lanes of a group; in the SPMD form there are none.
    fn mask(&self, when: Value) -> Result<(), Error> {
        if !self.in_group && !self.f.is_callee {
            return Err(Error::Mask { mask: when });
        }
        self.has_type(when, Ty::Bool)
    }

    fn stores(&mut self, at: &Address, value: Value, when: Option<Value>) -> Result<(), Error> {
        self.uses(value)?;
        if let Some(when) = when {
            self.uses(when)?;
            self.mask(when)?;
        }
        for term in &at.terms {
            self.uses(term.index)?;
            self.has_type(term.index, Ty::U32)?;
        }
        Ok(())
    }

    fn slot_type(&self, slot: Slot, expected: Ty) -> Result<(), Error> {
        let got = self.f.slots[slot.index()].ty;
        if got == expected { Ok(()) } else { Err(Error::Slot { slot, expected, got }) }
    }

    /// Back to when so many values were in scope.
    fn leave(&mut self, to: usize) {
        for value in self.order.drain(to..) {
            self.in_scope.remove(&value);
        }
    }

    fn tys(&self, values: &[Value]) -> Vec<Ty> {
        values.iter().map(|&value| self.f.ty(value)).collect()
    }

    fn define(&mut self, values: &[Value]) -> Result<(), Error> {
        for &value in values {
            if !self.defined.insert(value) {
                return Err(Error::Twice { value });
            }
            self.in_scope.insert(value);
            self.order.push(value);
        }
        Ok(())
    }

    fn uses(&self, value: Value) -> Result<(), Error> {
        let placeless = matches!(self.f.op(value), Op::Const(_) | Op::Builtin(_) | Op::Length { .. });
        if placeless || self.in_scope.contains(&value) { Ok(()) } else { Err(Error::Scope { value }) }
    }

    fn has_type(&self, value: Value, expected: Ty) -> Result<(), Error> {
        let got = self.f.ty(value);
        if got == expected { Ok(()) } else { Err(Error::Type { value, expected, got }) }
    }

    fn args(&self, args: &[Value], params: &[Ty]) -> Result<(), Error> {
        if args.len() != params.len() {
            return Err(Error::Arity { expected: params.len(), got: args.len() });
        }
        args.iter().zip(params).try_for_each(|(&arg, &ty)| {
            self.uses(arg)?;
            self.has_type(arg, ty)
        })
    }

    fn op_types(&self, value: Value) -> Result<(), Error> {
        match self.f.op(value) {
            Op::Binary(op, a, b) => {
                let shift = matches!(op, super::Binary::Shl | super::Binary::Shr);
                if !shift {
                    self.has_type(*b, self.f.ty(*a))?;
                }
                let result = if op.compares() { Ty::Bool } else { self.f.ty(*a) };
                self.has_type(value, result)
            }
            Op::Select(c, a, b) => {
                self.has_type(*c, Ty::Bool)?;
                self.has_type(*a, self.f.ty(value))?;
                self.has_type(*b, self.f.ty(value))
            }
            Op::Unary(_, a) => self.has_type(*a, self.f.ty(value)),
            Op::Subgroup(Subgroup::Ballot(_), args) => self.has_type(args[0], Ty::Bool),
            Op::Subgroup(Subgroup::Fence, _) => Ok(()),
            Op::Subgroup(what, args) => {
                let lane = matches!(what, Subgroup::Shuffle(_)).then(|| args[1]);
                lane.into_iter().try_for_each(|lane| self.has_type(lane, Ty::U32))?;
                self.has_type(args[0], self.f.ty(value))
            }
            Op::Load { at, .. } => at.terms.iter().try_for_each(|term| self.has_type(term.index, Ty::U32)),
            Op::Atomic { at, value: with, compare, when, .. } => {
                when.iter().try_for_each(|&when| self.mask(when))?;
                at.terms.iter().try_for_each(|term| self.has_type(term.index, Ty::U32))?;
                [Some(*with), *compare].into_iter().flatten().try_for_each(|with| self.has_type(with, self.f.ty(value)))
            }
            Op::Bitcast(a) if self.f.ty(*a).bytes() != self.f.ty(value).bytes() => {
                Err(Error::Type { value: *a, expected: self.f.ty(value), got: self.f.ty(*a) })
            }
            Op::Call(helper, args) => {
                let params = helper.signature().0;
                if params.len() != args.len() {
                    return Err(Error::Arity { expected: params.len(), got: args.len() });
                }
                // Half floats are floats of 32 bits in registers.
                let half = |value: Value| self.f.ty(value) == Ty::F16;
                let mut typed = params.iter().map(|param| param.ty()).zip(args).filter(|(_, arg)| !half(**arg));
                typed.try_for_each(|(ty, &arg)| self.has_type(arg, ty))
            }
            Op::Edge(_, a) => {
                self.has_type(*a, Ty::U32)?;
                self.has_type(value, Ty::U64)
            }
            Op::Recall(slot) => self.slot_type(*slot, self.f.ty(value)),
            Op::Any(any) => any.of.iter().chain(&any.gone).try_for_each(|&slot| self.slot_type(slot, Ty::Bool)),
            Op::Param | Op::Const(_) | Op::Builtin(_) | Op::Length { .. } | Op::Convert(_) | Op::Bitcast(_) => Ok(()),
            Op::Run(_, when) => when.iter().try_for_each(|&when| self.mask(when)),
            Op::AnyLane(mask) => {
                self.has_type(*mask, Ty::Bool)?;
                self.has_type(value, Ty::Bool)
            }
            Op::Callers => self.has_type(value, Ty::Bool),
        }
    }
}
