//! Refuses what cannot be bound.

use naga::{AddressSpace, EntryPoint, GlobalVariable, Handle, Module, TypeInner};

use super::effects;
use crate::diag::{Diagnostic, Span};

/// One diagnostic for each variable that some entry point uses and Seawall cannot bind.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut found: Vec<(Handle<GlobalVariable>, &str)> = Vec::new();
    for EntryPoint { function, .. } in &module.entry_points {
        for &handle in effects::of(module, function).keys() {
            let var = &module.global_variables[handle];
            if let Some(what) = refused(var.space, &module.types[var.ty].inner) {
                found.push((handle, what));
            }
        }
    }
    found.sort_by_key(|(handle, _)| handle.index());
    found.dedup();
    let tell = |(handle, what): (Handle<GlobalVariable>, &str)| {
        let name = module.global_variables[handle].name.as_deref().unwrap_or("a variable");
        Diagnostic::error("unsupported-binding", format!("`{name}` is {what}, which cannot be bound"))
            .at(Span::of(module.global_variables.get_span(handle)), "used by a compute entry point")
            .help("pass the data in a `var<storage>` or `var<uniform>` buffer")
    };
    found.into_iter().map(tell).collect()
}

fn refused(space: AddressSpace, ty: &TypeInner) -> Option<&'static str> {
    match ty {
        // Lowered to buffers, or refused there.
        TypeInner::Image { .. } | TypeInner::Sampler { .. } => return None,
        TypeInner::AccelerationStructure { .. } => return Some("an acceleration structure"),
        TypeInner::RayQuery { .. } => return Some("a ray query"),
        TypeInner::BindingArray { .. } => return Some("a binding array"),
        TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. }
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Array { .. }
        | TypeInner::Struct { .. } => {}
    }
    match space {
        AddressSpace::Handle => Some("an opaque handle"),
        AddressSpace::TaskPayload | AddressSpace::RayPayload | AddressSpace::IncomingRayPayload => Some("a payload"),
        AddressSpace::Function
        | AddressSpace::Private
        | AddressSpace::WorkGroup
        | AddressSpace::Uniform
        | AddressSpace::Immediate
        | AddressSpace::Storage { .. } => None,
    }
}
