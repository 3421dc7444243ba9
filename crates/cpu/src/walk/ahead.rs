//! Lanes that leave a piece for a label of the workgroup, ahead of the others.

use super::control::Target;
use super::{Mask, Rep, Walk};
use crate::emit::{Emit, Lanes, Prim};
use crate::ir::{Binary, Label, Ty, Value};

impl<E: Emit> Walk<'_, E> {
    /// The current lanes leave for a label of the workgroup, ahead of the others.
    pub(super) fn leave_piece(&mut self, label: Label, params: &[Value], args: &[Value]) {
        self.left.insert(label);
        let mask = self.mask_or_all();
        let staged: Vec<Rep<E>> =
            params.iter().zip(args).map(|(&param, &arg)| self.arrival(param, arg, &mask, false)).collect();
        for (&param, rep) in params.iter().zip(&staged) {
            self.keep(param, rep);
        }
        let before = self.gone(label);
        let all = self.or(&before, &mask);
        let at = self.in_area(self.frame.gone[&label]);
        match all {
            Lanes::Same(scalar) => self.e.store(Ty::Bool, at, scalar),
            Lanes::Each(each) => self.keep_lanes(Ty::Bool, at, &each),
        }
    }

    fn gone(&mut self, label: Label) -> Lanes<E::S, E::V> {
        let at = self.in_area(self.frame.gone[&label]);
        if self.e.width() == 1 {
            Lanes::Same(self.e.load(Ty::Bool, at))
        } else {
            Lanes::Each(self.recall_lanes(Ty::Bool, at))
        }
    }

    /// The lanes that exist and have not left for a label further on.
    pub(super) fn first_mask(&mut self) -> Mask<E> {
        let size: u32 = self.f.workgroup_size.iter().product();
        let width = self.e.width();
        let first = self.first.expect("invariant groups: masks belong to a group");
        let mut mask = None;
        if !size.is_multiple_of(width) {
            let index = self.e.ramp(Ty::U32, first, 1);
            let size = self.u32(size);
            let exists =
                self.e.vector(Prim::Binary(Binary::Lt), Ty::Bool, Ty::U32, &[Lanes::Each(index), Lanes::Same(size)]);
            mask = Some(Lanes::Each(exists));
        }
        let waiting: Vec<Label> =
            self.frame.gone.keys().copied().filter(|label| self.targets.contains_key(label)).collect();
        for label in waiting {
            let gone = self.gone(label);
            let here = self.not(gone);
            mask = Some(match mask {
                None => here,
                Some(mask) => self.logic(Binary::And, &mask, &here),
            });
        }
        mask
    }

    /// If no lane is left here, the workgroup goes where the nearest of them went. `program` knows
    /// more about what is uniform than the shapes do: what varies for them may have taken all away.
    pub(super) fn follow(&mut self) {
        let labels: Vec<Label> = self.around.iter().rev().copied().filter(|label| self.left.contains(label)).collect();
        if labels.is_empty() {
            return;
        }
        let on = self.e.block();
        let away = self.e.cold_block();
        let here = self.any_group(|this| this.first_mask().unwrap_or_else(|| this.mask_or_all()));
        self.e.branch(here, on, away);
        self.e.enter(away);
        for label in labels {
            let Some(Target::Direct { block, .. }) = self.targets.get(&label).cloned() else {
                unreachable!("invariant fission: {label} is a label of the workgroup")
            };
            let next = self.e.block();
            let there = self.any_group(|this| this.gone(label));
            self.e.branch(there, block, next);
            self.e.enter(next);
        }
        self.e.jump(on);
        self.e.enter(on);
    }

    /// Those who left for a label ahead of the others go on with them from here.
    pub(super) fn welcome(&mut self, label: Label) {
        if let Some(&area) = self.frame.gone.get(&label) {
            self.zero(area.start, area.group_stride * u64::from(self.frame.groups));
        }
    }
}
