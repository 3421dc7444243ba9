//! Where members and elements lie, by WGSL's rules ("Memory Layout"), whatever naga has made of them:
//! a struct is aligned as its most aligned member, an `@align` included; an array's stride is its
//! element's size rounded up to its alignment. Types are changed in place and keep their handles.
//!
//! naga's own idea of a struct's alignment stays too small, but it asks only whether offsets are
//! multiples of it, which those of a larger power of two are as well.

use std::collections::HashMap;

use naga::valid::MAX_TYPE_SIZE;
use naga::{ArraySize, Handle, Module, StructMember, Type, TypeInner, VectorSize};

use super::attributes::{Attribute, Member};
use crate::diag::{Diagnostic, Span};

/// In bytes; a runtime-sized array counts as one element.
#[derive(Clone, Copy)]
struct Layout {
    align: u64,
    size: u64,
}

impl Layout {
    /// Of something that holds no bytes.
    const NONE: Self = Self { align: 1, size: 0 };

    fn vector(len: VectorSize, scalar: naga::Scalar) -> Self {
        let width = u64::from(scalar.width);
        let lanes = if len == VectorSize::Bi { 2 } else { 4 };
        Self { align: lanes * width, size: len as u64 * width }
    }

    fn stride(self) -> u64 {
        self.size.next_multiple_of(self.align)
    }
}

/// Gives every type of the module its layout.
pub(super) fn lay_out(module: &mut Module, members: &[Member<'_>]) -> Result<(), Diagnostic> {
    let attributes: HashMap<_, _> = members.iter().map(|member| ((member.parent, member.name), member)).collect();
    let handles: Vec<Handle<Type>> = module.types.iter().map(|(handle, _)| handle).collect();
    // A type's parts stand before it.
    let mut layouts: Vec<Layout> = Vec::with_capacity(handles.len());
    for handle in handles {
        let mut ty = module.types[handle].clone();
        let name = ty.name.as_deref().unwrap_or_default();
        let layout = match &mut ty.inner {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => {
                Layout { align: u64::from(scalar.width), size: u64::from(scalar.width) }
            }
            TypeInner::Vector { size, scalar } => Layout::vector(*size, *scalar),
            TypeInner::Matrix { columns, rows, scalar } => {
                let column = Layout::vector(*rows, *scalar);
                Layout { size: *columns as u64 * column.stride(), ..column }
            }
            TypeInner::Array { base, size, stride } => {
                let element = layouts[base.index()];
                let len = match size {
                    ArraySize::Constant(len) => len.get(),
                    ArraySize::Pending(_) | ArraySize::Dynamic => 1,
                };
                let layout = Layout { size: u64::from(len) * element.stride(), ..element };
                *stride = small(layout).map(|_| element.stride() as u32).ok_or_else(|| too_large(module, handle))?;
                layout
            }
            TypeInner::Struct { members, span } => {
                let attributes = |member: &StructMember| {
                    attributes.get(&(name, member.name.as_deref().unwrap_or_default())).copied()
                };
                let layout = lay_out_struct(module, members, &layouts, attributes)?;
                *span = small(layout).ok_or_else(|| too_large(module, handle))?;
                layout
            }
            TypeInner::CooperativeMatrix { .. }
            | TypeInner::Pointer { .. }
            | TypeInner::ValuePointer { .. }
            | TypeInner::Image { .. }
            | TypeInner::Sampler { .. }
            | TypeInner::AccelerationStructure { .. }
            | TypeInner::RayQuery { .. }
            | TypeInner::BindingArray { .. } => Layout::NONE,
        };
        layouts.push(layout);
        if ty != module.types[handle] {
            module.types.replace(handle, ty);
        }
    }
    Ok(())
}

fn lay_out_struct<'a>(
    module: &Module,
    members: &mut [StructMember],
    layouts: &[Layout],
    attributes: impl Fn(&StructMember) -> Option<&'a Member<'a>>,
) -> Result<Layout, Diagnostic> {
    let mut whole = Layout::NONE;
    for member in members {
        let mut layout = layouts[member.ty.index()];
        if let Some(asked) = attributes(member) {
            layout.align = asked.align.map_or(Ok(layout.align), |align| aligned(align, layout.align))?;
            layout.size = asked.size.map_or(Ok(layout.size), |size| {
                let growing = matches!(module.types[member.ty].inner, TypeInner::Array { size, .. } if !matches!(size, ArraySize::Constant(_)));
                sized(size, layout.size, growing)
            })?;
        }
        let offset = whole.size.next_multiple_of(layout.align);
        whole = Layout { align: whole.align.max(layout.align), size: offset + layout.size };
        // Later members would have their offsets beyond it; the caller refuses the struct.
        member.offset = small(whole).map_or(0, |_| offset as u32);
        if member.offset == 0 && offset != 0 {
            break;
        }
    }
    Ok(Layout { size: whole.stride(), ..whole })
}

