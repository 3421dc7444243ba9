//! Which functions are written into their callers, and which are called.
//!
//! A function that is written where it is called knows its arguments, and its code is as fast as
//! it can be: so it is for all functions of kernels that stay small. Of the others, those that are
//! worth it are built once and called. All together is then no more than the text and a little for
//! each call. What cannot be called, because invocations meet at a barrier in it or because it is
//! handed a place in shared memory, is written out, within limits.

use naga::{AddressSpace, Expression, Handle, Statement, TypeInner};
use seawall_core::diag::Span;
use seawall_core::program::walk::{self, Link};
use seawall_core::program::{Kernel, size};

use super::{LOOPS_MAX, NESTING_MAX};
use crate::cost;

/// Operations of a whole kernel, as they are compiled: it takes about a second, and a few hundred
/// MiB.
pub(crate) const OPERATIONS_MAX: u64 = 1 << 18;

/// Scalars that are handed over, to and fro.
const SCALARS_MAX: u64 = 256;

/// A kernel that would become too large.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// In operations.
    #[error("`{function}` comes to more than {OPERATIONS_MAX} operations, with what is written out in it")]
    Operations {
        /// Which function, by its name.
        function: String,
        /// Where it is.
        span: Option<Span>,
    },
    /// In what they become.
    #[error("`{function}` and the rest of the kernel become {instructions} instructions, which is too many")]
    Instructions {
        /// The largest function, by its name.
        function: String,
        /// Of all.
        instructions: usize,
    },
    /// In loops.
    #[error("`{function}` has {loops} loops, with those that are written out in it; the limit is {LOOPS_MAX}")]
    Loops {
        /// Which function, by its name.
        function: String,
        /// How many.
        loops: usize,
    },
    /// In blocks inside one another.
    #[error("blocks are nested more than {NESTING_MAX} deep in `{function}` and what is written out in it")]
    Nesting {
        /// Which function, by its name.
        function: String,
        /// Where it is.
        span: Option<Span>,
    },
}

/// What is called.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// By function of the module.
    called: Vec<bool>,
}

/// What one function comes to with all that is written out in it.
#[derive(Debug, Clone, Copy, Default)]
struct Whole {
    operations: u64,
    nesting: u32,
}

impl Plan {
    pub(super) fn new(kernel: &Kernel) -> Result<Self, Excess> {
        let (module, info) = (kernel.module(), kernel.info());
        let entry = &kernel.entry().function;
        // A function calls only those before it.
        let helpers = walk::helpers(module, entry);
        let sizes: Vec<size::Size> =
            helpers.iter().map(|&handle| size::of(module, &info[handle], &module.functions[handle])).collect();
        let own = size::of(module, info.get_entry_point(0), entry);
        let mut plan = Self { called: vec![false; module.functions.len()] };
        let mut wholes = vec![Whole::default(); module.functions.len()];
        for (&handle, size) in helpers.iter().zip(&sizes) {
            wholes[handle.index()] = plan.whole(&wholes, size);
        }
        let all = plan.whole(&wholes, &own);
        if all.operations <= cost::INLINED_MAX && all.nesting <= cost::NESTED_FREELY {
            return Ok(plan);
        }
        let mut sites = vec![0_u32; module.functions.len()];
        for call in sizes.iter().chain([&own]).flat_map(|size| &size.calls) {
            sites[call.function.index()] += 1;
        }
        let mut sum = 0_u64;
        let mut largest = (0, None);
        for (&handle, size) in helpers.iter().zip(&sizes) {
            let (i, whole) = (handle.index(), plan.whole(&wholes, size));
            let worth = sites[i] > 1 && whole.operations > cost::INLINED_ALWAYS || whole.nesting > cost::NESTED_FREELY;
            if worth && is_callable(kernel, handle) {
                plan.called[i] = true;
                sum = sum.saturating_add(whole.operations);
            }
            let function = &module.functions[handle];
            let place = || (function.name.clone().unwrap_or_default(), Span::of(module.functions.get_span(handle)));
            check(whole, place)?;
            if whole.operations > largest.0 {
                largest = (whole.operations, Some(place()));
            }
            wholes[i] = whole;
        }
        let whole = plan.whole(&wholes, &own);
        check(whole, || (kernel.name.clone(), None))?;
        if sum.saturating_add(whole.operations) > OPERATIONS_MAX {
            let (function, span) = match largest.1 {
                Some(place) if largest.0 > whole.operations => place,
                _ => (kernel.name.clone(), None),
            };
            return Err(Excess::Operations { function, span });
        }
        Ok(plan)
    }

