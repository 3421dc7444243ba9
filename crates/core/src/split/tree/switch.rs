//! Switches with barriers, as branches one after the other.

use naga::{
    BinaryOperator, Expression, Handle, Literal, LocalVariable, Range, Span, Statement, SwitchCase, SwitchValue,
};

use super::node::{Jumps, Node, guarded, jumps, leave, plain, seal};
use super::{Frame, Target, TooLarge, Tree};

impl<'m> Tree<'m> {
    pub(super) fn switch(
        &mut self,
        frame: &mut Frame<'m>,
        (selector, cases): (Handle<Expression>, &'m [SwitchCase]),
        span: Span,
        out: &mut Vec<Node>,
    ) -> Result<(), TooLarge> {
        let cuts = cases.iter().any(|case| case.body.iter().any(|statement| self.cuts(statement)));
        if !cuts {
            frame.targets.push(Target::Native { is_loop: false });
            let (mut sealed, mut left) = (Vec::new(), Jumps::new());
            for case in cases {
                let mut nodes = Vec::new();
                self.block(frame, &case.body, None, &mut nodes)?;
                left.extend(jumps(&nodes));
                sealed.push(SwitchCase { value: case.value, body: seal(nodes), fall_through: case.fall_through });
            }
            frame.targets.pop();
            let statement = Statement::Switch { selector: frame.at(selector), cases: sealed };
            out.push(Node::Do { statement, span, jumps: left });
            return Ok(());
        }
        let region = self.region();
        let selector = frame.at(selector);
        // Whether the case at hand is done: it is the one, or that before it fell through.
        let active = self.local("case", naga::Scalar::BOOL);
        frame.targets.push(Target::Region { region, is_loop: false });
        let mut nodes = Vec::new();
        for (at, case) in cases.iter().enumerate() {
            let falls = at > 0 && cases[at - 1].fall_through;
            self.select(selector, (cases, case.value), active, falls, &mut nodes);
            let mut body = Vec::new();
            self.block(frame, &case.body, Some(leave(region)), &mut body)?;
            let pointer = self.expression(Expression::LocalVariable(active));
            let condition = self.expression(Expression::Load { pointer });
            nodes.push(plain(Statement::Emit(Range::new_from_bounds(condition, condition))));
            if case.fall_through && !jumps(&body).is_empty() {
                // Whoever left does not fall.
                let (test, emit) = self.test_jump(BinaryOperator::Equal, 0);
                body.push(plain(emit));
                body.push(plain(Statement::Store { pointer, value: test }));
            }
            guarded(condition, false, Jumps::new(), body, &mut nodes);
        }
        frame.targets.pop();
        self.land(region, &mut nodes);
        out.append(&mut nodes);
        Ok(())
    }

    /// `active = selector is the case's value`, or was before and falls through.
    fn select(
        &mut self,
        selector: Handle<Expression>,
        (cases, value): (&[SwitchCase], SwitchValue),
        active: Handle<LocalVariable>,
        falls: bool,
        out: &mut Vec<Node>,
    ) {
        let literal = |value| match value {
            SwitchValue::I32(value) => Some(Literal::I32(value)),
            SwitchValue::U32(value) => Some(Literal::U32(value)),
            SwitchValue::Default => None,
        };
        let others = || cases.iter().filter_map(|case| literal(case.value)).collect();
        let (values, op, all): (Vec<Literal>, _, _) = match literal(value) {
            Some(value) => (vec![value], BinaryOperator::Equal, BinaryOperator::LogicalOr),
            None => (others(), BinaryOperator::NotEqual, BinaryOperator::LogicalAnd),
        };
        let mut emitted = |tree: &mut Self, expression| {
            let handle = tree.expression(expression);
            out.push(plain(Statement::Emit(Range::new_from_bounds(handle, handle))));
            handle
        };
        let mut found = self.expression(Expression::Literal(Literal::Bool(true)));
        for (at, value) in values.into_iter().enumerate() {
            let right = self.expression(Expression::Literal(value));
            let one = emitted(self, Expression::Binary { op, left: selector, right });
            found = if at == 0 { one } else { emitted(self, Expression::Binary { op: all, left: found, right: one }) };
        }
        let pointer = self.expression(Expression::LocalVariable(active));
        if falls {
            let left = emitted(self, Expression::Load { pointer });
            found = emitted(self, Expression::Binary { op: BinaryOperator::LogicalOr, left, right: found });
        }
        out.push(plain(Statement::Store { pointer, value: found }));
    }
}
