//! Expressions, each turned into the scalars it stands for.

use naga::{BinaryOperator, Expression, Handle, Literal, RelationalFunction, ScalarKind, TypeInner, UnaryOperator};

use super::place::{Place, Root};
use super::{Builder, Expr, Frame, is_zero, types};
use crate::ir::{self, Address, Binary, Bound, Memory, Op, Term, Ty, Unary, Value};

impl<'a> Builder<'a> {
    /// The type that an expression has, behind a pointer if it is one.
    pub(super) fn inner(&self, frame: &Frame<'a>, handle: Handle<Expression>) -> TypeInner {
        let inner = frame.info[handle].ty.inner_with(&self.module.types);
        types::pointee(self.module, inner).unwrap_or_else(|| inner.clone())
    }

    /// The scalars of an expression that is a value.
    pub(super) fn values(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Vec<Value> {
        self.expr(frame, handle).into_values()
    }

    /// The one scalar of an expression.
    pub(super) fn value(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Value {
        self.values(frame, handle)[0]
    }

    pub(super) fn place(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Place {
        match self.expr(frame, handle) {
            Expr::Place(place) => place,
            Expr::Values(_) | Expr::Kept(_) => unreachable!("invariant pointers: a value where a pointer belongs"),
        }
    }

    /// An index as unsigned 32 bits: a negative one lies far outside.
    fn index(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Value {
        let index = self.value(frame, handle);
        match self.f.ty(index) {
            Ty::I32 => match self.f.constant(index) {
                Some(bits) => self.u32(bits as u32),
                None => self.bitcast(index, Ty::U32),
            },
            _ => index,
        }
    }

    /// What an expression stands for: as it was when emitted, or evaluated now if it is one
    /// of those that are never emitted.
    pub(super) fn expr(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Expr {
        if let Some(known) = &frame.exprs[handle.index()] {
            return known.clone();
        }
        let expr = self.evaluate(frame, handle);
        // What is not emitted may be wanted where memory that is filled here has not been.
        if !matches!(expr, Expr::Kept(_)) {
            frame.exprs[handle.index()] = Some(expr.clone());
        }
        expr
    }

    pub(super) fn evaluate(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Expr {
        let fun = frame.fun;
        Expr::Values(match &fun.expressions[handle] {
            Expression::GlobalVariable(global) => {
                let inner = self.module.types[self.module.global_variables[*global].ty].inner.clone();
                return Expr::Place(Place::new(self.globals[global], inner));
            }
            Expression::LocalVariable(local) => {
                let inner = self.module.types[fun.local_variables[*local].ty].inner.clone();
                return Expr::Place(Place::new(frame.locals[local.index()], inner));
            }
            Expression::FunctionArgument(index) => return frame.args[*index as usize].clone(),
            Expression::AccessIndex { base, index } => match self.expr(frame, *base) {
                Expr::Place(place) => return Expr::Place(self.place_member(&place, *index)),
                Expr::Kept(kept) => return self.kept_member(&kept, *index),
                Expr::Values(values) => {
                    let inner = self.inner(frame, *base);
                    let (member, first, _) = types::member(self.module, &inner, *index);
                    values[first..first + types::count(self.module, &member)].to_vec()
                }
            },
            Expression::Access { base, index } => {
                let index = self.index(frame, *index);
                match self.expr(frame, *base) {
                    Expr::Place(place) => return Expr::Place(self.place_element(&place, index)),
                    Expr::Kept(kept) => return self.kept_element(&kept, index),
                    Expr::Values(values) => {
                        let inner = self.inner(frame, *base);
                        self.element(&inner, &values, index)
                    }
                }
            }
            Expression::Load { pointer } => {
                let place = self.place(frame, *pointer);
                let own = self.is_own(&place);
                return self.read(&place, own && self.is_uniform(frame.id, handle));
            }
            Expression::Literal(literal) => vec![self.literal(*literal)],
            Expression::Constant(constant) => {
                let constant = &self.module.constants[*constant];
                let inner = &self.module.types[constant.ty].inner;
                if is_zero(&self.module.global_expressions[constant.init]) && self.is_large(inner) {
                    return Expr::Kept(self.keep_zero(inner));
                }
                self.global_expression(constant.init)
            }
            Expression::ZeroValue(ty) => {
                let inner = &self.module.types[*ty].inner;
                if self.is_large(inner) {
                    return Expr::Kept(self.keep_zero(inner));
                }
                self.zeros(inner)
            }
            Expression::Compose { ty, components } => {
                let parts: Vec<Expr> = components.iter().map(|&component| self.expr(frame, component)).collect();
                if parts.iter().any(|part| matches!(part, Expr::Kept(_))) {
                    return Expr::Kept(self.compose(&self.module.types[*ty].inner, &parts));
                }
                parts.into_iter().flat_map(Expr::into_values).collect()
            }
            Expression::Splat { size, value } => vec![self.value(frame, *value); *size as usize],
            Expression::Swizzle { size, vector, pattern } => {
                let vector = self.values(frame, *vector);
                pattern[..*size as usize].iter().map(|&component| vector[component as usize]).collect()
            }
            Expression::Unary { op, expr } => {
                let op = match op {
                    UnaryOperator::Negate => Unary::Negate,
                    UnaryOperator::LogicalNot | UnaryOperator::BitwiseNot => Unary::Not,
                };
                let values = self.values(frame, *expr);
                values.into_iter().map(|value| self.unary(op, value)).collect()
            }
            Expression::Binary { op, left, right } => {
                let shapes = (self.inner(frame, *left), self.inner(frame, *right));
                let (left, right) = (self.values(frame, *left), self.values(frame, *right));
                self.operator(*op, (&shapes.0, &left), (&shapes.1, &right))
            }
            Expression::Select { condition, accept, reject } => {
                let condition = self.values(frame, *condition);
                let (accept, reject) = (self.values(frame, *accept), self.values(frame, *reject));
                let pairs = accept.into_iter().zip(reject).enumerate();
                pairs.map(|(i, (a, b))| self.select(condition[i % condition.len()], a, b)).collect()
            }
            Expression::Relational { fun, argument } => {
                let values = self.values(frame, *argument);
                self.relational(*fun, &values)
            }
            Expression::Math { fun, arg, arg1, arg2, arg3 } => {
                let args: Vec<Handle<Expression>> = [Some(*arg), *arg1, *arg2, *arg3].into_iter().flatten().collect();
                let shape = self.inner(frame, *arg);
                let args: Vec<Vec<Value>> = args.into_iter().map(|arg| self.values(frame, arg)).collect();
                self.math(*fun, &shape, &args)
            }
            Expression::As { expr, kind, convert } => {
                let values = self.values(frame, *expr);
                values.into_iter().map(|value| self.cast(value, *kind, *convert)).collect()
            }
            Expression::ArrayLength(pointer) => {
                let place = self.place(frame, *pointer);
                let Root::Memory(memory) = place.root else { unreachable!("invariant array-length: of a buffer") };
                let Memory::Buffer { buffer, .. } = self.f.memories[memory.index()] else {
                    unreachable!("invariant array-length: of a buffer")
                };
                vec![self.length(buffer)]
            }
            other @ (Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }) => {
                unreachable!("invariant results: {other:?} is set by its statement")
            }
            other @ (Expression::Override(_)
            | Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
            | Expression::Derivative { .. }
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. }) => {
                unreachable!("invariant compute-only: {other:?} is refused before compilation")
            }
        })
    }

    /// An element of a value by a dynamic index.
    fn element(&mut self, inner: &TypeInner, values: &[Value], index: Value) -> Vec<Value> {
        /// Beyond this many, memory is cheaper than a chain of selections.
        const CHOICES_MAX: u32 = 4;
        let (element, len, _) = types::element(self.module, inner);
        let len = len.unwrap_or_else(|| unreachable!("invariant sizes: a value has a fixed size"));
        let leaves = types::count(self.module, &element);
        if len <= CHOICES_MAX {
            let options: Vec<Vec<Value>> = values.chunks(leaves).map(<[Value]>::to_vec).collect();
            return self.choose(index, &options);
        }
        let memory = self.table(values);
        (0..leaves)
            .map(|leaf| {
                let term = Term { index, stride: leaves as u32, bound: Bound::Const(len), shown: None };
                let at = Address { memory, offset: leaf as u32, terms: vec![term] };
                self.emit(self.f.ty(values[leaf]), Op::Load { at, uniform: false })
            })
            .collect()
    }

    /// Values in memory: a table of constants if they are, else a copy for each invocation.
    pub(super) fn table(&mut self, values: &[Value]) -> ir::Mem {
        if let Some(table) = self.constant_table(values) {
            return table;
        }
        let wide = values.iter().any(|&value| self.f.ty(value).bytes() == 8);
        let slot_bytes = if wide { 8 } else { 4 };
        let memory = self.memory(Memory::Private { slots: values.len() as u32, slot_bytes });
        self.put_all(memory, values);
        memory
    }

    /// A table of values that are constants of one type, if they are.
    pub(super) fn constant_table(&mut self, values: &[Value]) -> Option<ir::Mem> {
        let ty = self.f.ty(*values.first()?);
        let bits: Option<Vec<u64>> = values.iter().map(|&value| self.f.constant(value)).collect();
        let alike = values.iter().all(|&value| self.f.ty(value) == ty);
        bits.filter(|_| alike).map(|bits| self.memory(Memory::Constants { ty, bits }))
    }

    pub(super) fn literal(&mut self, literal: Literal) -> Value {
        let (ty, bits) = match literal {
            Literal::F64(x) => (Ty::F64, x.to_bits()),
            Literal::F32(x) => (Ty::F32, x.to_bits().into()),
            Literal::F16(x) => (Ty::F16, x.to_bits().into()),
            Literal::U32(x) => (Ty::U32, x.into()),
            Literal::I32(x) => (Ty::I32, u64::from(x as u32)),
            Literal::U64(x) => (Ty::U64, x),
            Literal::I64(x) => (Ty::I64, x as u64),
            Literal::Bool(x) => (Ty::Bool, x.into()),
            other => unreachable!("invariant scalars: {other:?} in a validated kernel"),
        };
        self.constant(ty, bits)
    }

    /// A constant expression of the module.
    pub(super) fn global_expression(&mut self, handle: Handle<Expression>) -> Vec<Value> {
        match &self.module.global_expressions[handle] {
            Expression::Literal(literal) => vec![self.literal(*literal)],
            Expression::Constant(constant) => self.global_expression(self.module.constants[*constant].init),
            Expression::ZeroValue(ty) => self.zeros(&self.module.types[*ty].inner),
            Expression::Compose { components, .. } => {
                components.iter().flat_map(|&component| self.global_expression(component)).collect()
            }
            Expression::Splat { size, value } => vec![self.global_expression(*value)[0]; *size as usize],
            other => unreachable!("invariant constants: {other:?} is evaluated by the front end"),
        }
    }

    fn operator(
        &mut self,
        op: BinaryOperator,
        (left_shape, left): (&TypeInner, &[Value]),
        (right_shape, right): (&TypeInner, &[Value]),
    ) -> Vec<Value> {
        let matrix = |inner: &TypeInner| matches!(inner, TypeInner::Matrix { .. });
        if op == BinaryOperator::Multiply && (matrix(left_shape) || matrix(right_shape)) {
            return self.matrix_product((left_shape, left), (right_shape, right));
        }
        let op = match op {
            BinaryOperator::Add => Binary::Add,
            BinaryOperator::Subtract => Binary::Sub,
            BinaryOperator::Multiply => Binary::Mul,
            BinaryOperator::Divide => Binary::Div,
            BinaryOperator::Modulo => Binary::Rem,
            BinaryOperator::Equal => Binary::Eq,
            BinaryOperator::NotEqual => Binary::Ne,
            BinaryOperator::Less => Binary::Lt,
            BinaryOperator::LessEqual => Binary::Le,
            BinaryOperator::Greater => Binary::Gt,
            BinaryOperator::GreaterEqual => Binary::Ge,
            BinaryOperator::And | BinaryOperator::LogicalAnd => Binary::And,
            BinaryOperator::InclusiveOr | BinaryOperator::LogicalOr => Binary::Or,
            BinaryOperator::ExclusiveOr => Binary::Xor,
            BinaryOperator::ShiftLeft => Binary::Shl,
            BinaryOperator::ShiftRight => Binary::Shr,
        };
        let len = left.len().max(right.len());
        (0..len).map(|i| self.arithmetic(op, left[i % left.len()], right[i % right.len()])).collect()
    }

    /// An operator on two scalars; the remainder of floats is spelled out.
    pub(super) fn arithmetic(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = self.f.ty(a);
        if op != Binary::Rem || !is_float(ty) {
            return self.binary(op, a, b);
        }
        let (a, b) = (self.widen(a), self.widen(b));
        let quotient = self.binary(Binary::Div, a, b);
        let whole = self.unary(Unary::Trunc, quotient);
        let product = self.binary(Binary::Mul, b, whole);
        let rest = self.binary(Binary::Sub, a, product);
        self.convert(rest, ty)
    }

    /// Half floats are computed as single floats.
    pub(super) fn widen(&mut self, value: Value) -> Value {
        if self.f.ty(value) == Ty::F16 { self.convert(value, Ty::F32) } else { value }
    }

    fn relational(&mut self, fun: RelationalFunction, values: &[Value]) -> Vec<Value> {
        let fold = |this: &mut Self, op| {
            let first = values[0];
            vec![values[1..].iter().fold(first, |all, &value| this.binary(op, all, value))]
        };
        match fun {
            RelationalFunction::All => fold(self, Binary::And),
            RelationalFunction::Any => fold(self, Binary::Or),
            RelationalFunction::IsNan => values.iter().map(|&x| self.binary(Binary::Ne, x, x)).collect(),
            RelationalFunction::IsInf => values
                .iter()
                .map(|&x| {
                    let x = self.widen(x);
                    let magnitude = self.unary(Unary::Abs, x);
                    let infinity = self.float(self.f.ty(x), f64::INFINITY);
                    self.binary(Binary::Eq, magnitude, infinity)
                })
                .collect(),
        }
    }

    fn cast(&mut self, value: Value, kind: ScalarKind, convert: Option<u8>) -> Value {
        let from = self.f.ty(value);
        let width = convert.unwrap_or(from.bytes() as u8);
        let width = if kind == ScalarKind::Bool { 1 } else { width };
        let to = Ty::of(naga::Scalar { kind, width })
            .unwrap_or_else(|| unreachable!("invariant scalars: {kind:?} of {width} bytes"));
        match convert {
            Some(_) => self.convert(value, to),
            None if from == Ty::Bool => value,
            None => self.bitcast(value, to),
        }
    }

    /// A float constant of a type.
    pub(super) fn float(&mut self, ty: Ty, x: f64) -> Value {
        let bits = match ty {
            Ty::F32 => u64::from((x as f32).to_bits()),
            Ty::F64 => x.to_bits(),
            other => unreachable!("invariant floats: a constant of {other}"),
        };
        self.constant(ty, bits)
    }
}

pub(super) fn is_float(ty: Ty) -> bool {
    matches!(ty, Ty::F16 | Ty::F32 | Ty::F64)
}