    fn whole(&self, wholes: &[Whole], size: &size::Size) -> Whole {
        let mut whole = Whole { operations: size.operations, nesting: size.nesting };
        for call in size.calls.iter().filter(|call| !self.calls(call.function)) {
            let inside = wholes[call.function.index()];
            whole.operations = whole.operations.saturating_add(inside.operations);
            // A function's body is a block of its own.
            whole.nesting = whole.nesting.max(call.nesting.saturating_add(inside.nesting).saturating_add(1));
        }
        whole
    }

    /// Whether a function is called.
    pub(super) fn calls(&self, function: Handle<naga::Function>) -> bool {
        self.called.get(function.index()).is_some_and(|&called| called)
    }

    /// The functions that are called, each after those that it calls.
    pub(super) fn called(&self, kernel: &Kernel) -> Vec<Handle<naga::Function>> {
        kernel.module().functions.iter().map(|(handle, _)| handle).filter(|&handle| self.calls(handle)).collect()
    }
}

fn check(whole: Whole, place: impl FnOnce() -> (String, Option<Span>)) -> Result<(), Excess> {
    if whole.operations > OPERATIONS_MAX {
        let (function, span) = place();
        return Err(Excess::Operations { function, span });
    }
    if whole.nesting > NESTING_MAX {
        let (function, span) = place();
        return Err(Excess::Nesting { function, span });
    }
    Ok(())
}

/// Whether a function can be called: it is handed no more than scalars, and nobody waits in it.
fn is_callable(kernel: &Kernel, handle: Handle<naga::Function>) -> bool {
    let module = kernel.module();
    let function = &module.functions[handle];
    let few = |ty: Handle<naga::Type>| match &module.types[ty].inner {
        TypeInner::Pointer { base, space: AddressSpace::Function | AddressSpace::Private } => {
            size::scalars(module, &module.types[*base].inner) <= SCALARS_MAX
        }
        TypeInner::ValuePointer { space: AddressSpace::Function | AddressSpace::Private, .. } => true,
        TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. } => false,
        inner @ (TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. }
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Array { .. }
        | TypeInner::Struct { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. }) => size::scalars(module, inner) <= SCALARS_MAX,
    };
    let handed = function.arguments.iter().map(|argument| argument.ty);
    let handed = handed.chain(function.result.iter().map(|result| result.ty));
    let waits = |function: &naga::Function| {
        walk::statements(&function.body).iter().any(|(statement, _)| {
            matches!(statement, Statement::ControlBarrier(_) | Statement::WorkGroupUniformLoad { .. })
        })
    };
    let inside = walk::helpers(module, function);
    let wait = waits(function) || inside.iter().any(|&handle| waits(&module.functions[handle]));
    handed.into_iter().all(few) && !wait && places_are_fixed(kernel, handle)
}

/// Whether all calls of a function hand it places that are known while code is written: a place by
/// an index that may lie outside its memory is not the same as a copy.
fn places_are_fixed(kernel: &Kernel, callee: Handle<naga::Function>) -> bool {
    let module = kernel.module();
    let entry = &kernel.entry().function;
    let fixed = |function: &naga::Function, mut at: Handle<Expression>| loop {
        match walk::link(&function.expressions[at]) {
            Link::Member { base, .. } => at = base,
            Link::Element { .. } => return false,
            Link::Global(_) | Link::Local(_) | Link::Argument(_) | Link::Value => return true,
        }
    };
    let pointers: Vec<usize> = (0..)
        .zip(&module.functions[callee].arguments)
        .filter(|(_, argument)| module.types[argument.ty].inner.pointer_space().is_some())
        .map(|(i, _)| i)
        .collect();
    if pointers.is_empty() {
        return true;
    }
    let callers = walk::helpers(module, entry).into_iter().map(|handle| &module.functions[handle]);
    callers.chain([entry]).all(|caller| {
        walk::statements(&caller.body).iter().all(|(statement, _)| {
            let Statement::Call { function, arguments, .. } = statement else { return true };
            *function != callee || pointers.iter().all(|&i| fixed(caller, arguments[i]))
        })
    })
}
