//! What an entry point does to each global variable.
//!
//! naga's own account charges a store through a pointer to nobody in some cases. Here
//! the pointer of every load, store and atomic is followed to its variable. Functions
//! take pointers to local and private variables only, so a buffer is always named in
//! the function that touches it.

use std::collections::{BTreeMap, HashSet};

use naga::{AtomicFunction, Expression, Function, GlobalVariable, Handle, Module, ScalarKind, Statement, TypeInner};

use super::{Effects, operands, walk};

/// Every global that is named, with what is done to it; `arrayLength` only names it.
pub(crate) type Touched = BTreeMap<Handle<GlobalVariable>, Effects>;

const READS: Effects = Effects { reads: true, writes: false, updates: false };
const WRITES: Effects = Effects { reads: false, writes: true, updates: false };
const UPDATES: Effects = Effects { reads: false, writes: false, updates: true };
/// In an order that can be told.
const ORDERED: Effects = Effects { reads: true, writes: false, updates: true };

/// The effects of a function, helpers included.
pub(crate) fn of(module: &Module, entry: &Function) -> Touched {
    let mut touched = Touched::new();
    add(module, entry, &mut touched);
    for handle in walk::helpers(module, entry) {
        add(module, &module.functions[handle], &mut touched);
    }
    touched
}

/// Adds what one function does itself.
fn add(module: &Module, function: &Function, touched: &mut Touched) {
    let mut touch = |handle: Option<Handle<GlobalVariable>>, effects: Effects| {
        if let Some(handle) = handle {
            touched.entry(handle).or_default().add(effects);
        }
    };
    let root = |pointer| walk::global_root(function, pointer);
    for (_, expression) in function.expressions.iter() {
        if let Expression::GlobalVariable(handle) = *expression {
            touch(Some(handle), Effects::default());
        } else if let Expression::Load { pointer } = *expression {
            touch(root(pointer), READS);
        }
    }
    let mut seen = None;
    for (statement, _) in walk::statements(&function.body) {
        match statement {
            Statement::Store { pointer, .. } => touch(root(*pointer), WRITES),
            Statement::Atomic { pointer, fun, result, .. } => {
                let mut is_seen = |result| seen.get_or_insert_with(|| used(function)).contains(&result);
                let alone = result.is_some_and(|result| adds(module, function, *fun, result) && !is_seen(result));
                touch(root(*pointer), if alone { UPDATES } else { ORDERED });
            }
            Statement::WorkGroupUniformLoad { pointer, .. } => touch(root(*pointer), READS),
            // Images and rays are refused where they are bound.
            Statement::ImageStore { .. }
            | Statement::ImageAtomic { .. }
            | Statement::RayQuery { .. }
            | Statement::RayPipelineFunction(_)
            | Statement::CooperativeStore { .. }
            | Statement::Call { .. }
            | Statement::Emit(_)
            | Statement::Block(_)
            | Statement::If { .. }
            | Statement::Switch { .. }
            | Statement::Loop { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Return { .. }
            | Statement::Kill
            | Statement::ControlBarrier(_)
            | Statement::MemoryBarrier(_)
            | Statement::SubgroupBallot { .. }
            | Statement::SubgroupGather { .. }
            | Statement::SubgroupCollectiveOperation { .. } => {}
        }
    }
}

/// Whether an atomic adds to an integer: sums of floats depend on their order.
fn adds(module: &Module, function: &Function, fun: AtomicFunction, result: Handle<Expression>) -> bool {
    let Expression::AtomicResult { ty, .. } = function.expressions[result] else { return false };
    let whole = matches!(
        module.types[ty].inner,
        TypeInner::Scalar(naga::Scalar { kind: ScalarKind::Uint | ScalarKind::Sint, .. })
    );
    whole && matches!(fun, AtomicFunction::Add | AtomicFunction::Subtract)
}

/// Expressions that something is made of or done with.
fn used(function: &Function) -> HashSet<Handle<Expression>> {
    let mut used = HashSet::new();
    for (_, expression) in function.expressions.iter() {
        operands::of_expression(&mut expression.clone(), &mut |operand| used.extend([*operand]));
    }
    for (statement, _) in walk::statements(&function.body) {
        operands::of_statement(&mut operands::shallow(statement), &mut |operand| used.extend([*operand]));
    }
    used
}

impl Effects {
    pub(super) fn add(&mut self, other: Self) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.updates |= other.updates;
    }
}
