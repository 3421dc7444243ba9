//! Sinks what variables begin with to where they are first touched.
//!
//! A variable's initial value is there from the function's start on. Kept as a statement there, it would
//! have to be kept across every barrier up to the first use: the counters of all loops, from the first
//! segment on.

use std::collections::BTreeMap;

use naga::{Block, Expression, Function, Handle, LocalVariable, Module, Statement};

use super::cutting::cutting;
use crate::program::{operands, walk};

/// The module, with stores for what variables begin with in all functions that will be cut.
pub(super) fn sunk(module: &Module) -> Module {
    let mut module = module.clone();
    let cutting = cutting(&module);
    for ((_, function), cuts) in module.functions.iter_mut().zip(cutting) {
        if cuts {
            sink(function);
        }
    }
    sink(&mut module.entry_points[0].function);
    module
}

fn sink(function: &mut Function) {
    let mut first: BTreeMap<Handle<LocalVariable>, usize> = BTreeMap::new();
    for (at, statement) in function.body.iter().enumerate() {
        touched(function, statement, &mut |variable| _ = first.entry(variable).or_insert(at));
    }
    let mut starts: BTreeMap<usize, Vec<Handle<LocalVariable>>> = BTreeMap::new();
    for (variable, at) in first {
        starts.entry(at).or_default().push(variable);
    }
    let body = std::mem::take(&mut function.body);
    for (at, (statement, span)) in body.span_into_iter().enumerate() {
        for variable in starts.remove(&at).into_iter().flatten() {
            if let Some(value) = function.local_variables[variable].init.take() {
                let span = function.local_variables.get_span(variable);
                let pointer = function.expressions.append(Expression::LocalVariable(variable), span);
                function.body.push(Statement::Store { pointer, value }, span);
            }
        }
        function.body.push(statement, span);
    }
    function.local_variables.iter_mut().for_each(|(_, variable)| variable.init = None);
}

/// The variables that a statement names, with those inside of it.
fn touched(function: &Function, statement: &Statement, note: &mut dyn FnMut(Handle<LocalVariable>)) {
    let mut root = |handle: &mut Handle<Expression>| {
        let mut pointer = *handle;
        while let Expression::Access { base, .. } | Expression::AccessIndex { base, .. } = function.expressions[pointer]
        {
            pointer = base;
        }
        if let Expression::LocalVariable(variable) = function.expressions[pointer] {
            note(variable);
        }
    };
    let mut one = Block::new();
    one.push(statement.clone(), naga::Span::UNDEFINED);
    for (inside, _) in walk::statements(&one) {
        operands::of_statement(&mut operands::shallow(inside), &mut root);
        if let Statement::Emit(range) = inside {
            for handle in range.clone() {
                operands::of_expression(&mut function.expressions[handle].clone(), &mut root);
            }
        }
    }
}
