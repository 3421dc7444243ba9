//! Loop fission at barriers: from the SPMD form to the group form.
//!
//! A workgroup is run by one thread, so a barrier is kept if every lane group has come to it before the first goes on.
//! What lies between barriers is a piece, and becomes a loop over the lane groups; nodes that contain a barrier, or
//! that take the whole workgroup away, stay around the pieces and run once (their conditions are uniform, or `program`
//! would have refused the kernel). A value that one piece makes and another uses is kept in a slot, or made again where
//! that is cheaper; what is uniform and can be made before a piece is made there, for all lane groups. So do Karrenberg
//! and Hack, "Improving performance of `OpenCL` on CPUs" (CC 2012), and `PoCL` with its work-item loops.
//!
//! Lanes may leave a piece for a label of the workgroup ahead of the others, where `program` knows that no barrier
//! parts them. They leave their values with the label, and a flag: the pieces up to the label are without them. Where
//! all of a workgroup have left, it follows them.

mod plan;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::divergence::Shapes;
use crate::fold::Literals;
use crate::ir::{Any, EVEN, Each, End, Function, Group, Label, LabelKind, Node, Op, Region, Shape, Slot, Ty, Value};
use plan::{Part, Plan, parts, plan, remade};

/// Brings a kernel into the group form.
pub(super) fn fission(f: &mut Function, shapes: &Shapes) -> bool {
    if f.is_callee {
        return false;
    }
    let (plan, params, literals) = (plan(f, shapes), f.body.params(), Literals::of(f));
    let body = std::mem::take(&mut f.body);
    let mut slots = BTreeMap::new();
    for &value in plan.kept.iter().filter(|value| !plan.homes.contains_key(value)) {
        let ty = f.ty(value);
        slots.insert(value, f.slot(ty, shapes.of(value)));
    }
    for &value in plan.homes.keys() {
        slots.insert(value, slots[&plan.home(value)]);
    }
    let flags = if shapes.width == 1 { EVEN } else { Shape::Varying };
    let parted = plan.outer.iter().filter(|label| shapes.parted.contains(label));
    let gone: BTreeMap<Label, Slot> = parted.map(|&label| (label, f.slot(Ty::Bool, flags))).collect();
    let all = (0..f.values.len() as u32).map(Value).filter(|&value| remade(f, shapes, value));
    let again = all.map(|value| (value, f.op(value).clone())).collect();
    let clear = (f.workgroup_bytes > 0).then_some(Group::Clear);
    let first: Vec<Node> =
        clear.into_iter().chain(gone.values().map(|&slot| Group::Zero(slot))).map(Node::Group).collect();
    let mut fission =
        Fission { f, shapes, plan, slots, gone, again, literals, params, around: Vec::new(), left: BTreeSet::new() };
    let whole = fission.outer(body, &[]);
    let mut loops = 0;
    whole.visit(&mut |region| {
        loops += region.nodes.iter().filter(|node| matches!(node, Node::Group(Group::Each(_)))).count();
    });
    f.outlives = loops > 1;
    f.body = Region { nodes: first.into_iter().chain(whole.nodes).collect(), end: whole.end };
    true
}

struct Fission<'a> {
    f: &'a mut Function,
    shapes: &'a Shapes,
    plan: Plan,
    /// Where values are kept.
    slots: BTreeMap<Value, Slot>,
    /// Which lanes have left for a label ahead of the others.
    gone: BTreeMap<Label, Slot>,
    /// How values are made again, as they were made at first.
    again: HashMap<Value, Op>,
    literals: Literals,
    params: HashMap<Label, Vec<Value>>,
    /// Labels of the workgroup around the place, from the outside in.
    around: Vec<Label>,
    /// Those that lanes may have left for by now.
    left: BTreeSet<Label>,
}

/// What stands for values in a piece.
type Names = HashMap<Value, Value>;

