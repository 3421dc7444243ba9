//! Switches: the selector is searched for among the cases by halves.

use naga::{Expression, Handle, SwitchCase, SwitchValue};

use super::{Builder, Frame, Join};
use crate::cost;
use crate::ir::{Binary, End, LabelKind, Ty, Value};

impl<'a> Builder<'a> {
    pub(super) fn switch(&mut self, frame: &mut Frame<'a>, selector: Handle<Expression>, cases: &'a [SwitchCase]) {
        let selector = self.value(frame, selector);
        let vars = self.written(frame, cases.iter().flat_map(|case| &case.body));
        let exit = self.meeting(LabelKind::Block, vars);
        self.open.push(Vec::new());
        frame.breaks.push(exit.clone());
        let mut default = None;
        let mut groups = Vec::new();
        let mut first = 0;
        while first < cases.len() {
            // Empty cases that fall through share the body of the one they fall into.
            let mut last = first;
            while cases[last].fall_through && cases[last].body.is_empty() && last + 1 < cases.len() {
                last += 1;
            }
            let group = &cases[first..=last];
            if group.iter().any(|case| case.value == SwitchValue::Default) {
                default = Some(last);
            } else {
                groups.push((group, last));
            }
            first = last + 1;
        }
        if groups.len() <= cost::CASES_IN_A_ROW {
            for (group, last) in groups {
                let condition = self.any_case(selector, group);
                self.only_if(condition, |this| this.case(frame, cases, last, &exit));
            }
        } else {
            let (selector, sorted) = self.one_each(selector, &groups);
            self.halve(frame, selector, &sorted, cases, &exit);
        }
        if let Some(at) = default {
            self.case(frame, cases, at, &exit);
        }
        frame.breaks.pop();
        let end = self.finish(|this| End::Fall(this.arguments(&exit)));
        self.close_block(&exit, end, &[]);
    }

    /// A selector that has one value for each group of cases, and those values in ascending order,
    /// each with the last of its cases.
    fn one_each(&mut self, mut selector: Value, groups: &[(&[SwitchCase], usize)]) -> (Value, Vec<(u64, usize)>) {
        let ty = self.f.ty(selector);
        let given = selector;
        let mut sorted = Vec::with_capacity(groups.len());
        for &(group, last) in groups {
            let bits = case_bits(&group[0]);
            if let others @ [_, ..] = &group[1..] {
                let condition = self.any_case(given, others);
                let first = self.constant(ty, bits);
                selector = self.select(condition, first, selector);
            }
            sorted.push((bits, last));
        }
        let signed = ty == Ty::I32;
        sorted.sort_by_key(|&(bits, _)| if signed { i64::from(bits as i32) } else { i64::from(bits as u32) });
        (selector, sorted)
    }

    /// Which of many cases it is, by comparing with the one in the middle again and again.
    fn halve(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Value,
        sorted: &[(u64, usize)],
        cases: &'a [SwitchCase],
        exit: &Join,
    ) {
        let ty = self.f.ty(selector);
        if sorted.len() <= cost::CASES_IN_A_ROW {
            for &(bits, last) in sorted {
                let value = self.constant(ty, bits);
                let condition = self.binary(Binary::Eq, selector, value);
                self.only_if(condition, |this| this.case(frame, cases, last, exit));
            }
            return;
        }
        let (low, high) = sorted.split_at(sorted.len() / 2);
        let middle = self.constant(ty, high[0].0);
        let below = self.binary(Binary::Lt, selector, middle);
        self.branch(below, |this, side| this.halve(frame, selector, if side { low } else { high }, cases, exit));
    }

    fn any_case(&mut self, selector: Value, group: &[SwitchCase]) -> Value {
        let ty = self.f.ty(selector);
        let mut any = None;
        for case in group {
            let value = self.constant(ty, case_bits(case));
            let same = self.binary(Binary::Eq, selector, value);
            any = Some(any.map_or(same, |any| self.binary(Binary::Or, any, same)));
        }
        any.expect("invariant switch: a group has a case")
    }

    /// The body of a case and of those that it falls into, then out of the switch.
    fn case(&mut self, frame: &mut Frame<'a>, cases: &'a [SwitchCase], first: usize, exit: &Join) {
        for case in &cases[first..] {
            self.block(frame, &case.body);
            if self.dead || !case.fall_through {
                break;
            }
        }
        if !self.dead {
            self.leave(exit);
        }
    }
}

/// The selector's bits in a case that is not the default.
fn case_bits(case: &SwitchCase) -> u64 {
    match case.value {
        SwitchValue::I32(x) => u64::from(x as u32),
        SwitchValue::U32(x) => u64::from(x),
        SwitchValue::Default => unreachable!("invariant switch: the default is no value of the selector"),
    }
}
