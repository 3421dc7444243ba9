//! Which lanes are active, what others have left with the labels that they wait for, and how joins carry both.

use super::{Flow, Linearize};
use crate::divergence::Shape;
use crate::ir::{Binary, Builtin, End, Label, Node, Op, Region, Slot, Ty, Unary, Value};

/// The lanes that are active.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes {
    /// All of the group if `None`.
    pub(super) mask: Option<Value>,
    /// Whether some lane is active for sure.
    pub(super) awake: bool,
    /// Whether no more than one is.
    pub(super) alone: bool,
}

impl Lanes {
    pub(super) const ALL: Self = Self { mask: None, awake: true, alone: false };
}

/// What lanes have left with a label.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    pub(super) params: Vec<Value>,
    /// Who they are, where that matters.
    pub(super) arrived: Option<Value>,
}

/// What a join has to carry besides its own values.
#[derive(Debug, Clone, Default)]
pub(super) struct Carries {
    pub(super) mask: bool,
    /// Labels that lanes may have gone to wait for.
    pub(super) labels: Vec<Label>,
}

impl Linearize<'_> {
    /// The labels for which lanes of some code may go to wait while others go on.
    pub(super) fn touched(&self, nodes: &[Node], end: Option<&End>) -> Vec<Label> {
        let mut labels: Vec<Label> = Vec::new();
        if self.waiting.is_empty() {
            return labels;
        }
        let mut jump = |end: &End| {
            if let End::Jump(label, _) = end
                && self.waiting.contains_key(label)
            {
                labels.push(*label);
            }
        };
        end.into_iter().for_each(&mut jump);
        for region in nodes.iter().flat_map(Node::regions) {
            region.visit(&mut |region| jump(&region.end));
        }
        labels.sort();
        labels.dedup();
        labels
    }

    pub(super) fn touched_in(&self, region: &Region) -> Vec<Label> {
        self.touched(&region.nodes, Some(&region.end))
    }

    /// New parameters of a join, for what it carries.
    pub(super) fn extras(&mut self, carries: &Carries) -> Vec<Value> {
        let mut extras = Vec::new();
        if carries.mask {
            extras.push(self.mask_param());
        }
        for label in &carries.labels {
            extras.extend(self.like(&self.params[label].clone()));
            if self.waiting[label].arrived.is_some() {
                extras.push(self.mask_param());
            }
        }
        extras
    }

    pub(super) fn mask_param(&mut self) -> Value {
        let param = self.f.define(Ty::Bool, Op::Param);
        self.told(param, Shape::Varying)
    }

    /// What is brought to a join from here.
    pub(super) fn carried(&mut self, carries: &Carries) -> Vec<Value> {
        let mut carried = Vec::new();
        if carries.mask {
            carried.push(self.mask_or_all());
        }
        for label in &carries.labels {
            let Waiting { params, arrived } = &self.waiting[label];
            carried.extend(params.iter().copied().chain(*arrived));
        }
        carried
    }

    /// Behind a join: what it carried stands for what was there before.
    pub(super) fn adopt(&mut self, carries: &Carries, extras: &[Value]) {
        let mut extras = extras.iter().copied();
        if carries.mask {
            self.lanes.mask = extras.next();
        }
        for label in &carries.labels {
            let Some(waiting) = self.waiting.get_mut(label) else { continue };
            waiting.params.iter_mut().chain(&mut waiting.arrived).zip(&mut extras).for_each(|(at, new)| *at = new);
        }
    }

    /// Code that runs only if a condition holds, which is the same for the lane group. No lane takes the other way.
    pub(super) fn guarded(
        &mut self,
        condition: Value,
        carries: &Carries,
        results: &[Value],
        defaults: &[Value],
        code: impl FnOnce(&mut Self) -> (Flow, Vec<Value>),
    ) -> (Flow, Vec<Value>) {
        let (before, waiting) = (self.lanes, self.waiting.clone());
        let outer = std::mem::take(&mut self.nodes);
        self.lanes.awake = true;
        let (flow, values) = code(self);
        let on = matches!(flow, Flow::On);
        let end = self.end(flow, carries, values);
        let accept = Region { nodes: std::mem::replace(&mut self.nodes, outer), end };
        (self.lanes, self.waiting) = (before, waiting);
        let reject = Region { nodes: Vec::new(), end: self.end(Flow::Idle, carries, defaults.to_vec()) };
        self.lanes = before;
        let [carried, values] = [self.extras(carries), self.like(results)];
        let all = [&carried[..], &values].concat();
        self.nodes.push(Node::If { condition, accept, reject, results: all });
        self.adopt(carries, &carried);
        (if on { Flow::On } else { Flow::Idle }, values)
    }

    /// Code that needs no mask, if any lane is active.
    pub(super) fn if_any(&mut self, code: impl FnOnce(&mut Self)) {
        let Some(mask) = self.lanes.mask.filter(|_| !self.lanes.awake) else { return code(self) };
        let any = self.any(mask);
        self.guarded(any, &Carries::default(), &[], &[], |this| {
            code(this);
            (Flow::On, Vec::new())
        });
    }

    /// The lanes that exist and have not left for a label further on.
    pub(super) fn present(&mut self, gone: &[Slot]) -> Option<Value> {
        let size = self.f.invocations();
        let mut mask = None;
        if !size.is_multiple_of(self.shapes.width) {
            let index = self.f.define(Ty::U32, Op::Builtin(Builtin::LocalIndex));
            let (index, size) = (self.told(index, Shape::Linear(1)), self.literal(Ty::U32, size.into()));
            let exists = self.emit(Ty::Bool, Op::Binary(Binary::Lt, index, size));
            mask = Some(exists);
        }
        for &slot in gone {
            let left = self.recall(slot);
            let here = self.not(left);
            mask = Some(self.and(mask, here));
        }
        mask
    }

    pub(super) fn nobody(&mut self) -> Value {
        self.literal(Ty::Bool, 0)
    }

    pub(super) fn mask_or_all(&mut self) -> Value {
        self.lanes.mask.unwrap_or_else(|| self.literal(Ty::Bool, 1))
    }

    pub(super) fn any(&mut self, mask: Value) -> Value {
        if self.is_scalar(mask) { mask } else { self.emit(Ty::Bool, Op::AnyLane(mask)) }
    }

    pub(super) fn not(&mut self, mask: Value) -> Value {
        self.emit(Ty::Bool, Op::Unary(Unary::Not, mask))
    }

    pub(super) fn and(&mut self, mask: Option<Value>, side: Value) -> Value {
        mask.map_or(side, |mask| self.emit(Ty::Bool, Op::Binary(Binary::And, mask, side)))
    }

    /// The lanes of either mask.
    pub(super) fn or(&mut self, a: Value, b: Value) -> Value {
        match [a, b].map(|mask| self.f.constant(mask)) {
            [Some(0), _] => b,
            [_, Some(0)] => a,
            _ => self.emit(Ty::Bool, Op::Binary(Binary::Or, a, b)),
        }
    }

    /// One value in the lanes of a mask, another in the others.
    pub(super) fn blend(&mut self, mask: Option<Value>, accept: Value, reject: Value) -> Value {
        let Some(mask) = mask.filter(|_| accept != reject) else { return accept };
        self.emit(self.f.ty(accept), Op::Select(mask, accept, reject))
    }
}
