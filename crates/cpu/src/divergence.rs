//! How a value lies across the lanes of a group, and where control flow parts them.
//!
//! A lane group is `width` neighbouring invocations that run one instruction stream. The
//! shapes speak of the lanes that are active where the value is used, so that a trip
//! counter stays uniform inside a loop that lanes leave at different times, and varies
//! only after it (temporal divergence). Optimistic: everything starts uniform and is
//! lowered until nothing changes, as in Karrenberg and Hack, "Whole-function
//! vectorization" (CGO 2011).

mod value;

use std::collections::{HashMap, HashSet};

use crate::ir::{Builtin, End, Function, Label, LabelKind, Node, Op, Region, Value};

pub(crate) use crate::ir::{EVEN, Shape};

/// What a value may be that is one of two.
fn either(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (a, b) if a == b => a,
        (Shape::Uniform, EVEN) | (EVEN, Shape::Uniform) => EVEN,
        _ => Shape::Varying,
    }
}

/// What is known about a function at one width.
#[derive(Debug, Clone)]
pub(crate) struct Shapes {
    pub(crate) width: u32,
    by_value: Vec<Shape>,
    /// Labels to which lanes of one group may jump at different times or not at all.
    pub(crate) split: HashSet<Label>,
    /// Labels to which lane groups of one workgroup may jump at different times or not at all.
    pub(crate) parted: HashSet<Label>,
    /// Loops that lanes of one group may leave at different times.
    pub(crate) ragged: HashSet<Label>,
    /// Loops that lane groups of one workgroup may leave at different times.
    uneven: HashSet<Label>,
}

impl Shapes {
    pub(crate) fn of(&self, value: Value) -> Shape {
        self.by_value[value.index()]
    }

    /// Whether one scalar stands for a value in all lanes; not known of what was made since.
    pub(crate) fn is_scalar(&self, value: Value) -> bool {
        self.by_value.get(value.index()).is_some_and(|shape| shape.is_scalar())
    }

    /// How many values have a number of their own in each lane.
    pub(crate) fn varying(&self) -> usize {
        self.by_value.iter().filter(|shape| **shape == Shape::Varying).count()
    }

    /// What was made since, each the same for all lanes unless it is told otherwise.
    pub(crate) fn grow(&mut self, values: usize) {
        self.by_value.resize(values, Shape::Uniform);
    }

    /// How a value lies that was made since.
    pub(crate) fn tell(&mut self, value: Value, shape: Shape) {
        self.by_value[value.index()] = shape;
    }

    /// Calls all lanes of a group the same, which is a lie.
    #[cfg(test)]
    pub(crate) fn flatten(&mut self) {
        self.by_value.fill(EVEN);
        self.split.clear();
        self.ragged.clear();
    }
}

/// How far apart control flow may be at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Control {
    Uniform,
    Even,
    Varying,
}

impl Control {
    fn of(shape: Shape) -> Self {
        match shape {
            Shape::Uniform => Self::Uniform,
            EVEN => Self::Even,
            Shape::Linear(_) | Shape::Varying => Self::Varying,
        }
    }

    /// What a value becomes when this decides which of several it is.
    fn lower(self, shape: Shape) -> Shape {
        match (self, shape) {
            (Self::Uniform, shape) => shape,
            (Self::Even, Shape::Uniform) => EVEN,
            (Self::Even, shape) => shape,
            (Self::Varying, _) => Shape::Varying,
        }
    }
}

/// What surrounds a place, from the outside in.
#[derive(Debug, Clone, Copy)]
enum Around {
    If(Value),
    Label(Label),
    /// Some have left for this label already, and will come to whatever is outside it later.
    After(Label, Control),
}

/// One way into a join.
#[derive(Debug, Clone)]
struct Way {
    args: Vec<Value>,
    control: Control,
    /// Loops that are left on the way.
    leaves: Vec<Label>,
}

struct Analysis<'a> {
    f: &'a Function,
    known: Shapes,
    around: Vec<Around>,
    ways: HashMap<Label, Vec<Way>>,
    /// How far apart those are that have left for a label so far.
    left: HashMap<Label, Control>,
    /// The loops around each definition.
    loops: HashMap<Value, Vec<Label>>,
    changed: bool,
}

