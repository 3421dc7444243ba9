//! What every function in vector form keeps to, by the shapes of its values.

use crate::affine;
use crate::divergence::Shapes;
use crate::ir::{Binary, Each, End, Function, Group, Label, Node, Op, Region, Shape, Value};

/// Panics, with the rule's name, if a function breaks one.
pub(super) fn verify(f: &Function, shapes: &Shapes) {
    let verify = Verify { f, shapes };
    verify.region(&f.body);
}

struct Verify<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
}

impl Verify<'_> {
    fn is(&self, holds: bool, rule: &str, value: Value) {
        assert!(holds, "invariant vector-form: {rule}: {value}\n{}", self.f.text(&|_| String::new()));
    }

    fn region(&self, region: &Region) {
        for node in &region.nodes {
            match node {
                Node::Let(value) => self.made(*value),
                Node::If { condition, results, accept, reject } => {
                    let same = self.shapes.of(*condition).is_scalar();
                    self.is(same, "a condition is the same for the lane group", *condition);
                    for arm in [accept, reject] {
                        if let End::Fall(args) = &arm.end {
                            self.brings(results, args);
                        }
                    }
                }
                Node::Block { label, results, body } => {
                    if let End::Fall(args) = &body.end {
                        self.brings(results, args);
                    }
                    self.jumps(body, *label, results);
                }
                Node::Loop { label, params, init, body } => {
                    self.brings(params, init);
                    self.jumps(body, *label, params);
                }
                Node::Group(Group::Keep { value, merges, .. }) => self.is(!merges, "a slot is kept whole", *value),
                Node::Group(Group::Each(Each { gone, .. })) => {
                    assert!(gone.is_empty(), "invariant vector-form: lanes that are gone are in no mask");
                }
                Node::Store { .. } | Node::Group(_) => {}
                Node::Barrier => unreachable!("invariant vector-form: there are no barriers"),
            }
            node.regions().for_each(|region| self.region(region));
        }
    }

    fn jumps(&self, body: &Region, label: Label, params: &[Value]) {
        body.visit(&mut |region| {
            if let End::Jump(to, args) = &region.end
                && *to == label
            {
                self.brings(params, args);
            }
        });
    }

    /// One number for all lanes is not made of several.
    fn made(&self, value: Value) {
        let across = match self.f.op(value) {
            // These look across lanes, find what others left, or give nothing.
            Op::AnyLane(_) | Op::Edge(..) | Op::Subgroup(..) | Op::Recall(_) | Op::Run(..) => false,
            Op::Load { uniform, .. } => !uniform,
            // What grows along the lanes may cancel out.
            Op::Binary(_, a, b) => [a, b].iter().any(|&&operand| self.shapes.of(operand) == Shape::Varying),
            _ => true,
        };
        if across && self.shapes.of(value).is_scalar() {
            self.f.op(value).each(|operand| {
                self.is(self.shapes.of(operand).is_scalar(), "a scalar is made of scalars", value);
            });
        }
        if let Shape::Linear(stride) = self.shapes.of(value)
            && let Op::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul | Binary::Shl), a, b) = *self.f.op(value)
        {
            let strides = [a, b].map(|side| self.stride(side));
            let made = affine::combine(self.f, op, [a, b], strides.map(Option::unwrap_or_default));
            let whole = strides.iter().all(Option::is_some) && made == Some(stride as u32);
            self.is(stride == 0 || whole, "a ramp is made of ramps", value);
        }
    }

    /// How much a number grows from lane to lane.
    fn stride(&self, value: Value) -> Option<u32> {
        match self.shapes.of(value) {
            Shape::Uniform => Some(0),
            Shape::Linear(stride) => Some(stride as u32),
            Shape::Varying => None,
        }
    }

    /// What comes to a join has its shape: a scalar that stands for a ramp would be other numbers than it is known for.
    fn brings(&self, params: &[Value], args: &[Value]) {
        for (&param, &arg) in params.iter().zip(args) {
            let fits = match (self.shapes.of(param), self.shapes.of(arg)) {
                (Shape::Varying, _) => true,
                (param, arg) if param.is_scalar() => arg.is_scalar(),
                (param, arg) => param == arg,
            };
            self.is(fits, "a join is as even as what comes to it", param);
        }
    }
}
