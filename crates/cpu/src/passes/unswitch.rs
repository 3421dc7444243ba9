//! Loop unswitching of lane groups: a branch on a number that grows along the lanes, against a bound that is the same
//! for all of them, is decided for the whole group by its last lane, or by its first.
//!
//! The last lane is counted in 64 bits, so that it does not wrap: if it is below the bound, all lanes are. Code that
//! they then all come to has a version without masks.

use super::copy::Copy;
use super::versions::Questions;
use crate::cost;
use crate::divergence::Shapes;
use crate::fold::Literals;
use crate::ir::{Binary, Edge, End, Exit, Function, Group, Node, Op, Region, Shape, Ty, Value};
use crate::range::{self, Ranges};

const NAME: &str = "unswitch";
const UNEVEN: &str = "it compares no number that grows along the lanes with a bound that they share";

/// Gives branches and exits versions for lane groups that go one way.
pub(super) fn unswitch(f: &mut Function, shapes: &Shapes) -> bool {
    let mut parts = false;
    f.body.visit(&mut |region| {
        let parted = |node: &Node| matches!(node, Node::If { condition, .. } if !shapes.of(*condition).is_scalar());
        parts |= region.nodes.iter().any(parted);
    });
    if !parts {
        return false;
    }
    let (ranges, literals) = (range::analyse(f, shapes), Literals::of(f));
    let mut body = std::mem::take(&mut f.body);
    let mut unswitch = Unswitch { f, shapes, ranges, literals, sure: None, changed: false };
    unswitch.region(&mut body);
    let changed = unswitch.changed;
    f.body = body;
    changed
}

struct Unswitch<'a> {
    f: &'a mut Function,
    shapes: &'a Shapes,
    ranges: Ranges,
    literals: Literals,
    /// A condition that holds in some lane for sure.
    sure: Option<Value>,
    changed: bool,
}

/// A number that grows along the lanes, and what it is compared with.
#[derive(Clone, Copy)]
struct Grows {
    index: Value,
    bound: Value,
}

