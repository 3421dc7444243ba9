//! Loop versioning: loops that count up to a bound which one question before the loop shows to lie within the
//! buffers that they index: a second form of the loop, without checks of those indices, and,
//! where the counter goes by a constant step, without polls: through a short way at once, through a long one in strips
//! if a turn does so little that polls count ([`super::strip_mine`]).
//!
//! The question is asked of machine registers, and so are the loop's own tests: `first < end`
//! before it and `next < end` at each jump back. So `counter < end` in every turn, whatever the
//! lanes are, and `end <= length` then bounds the counter as an index. Only counters that are one
//! scalar for the lane group are looked at: elsewhere a register holds more than a test has seen.
//!
//! Loops of a few turns are as much question as loop. So each part of the question is a branch of
//! its own, of all lengths only the least is asked about, and what the test right before the loop
//! has shown is not asked again.

use std::collections::BTreeSet;

use super::copy::Copy;
use super::invariant_base::{self, InvariantBase};
use super::shown::{indexed, shown};
use super::strip_mine::Strips;
use super::versions::Questions;
use crate::cost;
use crate::divergence::Shapes;
use crate::fold::Literals;
use crate::ir::{Back, Binary, Bound, End, Function, Label, Lanes, Mem, Memory, Node, Op, Region, Turns, Ty, Value};

const NAME: &str = "version";

/// Gives loops their second form; whether any got one.
pub(crate) fn version(f: &mut Function, shapes: &Shapes) -> bool {
    let mut body = std::mem::take(&mut f.body);
    // Elsewhere lanes may have gone while the code goes on.
    let together = shapes.width == 1 && !body.has_barrier();
    let mut version =
        Version { literals: Literals::of(f), f, shapes, together, around: Vec::new(), left: cost::VERSION_LOOPS };
    version.region(&mut body);
    let changed = version.left < cost::VERSION_LOOPS;
    f.body = body;
    changed
}

struct Version<'a> {
    f: &'a mut Function,
    shapes: &'a Shapes,
    literals: Literals,
    /// Whether code behind a test runs only where the test has let somebody through.
    together: bool,
    /// The loops around the current place.
    around: Vec<Label>,
    left: u32,
}

/// A loop that counts up to a bound.
struct Counting {
    /// Which of its parameters counts.
    at: usize,
    counter: Value,
    first: Value,
    end: Value,
    /// How much more it is in each turn, if that is a small literal.
    step: Option<u32>,
    /// The buffers that it indexes by its counter.
    buffers: BTreeSet<u32>,
    bases: Vec<InvariantBase>,
}

