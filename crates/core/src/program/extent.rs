//! Whether everything lies inside what holds it.
//!
//! A binary has its strides and offsets from whoever wrote it, and naga does not compare the stride of
//! an array with what an element takes: an index within its bound would then reach outside its buffer.

use std::collections::HashMap;

use naga::{ArraySize, Handle, Module, Type, TypeInner};

use crate::diag::Diagnostic;

/// What is wrong with the types of a valid module.
pub(super) fn check(module: &Module) -> Vec<Diagnostic> {
    let mut sizes: HashMap<Handle<Type>, u64> = HashMap::new();
    let mut found = Vec::new();
    // A type comes after those that it is made of.
    for (handle, ty) in module.types.iter() {
        let of = |ty: &Handle<Type>| sizes.get(ty).copied().unwrap_or(u64::MAX);
        let bytes = match &ty.inner {
            TypeInner::Array { base, size, stride } => {
                let (element, stride) = (of(base), u64::from(*stride));
                if element > stride {
                    found.push(format!("an array has its elements {stride} bytes apart, but each takes {element}"));
                }
                match size {
                    ArraySize::Constant(count) => stride * u64::from(count.get()),
                    ArraySize::Pending(_) | ArraySize::Dynamic => stride,
                }
            }
            TypeInner::Struct { members, span } => {
                let mut end = 0;
                for member in members {
                    let offset = u64::from(member.offset);
                    let name = member.name.as_deref().unwrap_or("a member");
                    if offset < end {
                        found
                            .push(format!("`{name}` of a structure begins at byte {offset}, inside the one before it"));
                    }
                    end = offset.saturating_add(of(&member.ty));
                }
                if end > (*span).into() {
                    found.push(format!("a structure takes {span} bytes, but its members take {end}"));
                }
                (*span).into()
            }
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
            | TypeInner::BindingArray { .. } => ty.inner.size(module.to_ctx()).into(),
        };
        sizes.insert(handle, bytes);
    }
    found.into_iter().map(|message| Diagnostic::error("invalid", message)).collect()
}
