//! Between which numbers an integer lies, so that an index which cannot leave its bound is not
//! checked.
//!
//! A range holds for whatever stands in a machine register: also in lanes that are not active,
//! and in the lanes that fill up the last group of a workgroup. In the vector form these are values
//! like others, and every branch is one of the whole lane group, so that it tells something. Counters
//! of loops whose trip counts are known have the numbers that they run through; for the others,
//! ascending from nothing, with the constants of comparisons as steps on the way up (widening with
//! thresholds: Blanchet et al., PLDI 2003), then one step down.

use std::collections::{BTreeSet, HashMap};

use crate::divergence::{EVEN, Shape, Shapes};
use crate::interval::Range;
use crate::ir::{Binary, Bound, Builtin, End, Function, Group, Label, Lanes, Node, Op, Region, Term, Ty, Unary, Value};
use crate::trip_count::TripCount;

/// Passes that go up by steps before giving up on a bound.
const STEPS_MAX: u32 = 12;

/// The ranges of a function's values.
#[derive(Debug, Clone)]
pub(crate) struct Ranges {
    known: Vec<Option<Range>>,
    /// Lanes of a workgroup, those that fill up its last group included.
    pub(crate) lanes: u64,
}

impl Ranges {
    /// The greatest number that a value can be, if that is known.
    pub(crate) fn high(&self, value: Value) -> Option<u64> {
        let range = self.known[value.index()]?;
        (range.low >= 0).then_some(range.high as u64)
    }

    /// Whether an index of this shape cannot leave its bound in any lane that runs, which are so many.
    pub(crate) fn is_within(&self, term: &Term, shape: Shape, lanes: u64) -> bool {
        let known = match term.bound {
            Bound::Const(n) => self.high(term.index).is_some_and(|high| high < n.into()),
            Bound::Length { .. } => false,
        };
        let shown = match term.shown {
            None => false,
            Some(Lanes::Scalar) => shape.is_scalar(),
            // Lanes that are masked or do not exist go on with a ramp, but may hold anything else.
            Some(Lanes::Ramp(shown) | Lanes::Even(shown)) => u64::from(shown) >= lanes && shape != Shape::Varying,
        };
        known || shown
    }

    /// Calls every number zero, which is a lie.
    #[cfg(test)]
    pub(crate) fn flatten(&mut self) {
        self.known.fill(Some(Range::one(0)));
    }
}

struct Analysis<'a> {
    f: &'a Function,
    shapes: &'a Shapes,
    /// Lanes of a workgroup, those that fill up its last group included.
    lanes: i64,
    /// What is known of slots, and what was kept in them in this pass.
    slots: Vec<[Option<Range>; 2]>,
    /// What is known of a value where it is made; nothing yet if `None`.
    known: Vec<Option<Range>>,
    /// What branches around the current place tell of each value.
    told: Vec<Option<Range>>,
    /// What they told before, to go back to.
    before: Vec<(Value, Option<Range>)>,
    /// Counters of loops that could be run ahead.
    counters: HashMap<Value, Range>,
    /// What has come to each parameter in this pass.
    arrived: HashMap<Value, Range>,
    params: HashMap<Label, Vec<Value>>,
    steps: BTreeSet<i64>,
    pass: Pass,
    /// Whether a loop's parameter grew in this pass.
    grew: bool,
}

/// What becomes of the parameters of loops. All else follows from them in one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// They grow by what arrives; how many passes there were before.
    Up(u32),
    /// They are no more than what arrives.
    Down,
    /// They stay.
    Last,
}

/// Where the integers of a function lie when its values have these shapes.
pub(crate) fn analyse(f: &Function, shapes: &Shapes) -> Ranges {
    let size = f.invocations();
    let mut analysis = Analysis {
        f,
        shapes,
        lanes: i64::from(size.next_multiple_of(shapes.width)),
        slots: vec![[None; 2]; f.slots.len()],
        known: vec![None; f.values.len()],
        told: vec![None; f.values.len()],
        before: Vec::new(),
        counters: counters(f),
        arrived: HashMap::new(),
        params: HashMap::new(),
        steps: steps(f),
        pass: Pass::Up(0),
        grew: false,
    };
    analysis.inputs();
    let mut passes = 0;
    while analysis.pass(Pass::Up(passes)) {
        passes += 1;
    }
    analysis.pass(Pass::Down);
    analysis.pass(Pass::Last);
    let Analysis { known, lanes, .. } = analysis;
    Ranges { known, lanes: lanes as u64 }
}

/// What the counters of loops with known trip counts are in all turns.
fn counters(f: &Function) -> HashMap<Value, Range> {
    let mut counters = HashMap::new();
    f.body.visit(&mut |region| {
        for node in &region.nodes {
            let Node::Loop { label, params, init, body } = node else { continue };
            let spans = TripCount::of(f, *label, (params, init), body).map(|count| count.spans).unwrap_or_default();
            counters.extend(spans.into_iter().map(|(counter, (low, high))| (counter, Range { low, high })));
        }
    });
    counters
}

