//! Values and nodes, one by one: what is known is folded, and what is the same wherever it is wanted is made once.

use super::{Builder, types};
use crate::ir::{Binary, Builtin, Label, LabelKind, Mem, Memory, Node, Op, Ty, Unary, Value};

impl Builder<'_> {
    pub(super) fn label(&mut self, kind: LabelKind) -> Label {
        self.f.label(kind)
    }

    pub(super) fn memory(&mut self, memory: Memory) -> Mem {
        self.f.memories.push(memory);
        Mem(self.f.memories.len() as u32 - 1)
    }

    pub(super) fn push(&mut self, node: Node) {
        self.open.last_mut().expect("invariant build-open: a region is open").push(node);
    }

    pub(super) fn define(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.f.define(ty, op);
        self.f.origins.values.push(self.span);
        value
    }

    /// A value that is the same wherever it is wanted.
    fn input(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.f.define(ty, op);
        self.f.origins.values.push(None);
        value
    }

    /// A value evaluated here.
    pub(super) fn emit(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.define(ty, op);
        self.push(Node::Let(value));
        value
    }

    pub(super) fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        if let Some(&value) = self.constants.get(&(ty, bits)) {
            return value;
        }
        let value = self.input(ty, Op::Const(bits));
        self.constants.insert((ty, bits), value);
        value
    }

    pub(super) fn u32(&mut self, n: u32) -> Value {
        self.constant(Ty::U32, n.into())
    }

    pub(super) fn builtin(&mut self, builtin: Builtin) -> Value {
        let key = match builtin {
            Builtin::LocalIndex => (0, 0),
            Builtin::LocalId(d) => (1, d),
            Builtin::WorkgroupId(d) => (2, d),
            Builtin::NumWorkgroups(d) => (3, d),
        };
        if let Some(&value) = self.builtins.get(&key) {
            return value;
        }
        let value = self.input(Ty::U32, Op::Builtin(builtin));
        self.builtins.insert(key, value);
        value
    }

    pub(super) fn length(&mut self, buffer: u32) -> Value {
        if let Some(&value) = self.lengths.get(&buffer) {
            return value;
        }
        let value = self.input(Ty::U32, Op::Length { buffer });
        self.lengths.insert(buffer, value);
        value
    }

    pub(super) fn zero(&mut self, ty: Ty) -> Value {
        self.constant(ty, 0)
    }

    pub(super) fn zeros(&mut self, inner: &naga::TypeInner) -> Vec<Value> {
        types::leaves(self.module, inner).into_iter().map(|ty| self.zero(ty)).collect()
    }

    pub(super) fn unary(&mut self, op: Unary, a: Value) -> Value {
        if op == Unary::Not
            && let Op::Binary(compares, x, y) = *self.f.op(a)
            && let Some(opposite) = compares.opposite(self.f.ty(x))
        {
            return self.binary(opposite, x, y);
        }
        self.emit(self.f.ty(a), Op::Unary(op, a))
    }

    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = if op.compares() { Ty::Bool } else { self.f.ty(a) };
        if let (Some(x), Some(y)) = (self.f.constant(a), self.f.constant(b))
            && let Some(holds) = op.decide(self.f.ty(a), x, y)
        {
            return self.constant(Ty::Bool, holds.into());
        }
        // Vectors have no division.
        if let (Binary::Div | Binary::Rem, Ty::U32, Some(by)) = (op, ty, self.f.constant(b))
            && by.is_power_of_two()
        {
            let (op, by) = match op {
                Binary::Div => (Binary::Shr, by.trailing_zeros()),
                _ => (Binary::And, by as u32 - 1),
            };
            let by = self.u32(by);
            return self.emit(ty, Op::Binary(op, a, by));
        }
        self.emit(ty, Op::Binary(op, a, b))
    }

    pub(super) fn select(&mut self, condition: Value, accept: Value, reject: Value) -> Value {
        if accept == reject {
            return accept;
        }
        self.emit(self.f.ty(accept), Op::Select(condition, accept, reject))
    }

    pub(super) fn convert(&mut self, value: Value, to: Ty) -> Value {
        match (self.f.ty(value), to) {
            (from, to) if from == to => value,
            // The largest half float bounds what comes of one, infinity too.
            (Ty::F16, Ty::I32 | Ty::U32 | Ty::I64 | Ty::U64) => {
                let [low, high] = [-65504.0, 65504.0].map(|bound| self.float(Ty::F32, bound));
                let value = self.emit(Ty::F32, Op::Convert(value));
                let value = self.clamp(value, low, high);
                self.emit(to, Op::Convert(value))
            }
            _ => self.emit(to, Op::Convert(value)),
        }
    }

    pub(super) fn bitcast(&mut self, value: Value, to: Ty) -> Value {
        if self.f.ty(value) == to { value } else { self.emit(to, Op::Bitcast(value)) }
    }
}
