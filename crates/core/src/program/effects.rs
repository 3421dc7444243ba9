//! What an entry point does to each global variable.
//!
//! naga's own account charges a store through a pointer to nobody in some cases. Here
//! the pointer of every load, store and atomic is followed to its variable. Functions
//! take pointers to local and private variables only, so a buffer is always named in
//! the function that touches it.

use std::collections::BTreeMap;

use naga::{Expression, Function, GlobalVariable, Handle, Module, Statement};

use super::{Effects, walk};

/// Every global that is named, with what is done to it; `arrayLength` only names it.
pub(crate) type Touched = BTreeMap<Handle<GlobalVariable>, Effects>;

const READS: Effects = Effects { reads: true, writes: false, updates: false };
const WRITES: Effects = Effects { reads: false, writes: true, updates: false };
const UPDATES: Effects = Effects { reads: false, writes: false, updates: true };

/// The effects of a function, helpers included.
pub(crate) fn of(module: &Module, entry: &Function) -> Touched {
    let mut touched = Touched::new();
    add(entry, &mut touched);
    for handle in walk::helpers(module, entry) {
        add(&module.functions[handle], &mut touched);
    }
    touched
}

/// Adds what one function does itself.
fn add(function: &Function, touched: &mut Touched) {
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
    for (statement, _) in walk::statements(&function.body) {
        match statement {
            Statement::Store { pointer, .. } => touch(root(*pointer), WRITES),
            Statement::Atomic { pointer, .. } => touch(root(*pointer), UPDATES),
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

impl Effects {
    pub(super) fn add(&mut self, other: Self) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.updates |= other.updates;
    }
}