/// The shapes of a function's values when `width` lanes run together.
pub(crate) fn analyse(f: &Function, width: u32) -> Shapes {
    let known = Shapes {
        width,
        by_value: vec![Shape::Uniform; f.values.len()],
        split: HashSet::new(),
        parted: HashSet::new(),
        ragged: HashSet::new(),
        uneven: HashSet::new(),
    };
    let mut analysis = Analysis {
        f,
        known,
        around: Vec::new(),
        ways: HashMap::new(),
        left: HashMap::new(),
        loops: HashMap::new(),
        changed: true,
    };
    analysis.inputs();
    while analysis.changed {
        analysis.changed = false;
        analysis.ways.clear();
        analysis.left.clear();
        analysis.region(&f.body);
    }
    analysis.known
}

impl Analysis<'_> {
    /// Values that belong to no region.
    fn inputs(&mut self) {
        for (i, def) in self.f.values.iter().enumerate() {
            let shape = match &def.op {
                Op::Builtin(Builtin::LocalIndex) => Shape::Linear(1),
                Op::Builtin(Builtin::LocalId(d)) => self.local_id(*d as usize),
                _ => Shape::Uniform,
            };
            self.known.by_value[i] = self.narrow(shape);
        }
    }

    /// With one lane everything is even.
    fn narrow(&self, shape: Shape) -> Shape {
        if self.known.width == 1 && shape != Shape::Uniform { EVEN } else { shape }
    }

    fn local_id(&self, d: usize) -> Shape {
        let (size, width) = (self.f.workgroup_size, self.known.width);
        let before: u32 = size[..d].iter().product();
        if size[d] == 1 {
            Shape::Uniform
        } else if before.is_multiple_of(width) {
            EVEN
        } else if before == 1 && (size[d].is_multiple_of(width) || size[d + 1..].iter().all(|&n| n == 1)) {
            Shape::Linear(1)
        } else {
            Shape::Varying
        }
    }

    fn set(&mut self, value: Value, shape: Shape) {
        let shape = self.narrow(shape);
        let old = &mut self.known.by_value[value.index()];
        // Only ever lowered, so that the iteration ends.
        let lowered = match (*old, shape) {
            (Shape::Uniform, new) => new,
            (old, new) if old == new => old,
            (EVEN, Shape::Uniform) => EVEN,
            (Shape::Varying, _) | (_, Shape::Varying) => Shape::Varying,
            // What starts along the lanes and is then the same for all of them.
            (Shape::Linear(_), Shape::Uniform) => Shape::Varying,
            (Shape::Linear(_), Shape::Linear(_)) => Shape::Varying,
        };
        if *old != lowered {
            *old = lowered;
            self.changed = true;
        }
    }

    fn region(&mut self, region: &Region) {
        let depth = self.around.len();
        for node in &region.nodes {
            self.mark_leavers();
            match node {
                Node::Let(value) => {
                    self.define(*value);
                    let shape = self.op(*value);
                    self.set(*value, shape);
                }
                Node::Store { .. } | Node::Barrier => {}
                Node::Group(group) => group.region().into_iter().for_each(|body| self.region(body)),
                Node::If { condition, accept, reject, results } => {
                    results.iter().for_each(|&result| self.define(result));
                    self.around.push(Around::If(*condition));
                    self.region(accept);
                    self.region(reject);
                    self.around.pop();
                    let control = Control::of(self.known.of(*condition));
                    let fall = |arm: &Region| match &arm.end {
                        End::Fall(args) => Some(Way { args: args.clone(), control, leaves: Vec::new() }),
                        End::Jump(..) | End::Unreachable => None,
                    };
                    let ways: Vec<Way> = [accept, reject].into_iter().filter_map(fall).collect();
                    self.join(results, &ways);
                }
                Node::Block { label, body, results } => {
                    results.iter().for_each(|&result| self.define(result));
                    self.around.push(Around::Label(*label));
                    self.region(body);
                    self.around.pop();
                    let mut ways = self.ways.remove(label).unwrap_or_default();
                    if ways.iter().any(|way| way.control == Control::Varying || self.ragged(way)) {
                        self.changed |= self.known.split.insert(*label);
                    }
                    if let End::Fall(args) = &body.end {
                        ways.push(Way { args: args.clone(), control: Control::Uniform, leaves: Vec::new() });
                    }
                    self.join(results, &ways);
                }
                Node::Loop { label, params, init, body } => {
                    self.around.push(Around::Label(*label));
                    for (&param, &first) in params.iter().zip(init) {
                        self.define(param);
                        // Known before the body is read, so that `i += uniform` keeps its stride.
                        self.set(param, self.known.of(first));
                    }
                    self.region(body);
                    self.around.pop();
                    let ways = self.ways.remove(label).unwrap_or_default();
                    if ways.iter().any(|way| way.control == Control::Varying || self.ragged(way)) {
                        self.changed |= self.known.split.insert(*label);
                        self.changed |= self.known.ragged.insert(*label);
                    }
                    self.join(params, &ways);
                    for (&param, &first) in params.iter().zip(init) {
                        let shape = either(self.known.of(param), self.known.of(first));
                        self.set(param, shape);
                    }
                }
            }
        }
        self.mark_leavers();
        if let End::Jump(label, args) = &region.end {
            self.jump(*label, args);
        }
        self.around.truncate(depth);
    }

    /// From here on, whoever has not yet left for an enclosing label is on their own.
    fn mark_leavers(&mut self) {
        for i in 0..self.around.len() {
            let Around::Label(label) = self.around[i] else { continue };
            let Some(&control @ (Control::Even | Control::Varying)) = self.left.get(&label) else { continue };
            let known = |around: &Around| matches!(around, Around::After(at, c) if *at == label && *c >= control);
            if !self.around[i..].iter().any(known) {
                self.around.push(Around::After(label, control));
            }
        }
    }

    fn define(&mut self, value: Value) {
        let is_loop = |around: &Around| match around {
            Around::Label(label) if self.f.labels[label.index()] == LabelKind::Loop => Some(*label),
            Around::Label(_) | Around::If(_) | Around::After(..) => None,
        };
        let loops = self.around.iter().filter_map(is_loop).collect();
        self.loops.insert(value, loops);
    }

    /// Records a way to a label; loops that it leaves under varying control become ragged.
    fn jump(&mut self, label: Label, args: &[Value]) {
        let mut control = Control::Uniform;
        let mut leaves = Vec::new();
        let mut left: HashMap<Label, Control> = HashMap::new();
        for around in self.around.iter().rev() {
            match around {
                Around::If(condition) => control = control.max(Control::of(self.known.of(*condition))),
                Around::After(at, others) => {
                    let before = left.entry(*at).or_insert(*others);
                    *before = (*before).max(*others);
                }
                Around::Label(at) if *at == label => break,
                Around::Label(at) => {
                    control = control.max(left.get(at).copied().unwrap_or(Control::Uniform));
                    if self.f.labels[at.index()] == LabelKind::Loop {
                        leaves.push(*at);
                        if control != Control::Uniform {
                            self.changed |= self.known.uneven.insert(*at);
                        }
                        if control == Control::Varying {
                            self.changed |= self.known.ragged.insert(*at);
                        }
                    }
                }
            }
        }
        // Others may have left such a loop in an earlier turn.
        if control != Control::Uniform || leaves.iter().any(|at| self.known.uneven.contains(at)) {
            self.changed |= self.known.parted.insert(label);
        }
        let before = self.left.entry(label).or_insert(control);
        *before = (*before).max(control);
        self.ways.entry(label).or_default().push(Way { args: args.to_vec(), control, leaves });
    }

    fn ragged(&self, way: &Way) -> bool {
        way.leaves.iter().any(|label| self.known.ragged.contains(label))
    }

    /// The shapes of a join's parameters.
    fn join(&mut self, params: &[Value], ways: &[Way]) {
        let uneven = |way: &Way| way.leaves.iter().any(|label| self.known.uneven.contains(label));
        let of = |way: &Way| match (self.ragged(way), uneven(way)) {
            (true, _) => Control::Varying,
            (false, true) => way.control.max(Control::Even),
            (false, false) => way.control,
        };
        let control = ways.iter().map(of).max().unwrap_or(Control::Uniform);
        for (i, &param) in params.iter().enumerate() {
            let mut shape: Option<Shape> = None;
            for way in ways {
                let arg = way.args[i];
                let mut arrives = self.known.of(arg);
                // Lanes that leave a loop at different times bring different iterations' values.
                let inside = |label: &&Label| self.loops.get(&arg).is_some_and(|loops| loops.contains(label));
                for label in way.leaves.iter().filter(inside) {
                    let apart = match (self.known.ragged.contains(label), self.known.uneven.contains(label)) {
                        (true, _) => Control::Varying,
                        (false, true) => Control::Even,
                        (false, false) => Control::Uniform,
                    };
                    arrives = apart.lower(arrives);
                }
                shape = Some(shape.map_or(arrives, |shape| either(shape, arrives)));
            }
            let same = ways.windows(2).all(|pair| pair[0].args[i] == pair[1].args[i]);
            let Some(shape) = shape else { continue };
            let shape = if same { shape } else { control.lower(shape) };
            self.set(param, shape);
        }
    }
}

/// The shape of any function of two values.
pub(crate) fn all(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Uniform, Shape::Uniform) => Shape::Uniform,
        _ if a.is_scalar() && b.is_scalar() => EVEN,
        _ => Shape::Varying,
    }
}
