//! `enable`, `requires` and `diagnostic`: what stands before all declarations.

use std::ops::Range;

use super::guard::{self, Token};

/// One directive, from its word to its semicolon.
pub(super) struct Directive<'a> {
    pub word: Token<'a>,
    inside: Vec<Token<'a>>,
    pub whole: Range<usize>,
}

/// The directives of a text, in its order.
pub(super) fn all(text: &str) -> impl Iterator<Item = Directive<'_>> {
    let mut tokens = guard::tokens(text);
    std::iter::from_fn(move || {
        let word = tokens.next().filter(|first| ["enable", "requires", "diagnostic"].contains(&first.text))?;
        let mut inside = Vec::new();
        loop {
            let token = tokens.next()?;
            if token.text == ";" {
                return Some(Directive { word, inside, whole: word.start..token.end() });
            }
            inside.push(token);
        }
    })
}

impl<'a> Directive<'a> {
    /// The names that it lists; `None` for what is no list of names, which is for naga to say.
    pub(super) fn list(&self) -> Option<Vec<Token<'a>>> {
        let mut places = self.inside.iter().enumerate();
        let is_list = places.all(|(at, token)| if at % 2 == 0 { token.is_word() } else { token.text == "," });
        (is_list && !self.inside.is_empty()).then(|| self.inside.iter().step_by(2).copied().collect())
    }

    /// A name of its list, with a comma, so that the others remain a list.
    pub(super) fn item(&self, name: &Token<'_>) -> Range<usize> {
        let at = self.inside.iter().position(|token| token.start == name.start).unwrap_or_default();
        match (self.inside.get(at + 1), at.checked_sub(1)) {
            (Some(comma), _) => name.start..comma.end(),
            (None, Some(before)) => self.inside[before].start..name.end(),
            (None, None) => name.start..name.end(),
        }
    }
}

/// Spaces for a part of a text, line by line as before.
pub(super) fn blank(text: &mut String, part: Range<usize>) {
    let spaces: String = text[part.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(part, &spaces);
}
