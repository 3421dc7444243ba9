//! What every function keeps to, in each of its forms: scopes, jumps, types, and who may do what outside of lane
//! groups. Shares no code with construction. What follows from the shapes of values is `passes/linearize/verify.rs`'s.

#[cfg(test)]
mod tests;
mod types;

use std::collections::{HashMap, HashSet};

use super::{
    Address, Builtin, Each, End, Function, Group, Label, LabelKind, Mem, Memory, Node, Op, Region, Slot, Ty, Value,
};
use types::{Access, arity};

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
    #[error("{value} is of a type that its operation does not take: {ty}")]
    Operand { value: Value, ty: Ty },
    #[error("{memory} is not there, or not for that")]
    Memory { memory: Mem },
    #[error("{slot} is not there")]
    NoSlot { slot: Slot },
    #[error("{value} is made where no operation makes it")]
    Made { value: Value },
    #[error("{value} is no word that could stay in memory, nor made of one")]
    Scalarized { value: Value },
    #[error("function {callee} is not there")]
    Callee { callee: u32 },
    #[error("a barrier stands between loops over lane groups")]
    Barrier,
    #[error("{what} stands outside of lane groups")]
    Outside { what: String },
    #[error("{what} stands inside of a lane group")]
    Inside { what: &'static str },
}

struct Verify<'a> {
    f: &'a Function,
    defined: HashSet<Value>,
    in_scope: HashSet<Value>,
    /// The same, in the order in which they came.
    order: Vec<Value>,
    labels: HashMap<Label, Vec<Ty>>,
    /// Labels that have stood at a node.
    met: HashSet<Label>,
    /// Whether there are loops over lane groups: it is in the group form, or the vector form.
    is_grouped: bool,
    in_group: bool,
}

/// Proves `f` or names the rule that it breaks.
pub(crate) fn verify(f: &Function) -> Result<(), Error> {
    let mut is_grouped = false;
    f.body.visit(&mut |region| {
        is_grouped |= region.nodes.iter().any(|node| matches!(node, Node::Group(Group::Each(_))));
    });
    let mut verify = Verify {
        f,
        defined: HashSet::new(),
        in_scope: HashSet::new(),
        order: Vec::new(),
        labels: HashMap::new(),
        met: HashSet::new(),
        is_grouped,
        in_group: false,
    };
    verify.marks()?;
    verify.region(&f.body, Some(&[]))
}

