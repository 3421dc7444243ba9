//! Making values, labels and slots.

use super::remark::At;
use super::{Binary, Def, Function, Kept, Label, LabelKind, Node, Op, Shape, Slot, Ty, Value};

impl Function {
    /// A value that is there from now on; where it is evaluated is another matter.
    pub(crate) fn define(&mut self, ty: Ty, op: Op) -> Value {
        self.values.push(Def { ty, op });
        Value(self.values.len() as u32 - 1)
    }

    /// One that comes of the same place in the source as another.
    pub(crate) fn define_like(&mut self, like: Value, ty: Ty, op: Op) -> Value {
        let value = self.define(ty, op);
        if let Some(span) = self.span(At::Value(like)) {
            self.origins.values.resize(value.index(), None);
            self.origins.values.push(Some(span));
        }
        value
    }

    /// A parameter of a join that stands for the same as another value.
    pub(crate) fn param_like(&mut self, like: Value) -> Value {
        self.define_like(like, self.ty(like), Op::Param)
    }

    /// Evaluates it at the end of nodes.
    pub(crate) fn emit(&mut self, ty: Ty, op: Op, nodes: &mut Vec<Node>) -> Value {
        let value = self.define(ty, op);
        nodes.push(Node::Let(value));
        value
    }

    /// The same of an operation on two numbers of one type.
    pub(crate) fn binary(&mut self, op: Binary, a: Value, b: Value, nodes: &mut Vec<Node>) -> Value {
        let ty = if op.compares() { Ty::Bool } else { self.ty(a) };
        self.emit(ty, Op::Binary(op, a, b), nodes)
    }

    pub(crate) fn label(&mut self, kind: LabelKind) -> Label {
        self.labels.push(kind);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label of a loop that is another in the source.
    pub(crate) fn loop_like(&mut self, like: Label) -> Label {
        let (label, span) = (self.label(LabelKind::Loop), self.span(At::Loop(like)));
        self.loops.push((label, span));
        label
    }

    /// A slot of a workgroup's own.
    pub(crate) fn slot(&mut self, ty: Ty, shape: Shape) -> Slot {
        self.slots.push(Kept { ty, shape, every: false });
        Slot(self.slots.len() as u32 - 1)
    }

    /// One scalar for all workgroups that go together.
    pub(crate) fn shared_slot(&mut self, ty: Ty) -> Slot {
        self.slots.push(Kept { ty, shape: Shape::Uniform, every: true });
        Slot(self.slots.len() as u32 - 1)
    }
}
