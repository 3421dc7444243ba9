//! Control-flow linearization: from the group form to the vector form, in which masks are values.
//!
//! Where a branch is the same for a lane group, it stays a branch. Where lanes part, both sides are written one after
//! the other, each for its mask, and skipped where that has no lane; what they bring is chosen by the mask where lanes
//! meet. Lanes that jump to a label which others reach at another time wait: what they bring, and who they are, is
//! handed on from node to node until the label comes, as results of whatever stands in between ([`state`]). A loop that
//! lanes leave in different turns goes on as long as some lane is left. (Karrenberg and Hack, "Whole-function
//! vectorization", CGO 2011; Moll and Hack, "Partial control-flow linearization", PLDI 2018.)
//!
//! In the vector form
//! - every condition is the same for the lane group, and all its lanes go where control goes;
//! - what only some lanes do has their mask as an operand; nothing else does;
//! - a value in a lane that does not take part is any number, and what a join brings from a way that no lane took is
//!   zero, or what was there before.
//!
//! So whoever reads the form sees all that will be computed, the lanes included that nobody asks. [`verify`] has these
//! rules as a check.

mod state;
mod act;
mod branch;
mod label;
mod verify;

use std::collections::{BTreeMap, HashMap};

use crate::cost;
use crate::divergence::{self, Shapes};
use crate::fold::Literals;
use crate::ir::{
    Any, Binary, Builtin, Each, End, Function, Group, Kept, Label, Node, Op, Region, Shape, Slot, Ty, Value,
};
use label::Target;
use state::{Carries, Lanes, Waiting};

const NAME: &str = "linearize";

/// Turns control that parts lanes into masks, in every lane group.
pub(super) fn linearize(f: &mut Function, shapes: &mut Shapes) {
    shapes.grow(f.values.len());
    let mut body = std::mem::take(&mut f.body);
    let (params, literals, is_callee) = (body.params(), Literals::of(f), f.is_callee);
    let mut linearize = Linearize {
        f,
        shapes,
        params,
        literals,
        renamed: HashMap::new(),
        targets: HashMap::new(),
        lanes: Lanes::ALL,
        waiting: BTreeMap::new(),
        sure: None,
        nodes: Vec::new(),
    };
    if is_callee {
        body = linearize.callee(body);
    } else {
        linearize.outside(&mut body);
    }
    f.body = body;
    if cfg!(debug_assertions) {
        verify::verify(f, shapes);
    }
}

struct Linearize<'a> {
    f: &'a mut Function,
    shapes: &'a mut Shapes,
    literals: Literals,
    /// Parameters of labels.
    params: HashMap<Label, Vec<Value>>,
    /// What stands for results of joins that are no more.
    renamed: HashMap<Value, Value>,
    targets: HashMap<Label, Target>,
    lanes: Lanes,
    /// What lanes have left with labels that they wait for.
    waiting: BTreeMap<Label, Waiting>,
    /// A condition that holds in some lane for sure.
    sure: Option<Value>,
    /// What is written of the current region.
    nodes: Vec<Node>,
}

/// What is known after some code.
#[derive(Debug)]
enum Flow {
    /// Lanes may go on.
    On,
    /// The code goes on, but no lane does.
    Idle,
    /// The code does not go on, but ends so.
    Closed(End),
}

/// A block around the rest of a region, at whose end those wait that go around it.
struct Around {
    label: Label,
    /// The first of its nodes.
    from: usize,
    carries: Carries,
}

/// What is still to come of a region: nodes, its end, and the values that it gives to those who go around.
struct Rest<'a> {
    nodes: &'a [Node],
    end: &'a End,
    defaults: &'a [Value],
}

