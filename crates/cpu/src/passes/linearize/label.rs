//! Blocks that are left early, and loops.

use super::state::{Carries, Waiting};
use super::{Flow, Linearize, never_falls};
use crate::divergence::Shape;
use crate::ir::{Back, End, Label, LabelKind, Node, Region, Value};

/// Where jumps to a label go.
#[derive(Clone)]
pub(super) enum Target {
    /// All active lanes go together: a jump.
    Direct(Carries),
    /// Lanes go at different times: they leave their values and wait. `only` says that all come by one jump.
    Gather { only: bool },
    /// The one jump back of a loop that lanes leave at different times, at the end of its body: whoever is still in
    /// the loop takes it together.
    Back(Carries),
}

impl Linearize<'_> {
    /// A block that can be left early.
    pub(super) fn labelled(&mut self, label: Label, mut body: Region, results: Vec<Value>) -> Flow {
        let labels = self.touched_in(&body);
        let (before, partial) = (self.lanes, !labels.is_empty());
        let zeros = self.zeros(&results);
        if self.shapes.split.contains(&label) {
            // Whoever comes to the end waits for the others, like those who jump.
            if let End::Fall(args) = &mut body.end {
                body.end = End::Jump(label, std::mem::take(args));
            }
            let only = body.jumps(label) == 1 && !in_loop(&body, label);
            let arrived = partial.then(|| self.nobody());
            self.waiting.insert(label, Waiting { params: zeros, arrived });
            self.targets.insert(label, Target::Gather { only });
            let (flow, _) = self.run(body, &[], &[], &mut never_falls);
            self.targets.remove(&label);
            let Some(Waiting { params, arrived }) = self.waiting.remove(&label) else { return flow };
            self.renamed.extend(results.into_iter().zip(params));
            self.lanes = before;
            self.lanes.mask = arrived.or(before.mask);
            return match flow {
                Flow::On | Flow::Idle => Flow::On,
                closed @ Flow::Closed(_) => closed,
            };
        }
        let carries = Carries { mask: partial, labels };
        self.targets.insert(label, Target::Direct(carries.clone()));
        let outer = std::mem::take(&mut self.nodes);
        let waiting = self.waiting.clone();
        let (flow, values) = self.run(body, &results, &zeros, &mut |_, values| values);
        let end = self.end(flow, &carries, values);
        let body = Region { nodes: std::mem::replace(&mut self.nodes, outer), end };
        self.targets.remove(&label);
        (self.lanes, self.waiting) = (before, waiting);
        let extras = self.extras(&carries);
        self.nodes.push(Node::Block { label, body, results: [&extras[..], &results].concat() });
        self.adopt(&carries, &extras);
        Flow::On
    }

    pub(super) fn jump(&mut self, label: Label, args: &[Value]) -> Flow {
        let args = self.names(args);
        match self.targets[&label].clone() {
            Target::Direct(carries) => Flow::Closed(End::Jump(label, [self.carried(&carries), args].concat())),
            Target::Gather { .. } => {
                self.wait(label, &args);
                Flow::Idle
            }
            Target::Back(carries) => self.go_back(label, &carries, &args),
        }
    }

    /// Lanes leave their values with a label and wait there.
    fn wait(&mut self, label: Label, args: &[Value]) {
        let only = matches!(self.targets[&label], Target::Gather { only: true });
        let (values, mask) = (self.params[&label].clone(), self.lanes.mask);
        let Waiting { params, arrived } = self.waiting[&label].clone();
        let mut brought = Vec::with_capacity(params.len());
        for ((&value, old), &new) in values.iter().zip(params).zip(args) {
            // Whoever comes later brings the same where the parameter does not vary.
            let same = only || self.shapes.of(value) != Shape::Varying;
            brought.push(if same { new } else { self.blend(mask, new, old) });
        }
        let arrived = arrived.map(|before| {
            let mask = self.mask_or_all();
            if only { mask } else { self.or(before, mask) }
        });
        self.waiting.insert(label, Waiting { params: brought, arrived });
    }

    pub(super) fn repeat(&mut self, label: Label, params: &[Value], init: &[Value], body: Region) -> Flow {
        let init = self.names(init);
        let labels = self.touched_in(&body);
        let parts = !self.touched(&body.nodes, None).is_empty();
        let ragged = self.shapes.ragged.contains(&label) || parts;
        if ragged && self.shapes.width > 1 {
            self.f.done(super::NAME, label, "lanes leave it in different turns, and wait for each other");
        }
        let (before, carries) = (self.lanes, Carries { mask: ragged, labels });
        let (first, extras) = (self.carried(&carries), self.extras(&carries));
        let outer = std::mem::take(&mut self.nodes);
        self.adopt(&carries, &extras);
        let waits = ragged && !matches!(body.back(label), Back::End(_));
        let target = match (ragged, waits) {
            (false, _) => Target::Direct(carries.clone()),
            (true, false) => Target::Back(carries.clone()),
            (true, true) => Target::Gather { only: body.jumps(label) == 1 },
        };
        if waits {
            let arrived = Some(self.nobody());
            self.waiting.insert(label, Waiting { params: params.to_vec(), arrived });
        }
        self.targets.insert(label, target);
        let (mut flow, _) = self.run(body, &[], &[], &mut |_, _| unreachable!("invariant loops: a body does not fall"));
        self.targets.remove(&label);
        if waits
            && let Some(Waiting { params, arrived }) = self.waiting.remove(&label)
            && !matches!(flow, Flow::Closed(_))
        {
            (self.lanes.mask, self.lanes.awake) = (arrived, false);
            flow = self.go_back(label, &carries, &params);
        }
        let out = self.f.label(LabelKind::Block);
        let (ends, end) = match flow {
            Flow::Closed(end) => (false, end),
            Flow::On | Flow::Idle => {
                self.lanes.mask = Some(self.nobody());
                (true, End::Jump(out, self.carried(&carries)))
            }
        };
        let body = Region { nodes: std::mem::replace(&mut self.nodes, outer), end };
        let (params, init) = ([&extras[..], params].concat(), [first, init].concat());
        let node = Node::Loop { label, params, init, body };
        self.lanes = before;
        if !ends {
            self.nodes.push(node);
            return Flow::Closed(End::Unreachable);
        }
        let results = self.extras(&carries);
        let body = Region { nodes: vec![node], end: End::Unreachable };
        self.nodes.push(Node::Block { label: out, body, results: results.clone() });
        self.adopt(&carries, &results);
        Flow::Idle
    }

    /// Whoever is left goes back to the head of a loop.
    fn go_back(&mut self, label: Label, carries: &Carries, args: &[Value]) -> Flow {
        let mask = self.mask_or_all();
        let back = End::Jump(label, [&self.carried(carries)[..], args].concat());
        if self.lanes.awake {
            return Flow::Closed(back);
        }
        let condition = self.any(mask);
        let accept = Region { nodes: Vec::new(), end: back };
        self.nodes.push(Node::If { condition, accept, reject: Region::default(), results: Vec::new() });
        Flow::Idle
    }
}

/// Whether a jump to the label stands inside a loop, so that lanes may arrive more than once.
fn in_loop(region: &Region, label: Label) -> bool {
    region.nodes.iter().any(|node| match node {
        Node::Loop { body, .. } => body.jumps(label) > 0,
        Node::Let(_) | Node::Store { .. } | Node::Barrier | Node::Group(_) => false,
        Node::If { .. } | Node::Block { .. } => node.regions().any(|region| in_loop(region, label)),
    })
}
