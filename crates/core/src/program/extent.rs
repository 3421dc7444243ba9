//! Whether everything lies inside what holds it, and types are of a size to be walked over.
//!
//! A binary has its strides and offsets from whoever wrote it, and naga does not compare the stride of
//! an array with what an element takes: an index within its bound would then reach outside its buffer.

use std::collections::HashMap;

use naga::{ArraySize, Handle, Module, Type, TypeInner};

use crate::diag::{Diagnostic, Span};

/// Members of a structure, with those of the structures in it: thirty that hold the one before twice
/// are a line of text, and a billion members.
const MEMBERS_MAX: u64 = 1 << 14;

/// The first type of a module that has more members than it may.
pub(super) fn many_members(module: &Module) -> Option<Diagnostic> {
    let mut counts = vec![0_u64; module.types.len()];
    for (handle, ty) in module.types.iter() {
        let count = if let TypeInner::Array { base, .. } = &ty.inner {
            counts[base.index()]
        } else if let TypeInner::Struct { members, .. } = &ty.inner {
            members.iter().map(|member| 1 + counts[member.ty.index()]).sum()
        } else {
            0
        };
        if count > MEMBERS_MAX {
            let name = ty.name.as_deref().unwrap_or("a structure");
            let message =
                format!("`{name}` has {count} members, with those of the structures in it; the limit is {MEMBERS_MAX}");
            let diagnostic = Diagnostic::error("too-large", message);
            return Some(diagnostic.at(Span::of(module.types.get_span(handle)), "this structure"));
        }
        counts[handle.index()] = count;
    }
    None
}

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