/// What a region makes of the values that it falls with.
type Fall<'f> = &'f mut dyn FnMut(&mut Linearize<'_>, Vec<Value>) -> Vec<Value>;

impl Linearize<'_> {
    /// Code of the workgroup, with its loops over lane groups.
    fn outside(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Group(Group::Each(each)) => self.each(each),
                Node::Let(value) => {
                    if let Op::Any(any) = self.f.op(*value).clone() {
                        self.found(*value, &any, &mut nodes);
                    }
                }
                node => node.regions_mut().for_each(|region| self.outside(region)),
            }
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    /// Whether a lane of any group is so: each group adds its answer to what a slot holds.
    fn found(&mut self, value: Value, Any { of, gone }: &Any, nodes: &mut Vec<Node>) {
        let slot = self.f.slot(Ty::Bool, Shape::Uniform);
        let keep = |value: Value| Node::Group(Group::Keep { slot, value, merges: false });
        nodes.push(keep(self.nobody()));
        let mut mask = self.present(gone);
        if let Some(of) = of {
            let flags = self.recall(*of);
            mask = Some(self.and(mask, flags));
        }
        let mask = mask.unwrap_or_else(|| self.literal(Ty::Bool, 1));
        let (any, before) = (self.any(mask), self.recall(slot));
        let all = self.or(any, before);
        self.nodes.push(keep(all));
        let body = Region { nodes: std::mem::take(&mut self.nodes), end: End::default() };
        nodes.push(Node::Group(Group::Each(Each { body, ..Each::default() })));
        self.f.values[value.index()].op = Op::Recall(slot);
    }

    /// What is in a slot, for the lanes of the group.
    fn recall(&mut self, slot: Slot) -> Value {
        let Kept { ty, shape, .. } = self.f.slots[slot.index()];
        let value = self.emit(ty, Op::Recall(slot));
        self.told(value, shape)
    }

    fn each(&mut self, each: &mut Each) {
        self.sure = each.span.and_then(|span| span.some);
        let body = std::mem::take(&mut each.body);
        let mask = self.present(&std::mem::take(&mut each.gone));
        self.entered(mask, body);
        self.sure = None;
        each.body.nodes = std::mem::take(&mut self.nodes);
    }

    /// A function that is called, for some lanes of a group. Nobody calls it for none.
    fn callee(&mut self, body: Region) -> Region {
        if self.shapes.width > 1 {
            self.lanes.mask = Some(self.emit(Ty::Bool, Op::Callers));
        }
        let (flow, _) = self.run(body, &[], &[], &mut |_, values| values);
        self.lanes = Lanes::ALL;
        let end = match flow {
            Flow::On | Flow::Idle => End::default(),
            Flow::Closed(end) => end,
        };
        Region { nodes: std::mem::take(&mut self.nodes), end }
    }

    /// The code of a lane group, if a lane of it is there.
    fn entered(&mut self, mask: Option<Value>, body: Region) {
        let code = |this: &mut Self| this.run(body, &[], &[], &mut |_, values| values);
        match mask {
            None => _ = code(self),
            Some(mask) => {
                let any = self.any(mask);
                // One for all of them says nothing more behind the branch.
                self.lanes.mask = (!self.is_scalar(mask)).then_some(mask);
                self.guarded(any, &Carries::default(), &[], &[], code);
            }
        }
        self.lanes = Lanes::ALL;
    }

    /// Writes a region to the end of the current one. What it falls with has the types and shapes of `results`; those
    /// who go around some of it bring `defaults`.
    fn run(&mut self, region: Region, results: &[Value], defaults: &[Value], fall: Fall) -> (Flow, Vec<Value>) {
        let Region { nodes, end } = region;
        let (mut around, mut flow) = (None, Flow::On);
        let mut nodes = nodes.into_iter();
        while let Some(node) = nodes.next() {
            let rest = Rest { nodes: nodes.as_slice(), end: &end, defaults };
            if node.exit().is_some() {
                self.leave(node, &rest, &mut around);
                continue;
            }
            let parts = !self.touched(std::slice::from_ref(&node), None).is_empty();
            flow = self.node(node);
            if !matches!(flow, Flow::On) {
                break;
            }
            self.lanes.awake &= !parts;
            // Code that no lane wants may not even terminate.
            if !self.lanes.awake && cost::is_worth_a_branch(self.f, rest.nodes) {
                self.go_if_any(&rest, &mut around);
            }
        }
        let mut values = defaults.to_vec();
        if matches!(flow, Flow::On) {
            match end {
                End::Fall(args) => {
                    let args = self.names(&args);
                    values = fall(self, args);
                }
                End::Jump(label, args) => flow = self.jump(label, &args),
                End::Unreachable => flow = Flow::Idle,
            }
        }
        match around {
            Some(around) => self.meet(&around, flow, values, results),
            None => (flow, values),
        }
    }

    /// Ends the block around the rest of a region.
    fn meet(&mut self, around: &Around, flow: Flow, values: Vec<Value>, results: &[Value]) -> (Flow, Vec<Value>) {
        let on = matches!(flow, Flow::On);
        let end = self.end(flow, &around.carries, values);
        let body = Region { nodes: self.nodes.split_off(around.from), end };
        let [carried, values] = [self.extras(&around.carries), self.like(results)];
        let all = [&carried[..], &values].concat();
        self.nodes.push(Node::Block { label: around.label, body, results: all });
        self.adopt(&around.carries, &carried);
        self.lanes.awake = false;
        (if on { Flow::On } else { Flow::Idle }, values)
    }

    /// How a region ends whose code ends like this, with what is carried to the join behind it.
    fn end(&mut self, flow: Flow, carries: &Carries, values: Vec<Value>) -> End {
        match flow {
            Flow::On => End::Fall([self.carried(carries), values].concat()),
            Flow::Idle => {
                self.lanes.mask = Some(self.nobody());
                End::Fall([self.carried(carries), values].concat())
            }
            Flow::Closed(end) => end,
        }
    }

    fn node(&mut self, node: Node) -> Flow {
        match node {
            Node::Let(value) => self.evaluate(value),
            Node::Store { at, value, when } => self.store(at, value, when),
            Node::Group(group) => self.group(group),
            Node::Barrier => unreachable!("invariant fission: there are no barriers in the group form"),
            Node::If { condition, accept, reject, results } => {
                let condition = self.name(condition);
                if self.is_scalar(condition) {
                    return self.branch(condition, [accept, reject], &results);
                }
                return self.both(condition, [accept, reject], &results);
            }
            Node::Block { label, body, results } => return self.labelled(label, body, results),
            Node::Loop { label, params, init, body } => return self.repeat(label, &params, &init, body),
        }
        Flow::On
    }

    fn name(&self, value: Value) -> Value {
        self.renamed.get(&value).copied().unwrap_or(value)
    }

    fn names(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&value| self.name(value)).collect()
    }

    fn is_scalar(&self, value: Value) -> bool {
        self.shapes.of(value).is_scalar()
    }

    /// A new value at the end of the current region, with the shape that its operands give it.
    fn emit(&mut self, ty: Ty, op: Op) -> Value {
        let mut shape = if op == Op::Callers { Shape::Varying } else { Shape::Uniform };
        op.each(|operand| shape = divergence::all(shape, self.shapes.of(operand)));
        if matches!(op, Op::AnyLane(_)) {
            shape = divergence::EVEN;
        }
        let value = self.f.emit(ty, op, &mut self.nodes);
        self.told(value, shape)
    }

    fn told(&mut self, value: Value, shape: Shape) -> Value {
        self.shapes.grow(self.f.values.len());
        self.shapes.tell(value, shape);
        value
    }

    fn literal(&mut self, ty: Ty, bits: u64) -> Value {
        let value = self.literals.value(self.f, ty, bits);
        self.shapes.grow(self.f.values.len());
        value
    }

    /// Parameters with the types and shapes of others.
    fn like(&mut self, values: &[Value]) -> Vec<Value> {
        let like = |&value: &Value| {
            let (param, shape) = (self.f.param_like(value), self.shapes.of(value));
            self.told(param, shape)
        };
        values.iter().map(like).collect()
    }

    /// What stands for values of ways that no lane took. What grows along the lanes does so here too: all lanes
    /// compute on, and nothing that is known of their numbers may be wrong.
    fn zeros(&mut self, values: &[Value]) -> Vec<Value> {
        let zero = |&value: &Value| match (self.f.ty(value), self.shapes.of(value)) {
            (ty, Shape::Linear(stride)) if stride != 0 => self.ramp(ty, stride),
            (ty, _) => self.literal(ty, 0),
        };
        values.iter().map(zero).collect()
    }

    /// A number that grows by so much from lane to lane.
    fn ramp(&mut self, ty: Ty, stride: i64) -> Value {
        let index = self.f.define(Ty::U32, Op::Builtin(Builtin::LocalIndex));
        let mut index = self.told(index, Shape::Linear(1));
        if ty != Ty::U32 {
            index = self.emit(ty, Op::Convert(index));
            self.told(index, Shape::Linear(1));
        }
        let stride_bits = self.literal(ty, (stride as u32).into());
        let ramp = self.emit(ty, Op::Binary(Binary::Mul, index, stride_bits));
        self.told(ramp, Shape::Linear(stride))
    }
}

/// Of a region that ends by a jump: an exit, a loop's body, or a block whose lanes wait for each other.
fn never_falls(_: &mut Linearize<'_>, _: Vec<Value>) -> Vec<Value> {
    unreachable!("invariant jumps: this region does not fall")
}
