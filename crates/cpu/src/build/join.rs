//! Ways that meet: labels with the values that arrive there, and branches whose arms become one.

use super::{Builder, Join};
use crate::ir::{End, LabelKind, Node, Op, Region, Ty, Value};

/// One side of an `if`, built.
struct Arm {
    nodes: Vec<Node>,
    env: Vec<Value>,
    dead: bool,
    end: Option<End>,
}

impl Builder<'_> {
    /// Ends the block of a join; gives its results beyond those that go back into `env`.
    pub(super) fn close_block(&mut self, join: &Join, end: End, extra: &[Ty]) -> Vec<Value> {
        let nodes = self.open.pop().expect("invariant build-open: the block is open");
        let end = match end {
            // Falling off a function that returns something cannot happen: naga ends it by a return.
            End::Fall(args) if !extra.is_empty() => unreachable!("invariant returns: fell off with {args:?}"),
            end => end,
        };
        self.env.truncate(join.env);
        let mut results = self.params(join);
        let extras: Vec<Value> = extra.iter().map(|&ty| self.define(ty, Op::Param)).collect();
        results.extend(&extras);
        self.dead = !matches!(end, End::Fall(_)) && !self.jumped.contains(&join.label);
        self.push(Node::Block { label: join.label, body: Region { nodes, end }, results });
        extras
    }

    /// A place to jump to with `env` as long as it is now.
    pub(super) fn meeting(&mut self, kind: LabelKind, vars: Vec<usize>) -> Join {
        Join { label: self.label(kind), env: self.env.len(), vars: vars.into() }
    }

    /// Fresh parameters, which are the current values from here on.
    pub(super) fn params(&mut self, join: &Join) -> Vec<Value> {
        let fresh = |&at: &usize| {
            let ty = self.f.ty(self.env[at]);
            self.env[at] = self.define(ty, Op::Param);
            self.env[at]
        };
        join.vars.iter().map(fresh).collect()
    }

    /// What goes to a join's parameters from here.
    pub(super) fn arguments(&self, join: &Join) -> Vec<Value> {
        join.vars.iter().map(|&at| self.env[at]).collect()
    }

    pub(super) fn jump(&self, join: &Join) -> End {
        End::Jump(join.label, self.arguments(join))
    }

    /// An `if`; `arm` builds the side it is asked for.
    pub(super) fn branch(&mut self, condition: Value, mut arm: impl FnMut(&mut Self, bool)) {
        let before = self.env.clone();
        let [accept, reject] = [true, false].map(|side| {
            self.open.push(Vec::new());
            arm(self, side);
            self.arm(&before)
        });
        self.merge(condition, before, accept, reject);
    }

    /// An `if` without `else`.
    pub(super) fn only_if(&mut self, condition: Value, arm: impl FnOnce(&mut Self)) {
        let mut arm = Some(arm);
        self.branch(condition, |this, side| {
            if let (true, Some(arm)) = (side, arm.take()) {
                arm(this);
            }
        });
    }

    /// Leaves for a label if a condition holds.
    pub(super) fn leave_if(&mut self, condition: Value, join: &Join) {
        self.only_if(condition, |this| this.leave(join));
    }

    /// Ends an arm and goes back to how things were before it.
    fn arm(&mut self, before: &[Value]) -> Arm {
        let nodes = self.open.pop().expect("invariant build-open: the arm is open");
        let env = std::mem::replace(&mut self.env, before.to_vec());
        Arm { nodes, env, dead: std::mem::take(&mut self.dead), end: self.pending.take() }
    }

    /// Joins two arms: where they differ, the `if` has a result.
    fn merge(&mut self, condition: Value, before: Vec<Value>, accept: Arm, reject: Arm) {
        let differs = |i: usize| {
            let changed = |arm: &Arm| !arm.dead && arm.env[i] != before[i];
            changed(&accept) || changed(&reject)
        };
        let joined: Vec<usize> = (0..before.len()).filter(|&i| differs(i)).collect();
        let results: Vec<Value> = joined.iter().map(|&i| self.define(self.f.ty(before[i]), Op::Param)).collect();
        let close = |arm: Arm| {
            let fall = || End::Fall(joined.iter().map(|&i| arm.env[i]).collect());
            let end = if arm.dead { arm.end.unwrap_or(End::Unreachable) } else { fall() };
            Region { nodes: arm.nodes, end }
        };
        let dead = accept.dead && reject.dead;
        let (accept, reject) = (close(accept), close(reject));
        self.env = before;
        for (&i, &result) in joined.iter().zip(&results) {
            self.env[i] = result;
        }
        self.push(Node::If { condition, accept, reject, results });
        self.dead = dead;
    }

    /// Nothing comes after this in the region.
    pub(super) fn end(&mut self, end: End) {
        if let End::Jump(label, _) = &end {
            self.jumped.insert(*label);
        }
        self.pending = Some(end);
        self.dead = true;
    }

    pub(super) fn leave(&mut self, join: &Join) {
        let end = self.jump(join);
        self.end(end);
    }

    /// The end of the current region: the jump that made it dead, or else what follows.
    pub(super) fn finish(&mut self, otherwise: impl FnOnce(&Self) -> End) -> End {
        if std::mem::take(&mut self.dead) { self.pending.take().unwrap_or(End::Unreachable) } else { otherwise(self) }
    }
}
