//! `gridBarrier()`: the barrier of all workgroups of a dispatch, which WGSL does not have.
//!
//! To naga it is a function like any other: one that a program declares so that other tools take
//! its text, or one that is declared here for a program that only calls it. Calls of it are a
//! need; for a device that has no such barrier, `split` cuts the kernel there.

use std::borrow::Cow;

use naga::Function;

use super::guard;

const NAME: &str = "gridBarrier";

/// The text, with a declaration at its end if the name is called and means nothing else.
pub(super) fn declare(text: Cow<'_, str>) -> Cow<'_, str> {
    if only_called(&text, NAME) { Cow::Owned(format!("{text}\nfn {NAME}() {{}}")) } else { text }
}

/// Whether a text calls something of this name, and the name means nothing else.
pub(super) fn only_called(text: &str, name: &str) -> bool {
    let (mut called, mut before) = (false, "");
    for token in guard::tokens(text) {
        if before == name && token.text != "(" || before == "fn" && token.text == name {
            return false;
        }
        called |= token.text == name;
        before = token.text;
    }
    called && before != name
}

/// Whether calls of it are grid barriers, whatever else it does: one with arguments or a result
/// is a function of the program's own.
pub(crate) fn is_barrier(function: &Function) -> bool {
    function.name.as_deref() == Some(NAME) && function.arguments.is_empty() && function.result.is_none()
}
