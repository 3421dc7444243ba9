//! What is the same in every invocation, evaluated once per dispatch.

use naga::{Expression, Handle};

use super::code::Code;
use super::eval::pure;
use super::flatten::Kind;
use crate::ops::Value;
use crate::program::Kernel;

#[derive(Debug)]
pub(super) struct Constants {
    /// For each function, its constant expressions by index.
    pub(super) functions: Vec<Vec<(u32, Value)>>,
    /// What an invocation's private variables start as.
    pub(super) privates: Vec<u8>,
}

impl Constants {
    pub(super) fn new(kernel: &Kernel, code: &Code) -> Self {
        let module = kernel.module();
        let mut globals: Vec<Value> = Vec::new();
        for (_, expression) in module.global_expressions.iter() {
            let value = evaluate(kernel, code, expression, &globals, |handle| &globals[handle.index()]);
            globals.push(value);
        }
        let sources = module.functions.iter().map(|(_, source)| source).chain([&kernel.entry().function]);
        let functions = sources.zip(&code.functions).map(|(source, function)| {
            let mut values: Vec<Option<Value>> = Vec::new();
            for ((_, expression), kind) in source.expressions.iter().zip(&function.kinds) {
                let known = |handle: Handle<Expression>| {
                    values[handle.index()]
                        .as_ref()
                        .expect("invariant constant-operands: constants are made of constants")
                };
                values.push((*kind == Kind::Constant).then(|| evaluate(kernel, code, expression, &globals, known)));
            }
            let indexed = values.into_iter().enumerate();
            indexed.filter_map(|(slot, value)| Some((slot as u32, value?))).collect()
        });
        let functions = functions.collect();
        let mut privates = vec![0; code.private_bytes];
        for &(pointer, init) in &code.initialised {
            code.types.store(pointer.ty, &globals[init.index()], &mut privates[pointer.offset..]);
        }
        Self { functions, privates }
    }
}

fn evaluate<'a>(
    kernel: &Kernel,
    code: &Code,
    expression: &Expression,
    globals: &[Value],
    get: impl Fn(Handle<Expression>) -> &'a Value,
) -> Value {
    if let Expression::Constant(which) = *expression {
        globals[kernel.module().constants[which].init.index()].clone()
    } else {
        pure(expression, &code.types, get)
    }
}