impl Verify<'_> {
    /// What stands beside the code is about what there is.
    fn marks(&self) -> Result<(), Error> {
        let f = self.f;
        let of_interchanged = f.interchanged.iter().flat_map(|loops| [Some(loops.label), loops.rest]).flatten();
        let of_coarsened = f.coarsened.iter().map(|pair| pair.label);
        let of_loops = f.loops.iter().map(|(label, _)| *label);
        for label in f.bounded.iter().copied().chain(of_interchanged).chain(of_coarsened).chain(of_loops) {
            self.label_is(label, LabelKind::Loop)?;
        }
        f.cold.iter().try_for_each(|&label| self.label_is(label, LabelKind::Block))?;
        let stays = |value: Value| match f.values.get(value.index()).map(|def| &def.op) {
            Some(Op::Load { at, .. }) => {
                matches!(f.memories.get(at.memory.index()), Some(Memory::Buffer { read_only: true, .. }))
            }
            op => op.is_some_and(Op::is_arithmetic),
        };
        if let Some(&value) = f.scalarized.iter().find(|&&value| !stays(value)) {
            return Err(Error::Scalarized { value });
        }
        let memories =
            f.interchanged.iter().map(|loops| loops.memory).chain(f.coarsened.iter().map(|pair| pair.memory));
        let mut memories = memories.chain(f.privates.keys().copied()).chain(f.nontemporal.iter().copied());
        match memories.find(|memory| memory.index() >= f.memories.len()) {
            Some(memory) => Err(Error::Memory { memory }),
            None => Ok(()),
        }
    }

    fn label_is(&self, label: Label, kind: LabelKind) -> Result<(), Error> {
        if self.f.labels.get(label.index()) == Some(&kind) { Ok(()) } else { Err(Error::Label { label }) }
    }

    /// A label of this kind, which stands at one node only.
    fn meet(&mut self, label: Label, kind: LabelKind, tys: Vec<Ty>) -> Result<(), Error> {
        self.label_is(label, kind)?;
        if !self.met.insert(label) {
            return Err(Error::Label { label });
        }
        self.labels.insert(label, tys);
        Ok(())
    }

    fn region(&mut self, region: &Region, falls_to: Option<&[Ty]>) -> Result<(), Error> {
        let outer = self.order.len();
        for node in &region.nodes {
            match node {
                Node::Let(value) => {
                    let mut scope = Ok(());
                    self.f.op(*value).each(|operand| {
                        if scope.is_ok() {
                            scope = self.uses(operand);
                        }
                    });
                    scope?;
                    self.stands(*value)?;
                    self.op_types(*value)?;
                    self.define(&[*value])?;
                }
                Node::Store { at, value, when } => self.stores(at, *value, *when)?,
                Node::Barrier if self.is_grouped => return Err(Error::Barrier),
                Node::Barrier => {}
                Node::Group(group) => self.group(group)?,
                Node::If { condition, accept, reject, results } => {
                    self.uses(*condition)?;
                    self.has_type(*condition, Ty::Bool)?;
                    let tys = self.tys(results);
                    self.region(accept, Some(&tys))?;
                    self.region(reject, Some(&tys))?;
                    self.joins(results)?;
                }
                Node::Block { label, body, results } => {
                    let tys = self.tys(results);
                    self.meet(*label, LabelKind::Block, tys.clone())?;
                    self.region(body, Some(&tys))?;
                    self.labels.remove(label);
                    self.joins(results)?;
                }
                Node::Loop { label, params, init, body } => {
                    let tys = self.tys(params);
                    self.args(init, &tys)?;
                    self.meet(*label, LabelKind::Loop, tys)?;
                    let before = self.order.len();
                    self.joins(params)?;
                    self.region(body, None)?;
                    self.leave(before);
                    self.labels.remove(label);
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

    /// Whether this runs once for the workgroup, between loops over lane groups.
    fn is_outside(&self) -> bool {
        self.is_grouped && !self.in_group
    }

    /// Whether an operation may stand here: outside of lane groups there are no lanes to do it, and what only the group
    /// form has is nowhere else.
    fn stands(&self, value: Value) -> Result<(), Error> {
        let of_lanes = match self.f.op(value) {
            Op::Any(_) if self.in_group => return Err(Error::Inside { what: "`Any`" }),
            Op::Recall(_) | Op::Any(_) => !self.is_grouped && !self.f.is_callee,
            Op::AnyLane(_) | Op::Callers | Op::Edge(..) => !self.in_group && !self.f.is_callee,
            Op::Atomic { .. } | Op::Run(..) | Op::Subgroup(..) => self.is_outside(),
            Op::Param
            | Op::Const(_)
            | Op::Builtin(_)
            | Op::Length { .. }
            | Op::Unary(..)
            | Op::Binary(..)
            | Op::Select(..)
            | Op::Convert(_)
            | Op::Bitcast(_)
            | Op::Call(..)
            | Op::Load { .. } => false,
        };
        if of_lanes { Err(Error::Outside { what: value.to_string() }) } else { Ok(()) }
    }

    fn group(&mut self, group: &Group) -> Result<(), Error> {
        match group {
            Group::Each(Each { span, gone, body, .. }) => {
                for value in span.iter().flat_map(|span| [span.from, span.to]) {
                    self.uses(value)?;
                    self.has_type(value, Ty::U32)?;
                }
                if std::mem::replace(&mut self.in_group, true) {
                    return Err(Error::Nested);
                }
                gone.iter().try_for_each(|&slot| self.slot_type(slot, Ty::Bool))?;
                // Nobody jumps out of it.
                let outer = std::mem::take(&mut self.labels);
                self.region(body, Some(&[]))?;
                (self.labels, self.in_group) = (outer, false);
                Ok(())
            }
            Group::Workgroups(_) if self.in_group => Err(Error::Inside { what: "`workgroups`" }),
            Group::Workgroups(body) => {
                let outer = std::mem::take(&mut self.labels);
                self.region(body, Some(&[]))?;
                self.labels = outer;
                Ok(())
            }
            Group::Keep { slot, value, .. } => {
                self.uses(*value)?;
                self.kept(*slot, self.f.ty(*value))
            }
            Group::Compress { at, value, when } => self.stores(at, *value, *when),
            Group::Zero(_) | Group::Clear | Group::Prefetch(_) if self.in_group => {
                Err(Error::Inside { what: "what is done for the workgroup" })
            }
            Group::Zero(slot) if slot.index() >= self.f.slots.len() => Err(Error::NoSlot { slot: *slot }),
            Group::Prefetch(extent) if extent.memory.index() >= self.f.memories.len() => {
                Err(Error::Memory { memory: extent.memory })
            }
            Group::Zero(_) | Group::Clear | Group::Prefetch(_) => Ok(()),
        }
    }

    fn stores(&mut self, at: &Address, value: Value, when: Option<Value>) -> Result<(), Error> {
        if self.is_outside() {
            return Err(Error::Outside { what: format!("a store to {}", at.memory) });
        }
        self.uses(value)?;
        if let Some(when) = when {
            self.uses(when)?;
            self.mask(when)?;
        }
        self.place(at, self.f.ty(value), Access::Store)
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

    /// Results and parameters, which no operation makes.
    fn joins(&mut self, values: &[Value]) -> Result<(), Error> {
        match values.iter().find(|&&value| *self.f.op(value) != Op::Param) {
            Some(&value) => Err(Error::Made { value }),
            None => self.define(values),
        }
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
        match self.f.op(value) {
            Op::Builtin(builtin) if self.is_outside() && self.differs(*builtin) => {
                Err(Error::Outside { what: value.to_string() })
            }
            Op::Builtin(_) | Op::Length { .. } => self.has_type(value, Ty::U32),
            Op::Const(_) => Ok(()),
            _ if self.in_scope.contains(&value) => Ok(()),
            _ => Err(Error::Scope { value }),
        }
    }

    /// Whether invocations of a workgroup have different ones.
    fn differs(&self, builtin: Builtin) -> bool {
        match builtin {
            Builtin::LocalIndex => self.f.invocations() > 1,
            Builtin::LocalId(dimension) => self.f.workgroup_size[usize::from(dimension)] > 1,
            Builtin::WorkgroupId(_) | Builtin::NumWorkgroups(_) => false,
        }
    }

    fn args(&self, args: &[Value], params: &[Ty]) -> Result<(), Error> {
        arity(params.len(), args.len())?;
        args.iter().zip(params).try_for_each(|(&arg, &ty)| {
            self.uses(arg)?;
            self.has_type(arg, ty)
        })
    }
}
