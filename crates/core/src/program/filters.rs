//! `@diagnostic(…)` on statements, which naga reads at functions and at the top only. They say how
//! warnings of the language are told, and change nothing of what a program does.

use std::borrow::Cow;

use super::directives;
use super::guard::{self, Token};

/// The text with blanks for such attributes.
pub(super) fn take(text: Cow<'_, str>) -> Cow<'_, str> {
    let found = find(&text);
    if found.is_empty() {
        return text;
    }
    let mut text = text.into_owned();
    for part in found {
        directives::blank(&mut text, part);
    }
    Cow::Owned(text)
}

/// Where they stand: before a block, or a statement that has one. One with another severity than
/// WGSL's is left for naga to refuse.
fn find(text: &str) -> Vec<std::ops::Range<usize>> {
    let tokens: Vec<Token<'_>> = if text.contains("@diagnostic") { guard::tokens(text).collect() } else { Vec::new() };
    let stands = |at: usize| {
        let (whole, mut rest) = attribute(&tokens[at..])?;
        while let Some((_, after)) = attribute(rest) {
            rest = after;
        }
        let compound = ["{", "if", "for", "loop", "while", "switch"];
        rest.first().is_some_and(|next| compound.contains(&next.text)).then_some(whole)
    };
    (0..tokens.len()).filter_map(stands).collect()
}

/// The attribute that tokens begin with, and those after it.
fn attribute<'a, 't>(tokens: &'a [Token<'t>]) -> Option<(std::ops::Range<usize>, &'a [Token<'t>])> {
    let [at, name, open, severity, comma, rule, rest @ ..] = tokens else { return None };
    let shaped = (at.text, name.text, open.text, comma.text) == ("@", "diagnostic", "(", ",") && rule.is_word();
    if !shaped || !["error", "warning", "info", "off"].contains(&severity.text) {
        return None;
    }
    let rest = match rest {
        [dot, rule, rest @ ..] if dot.text == "." && rule.is_word() => rest,
        rest => rest,
    };
    match rest {
        [close, rest @ ..] if close.text == ")" => Some((at.start..close.end(), rest)),
        [comma, close, rest @ ..] if (comma.text, close.text) == (",", ")") => Some((at.start..close.end(), rest)),
        _ => None,
    }
}
