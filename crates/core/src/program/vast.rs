//! Refuses private values that no device can hold for each invocation.

use naga::proc::TypeResolution;
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{AddressSpace, Function, Module, TypeInner};

use crate::diag::{Diagnostic, Span};

/// Bytes of one private or local variable or value. WGSL promises 8 KiB; devices differ.
pub(super) const PRIVATE_BYTES_MAX: u32 = 1 << 20;

/// One diagnostic for each variable or function that goes beyond the limit.
pub(super) fn check(module: &Module, info: &ModuleInfo) -> Vec<Diagnostic> {
    let vast = |inner: &TypeInner| size(module, inner).filter(|&bytes| bytes > PRIVATE_BYTES_MAX);
    let mut found = Vec::new();
    for (handle, var) in module.global_variables.iter() {
        if var.space == AddressSpace::Private
            && let Some(bytes) = vast(&module.types[var.ty].inner)
        {
            found.push(refuse(bytes, module.global_variables.get_span(handle)));
        }
    }
    let mut function = |function: &Function, info: &FunctionInfo| {
        let locals = function.local_variables.iter().find_map(|(handle, local)| {
            let bytes = vast(&module.types[local.ty].inner)?;
            Some((bytes, function.local_variables.get_span(handle)))
        });
        let values = function.expressions.iter().find_map(|(handle, _)| {
            let inner = match &info[handle].ty {
                TypeResolution::Handle(handle) => &module.types[*handle].inner,
                TypeResolution::Value(inner) => inner,
            };
            Some((vast(inner)?, function.expressions.get_span(handle)))
        });
        found.extend(locals.or(values).map(|(bytes, span)| refuse(bytes, span)));
    };
    for (handle, helper) in module.functions.iter() {
        function(helper, &info[handle]);
    }
    for (index, point) in module.entry_points.iter().enumerate() {
        function(&point.function, info.get_entry_point(index));
    }
    found
}

/// Bytes of a type that is held by value; `None` for pointers and handles.
fn size(module: &Module, inner: &TypeInner) -> Option<u32> {
    match inner {
        TypeInner::Array { .. } | TypeInner::Struct { .. } => Some(inner.size(module.to_ctx())),
        TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. }
        | TypeInner::CooperativeMatrix { .. }
        | TypeInner::Atomic(_)
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. }
        | TypeInner::BindingArray { .. } => None,
    }
}

fn refuse(bytes: u32, span: naga::Span) -> Diagnostic {
    let message = format!("{bytes} bytes for each invocation; the limit is {PRIVATE_BYTES_MAX}");
    Diagnostic::error("too-large", message)
        .at(Span::of(span), "held by every invocation")
        .help("keep it in a `var<storage>` buffer")
}