/// The size, if types may be as large.
fn small(layout: Layout) -> Option<u32> {
    u32::try_from(layout.size).ok().filter(|size| *size <= MAX_TYPE_SIZE)
}

fn aligned(asked: Attribute, least: u64) -> Result<u64, Diagnostic> {
    let refuse = |label: String| {
        let message = "an alignment must be a power of two, and no less than that of the member's type";
        Err(Diagnostic::error("invalid", message).at(Some(asked.span), label))
    };
    let align = u64::from(asked.value);
    if !align.is_power_of_two() {
        return refuse(format!("{align} is not a power of two"));
    }
    if align < least { refuse(format!("its type is aligned to {least} bytes")) } else { Ok(align) }
}

fn sized(asked: Attribute, least: u64, growing: bool) -> Result<u64, Diagnostic> {
    let refuse = |label: String| {
        let message = "a size must be no less than that of the member's type, which must be known";
        Err(Diagnostic::error("invalid", message).at(Some(asked.span), label))
    };
    let size = u64::from(asked.value);
    if growing {
        return refuse("the length of the array is not known yet".to_owned());
    }
    if size < least { refuse(format!("its type has {least} bytes")) } else { Ok(size) }
}

fn too_large(module: &Module, handle: Handle<Type>) -> Diagnostic {
    let name = module.types[handle].name.as_deref().map_or(String::new(), |name| format!(" `{name}`"));
    Diagnostic::error("invalid", format!("the type{name} has more than {MAX_TYPE_SIZE} bytes"))
        .at(Span::of(module.types.get_span(handle)), "this is too large")
}

#[cfg(test)]
mod tests {
    use super::super::attributes;
    use super::*;

    /// The offsets of a struct's members, and its size; by naga alone, or as they should be.
    fn offsets(text: &str, name: &str, mended: bool) -> Result<(Vec<u32>, u32), Diagnostic> {
        let mut module = naga::front::wgsl::parse_str(text).unwrap();
        if mended {
            let (rest, members) = attributes::take(text).unwrap();
            module = naga::front::wgsl::parse_str(&rest).unwrap();
            lay_out(&mut module, &members)?;
        }
        let (_, ty) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).unwrap();
        let TypeInner::Struct { members, span } = &ty.inner else { unreachable!() };
        Ok((members.iter().map(|member| member.offset).collect(), *span))
    }

    #[test]
    fn a_struct_is_aligned_as_its_members_say() {
        let text = "struct Inner { @align(64) a: u32 } struct Outer { x: u32, y: Inner }";
        assert_eq!(offsets(text, "Outer", true), Ok((vec![0, 64], 128)));
        // Once naga does this, it can be trusted with the attributes again.
        assert_eq!(offsets(text, "Outer", false), Ok((vec![0, 4], 68)));
    }

    #[test]
    fn what_needs_no_mending_is_as_naga_has_it() {
        let text = "enable f16; struct A { a: vec3<f16>, b: f16, c: mat3x2<f16>, d: array<vec3<u32>, 2>, e: u32 }
            struct B { a: A, @size(20) b: u32, @align(32) c: array<A> }";
        for name in ["A", "B"] {
            assert_eq!(offsets(text, name, true), offsets(text, name, false));
        }
    }

    #[test]
    fn attributes_that_do_not_fit_and_types_that_are_too_large_are_refused() {
        let inner = "struct Inner { @align(64) a: u32 } struct Pair { x: u32, y: Inner }";
        for (outer, place, label) in [
            ("struct Outer { @align(32) a: Inner }", "32", "its type is aligned to 64 bytes"),
            ("struct Outer { @size(127) a: Pair }", "127", "its type has 128 bytes"),
            ("struct Outer { @align(48) a: u32 }", "48", "48 is not a power of two"),
            ("struct Outer { a: u32, @size(64) b: array<u32> }", "64", "the length of the array is not known yet"),
            ("struct Outer { a: array<Pair, 0x1000000> }", "", ""),
            ("struct Outer { a: array<Pair, 0xffffff>, b: Inner, c: Inner }", "struct Outer", "this is too large"),
            (
                "struct Outer { @size(0xffffffff) a: u32, @size(0xffffffff) b: u32 }",
                "struct Outer",
                "this is too large",
            ),
            ("struct Outer { @align(0x80000000) a: u32 }", "struct Outer", "this is too large"),
        ] {
            let text = format!("{inner} {outer}");
            let (rest, members) = attributes::take(&text).unwrap();
            let mut module = naga::front::wgsl::parse_str(&rest).unwrap();
            let found = lay_out(&mut module, &members).unwrap_err();
            let label_of = found.labels.first().map_or("", |label| &label.text);
            assert_eq!(label_of, label, "{outer}: {found:?}");
            let at = found.labels.first().map_or(0..0, |label| label.span.start as usize..label.span.end as usize);
            assert!(text[at].starts_with(place), "{outer}: {found:?}");
        }
    }
}