impl Version<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => {}
                Node::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|arm| self.region(arm)),
                Node::Block { body, .. } => self.region(body),
                Node::Loop { label, body, .. } => {
                    self.around.push(*label);
                    self.region(body);
                    self.around.pop();
                }
            }
            let Node::Loop { label, .. } = node else {
                nodes.push(node);
                continue;
            };
            match self.counting(&node) {
                Ok(counting) => self.twice(node, &counting, &mut nodes),
                Err(because) => {
                    self.f.missed(NAME, label, because);
                    nodes.push(node);
                }
            }
        }
        region.nodes = nodes;
    }

    /// What the second form rests on, and in how many turns it polls once.
    fn told(&self, counting: &Counting, strip: Option<u64>) -> String {
        let mut buffers = counting.buffers.clone();
        buffers.extend(counting.bases.iter().flat_map(|base| &base.sums).map(|(_, buffer)| *buffer));
        let buffers = buffers.iter().map(|buffer| {
            let is = |memory: &Memory| matches!(memory, Memory::Buffer { buffer: other, .. } if other == buffer);
            let memory = self.f.memories.iter().position(is);
            memory.map_or_else(|| format!("buffer {buffer}"), |at| self.f.called(Mem(at as u32)))
        });
        let buffers: Vec<String> = buffers.collect();
        let polls = strip.map(|turns| format!(" and with one poll for {turns} turns")).unwrap_or_default();
        format!("a form without checks of {}{polls}, for bounds that lie within", buffers.join(" and "))
    }

    /// A loop as one that counts, or why it is none.
    fn counting(&self, node: &Node) -> Result<Counting, &'static str> {
        const OTHER: &str = "it does not end in a test of a counter against a bound";
        let Node::Loop { label, params, init, body } = node else { return Err(OTHER) };
        if self.left == 0 {
            return Err("enough loops have two forms");
        }
        if self.f.interchanged.iter().any(|at| at.rest == Some(*label)) {
            return Err("it does what an interchanged loop leaves");
        }
        if node.has_barrier() {
            return Err("there are barriers in it");
        }
        if cost::work(self.f, body) > cost::VERSION_WORK {
            return Err("a turn does so much that checks are lost in it");
        }
        let Back::End(args) = body.back(*label) else { return Err("it goes back from several places") };
        let (next, end) = body.nodes.last().and_then(|node| self.last_test(node)).ok_or(OTHER)?;
        let at = args.iter().position(|&arg| arg == next).ok_or(OTHER)?;
        let (counter, first) = (params[at], init[at]);
        let scalar = |value: Value| self.shapes.is_scalar(value);
        if self.f.ty(counter) != Ty::U32 {
            return Err("its counter is not unsigned");
        }
        if Turns::of(params, body).make(end) {
            return Err("its bound may change from turn to turn");
        }
        if ![counter, first, end].into_iter().all(scalar) {
            return Err("its counter or its bound differs between lanes");
        }
        let step = self.f.added(counter, next).and_then(|added| self.f.constant(added));
        let step = step.filter(|step| (1..=cost::VERSION_STEP).contains(step)).map(|step| step as u32);
        let buffers = indexed(self.f, body, counter);
        let bases = invariant_base::find(self.f, self.shapes, counter, (params, body));
        if buffers.is_empty() && bases.is_empty() {
            return Err("no check in it is about its counter");
        }
        Ok(Counting { at, counter, first, end, step, buffers, bases })
    }

    /// Which number is below which where the loop goes on after its last test.
    fn last_test(&self, node: &Node) -> Option<(Value, Value)> {
        let exit = node.exit()?;
        self.f.below(exit.condition, !exit.holds)
    }

    /// The loop in its forms, and the questions between them.
    fn twice(&mut self, node: Node, counting: &Counting, nodes: &mut Vec<Node>) {
        self.left -= 1;
        let Node::Loop { label, body, .. } = &node else { unreachable!("invariant asked: of a loop") };
        let work = cost::work(self.f, body).max(1);
        let turns = cost::UNPOLLED_WORK / work;
        // Who leaves a loop in different turns would leave each strip so, with a counter of their own.
        let divided = counting.step.filter(|_| work <= cost::STRIP_WORK && !self.shapes.ragged.contains(label));
        self.f.done(NAME, *label, self.told(counting, divided.map(|_| turns)));

        let mut questions = Questions::new(self.f);
        // No step from below the end wraps. One by one none does.
        let far = divided.filter(|step| *step > 1).map(|step| u64::from(u32::MAX - step));
        let far = far.map(|far| self.literals.value(self.f, Ty::U32, far));
        let least = self.least(&counting.buffers, far, &mut questions);
        let tested = nodes.last().and_then(|node| self.last_test(node));
        if !self.together || tested != Some((counting.first, counting.end)) {
            questions.ask(self.f, Binary::Lt, counting.first, counting.end);
        }
        least.into_iter().for_each(|least| questions.ask(self.f, Binary::Le, counting.end, least));
        counting.bases.iter().for_each(|base| self.ask_base(base, counting.end, &mut questions));

        let strip = divided.or(counting.step.filter(|step| *step == 1)).map(|step| turns as u32 * step);
        let checked = self.again(&node);
        // A copy is folded on its way, as the other is.
        let fast = self.unchecked(node, counting, strip.is_some());
        let fast = self.again(&fast);
        let fast = match (strip, divided) {
            (Some(strip), Some(_)) => {
                let again = self.again(&fast);
                self.unpolled(&again);
                let mut short = Questions::new(self.f);
                self.ask_way(counting, strip, &mut short);
                let strips = Strips { at: counting.at, end: counting.end, strip };
                let long = strips.divide(self.f, &mut self.literals, again);
                short.versions(self.f, never_falls(vec![fast]), never_falls(vec![long]), Vec::new())
            }
            (Some(strip), None) => {
                self.ask_way(counting, strip, &mut questions);
                vec![fast]
            }
            (None, _) => vec![fast],
        };
        nodes.extend(questions.versions(self.f, never_falls(fast), never_falls(vec![checked]), Vec::new()));
    }

    /// The least length of buffers, and of another number.
    fn least(&mut self, buffers: &BTreeSet<u32>, other: Option<Value>, questions: &mut Questions) -> Option<Value> {
        let lengths: Vec<Value> = buffers.iter().map(|&buffer| self.f.define(Ty::U32, Op::Length { buffer })).collect();
        let all = lengths.into_iter().chain(other);
        all.reduce(|a, b| self.f.binary(Binary::Min, a, b, &mut questions.nodes))
    }

    /// Asks whether the counter goes no further than this.
    fn ask_way(&mut self, counting: &Counting, strip: u32, questions: &mut Questions) {
        let way = self.f.binary(Binary::Sub, counting.end, counting.first, &mut questions.nodes);
        let most = self.literals.value(self.f, Ty::U32, strip.into());
        questions.ask(self.f, Binary::Le, way, most);
    }

    /// Asks whether a bound lies within buffers, counted from a base. Neither the difference wraps, for the base lies
    /// within them too, nor does a sum with what is below the bound.
    fn ask_base(&mut self, base: &InvariantBase, end: Value, questions: &mut Questions) {
        let from = base.before(self.f, &mut questions.nodes);
        let buffers = base.sums.iter().map(|(_, buffer)| *buffer).collect();
        if let Some(least) = self.least(&buffers, None, questions) {
            questions.ask(self.f, Binary::Le, from, least);
            let room = self.f.binary(Binary::Sub, least, from, &mut questions.nodes);
            questions.ask(self.f, Binary::Le, end, room);
        }
    }

    fn again(&mut self, node: &Node) -> Node {
        let one = Region { nodes: vec![node.clone()], end: End::Unreachable };
        let copy = Copy::new(self.f, &mut self.literals, &[], &[]).region(&one).nodes.pop();
        copy.unwrap_or_else(|| unreachable!("invariant copies: the copy of a loop is a loop"))
    }

    /// The loop without checks of its counter: of one scalar, which both tests have seen.
    fn unchecked(&mut self, mut node: Node, counting: &Counting, unpolled: bool) -> Node {
        if let Node::Loop { body, .. } = &mut node {
            let sums = counting.bases.iter().flat_map(|base| &base.sums).copied();
            let all = counting.buffers.iter().map(|&buffer| (counting.counter, buffer)).chain(sums);
            all.for_each(|(index, buffer)| shown(self.f, body, index, Bound::Length { buffer }, Lanes::Scalar));
        }
        if unpolled {
            self.unpolled(&node);
        }
        node
    }

    /// A loop is over soon, if those inside it ask. What is around it may take its time now.
    fn unpolled(&mut self, node: &Node) {
        let Node::Loop { label, body, .. } = node else { return };
        let bounded = &mut self.f.bounded;
        body.visit(&mut |region| {
            for node in &region.nodes {
                if let Node::Loop { label, .. } = node {
                    bounded.remove(label);
                }
            }
        });
        self.around.iter().for_each(|label| _ = bounded.remove(label));
        bounded.insert(*label);
    }
}

/// Loops are left by jumps.
fn never_falls(nodes: Vec<Node>) -> Region {
    Region { nodes, end: End::Unreachable }
}
