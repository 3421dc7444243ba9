//! `requires …;`: parts of the language that a program asks for. They need no switch, so that the
//! directive says no more than whether the program can be taken; but for one that makes more
//! layouts valid, which programs are to ask for here, as not every implementation has it.

use std::borrow::Cow;

use naga::{AddressSpace, Module, StorageAccess, TypeInner};

use super::directives;
use super::guard::Token;
use crate::diag::{Diagnostic, closest};

/// The language features of WGSL that are here.
const KNOWN: [&str; 8] = [
    "immediate_address_space",
    "packed_4x8_integer_dot_product",
    "pointer_composite_access",
    "readonly_and_readwrite_storage_textures",
    "subgroup_id",
    "subgroup_uniformity",
    STANDARD_LAYOUT,
    "unrestricted_pointer_parameters",
];
const STANDARD_LAYOUT: &str = "uniform_buffer_standard_layout";

/// What the directives of a text ask for.
#[derive(Debug, Default)]
pub(super) struct Required {
    standard_layout: bool,
}

/// The text with blanks for its `requires` directives, which stand before all declarations.
pub(super) fn take(text: &str) -> Result<(Cow<'_, str>, Required), Diagnostic> {
    let (mut rest, mut required) = (Cow::Borrowed(text), Required::default());
    for requires in directives::all(text).filter(|directive| directive.word.text == "requires") {
        let Some(names) = requires.list() else { continue };
        if let Some(unknown) = names.iter().find(|name| !KNOWN.contains(&name.text)) {
            return Err(refused(*unknown));
        }
        required.standard_layout |= names.iter().any(|name| name.text == STANDARD_LAYOUT);
        directives::blank(rest.to_mut(), requires.whole);
    }
    Ok((rest, required))
}

fn refused(unknown: Token<'_>) -> Diagnostic {
    let message = format!("`{}` is no feature of the language that is here", unknown.text);
    let told = Diagnostic::error("invalid", message).at(Some(unknown.span()), "required here");
    let told = told.help(format!("there are `{}`", KNOWN.join("`, `")));
    match closest(unknown.text, KNOWN) {
        Some(near) => told.help(format!("did you mean `{near}`?")),
        None => told,
    }
}

impl Required {
    /// Uniform buffers laid out like storage buffers are storage buffers that are only read.
    pub(super) fn apply(&self, module: &mut Module) {
        if !self.standard_layout {
            return;
        }
        let types = &module.types;
        for (_, var) in module.global_variables.iter_mut().filter(|(_, var)| var.space == AddressSpace::Uniform) {
            let composite = |ty| matches!(types[ty].inner, TypeInner::Array { .. } | TypeInner::Struct { .. });
            let nested = if let TypeInner::Struct { members, .. } = &types[var.ty].inner {
                members.iter().any(|member| composite(member.ty))
            } else {
                composite(var.ty)
            };
            // The others are laid out alike in both.
            if nested {
                var.space = AddressSpace::Storage { access: StorageAccess::LOAD };
            }
        }
    }
}
