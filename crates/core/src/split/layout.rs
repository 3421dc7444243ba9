//! Where what is kept lies, in words.

use std::collections::BTreeMap;

use naga::{ArraySize, Handle, Module, Scalar, Type, TypeInner};

use super::Scope;
use super::keep::Keep;
use super::place::Place;

/// Words of each scope, and where in them each variable is.
#[derive(Debug)]
pub(super) struct Layout {
    slots: BTreeMap<Place, (Scope, u32)>,
    pub(super) control_words: u32,
    pub(super) grid_words: u32,
    pub(super) workgroup_words: u32,
    pub(super) shared_words: u32,
    pub(super) invocation_words: u32,
    pub(super) group_invocations: u32,
}

impl Layout {
    /// `None` if it is more than can be counted.
    pub(super) fn new(
        module: &Module,
        function: &naga::Function,
        keep: &Keep,
        control_words: u32,
        group_invocations: u32,
    ) -> Option<Self> {
        let mut slots = BTreeMap::new();
        let mut totals = [0u32; 4];
        for &(place, scope) in &keep.places {
            let total = &mut totals[scope as usize];
            slots.insert(place, (scope, *total));
            *total = total.checked_add(words(module, place.ty(module, function)))?;
        }
        let [grid_words, workgroup_words, shared_words, invocation_words] = totals;
        Some(Self {
            slots,
            control_words,
            grid_words,
            workgroup_words,
            shared_words,
            invocation_words,
            group_invocations,
        })
    }

    /// The scope of what is kept, and its first word there.
    pub(super) fn slot(&self, place: Place) -> (Scope, u32) {
        self.slots[&place]
    }
}

pub(super) fn scalar_words(scalar: Scalar) -> u32 {
    if scalar.width == 8 { 2 } else { 1 }
}

/// Words that a variable of this type takes.
pub(super) fn words(module: &Module, ty: Handle<Type>) -> u32 {
    match module.types[ty].inner {
        TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => scalar_words(scalar),
        TypeInner::Vector { size, scalar } => size as u32 * scalar_words(scalar),
        TypeInner::Matrix { columns, rows, scalar } => columns as u32 * rows as u32 * scalar_words(scalar),
        TypeInner::Array { base, size: ArraySize::Constant(len), .. } => words(module, base).saturating_mul(len.get()),
        TypeInner::Struct { ref members, .. } => {
            members.iter().fold(0, |sum, member| u32::saturating_add(sum, words(module, member.ty)))
        }
        ref other => unreachable!("invariant variable-type: no variable is {other:?}"),
    }
}
