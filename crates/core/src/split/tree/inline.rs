//! Helpers with barriers, written out where they are called.

use naga::{Expression, Function, Handle, Literal, LocalVariable, Range, Span, Statement};

use super::node::{Node, leave, plain};
use super::{Frame, TooLarge, Tree};
use crate::diag;
use crate::program::walk::{self, Link};
use crate::program::{is_grid_barrier, operands};

/// Statements that helpers come to when they are written out.
const INLINED_MAX: usize = 1 << 16;

impl Tree<'_> {
    /// Writes a helper out where it is called; a call of the barrier is a cut.
    pub(super) fn inline(
        &mut self,
        frame: &Frame<'_>,
        (function, arguments, result): (Handle<Function>, &[Handle<Expression>], Option<Handle<Expression>>),
        span: Span,
        out: &mut Vec<Node>,
    ) -> Result<(), TooLarge> {
        let callee = &self.source.functions[function];
        if is_grid_barrier(callee) {
            out.push(Node::Cut);
            return Ok(());
        }
        self.inlined += walk::statements(&callee.body).len() + callee.expressions.len();
        if self.inlined > INLINED_MAX {
            let function = callee.name.clone().unwrap_or_else(|| "a function".to_owned());
            return Err(TooLarge { function, span: diag::Span::of(span) });
        }
        let first = self.function.expressions.len();
        let variables = self.function.local_variables.len();
        for (handle, variable) in callee.local_variables.iter() {
            let place = callee.local_variables.get_span(handle);
            self.function.local_variables.append(LocalVariable { init: None, ..variable.clone() }, place);
        }
        let locals: Vec<_> = self.function.local_variables.iter().skip(variables).map(|(handle, _)| handle).collect();
        let mut map: Vec<Handle<Expression>> = Vec::with_capacity(callee.expressions.len());
        for (handle, expression) in callee.expressions.iter() {
            let mut copy = expression.clone();
            operands::of_expression(&mut copy, &mut |operand| *operand = map[operand.index()]);
            let mut argument = None;
            match walk::link(&copy) {
                // A place is taken for it, so that ranges stay ranges.
                Link::Argument(index) => {
                    copy = Expression::Literal(Literal::U32(0));
                    argument = Some(frame.at(arguments[index as usize]));
                }
                Link::Local(variable) => copy = Expression::LocalVariable(locals[variable.index()]),
                Link::Element { .. } | Link::Member { .. } | Link::Global(_) | Link::Value => {}
            }
            let place = callee.expressions.get_span(handle);
            let own = self.function.expressions.append(copy, place);
            map.push(argument.unwrap_or(own));
            if let (Some(name), None) = (callee.named_expressions.get(&handle), argument) {
                self.function.named_expressions.insert(own, name.clone());
            }
        }
        debug_assert_eq!(self.function.expressions.len(), first + callee.expressions.len());
        self.start_variables(callee, &locals, out);
        let returned = callee.result.as_ref().map(|result| {
            let name = callee.name.clone();
            self.function.local_variables.append(LocalVariable { name, ty: result.ty, init: None }, span)
        });
        let region = self.region();
        let (map, targets) = (Some(map), Vec::new());
        let mut inner = Frame { source: callee, map, region, result: returned, targets, ends: false };
        let mut body = Vec::new();
        self.block(&mut inner, &callee.body, Some(leave(region)), &mut body)?;
        self.land(region, &mut body);
        out.append(&mut body);
        if let (Some(result), Some(variable)) = (result, returned) {
            self.results.insert(frame.at(result), variable);
        }
        Ok(())
    }

    /// Variables are zero at each call by statements: in a segment, they would all begin again.
    fn start_variables(&mut self, callee: &Function, locals: &[Handle<LocalVariable>], out: &mut Vec<Node>) {
        for (handle, variable) in callee.local_variables.iter() {
            let value = self.function.expressions.append(Expression::ZeroValue(variable.ty), Span::UNDEFINED);
            let pointer = self.expression(Expression::LocalVariable(locals[handle.index()]));
            out.push(plain(Statement::Store { pointer, value }));
        }
    }
}

/// A statement with its expressions where they are now.
pub(super) fn mapped(frame: &Frame<'_>, statement: &Statement) -> Statement {
    let Some(map) = &frame.map else { return statement.clone() };
    let mut copy = statement.clone();
    relocate(&mut copy, map);
    copy
}

fn relocate(statement: &mut Statement, map: &[Handle<Expression>]) {
    operands::of_statement(statement, &mut |handle| *handle = map[handle.index()]);
    if let Some(result) = operands::result(statement) {
        *result = map[result.index()];
    }
    if let Statement::Emit(range) = statement {
        let ends = (range.clone().next(), range.clone().last());
        if let (Some(first), Some(last)) = ends {
            *range = Range::new_from_bounds(map[first.index()], map[last.index()]);
        }
    }
    for block in walk::blocks_mut(statement) {
        block.iter_mut().for_each(|inner| relocate(inner, map));
    }
}
