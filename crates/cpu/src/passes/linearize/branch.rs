//! Branches: of the whole lane group, of lanes that part, and of lanes that leave.

use super::state::{Carries, Lanes};
use super::{Around, Flow, Linearize, Rest, never_falls};
use crate::cost;
use crate::divergence::Shape;
use crate::ir::{Binary, End, Label, LabelKind, Node, Op, Region, Value};

impl Linearize<'_> {
    /// One of two ways for the whole lane group.
    pub(super) fn branch(&mut self, condition: Value, arms: [Region; 2], results: &[Value]) -> Flow {
        let mut labels: Vec<_> = arms.iter().flat_map(|arm| self.touched_in(arm)).collect();
        labels.sort();
        labels.dedup();
        let carries = Carries { mask: !labels.is_empty(), labels };
        let (before, waiting, zeros) = (self.lanes, self.waiting.clone(), self.zeros(results));
        let mut flow = None;
        let [accept, reject] = arms.map(|arm| {
            (self.lanes, self.waiting) = (before, waiting.clone());
            let outer = std::mem::take(&mut self.nodes);
            let (arm, values) = self.run(arm, results, &zeros, &mut |_, values| values);
            flow = match (flow.take(), &arm) {
                (Some(Flow::On), _) | (_, Flow::On) => Some(Flow::On),
                (_, Flow::Idle) => Some(Flow::Idle),
                (flow, Flow::Closed(_)) => flow,
            };
            let end = self.end(arm, &carries, values);
            Region { nodes: std::mem::replace(&mut self.nodes, outer), end }
        });
        (self.lanes, self.waiting) = (before, waiting);
        let extras = self.extras(&carries);
        let results = [&extras[..], results].concat();
        self.nodes.push(Node::If { condition, accept, reject, results });
        self.adopt(&carries, &extras);
        flow.unwrap_or(Flow::Closed(End::Unreachable))
    }

    /// Both ways, each for its lanes.
    pub(super) fn both(&mut self, condition: Value, arms: [Region; 2], results: &[Value]) -> Flow {
        let picks_one = self.picks_one(condition);
        self.f.done(super::NAME, condition, "lanes part here: each side is done for its own, under a mask");
        let sure = self.sure == Some(condition) && self.lanes.mask.is_none();
        let before = self.lanes;
        let stays = |arm: &Region| matches!(arm.end, End::Fall(_)) && self.touched(&arm.nodes, None).is_empty();
        let all_stay = arms.iter().all(stays);
        let wanted = !all_stay || !arms[1].nodes.is_empty();
        let inverse = if wanted { self.not(condition) } else { condition };
        let mut values: Option<Vec<Value>> = None;
        let mut after: Option<Value> = None;
        for (arm, accepts) in arms.into_iter().zip([true, false]) {
            let side = if accepts { condition } else { inverse };
            let whole = if wanted || accepts { self.and(before.mask, side) } else { side };
            let sure = sure && accepts;
            self.lanes = Lanes { mask: Some(whole), awake: sure, alone: before.alone || picks_one && accepts };
            let labels = self.touched_in(&arm);
            let carries = Carries { mask: !labels.is_empty(), labels };
            let others = values.clone();
            let defaults = others.clone().unwrap_or_else(|| self.zeros(results));
            let skips = cost::is_worth_a_branch(self.f, &arm.nodes) && !sure;
            let code = |this: &mut Self| {
                this.run(arm, results, &defaults, &mut |this, args| {
                    let Some(others) = &others else { return args };
                    let meet = |((&result, &other), arg): ((&Value, &Value), Value)| {
                        // One scalar means that both arms bring the same.
                        let same = this.shapes.of(result) != Shape::Varying;
                        if same { arg } else { this.blend(Some(condition), other, arg) }
                    };
                    results.iter().zip(others).zip(args).map(meet).collect()
                })
            };
            let (flow, brought) = if skips {
                let any = self.any(whole);
                self.guarded(any, &carries, results, &defaults, code)
            } else {
                code(self)
            };
            if matches!(flow, Flow::On) {
                values = Some(brought);
                if !all_stay {
                    let mask = if carries.mask { self.mask_or_all() } else { whole };
                    after = Some(after.map_or(mask, |other| self.or(other, mask)));
                }
            }
        }
        self.lanes = before;
        let Some(values) = values else { return Flow::Idle };
        self.renamed.extend(results.iter().copied().zip(values));
        if !all_stay {
            self.lanes.mask = after;
        }
        Flow::On
    }

    /// Whether a condition holds in one lane at most.
    fn picks_one(&self, condition: Value) -> bool {
        let Op::Binary(Binary::Eq, a, b) = *self.f.op(condition) else { return false };
        let distinct = |value: Value| matches!(self.shapes.of(value), Shape::Linear(stride) if stride % 2 != 0);
        distinct(a) && self.is_scalar(b) || self.is_scalar(a) && distinct(b)
    }

    /// Lanes that take the exit do not come back; the others go on with what is written next, and those that left wait
    /// at its end, if the code comes back from where they went. Nothing is done about masks while nobody takes it.
    pub(super) fn leave(&mut self, node: Node, rest: &Rest<'_>, around: &mut Option<Around>) {
        let Some(holds) = node.exit().map(|exit| exit.holds) else { return };
        let Node::If { condition, accept, reject, .. } = node else { return };
        let (condition, arm) = (self.name(condition), if holds { accept } else { reject });
        let labels = self.touched_in(&arm);
        if self.is_scalar(condition) {
            return self.leave_together((condition, holds), arm, &labels, rest, around);
        }
        self.around(around, &labels, rest);
        let before = self.lanes;
        let inverse = self.not(condition);
        let (side, others) = if holds { (condition, inverse) } else { (inverse, condition) };
        let going = self.and(before.mask, side);
        let any = self.any(going);
        let (waiting, outer) = (self.waiting.clone(), std::mem::take(&mut self.nodes));
        (self.lanes.mask, self.lanes.awake) = (Some(going), true);
        let (flow, _) = self.run(arm, &[], &[], &mut never_falls);
        let carries = Carries { mask: true, labels };
        let end = if let Flow::Closed(end) = flow {
            end
        } else {
            let staying = self.and(before.mask, others);
            let some = self.any(staying);
            self.go_around(some, rest, around);
            self.lanes.mask = Some(staying);
            End::Fall(self.carried(&carries))
        };
        let accept = Region { nodes: std::mem::replace(&mut self.nodes, outer), end };
        (self.lanes, self.waiting) = (before, waiting);
        let reject = Region { nodes: Vec::new(), end: End::Fall(self.carried(&carries)) };
        let extras = self.extras(&carries);
        self.nodes.push(Node::If { condition: any, accept, reject, results: extras.clone() });
        self.adopt(&carries, &extras);
    }

    /// An exit that all lanes of the group take, or none.
    fn leave_together(
        &mut self,
        (condition, holds): (Value, bool),
        arm: Region,
        labels: &[Label],
        rest: &Rest<'_>,
        around: &mut Option<Around>,
    ) {
        let (before, waiting) = (self.lanes, self.waiting.clone());
        if !labels.is_empty() {
            self.around(around, labels, rest);
        }
        let outer = std::mem::take(&mut self.nodes);
        let (flow, _) = self.run(arm, &[], &[], &mut never_falls);
        let end = match flow {
            Flow::Closed(end) => end,
            Flow::On | Flow::Idle => match around {
                // Nobody waits anywhere: no lane comes here.
                None => End::Unreachable,
                Some(around) => {
                    self.lanes.mask = Some(self.nobody());
                    End::Jump(around.label, [self.carried(&around.carries), rest.defaults.to_vec()].concat())
                }
            },
        };
        let arm = Region { nodes: std::mem::replace(&mut self.nodes, outer), end };
        (self.lanes, self.waiting) = (before, waiting);
        let [accept, reject] = if holds { [arm, Region::default()] } else { [Region::default(), arm] };
        self.nodes.push(Node::If { condition, accept, reject, results: Vec::new() });
    }

    /// Goes on only if some lane is active.
    pub(super) fn go_if_any(&mut self, rest: &Rest<'_>, around: &mut Option<Around>) {
        let Some(mask) = self.lanes.mask else { return };
        self.around(around, &[], rest);
        let any = self.any(mask);
        self.go_around(any, rest, around);
        self.lanes.awake = true;
    }

    /// Goes around what is left of a region, with nobody, unless a condition holds.
    fn go_around(&mut self, unless: Value, rest: &Rest<'_>, around: &mut Option<Around>) {
        let around = self.around(around, &[], rest);
        let (label, carries, lanes) = (around.label, around.carries.clone(), self.lanes);
        self.lanes.mask = Some(self.nobody());
        let end = End::Jump(label, [self.carried(&carries), rest.defaults.to_vec()].concat());
        self.lanes = lanes;
        let reject = Region { nodes: Vec::new(), end };
        self.nodes.push(Node::If { condition: unless, accept: Region::default(), reject, results: Vec::new() });
    }

    /// The block around the rest of a region, which begins here if it has not yet; lanes may go to wait for `labels`
    /// besides those that the rest names.
    fn around<'a>(&mut self, around: &'a mut Option<Around>, labels: &[Label], rest: &Rest<'_>) -> &'a Around {
        around.get_or_insert_with(|| {
            let mut labels = [labels, &self.touched(rest.nodes, Some(rest.end))].concat();
            labels.sort();
            labels.dedup();
            let label = self.f.label(LabelKind::Block);
            Around { label, from: self.nodes.len(), carries: Carries { mask: true, labels } }
        })
    }
}