/// The constants that comparisons name, and their neighbours.
fn steps(f: &Function) -> BTreeSet<i64> {
    let mut steps = BTreeSet::new();
    for def in &f.values {
        let Op::Binary(op, a, b) = &def.op else { continue };
        for side in [*a, *b] {
            if let (true, Some(n)) = (op.compares(), constant(f, side)) {
                steps.extend([n - 1, n, n + 1]);
            }
        }
    }
    steps
}

fn constant(f: &Function, value: Value) -> Option<i64> {
    let bits = f.constant(value)?;
    match f.ty(value) {
        Ty::U32 => Some(i64::from(bits as u32)),
        Ty::I32 => Some(i64::from(bits as i32)),
        Ty::Bool | Ty::F16 | Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64 => None,
    }
}

impl Analysis<'_> {
    /// Values that belong to no region.
    fn inputs(&mut self) {
        for (i, def) in self.f.values.iter().enumerate() {
            let value = Value(i as u32);
            let below = |n: i64| Some(Range { low: 0, high: n - 1 });
            self.known[i] = match &def.op {
                Op::Const(_) => constant(self.f, value).map(Range::one),
                Op::Builtin(Builtin::LocalIndex) => below(self.lanes),
                Op::Builtin(Builtin::LocalId(d)) => below(self.local_ids(*d as usize, value)),
                Op::Builtin(Builtin::WorkgroupId(_) | Builtin::NumWorkgroups(_)) | Op::Length { .. } => {
                    Range::all(def.ty)
                }
                _ => None,
            };
        }
    }

    /// Ids in a dimension, those of lanes that do not exist included: along the last dimension that
    /// there is, a ramp goes on.
    fn local_ids(&self, d: usize, id: Value) -> i64 {
        let size = self.f.workgroup_size;
        let before: u32 = size[..d].iter().product();
        let ends = size[d + 1..].iter().all(|&n| n == 1);
        let goes_on = d == 2 || ends && matches!(self.shapes.of(id), Shape::Linear(_));
        if goes_on { (self.lanes - 1) / i64::from(before) + 1 } else { size[d].into() }
    }

    /// Once through the body; whether any loop's parameter grew.
    fn pass(&mut self, pass: Pass) -> bool {
        (self.pass, self.grew) = (pass, false);
        self.arrived.clear();
        let f = self.f;
        self.region(&f.body, &[]);
        self.settle();
        self.grew
    }

    /// What was kept in slots is what is found there in the next pass.
    fn settle(&mut self) {
        for i in 0..self.slots.len() {
            let [known, kept] = self.slots[i];
            let new = match (self.pass, known, kept) {
                (Pass::Up(passes), Some(known), Some(kept)) => {
                    let all = Range::all(self.f.slots[i].ty).unwrap_or(kept);
                    let new = known.join(kept);
                    Some(if new == known { new } else { self.widen(known, new, all, passes) })
                }
                (Pass::Up(_), known, kept) => known.or(kept),
                (Pass::Down, ..) => kept,
                (Pass::Last, known, _) => known,
            };
            self.grew |= new != known && matches!(self.pass, Pass::Up(_));
            self.slots[i] = [new, None];
        }
    }

    fn group(&mut self, group: &Group) {
        match group {
            Group::Each(each) => self.region(&each.body, &[]),
            Group::Workgroups(body) => self.region(body, &[]),
            Group::Keep { slot, value, .. } => {
                let kept = self.slots[slot.index()][1];
                let range = self.range(*value);
                self.slots[slot.index()][1] =
                    range.map_or(kept, |range| Some(kept.map_or(range, |kept| kept.join(range))));
            }
            Group::Zero(_) | Group::Clear | Group::Prefetch(_) | Group::Compress { .. } => {}
        }
    }

    /// All that can come to these results has come.
    fn joined(&mut self, results: &[Value]) {
        for result in results {
            if let Some(&range) = self.arrived.get(result) {
                self.known[result.index()] = Some(range);
            }
        }
    }

    /// A loop's parameters grow by what has come to them so far.
    fn grow(&mut self, params: &[Value], passes: u32) {
        for &param in params {
            let Some(&range) = self.arrived.get(&param) else { continue };
            let old = self.known[param.index()];
            let mut new = old.map_or(range, |old| old.join(range));
            if let Some(old) = old
                && new != old
                && let Some(all) = Range::all(self.f.ty(param))
            {
                new = self.widen(old, new, all, passes);
            }
            if old != Some(new) {
                self.known[param.index()] = Some(new);
                self.grew = true;
            }
        }
    }

    /// Bounds that moved go on to the next step.
    fn widen(&self, old: Range, new: Range, all: Range, pass: u32) -> Range {
        let (mut low, mut high) = (new.low, new.high);
        if new.low < old.low {
            let step = self.steps.range(..=new.low).next_back().copied();
            low = step.filter(|_| pass < STEPS_MAX).unwrap_or(all.low).max(all.low);
        }
        if new.high > old.high {
            let step = self.steps.range(new.high..).next().copied();
            high = step.filter(|_| pass < STEPS_MAX).unwrap_or(all.high).min(all.high);
        }
        Range { low, high }
    }

    fn range(&self, value: Value) -> Option<Range> {
        let known = self.known[value.index()]?;
        Some(self.told[value.index()].map_or(known, |told| known.meet(told)))
    }

    fn tell(&mut self, value: Value, fact: Range) {
        let told = self.told[value.index()];
        self.before.push((value, told));
        self.told[value.index()] = Some(told.map_or(fact, |told| told.meet(fact)));
    }

    /// Back to when this much was told.
    fn forget(&mut self, to: usize) {
        for (value, told) in self.before.drain(to..).rev() {
            self.told[value.index()] = told;
        }
    }

    fn arrive(&mut self, params: &[Value], args: &[Value]) {
        for (&param, &arg) in params.iter().zip(args) {
            let Some(range) = self.counters.get(&param).copied().or_else(|| self.range(arg)) else { continue };
            let before = self.arrived.get(&param).copied();
            self.arrived.insert(param, before.map_or(range, |before| before.join(range)));
        }
    }

    fn region(&mut self, region: &Region, falls_to: &[Value]) {
        let told = self.before.len();
        for node in &region.nodes {
            match node {
                Node::Let(value) => self.known[value.index()] = self.op(*value),
                Node::Store { .. } | Node::Barrier => {}
                Node::Group(group) => self.group(group),
                Node::If { condition, accept, reject, results } => {
                    for (arm, holds) in [(accept, true), (reject, false)] {
                        let told = self.before.len();
                        self.assume(*condition, holds);
                        self.region(arm, results);
                        self.forget(told);
                    }
                    self.joined(results);
                    // Whoever goes on has come through the one side that falls.
                    match [accept, reject].map(|arm| matches!(arm.end, End::Fall(_))) {
                        [false, true] => self.assume(*condition, false),
                        [true, false] => self.assume(*condition, true),
                        [true, true] | [false, false] => {}
                    }
                }
                Node::Block { label, body, results } => {
                    self.params.insert(*label, results.clone());
                    self.region(body, results);
                    self.joined(results);
                }
                Node::Loop { label, params, init, body } => {
                    self.params.insert(*label, params.clone());
                    self.arrive(params, init);
                    if let Pass::Up(passes) = self.pass {
                        self.grow(params, passes);
                    }
                    self.region(body, &[]);
                    match self.pass {
                        Pass::Up(passes) => self.grow(params, passes),
                        Pass::Down => self.joined(params),
                        Pass::Last => {}
                    }
                }
            }
        }
        match &region.end {
            End::Fall(args) => self.arrive(falls_to, args),
            End::Jump(label, args) => {
                let params = self.params[label].clone();
                self.arrive(&params, args);
            }
            End::Unreachable => {}
        }
        self.forget(told);
    }

    /// What a condition tells of its operands where the lane group goes as it says.
    fn assume(&mut self, condition: Value, holds: bool) {
        let together = match self.shapes.of(condition) {
            Shape::Uniform => true,
            EVEN => true,
            Shape::Linear(_) | Shape::Varying => false,
        };
        if !together {
            return;
        }
        match *self.f.op(condition) {
            Op::Unary(Unary::Not, inner) => self.assume(inner, !holds),
            Op::Binary(Binary::And, a, b) if holds => [a, b].into_iter().for_each(|side| self.assume(side, true)),
            Op::Binary(Binary::Or, a, b) if !holds => [a, b].into_iter().for_each(|side| self.assume(side, false)),
            _ => {
                let Some((op, [a, b])) = self.f.compares(condition, holds) else { return };
                let (Some(x), Some(y)) = (self.range(a), self.range(b)) else { return };
                let (mut left, mut right) = (x, y);
                match op {
                    Binary::Eq => (left, right) = (y, x),
                    Binary::Lt => (left.high, right.low) = (y.high - 1, x.low + 1),
                    Binary::Le => (left.high, right.low) = (y.high, x.low),
                    Binary::Gt => (left.low, right.high) = (y.low + 1, x.high - 1),
                    Binary::Ge => (left.low, right.high) = (y.low, x.high),
                    _ => return,
                }
                self.tell(a, left);
                self.tell(b, right);
            }
        }
    }

    /// `None` while an operand is not known.
    fn op(&self, value: Value) -> Option<Range> {
        let all = Range::all(self.f.ty(value))?;
        let exact = match self.f.op(value) {
            Op::Binary(op, a, b) if Range::all(self.f.ty(*a)).is_some() => {
                Range::made(*op, self.f.ty(value), self.range(*a)?, self.range(*b)?)
            }
            Op::Select(_, a, b) => Some(self.range(*a)?.join(self.range(*b)?)),
            Op::Convert(a) | Op::Bitcast(a) if Range::all(self.f.ty(*a)).is_some() => Some(self.range(*a)?),
            Op::Convert(a) if self.f.ty(*a) == Ty::Bool => Some(Range { low: 0, high: 1 }),
            // Some lanes may never have left anything.
            Op::Recall(slot) if self.f.slots[slot.index()].shape != Shape::Varying => {
                Some(self.slots[slot.index()][0]?)
            }
            _ => None,
        };
        // What may wrap can be anything.
        Some(exact.filter(|range| range.within(all)).unwrap_or(all))
    }
}
