//! Values: what stands for them, and operations on them.

use super::atomic::Operands;
use super::{Rep, Walk};
use crate::divergence::Shape;
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Builtin, Edge, Op, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// What stands for a value here.
    fn rep(&mut self, value: Value) -> Rep<E> {
        if let Some(rep) = &self.reps[value.index()] {
            return rep.clone();
        }
        match self.f.op(value).clone() {
            Op::Const(bits) => Rep::Scalar(self.e.constant(self.f.ty(value), bits)),
            Op::Builtin(builtin) => self.builtin(builtin, value),
            Op::Length { buffer } => {
                let length = self.buffers[&buffer].1;
                Rep::Scalar(self.e.scalar(Prim::Convert(Ty::U64), Ty::U32, Ty::U64, &[length]))
            }
            _ => unreachable!("invariant scopes: {value} is used before it is made"),
        }
    }

    fn builtin(&mut self, builtin: Builtin, value: Value) -> Rep<E> {
        match builtin {
            Builtin::WorkgroupId(d) => Rep::Scalar(self.here.workgroup[d as usize]),
            Builtin::NumWorkgroups(d) => Rep::Scalar(self.grid[d as usize]),
            Builtin::LocalIndex => Rep::Scalar(self.first()),
            Builtin::LocalId(d) => self.local_id(d as usize, value),
        }
    }

    fn local_id(&mut self, d: usize, value: Value) -> Rep<E> {
        let Some(table) = self.frame.local_ids[d] else { return Rep::Scalar(self.u32(0)) };
        let first = self.first();
        let (size, shape) = (self.f.workgroup_size, self.shapes.of(value));
        let before: u32 = size[..d].iter().product();
        if shape != Shape::Varying && before.is_power_of_two() && size[d].is_power_of_two() {
            let amount = self.u32(before.ilog2());
            let mut id = self.binary(Binary::Shr, Ty::U32, first, amount);
            if size[d + 1..].iter().any(|&n| n > 1) {
                let mask = self.u32(size[d] - 1);
                id = self.binary(Binary::And, Ty::U32, id, mask);
            }
            return Rep::Scalar(id);
        }
        let (first, four) = (self.widen(first), self.u64(4));
        let offset = self.binary(Binary::Mul, Ty::U64, first, four);
        let table = self.u64(table);
        let start = self.add64(self.constants, table);
        let at = self.add64(start, offset);
        match shape {
            Shape::Varying => Rep::Each(self.e.load_lanes(Ty::U32, at)),
            Shape::Uniform | Shape::Linear(_) => Rep::Scalar(self.e.load(Ty::U32, at)),
        }
    }

    /// The scalar of a value, if it stands in a register.
    pub(super) fn ready(&self, value: Value) -> Option<E::S> {
        match self.reps[value.index()] {
            Some(Rep::Scalar(scalar)) => Some(scalar),
            Some(Rep::Each(_)) | None => None,
        }
    }

    /// The scalar of a value that has one: the number itself, or the base of a ramp.
    pub(super) fn same(&mut self, value: Value) -> E::S {
        match self.rep(value) {
            Rep::Scalar(scalar) => scalar,
            Rep::Each(_) => unreachable!("invariant shapes: {value} varies"),
        }
    }

    /// A value as an operand of a lane operation.
    pub(super) fn lanes(&mut self, value: Value) -> Lanes<E::S, E::V> {
        match (self.rep(value), self.shapes.of(value)) {
            (Rep::Each(each), _) => Lanes::Each(each),
            (Rep::Scalar(base), Shape::Linear(stride)) if stride != 0 => {
                Lanes::Each(self.e.ramp(self.f.ty(value), base, stride))
            }
            (Rep::Scalar(scalar), _) => Lanes::Same(scalar),
        }
    }

    /// A value, one number for each lane.
    pub(super) fn each(&mut self, value: Value) -> E::V {
        match self.lanes(value) {
            Lanes::Each(each) => each,
            Lanes::Same(scalar) => self.e.splat(self.f.ty(value), scalar),
        }
    }

    /// Evaluates a value here.
    pub(super) fn evaluate(&mut self, value: Value) {
        if self.set_apart(value) {
            return;
        }
        let rep = self.make(value);
        if let Rep::Each(each) = &rep
            && self.pinned.contains(&value)
        {
            self.e.pin(each);
        }
        self.define(value, rep);
    }

    fn make(&mut self, value: Value) -> Rep<E> {
        let ty = self.f.ty(value);
        let (prim, args): (Prim, Vec<Value>) = match self.f.op(value).clone() {
            Op::Unary(op, a) => (Prim::Unary(op), vec![a]),
            Op::Binary(op, a, b) => (Prim::Binary(op), vec![a, b]),
            Op::Select(c, a, b) => (Prim::Select, vec![c, a, b]),
            Op::Convert(a) => (Prim::Convert(self.f.ty(a)), vec![a]),
            Op::Bitcast(a) => (Prim::Bitcast(self.f.ty(a)), vec![a]),
            Op::Call(helper, args) => (Prim::Call(helper), args),
            Op::Run(callee, when) => return self.run(callee, when),
            Op::Callers => return self.callers(),
            Op::AnyLane(mask) => {
                let mask = self.each(mask);
                return Rep::Scalar(self.e.any(&mask));
            }
            Op::Subgroup(what, args) => return self.subgroup(value, what, &args),
            Op::Edge(edge, a) => return Rep::Scalar(self.edge(edge, a)),
            Op::Recall(slot) => return self.recall(slot),
            Op::Load { at, .. } => return self.load(value, &at),
            Op::Atomic { at, fun, value: operand, compare, when } => {
                return self.atomic(value, &at, fun, Operands { value: operand, compare, when });
            }
            Op::Any(_) => unreachable!("invariant vector-form: {value} is asked of each lane group"),
            Op::Param | Op::Const(_) | Op::Builtin(_) | Op::Length { .. } => {
                unreachable!("invariant nodes: {value} is not evaluated by a node")
            }
        };
        if self.is_lane(value) {
            return Rep::Scalar(self.u32(0));
        }
        let of = self.f.ty(args[0]);
        match self.shapes.of(value) {
            Shape::Uniform | Shape::Linear(_) => {
                let args: Vec<E::S> = args.into_iter().map(|arg| self.same(arg)).collect();
                Rep::Scalar(self.e.scalar(prim, ty, of, &args))
            }
            Shape::Varying => Rep::Each(match prim {
                Prim::Binary(Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge) if of == Ty::U32 => {
                    self.compare_unsigned(prim, &args)
                }
                _ => {
                    let args: Vec<_> = args.into_iter().map(|arg| self.lanes(arg)).collect();
                    self.e.vector(prim, ty, of, &args)
                }
            }),
        }
    }

    /// What a number that grows along the lanes is in the first or the last of them.
    fn edge(&mut self, edge: Edge, value: Value) -> E::S {
        let first = self.same(value);
        let first = self.widen(first);
        match (edge, self.shapes.of(value)) {
            (Edge::Last, Shape::Linear(stride)) => {
                let ahead = self.u64(stride as u64 * u64::from(self.e.width() - 1));
                self.add64(first, ahead)
            }
            (Edge::First | Edge::Last, _) => first,
        }
    }

    /// Whether a value counts the lanes of each group from zero: the local index without its upper bits.
    fn is_lane(&self, value: Value) -> bool {
        let Op::Binary(Binary::And, index, mask) = *self.f.op(value) else { return false };
        self.f.constant(mask) == Some(u64::from(self.e.width()) - 1)
            && *self.f.op(index) == Op::Builtin(Builtin::LocalIndex)
            && self.shapes.of(value) == Shape::Linear(1)
    }

    /// Machines compare lanes as signed numbers. Where both sides are scalars or ramps, those
    /// are moved by 2³¹ before they become lanes, which keeps their order.
    fn compare_unsigned(&mut self, prim: Prim, args: &[Value]) -> E::V {
        let reps: Vec<_> = args.iter().map(|&arg| (self.rep(arg), self.shapes.of(arg))).collect();
        if reps.iter().any(|(rep, _)| matches!(rep, Rep::Each(_))) {
            let args: Vec<_> = args.iter().map(|&arg| self.lanes(arg)).collect();
            return self.e.vector(prim, Ty::Bool, Ty::U32, &args);
        }
        let half = self.u32(1 << 31);
        let moved: Vec<_> = reps
            .into_iter()
            .map(|(rep, shape)| {
                let Rep::Scalar(base) = rep else { unreachable!("invariant shapes: a scalar stands for a ramp") };
                let base = self.binary(Binary::Add, Ty::U32, base, half);
                match shape {
                    Shape::Linear(stride) if stride != 0 => Lanes::Each(self.e.ramp(Ty::I32, base, stride)),
                    Shape::Uniform | Shape::Linear(_) | Shape::Varying => Lanes::Same(base),
                }
            })
            .collect();
        self.e.vector(prim, Ty::Bool, Ty::I32, &moved)
    }

    /// Booleans are kept as words, which are vectors in memory too.
    pub(super) fn keep_lanes(&mut self, ty: Ty, at: E::S, each: &E::V) {
        if ty == Ty::Bool {
            let words = self.e.vector(Prim::Convert(Ty::Bool), Ty::U32, Ty::Bool, &[Lanes::Each(each.clone())]);
            return self.e.store_lanes(Ty::U32, at, &words);
        }
        self.e.store_lanes(kept(ty), at, each);
    }

    pub(super) fn recall_lanes(&mut self, ty: Ty, at: E::S) -> E::V {
        if ty == Ty::Bool {
            let (words, zero) = (self.e.load_lanes(Ty::U32, at), self.u32(0));
            let operands = [Lanes::Each(words), Lanes::Same(zero)];
            return self.e.vector(Prim::Binary(Binary::Ne), Ty::Bool, Ty::U32, &operands);
        }
        self.e.load_lanes(kept(ty), at)
    }
}

/// Half floats and booleans are kept as they are in registers.
pub(super) fn kept(ty: Ty) -> Ty {
    match ty {
        Ty::F16 => Ty::F32,
        other => other,
    }
}
