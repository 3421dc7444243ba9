//! What naga's front end makes of valid programs that its validator then refuses, mended between
//! the two.

use std::borrow::Cow;

use naga::{ArraySize, Block, Expression, Function, Module, Span, Statement, TypeInner};

use super::walk;

/// A function that ends in an endless loop needs no `return` after it, but naga puts an empty one
/// there. It is never reached: it may as well return a zero.
pub(super) fn returns(module: &mut Module) {
    for (_, function) in module.functions.iter_mut() {
        let Some(result) = &function.result else { continue };
        let (ty, Function { body, expressions, .. }) = (result.ty, function);
        let mut zero = None;
        fill(body, &mut || *zero.get_or_insert_with(|| expressions.append(Expression::ZeroValue(ty), Span::UNDEFINED)));
    }
}

/// Gives a value to empty returns after loops that nothing leaves. Only blocks that end a function
/// hold one, so that the way to it is the way that naga went.
fn fill(block: &mut Block, zero: &mut impl FnMut() -> naga::Handle<Expression>) {
    let [.., before, Statement::Return { value: value @ None }] = &mut block[..] else {
        if let Some(last) = block.last_mut()
            && !matches!(last, Statement::Loop { .. })
        {
            for inner in walk::blocks_mut(last) {
                fill(inner, zero);
            }
        }
        return;
    };
    if let Statement::Loop { body, break_if: None, .. } = before
        && !leaves(body)
    {
        *value = Some(zero());
    }
}

/// Whether a `break` in a loop's body ends the loop.
fn leaves(body: &Block) -> bool {
    let mut blocks = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            if matches!(statement, Statement::Break) {
                return true;
            }
            // A `break` in these is their own.
            if !matches!(statement, Statement::Loop { .. } | Statement::Switch { .. }) {
                blocks.extend(walk::blocks(statement));
            }
        }
    }
    false
}

/// The module with no default for the overrides that arrays are sized by: the caller may set
/// others, so that a default which is too large is no mistake yet.
pub(super) fn undecided(module: &Module) -> Cow<'_, Module> {
    let mut sizes = Vec::new();
    for (_, ty) in module.types.iter() {
        if let TypeInner::Array { size: ArraySize::Pending(size), .. } = ty.inner {
            sizes.push(size);
        }
    }
    if sizes.is_empty() {
        return Cow::Borrowed(module);
    }
    let mut module = module.clone();
    for size in sizes {
        module.overrides[size].init = None;
    }
    Cow::Owned(module)
}
