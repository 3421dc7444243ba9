//! What an entry point does to each global variable.
//!
//! naga's own account charges a store through a pointer argument to nobody. Here a
//! function is looked at once for each way its pointer arguments can be bound to
//! globals, and the result is remembered, so helpers cost what they should.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use naga::{Expression, Function, GlobalVariable, Handle, Module, Statement};

use super::{Effects, walk};

/// Every global that is named, with what is done to it; `arrayLength` only names it.
pub(super) type Touched = BTreeMap<Handle<GlobalVariable>, Effects>;

/// A function and the globals that its pointer arguments point into.
type Context = (Handle<Function>, Vec<Option<Handle<GlobalVariable>>>);

/// The effects of an entry point, helpers included.
pub(super) fn of(module: &Module, entry: &Function) -> Touched {
    let nothing_passed = vec![None; entry.arguments.len()];
    Rc::unwrap_or_clone(Analysis { module, known: HashMap::new() }.function(entry, &nothing_passed))
}

const READS: Effects = Effects { reads: true, writes: false, updates: false };
const WRITES: Effects = Effects { reads: false, writes: true, updates: false };
const UPDATES: Effects = Effects { reads: false, writes: false, updates: true };

struct Analysis<'m> {
    module: &'m Module,
    known: HashMap<Context, Rc<Touched>>,
}

impl Analysis<'_> {
    fn function(&mut self, function: &Function, arguments: &[Option<Handle<GlobalVariable>>]) -> Rc<Touched> {
        let mut touched = Touched::new();
        let mut touch = |handle: Option<Handle<GlobalVariable>>, effects: Effects| {
            if let Some(handle) = handle {
                touched.entry(handle).or_default().add(effects);
            }
        };
        let root = |pointer| walk::global_root(function, arguments, pointer);
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
                Statement::Call { function: callee, arguments: passed, .. } => {
                    let context = (*callee, passed.iter().map(|&argument| root(argument)).collect());
                    for (&handle, &effects) in self.call(context).iter() {
                        touch(Some(handle), effects);
                    }
                }
                // Images and rays are refused where they are bound.
                Statement::ImageStore { .. }
                | Statement::ImageAtomic { .. }
                | Statement::RayQuery { .. }
                | Statement::RayPipelineFunction(_)
                | Statement::CooperativeStore { .. }
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
        Rc::new(touched)
    }

    fn call(&mut self, context: Context) -> Rc<Touched> {
        if let Some(known) = self.known.get(&context) {
            return known.clone();
        }
        let module = self.module;
        let touched = self.function(&module.functions[context.0], &context.1);
        self.known.insert(context, touched.clone());
        touched
    }
}

impl Effects {
    fn add(&mut self, other: Self) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.updates |= other.updates;
    }
}
