//! Loops that an emitter has a faster way for.

use super::control::Flow;
use super::{Rep, Walk};
use crate::emit::Emit;
use crate::ir::{Label, Region, Value};
use crate::leaf::{Known, Leaf};

impl<E: Emit> Walk<'_, E> {
    /// A loop that all lanes go through, the emitter's own way if it has one for it.
    pub(super) fn leaf(&mut self, label: Label, params: &[Value], init: &[Value], body: &Region) -> Option<Flow> {
        if self.mask.is_some() {
            return None;
        }
        let known = Known { f: self.f, shapes: self.shapes, ranges: self.ranges };
        let leaf = Leaf::of(known, label, params, init, body)?;
        let (counter, ty) = (leaf.counter, self.f.ty(leaf.counter.param));
        let first = self.e.constant(ty, counter.first.into());
        self.reps[counter.param.index()] = Some(Rep::Scalar(first));
        let pointers: Vec<E::S> = leaf
            .pointers
            .iter()
            .map(|pointer| {
                let indices = self.first_indices(&pointer.at);
                self.pointer(&pointer.at, &indices)
            })
            .collect();
        let begin = leaf.init.iter().map(|&(value, _)| value).chain(leaf.inputs.iter().copied());
        let lanes: Vec<E::V> = begin.map(|value| self.each(value)).collect();
        self.reps[counter.param.index()] = None;
        let results = self.e.leaf(&leaf, &pointers, &lanes)?;
        for (&(_, next), lanes) in leaf.carried.iter().zip(results) {
            self.define(next, Rep::Each(lanes));
        }
        for (&value, &ahead) in &leaf.counters {
            let last = self.e.constant(ty, leaf.last(ahead).into());
            self.define(value, Rep::Scalar(last));
        }
        let (exit, args) = &leaf.exit;
        Some(self.jump(*exit, args))
    }
}