impl Fission<'_> {
    /// A region that runs once for the workgroup; `results` are where it falls to.
    fn outer(&mut self, mut region: Region, results: &[Value]) -> Region {
        let mut nodes = Vec::new();
        let parts = parts(&region, &self.plan.outer, self.shapes);
        let mut rest = std::mem::take(&mut region.nodes).into_iter();
        for part in parts {
            match part {
                Part::Piece(range) => {
                    let nodes_of = rest.by_ref().take(range.len()).collect();
                    self.piece(Region { nodes: nodes_of, end: End::default() }, &mut nodes);
                }
                Part::Whole(_) => {
                    let node = rest.next().unwrap_or_else(|| unreachable!("invariant parts: each node is in one"));
                    self.follow(&mut nodes);
                    if !self.whole(node, &mut nodes) {
                        return Region { nodes, end: End::Unreachable };
                    }
                }
            }
        }
        let end = match region.end {
            End::Fall(args) => End::Fall(self.bring(results, &args, &mut nodes)),
            End::Jump(label, args) => {
                let params = self.params[&label].clone();
                End::Jump(label, self.bring(&params, &args, &mut nodes))
            }
            End::Unreachable => End::Unreachable,
        };
        Region { nodes, end }
    }

    /// A node that stands alone; whether anything may come after it.
    fn whole(&mut self, node: Node, nodes: &mut Vec<Node>) -> bool {
        match node {
            Node::Let(_) | Node::Store { .. } => unreachable!("invariant fission: plain nodes are in pieces"),
            Node::Barrier => {}
            Node::Group(_) => nodes.push(node),
            Node::If { condition, accept, reject, mut results } => {
                let condition = self.decides(condition, nodes);
                let [accept, reject] = [accept, reject].map(|arm| self.outer(arm, &results));
                results.retain(|result| self.plan.shared.contains(result));
                nodes.push(Node::If { condition, accept, reject, results });
            }
            Node::Block { label, body, mut results } => {
                self.around.push(label);
                let body = self.outer(body, &results);
                self.around.pop();
                results.retain(|result| self.plan.shared.contains(result));
                nodes.push(Node::Block { label, body, results });
                self.welcome(label, nodes);
            }
            Node::Loop { label, mut params, init, body } => {
                let init = self.bring(&params, &init, nodes);
                // What comes later in the body has happened before in the next turn.
                let later = |to: &&Label| body.jumps(**to) > 0;
                let later: Vec<Label> = self.gone.keys().filter(later).copied().collect();
                self.left.extend(later);
                self.around.push(label);
                let mut body = self.outer(body, &[]);
                self.around.pop();
                let mut first = Vec::new();
                self.welcome(label, &mut first);
                body.nodes.splice(..0, first);
                params.retain(|param| self.plan.shared.contains(param));
                nodes.push(Node::Loop { label, params, init, body });
                return false;
            }
        }
        true
    }

    /// A condition on which all lanes agree that are here.
    fn decides(&mut self, condition: Value, nodes: &mut Vec<Node>) -> Value {
        if self.shapes.of(condition) == Shape::Uniform {
            return self.once(condition, nodes);
        }
        let of = Some(self.slots[&condition]);
        let gone = self.absent();
        self.f.emit(Ty::Bool, Op::Any(Any { of, gone }), nodes)
    }

    /// Those that are not here.
    fn absent(&self) -> Vec<Slot> {
        self.around.iter().filter_map(|label| self.gone.get(label).copied()).collect()
    }

    /// Those who left for a label ahead of the others go on with them from here.
    fn welcome(&self, label: Label, nodes: &mut Vec<Node>) {
        nodes.extend(self.gone.get(&label).map(|&slot| Node::Group(Group::Zero(slot))));
    }

    /// If no lane is left here, the workgroup goes where the nearest of them went. `program` knows
    /// more about what is uniform than the shapes do: what varies for them may have taken all away.
    fn follow(&mut self, nodes: &mut Vec<Node>) {
        let labels: Vec<Label> = self.around.iter().rev().copied().filter(|label| self.left.contains(label)).collect();
        if labels.is_empty() {
            return;
        }
        let gone = self.absent();
        let here = self.f.emit(Ty::Bool, Op::Any(Any { of: None, gone }), nodes);
        let mut reject = Region::default();
        for label in labels {
            let of = Some(self.gone[&label]);
            let condition = self.f.emit(Ty::Bool, Op::Any(Any { of, gone: Vec::new() }), &mut reject.nodes);
            // They have left what they bring.
            let accept = Region { nodes: Vec::new(), end: End::Jump(label, Vec::new()) };
            reject.nodes.push(Node::If { condition, accept, reject: Region::default(), results: Vec::new() });
        }
        nodes.push(Node::If { condition: here, accept: Region::default(), reject, results: Vec::new() });
    }

    /// Brings arguments to where a join keeps its parameters; gives those that stand outside the pieces.
    fn bring(&mut self, params: &[Value], args: &[Value], nodes: &mut Vec<Node>) -> Vec<Value> {
        let (mut shared, mut scalars, mut lanes) = (Vec::new(), Vec::new(), Vec::new());
        for (&param, &arg) in params.iter().zip(args) {
            if self.plan.shared.contains(&param) {
                shared.push(self.once(arg, nodes));
            } else if self.shapes.of(param) == Shape::Uniform {
                scalars.push((self.slots[&param], self.once(arg, nodes)));
            } else if self.slots.get(&arg) != Some(&self.slots[&param]) {
                lanes.push((self.slots[&param], arg));
            }
        }
        if !lanes.is_empty() {
            let (mut body, mut names) = (Region::default(), Names::new());
            let mut outside = Vec::new();
            for (_, arg) in &mut lanes {
                *arg = self.fetch(*arg, &mut names, &mut outside, &mut body.nodes);
            }
            nodes.append(&mut outside);
            let merges = !self.gone.is_empty();
            let keep = |(slot, value)| Node::Group(Group::Keep { slot, value, merges });
            body.nodes.extend(lanes.into_iter().map(keep));
            nodes.push(Node::Group(Group::Each(Each { gone: self.absent(), body, ..Each::default() })));
        }
        nodes.extend(scalars.into_iter().map(|(slot, value)| Node::Group(Group::Keep { slot, value, merges: false })));
        shared
    }

    /// A value that is uniform, outside the pieces.
    fn once(&mut self, value: Value, nodes: &mut Vec<Node>) -> Value {
        match self.slots.get(&value) {
            Some(&slot) => self.f.emit(self.f.ty(value), Op::Recall(slot), nodes),
            None => value,
        }
    }

    /// What stands for a value that a piece does not make: uniform ones are fetched `outside` of it.
    fn fetch(&mut self, value: Value, names: &mut Names, outside: &mut Vec<Node>, inside: &mut Vec<Node>) -> Value {
        if let Some(&name) = names.get(&value) {
            return name;
        }
        let name = if self.f.is_input(value) || self.plan.shared.contains(&value) {
            value
        } else if self.shapes.of(value) == Shape::Uniform {
            self.once(value, outside)
        } else if let Some(&slot) = self.slots.get(&value) {
            let name = self.f.define_like(value, self.f.ty(value), Op::Recall(slot));
            inside.push(Node::Let(name));
            name
        } else {
            let again = self.again.get(&value).cloned();
            let mut op = again.unwrap_or_else(|| unreachable!("invariant scopes: {value} is used before it is made"));
            op.rename(|operand| self.fetch(operand, names, outside, inside));
            let name = self.f.define_like(value, self.f.ty(value), op);
            inside.push(Node::Let(name));
            name
        };
        names.insert(value, name);
        name
    }

    /// Nodes without barriers, for every lane group.
    fn piece(&mut self, mut piece: Region, nodes: &mut Vec<Node>) {
        let made = piece.made();
        let wanted: BTreeSet<Value> = piece.uses(self.f).into_keys().filter(|value| !made.contains(value)).collect();
        let (mut names, mut inside) = (Names::new(), Vec::new());
        for value in wanted {
            self.fetch(value, &mut names, nodes, &mut inside);
        }
        let shared = |node: &mut Node| matches!(node, Node::Let(value) if self.plan.shared.contains(value));
        for node in piece.nodes.extract_if(.., shared) {
            if let Node::Let(value) = node {
                self.f.values[value.index()].op.rename(|operand| names.get(&operand).copied().unwrap_or(operand));
            }
            nodes.push(node);
        }
        // What is made and not kept is made again by whoever wants it.
        let idle = |value: Value| !self.f.op(value).has_effect() && !self.slots.contains_key(&value);
        if piece.nodes.iter().all(|node| matches!(node, Node::Let(value) if idle(*value))) {
            return;
        }
        let mut out = None;
        self.inner(&mut piece.nodes, &names, &mut out);
        piece.nodes.splice(..0, inside);
        if let Some(label) = out {
            let block = Node::Block { label, body: piece, results: Vec::new() };
            piece = Region { nodes: vec![block], end: End::default() };
        }
        nodes.push(Node::Group(Group::Each(Each { gone: self.absent(), body: piece, ..Each::default() })));
    }

    /// Gives what a piece uses its names, and leaves in slots what others want.
    fn inner(&mut self, nodes: &mut Vec<Node>, names: &Names, out: &mut Option<Label>) {
        let one = |value: Value| names.get(&value).copied().unwrap_or(value);
        for mut node in std::mem::take(nodes) {
            let mut made = node.gives().to_vec();
            match &mut node {
                Node::Let(value) => self.f.values[value.index()].op.rename(one),
                Node::Store { at, value, .. } => {
                    at.terms.iter_mut().for_each(|term| term.index = one(term.index));
                    *value = one(*value);
                }
                Node::Barrier | Node::Group(_) => unreachable!("invariant fission: pieces have no barriers"),
                Node::If { condition, accept, reject, .. } => {
                    *condition = one(*condition);
                    self.inner_region(accept, names, out);
                    self.inner_region(reject, names, out);
                }
                Node::Block { body, .. } => self.inner_region(body, names, out),
                Node::Loop { init, body, .. } => {
                    init.iter_mut().for_each(|value| *value = one(*value));
                    self.inner_region(body, names, out);
                    let first: Vec<Node> = made.drain(..).filter_map(|param| self.kept(param)).collect();
                    body.nodes.splice(..0, first);
                }
            }
            nodes.push(node);
            nodes.extend(made.into_iter().filter_map(|value| self.kept(value)));
        }
    }

    fn inner_region(&mut self, region: &mut Region, names: &Names, out: &mut Option<Label>) {
        self.inner(&mut region.nodes, names, out);
        let one = |value: &mut Value| *value = names.get(value).copied().unwrap_or(*value);
        match &mut region.end {
            End::Fall(args) | End::Jump(_, args) => args.iter_mut().for_each(one),
            End::Unreachable => {}
        }
        let End::Jump(label, args) = &region.end else { return };
        if !self.plan.outer.contains(label) {
            return;
        }
        // Lanes leave for a label of the workgroup, ahead of the others.
        self.left.insert(*label);
        let params = self.params[label].clone();
        for (param, &value) in params.iter().zip(args) {
            let (slot, merges) = (self.slots[param], self.shapes.of(*param) != Shape::Uniform);
            region.nodes.push(Node::Group(Group::Keep { slot, value, merges }));
        }
        let (slot, value) = (self.gone[label], self.literals.value(self.f, Ty::Bool, 1));
        region.nodes.push(Node::Group(Group::Keep { slot, value, merges: true }));
        let out = *out.get_or_insert_with(|| self.f.label(LabelKind::Block));
        region.end = End::Jump(out, Vec::new());
    }

    /// Leaves a value where others find it, if they want it.
    fn kept(&self, value: Value) -> Option<Node> {
        let &slot = self.slots.get(&value)?;
        Some(Node::Group(Group::Keep { slot, value, merges: false }))
    }
}
