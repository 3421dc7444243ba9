//! Expansion of elementary functions: calls that would be made lane by lane become operations on all lanes at once.
//!
//! What a function of `core::math` does is written there once, over any machine; here the machine is the SPMD form.
//! The same operations in the same order give the same bits. It comes last: every other pass has less to look at
//! while they are calls.

use seawall_core::math::elementary;
use seawall_core::math::machine::{Machine, Rare};

use crate::cost;
use crate::divergence::{Shape, Shapes};
use crate::fold::Literals;
use crate::ir::{Binary, End, Function, Helper, Node, Op, Region, Ty, Unary, Value};

const NAME: &str = "expand";

/// Expands what differs from lane to lane. There are new values to know the shape of if anything was.
pub(crate) fn expand(f: &mut Function, shapes: &Shapes) -> bool {
    if shapes.width == 1 {
        return false;
    }
    let mut body = std::mem::take(&mut f.body);
    let mut expand = Expand { literals: Literals::of(f), f, shapes, nodes: Vec::new(), made: 0 };
    expand.region(&mut body);
    let made = expand.made;
    f.body = body;
    made > 0
}

struct Expand<'a> {
    f: &'a mut Function,
    shapes: &'a Shapes,
    literals: Literals,
    /// Of the function that is being written.
    nodes: Vec<Node>,
    made: usize,
}

impl Expand<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(value) => {
                    if let Some(written) = self.call(*value) {
                        nodes.extend(written);
                        continue;
                    }
                }
                Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.region(arm)),
                Node::Block { body, .. } | Node::Loop { body, .. } => self.region(body),
            }
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    /// What gives a value that is called for now.
    fn call(&mut self, value: Value) -> Option<Vec<Node>> {
        let Op::Call(helper, args) = self.f.op(value) else { return None };
        if self.shapes.of(value) != Shape::Varying {
            return None;
        }
        if self.made >= cost::EXPAND_NODES {
            self.f.missed(NAME, value, format!("{} operations were written out already", self.made));
            return None;
        }
        let (helper, args) = (*helper, args.clone());
        let found = self.write(helper, &args)?;
        self.f.done(NAME, value, format!("`{helper:?}` of all lanes at once"));
        self.made += self.nodes.len();
        // What comes last gives the value itself, so that all who use it need not be told of another.
        self.f.values[value.index()].op = self.f.op(found).clone();
        let mut nodes = std::mem::take(&mut self.nodes);
        match nodes.last_mut() {
            Some(Node::Let(last)) => *last = value,
            Some(Node::If { results, .. }) => *results = vec![value],
            _ => unreachable!("invariant expand: a function ends in what it gives"),
        }
        Some(nodes)
    }

    fn write(&mut self, helper: Helper, args: &[Value]) -> Option<Value> {
        Some(match (helper, args) {
            (Helper::Acos, &[x]) => elementary::acos(self, x),
            (Helper::Acosh, &[x]) => elementary::acosh(self, x),
            (Helper::Asin, &[x]) => elementary::asin(self, x),
            (Helper::Asinh, &[x]) => elementary::asinh(self, x),
            (Helper::Atan, &[x]) => elementary::atan(self, x),
            (Helper::Atan2, &[y, x]) => elementary::atan2(self, y, x),
            (Helper::Atanh, &[x]) => elementary::atanh(self, x),
            (Helper::Cos, &[x]) => elementary::cos(self, x),
            (Helper::Cosh, &[x]) => elementary::cosh(self, x),
            (Helper::Exp, &[x]) => elementary::exp(self, x),
            (Helper::Exp2, &[x]) => elementary::exp2(self, x),
            (Helper::Log, &[x]) => elementary::log(self, x),
            (Helper::Log2, &[x]) => elementary::log2(self, x),
            (Helper::Pow, &[x, y]) => elementary::pow(self, x, y),
            (Helper::Sin, &[x]) => elementary::sin(self, x),
            (Helper::Sinh, &[x]) => elementary::sinh(self, x),
            (Helper::Tan, &[x]) => elementary::tan(self, x),
            (Helper::Tanh, &[x]) => elementary::tanh(self, x),
            _ => return None,
        })
    }

    fn literal(&mut self, ty: Ty, bits: u64) -> Value {
        self.literals.value(self.f, ty, bits)
    }

    fn emit(&mut self, ty: Ty, op: Op) -> Value {
        self.f.emit(ty, op, &mut self.nodes)
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.f.binary(op, a, b, &mut self.nodes)
    }
}

impl Machine for Expand<'_> {
    type Single = Value;
    type Double = Value;
    type Word = Value;
    type Test = Value;

    fn number(&mut self, x: f64) -> Value {
        self.literal(Ty::F64, x.to_bits())
    }

    fn word(&mut self, bits: u64) -> Value {
        self.literal(Ty::U64, bits)
    }

    fn widen(&mut self, x: Value) -> Value {
        self.emit(Ty::F64, Op::Convert(x))
    }

    fn narrow(&mut self, x: Value) -> Value {
        self.emit(Ty::F32, Op::Convert(x))
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Add, a, b)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Sub, a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Mul, a, b)
    }

    fn div(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Div, a, b)
    }

    fn sqrt(&mut self, x: Value) -> Value {
        self.emit(Ty::F64, Op::Unary(Unary::Sqrt, x))
    }

    fn floor(&mut self, x: Value) -> Value {
        self.emit(Ty::F64, Op::Unary(Unary::Floor, x))
    }

    fn abs(&mut self, x: Value) -> Value {
        self.emit(Ty::F64, Op::Unary(Unary::Abs, x))
    }

    fn min(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Min, a, b)
    }

    fn max(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Max, a, b)
    }

    fn bits(&mut self, x: Value) -> Value {
        self.emit(Ty::U64, Op::Bitcast(x))
    }

    fn float(&mut self, bits: Value) -> Value {
        self.emit(Ty::F64, Op::Bitcast(bits))
    }

    fn plus(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Add, a, b)
    }

    fn minus(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Sub, a, b)
    }

    fn and(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::And, a, b)
    }

    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Xor, a, b)
    }

    fn shl(&mut self, bits: Value, by: u32) -> Value {
        let by = self.literal(Ty::U32, by.into());
        self.binary(Binary::Shl, bits, by)
    }

    fn shr(&mut self, bits: Value, by: u32) -> Value {
        let by = self.literal(Ty::U32, by.into());
        self.binary(Binary::Shr, bits, by)
    }

    fn less(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Lt, a, b)
    }

    fn equal(&mut self, a: Value, b: Value) -> Value {
        self.binary(Binary::Eq, a, b)
    }

    fn is_zero(&mut self, bits: Value) -> Value {
        let zero = self.word(0);
        self.binary(Binary::Eq, bits, zero)
    }

    fn pick(&mut self, test: Value, then: Value, or: Value) -> Value {
        self.emit(Ty::F64, Op::Select(test, then, or))
    }

    fn usually(&mut self, test: Value, usual: Value, rare: Rare, x: Value) -> Value {
        let helper = match rare {
            Rare::Sin => Helper::SinRare,
            Rare::Cos => Helper::CosRare,
            Rare::Tan => Helper::TanRare,
        };
        let called = self.f.define(Ty::F32, Op::Call(helper, vec![x]));
        let accept = Region { nodes: Vec::new(), end: End::Fall(vec![usual]) };
        let reject = Region { nodes: vec![Node::Let(called)], end: End::Fall(vec![called]) };
        let result = self.f.define(Ty::F32, Op::Param);
        self.nodes.push(Node::If { condition: test, accept, reject, results: vec![result] });
        result
    }
}