impl Unswitch<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        let mut rest = std::mem::take(&mut region.nodes).into_iter();
        while let Some(mut node) = rest.next() {
            if let Some(exit) = node.exit()
                && let Some(grows) = self.all_stay(&exit, rest.as_slice())
            {
                let rest = Region { nodes: rest.collect(), end: std::mem::take(&mut region.end) };
                region.end = self.behind(grows, node, rest, &mut nodes);
                break;
            }
            if self.decides(&node) {
                self.guarded(node, &mut nodes);
                continue;
            }
            match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier => {}
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.region(arm)),
                Node::Block { body, .. } | Node::Loop { body, .. } => self.region(body),
                Node::Group(Group::Each(each)) => {
                    self.sure = each.span.and_then(|span| span.some);
                    self.region(&mut each.body);
                    self.sure = None;
                }
                Node::Group(group) => group.region_mut().into_iter().for_each(|body| self.region(body)),
            }
            nodes.push(node);
        }
        region.nodes = nodes;
    }

    /// Whether a branch parts the lanes, and has a version for those that go one way.
    fn decides(&self, node: &Node) -> bool {
        let Node::If { condition, accept, .. } = node else { return false };
        if self.shapes.of(*condition).is_scalar() || node.leaves() {
            return false;
        }
        let brief = cost::straight(accept).is_some_and(|size| size <= cost::UNSWITCH_NODES);
        let because = match (brief, self.below(*condition, true)) {
            (true, Some(_)) => {
                self.f.done(NAME, *condition, "the last lane decides for its lane group: no masks where it holds");
                return true;
            }
            (true, None) => UNEVEN,
            (false, _) => "it has a loop, or is too long to be written twice",
        };
        self.f.missed(NAME, *condition, because);
        false
    }

    /// A branch in two versions: for lanes that all take it, and for those that part.
    fn guarded(&mut self, node: Node, nodes: &mut Vec<Node>) {
        let Node::If { condition, accept, reject, results } = node else { return };
        let Some(grows) = self.below(condition, true) else { return };
        self.changed = true;
        let mut questions = Questions::new(self.f);
        self.last_below(grows, &mut questions);
        let fast = Copy::new(self.f, &mut self.literals, &[], &[]).region(&accept);
        let inner: Vec<Value> = results.iter().map(|&result| self.f.param_like(result)).collect();
        // Where it cannot wrap and the first lane is not below, no other is.
        let high = self.ranges.high(grows.index).is_some_and(|high| high < u32::MAX.into());
        let first = high && results.is_empty() && reject.is_idle() && self.sure != Some(condition);
        let mut slow = Region { nodes: Vec::new(), end: End::Fall(inner.clone()) };
        let parted = Node::If { condition, accept, reject, results: inner };
        if first {
            let [first, bound] = self.edge(Edge::First, grows, &mut slow.nodes);
            let some = self.f.binary(Binary::Lt, first, bound, &mut slow.nodes);
            let accept = Region { nodes: vec![parted], end: End::default() };
            slow.nodes.push(Node::If { condition: some, accept, reject: Region::default(), results: Vec::new() });
        } else {
            slow.nodes.push(parted);
        }
        nodes.extend(questions.rarely(self.f).versions(self.f, fast, slow, results));
    }

    /// Asks whether the last lane's index is below a bound, and so all the others'.
    fn last_below(&mut self, grows: Grows, questions: &mut Questions) {
        let [last, bound] = self.edge(Edge::Last, grows, &mut questions.nodes);
        questions.ask(self.f, Binary::Lt, last, bound);
    }

    /// One lane's index, and the bound.
    fn edge(&mut self, edge: Edge, Grows { index, bound }: Grows, nodes: &mut Vec<Node>) -> [Value; 2] {
        let index = self.f.emit(Ty::U64, Op::Edge(edge, index), nodes);
        [index, self.f.emit(Ty::U64, Op::Convert(bound), nodes)]
    }

    /// The number that is below a bound where a condition holds, or where it does not, if it grows from lane to lane and
    /// all of them share the bound.
    fn below(&self, condition: Value, holds: bool) -> Option<Grows> {
        let (index, bound) = self.f.below(condition, holds)?;
        let grows = matches!(self.shapes.of(index), Shape::Linear(1..));
        let plain = self.f.ty(index) == Ty::U32 && self.shapes.of(bound).is_scalar();
        (grows && plain).then_some(Grows { index, bound })
    }

    /// What tells that no lane of the group takes an exit, if one comparison can and what follows may be written twice.
    fn all_stay(&self, exit: &Exit<'_>, rest: &[Node]) -> Option<Grows> {
        if self.shapes.of(exit.condition).is_scalar() {
            return None;
        }
        if !cost::is_brief(rest) {
            self.f.missed(NAME, exit.condition, "what follows has a loop, or is too long to be written twice");
            return None;
        }
        let grows = self.below(exit.condition, !exit.holds);
        match grows {
            Some(_) => {
                self.f.done(
                    NAME,
                    exit.condition,
                    "the last lane decides for its lane group: no masks where none leaves",
                );
            }
            None => self.f.missed(NAME, exit.condition, UNEVEN),
        }
        grows
    }

    /// The rest of a region in two versions: for lanes that all stay, and behind the exit. Gives its end.
    fn behind(&mut self, grows: Grows, exit: Node, rest: Region, nodes: &mut Vec<Node>) -> End {
        self.changed = true;
        let mut questions = Questions::new(self.f);
        self.last_below(grows, &mut questions);
        let fast = Copy::new(self.f, &mut self.literals, &[], &[]).region(&rest);
        let (results, end) = match &rest.end {
            End::Fall(args) => {
                let results: Vec<Value> = args.iter().map(|&arg| self.f.param_like(arg)).collect();
                (results.clone(), End::Fall(results))
            }
            end @ (End::Jump(..) | End::Unreachable) => (Vec::new(), end.clone()),
        };
        let slow = Region { nodes: std::iter::once(exit).chain(rest.nodes).collect(), end: rest.end };
        nodes.extend(questions.rarely(self.f).versions(self.f, fast, slow, results));
        end
    }
}
