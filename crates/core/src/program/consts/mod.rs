//! Constant expressions, evaluated by WGSL's rules before naga sees the text.
//!
//! naga folds constants with other functions than devices compute with, does not know most
//! builtins there, and takes a `let` for a constant. So the text is read here first, far enough
//! to know which expressions are constant expressions; those with an operator or a builtin
//! function in them are evaluated with the reference's arithmetic, which makes a constant and a
//! run-time value the same bits, and are replaced by the name of a constant that is declared
//! after the end of the text. A `let` of a constant becomes a `var`, the run-time value that WGSL
//! says it is.
//!
//! Every replacement has the length of what it replaces, so that all offsets stay: spans need no
//! map. For a kernel the text is read once more, with overrides as the constants that they are
//! decided to be: what depends on them has the same bits too. What is not understood is left alone, for naga to judge; errors that WGSL demands of
//! constants are found here.

mod token;
mod value;
mod number;
mod eval;
mod construct;
mod builtin;
mod typed;
mod names;
mod parse;
mod primary;
mod statements;
mod items;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use self::parse::{Lost, Parser};
use self::typed::Helper;
use self::value::{Const, Ty};
use super::Overrides;
use crate::diag::Diagnostic;
use crate::ops::Value;

/// Bytes of the text to be replaced by others of the same length.
#[derive(Debug)]
struct Edit {
    start: usize,
    end: usize,
    mend: Mend,
}

#[derive(Debug)]
enum Mend {
    /// The name of a constant with this value.
    Constant(Const),
    /// `let` becomes `var`.
    Let,
    /// A declaration of a constant with this name and value, in the place of an override's.
    Decide(String, Const),
    /// The name of a function that does what naga cannot.
    Call(Helper),
    /// This text.
    Text(&'static str),
    /// Another name of the same length: that with this number.
    Rename(usize),
}

/// The text as naga should see it; with overrides decided, where their values are given.
pub(super) fn fold(text: &str, decided: Option<&Overrides>) -> Result<String, Vec<Diagnostic>> {
    let mut parser = Parser::new(token::tokens(text), decided);
    match items::module(&mut parser) {
        Ok(()) if parser.found.is_empty() => Ok(write(text, parser)),
        Ok(()) => {
            parser.found.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
            Err(parser.found)
        }
        Err(Lost) => Ok(text.to_owned()),
    }
}

/// Applies the edits, and declares the constants that they name.
fn write(text: &str, mut parser: Parser<'_>) -> String {
    let used: HashSet<&str> = parser.tokens.iter().map(|token| token.text).collect();
    // Where two meet, what is outside wins: it was made of what is inside.
    parser.edits.sort_by_key(|edit| (edit.start, std::cmp::Reverse(edit.end)));
    let mut fresh = Fresh { used: &used, taken: HashSet::new(), next: 0 };
    let mut known: HashMap<String, String> = HashMap::new();
    let mut helpers: HashMap<Helper, String> = HashMap::new();
    let mut renamed: HashMap<usize, Option<String>> = HashMap::new();
    let (mut out, mut tail, mut at) = (String::with_capacity(text.len()), String::new(), 0);
    for edit in &parser.edits {
        if edit.start < at {
            continue;
        }
        out.push_str(&text[at..edit.start]);
        at = edit.end;
        let before = &text[edit.start..edit.end];
        let after = match &edit.mend {
            Mend::Let if parser.written.contains(&edit.start) => None,
            Mend::Let => Some("var".to_owned()),
            Mend::Decide(name, constant) => {
                let value = declare(constant, &mut fresh, &mut tail, &mut known);
                value.and_then(|value| fit(&format!("const {name}={value}"), "", before.len()))
            }
            Mend::Call(helper) => {
                let name = helpers.entry(*helper).or_insert_with(|| {
                    let (name, structure) = (fresh.name(), fresh.name());
                    tail.push_str(&helper.declare(&name, &structure));
                    name
                });
                fit(name, &out, before.len())
            }
            Mend::Text(text) => Some((*text).to_owned()),
            Mend::Rename(number) => renamed.entry(*number).or_insert_with(|| fresh.sized(before.len())).clone(),
            Mend::Constant(constant) => {
                let spelled = parse::spelled(&constant.ty);
                let shadowed = spelled.is_some_and(|name| parser.names.get(&name).is_some());
                let declared = if shadowed { None } else { declare(constant, &mut fresh, &mut tail, &mut known) };
                declared.and_then(|name| fit(&name, &out, before.len()))
            }
        };
        out.push_str(after.as_deref().unwrap_or(before));
    }
    out.push_str(&text[at..]);
    if !tail.is_empty() {
        // What the text ends in may be a comment.
        out.push('\n');
        out.push_str(&tail);
    }
    out
}

/// The name of a constant, declared if it was not yet.
fn declare(
    constant: &Const,
    fresh: &mut Fresh<'_>,
    tail: &mut String,
    known: &mut HashMap<String, String>,
) -> Option<String> {
    let value = match (&constant.ty, &constant.value) {
        // What `frexp` and `modf` give.
        (Ty::Struct(_), Value::Composite(_)) => {
            let constant = parse::concrete(constant).ok()?;
            let Ty::Struct(ty) = &constant.ty else { return None };
            let (mut members, mut values) = (String::new(), String::new());
            for (index, (name, ty)) in ty.members.iter().enumerate() {
                let kind = ty.kind()?.name();
                let _ = match ty {
                    Ty::Vector(n, _) => write!(members, "{name}:vec{n}<{kind}>,"),
                    _ => write!(members, "{name}:{kind},"),
                };
                let _ = write!(values, "{},", number::print(&constant.part(index).ok()?)?);
            }
            let name = fresh.name();
            let _ = writeln!(tail, "struct {name}{{{members}}}");
            format!("{name}({values})")
        }
        _ => number::print(constant)?,
    };
    Some(
        known
            .entry(value)
            .or_insert_with_key(|value| {
                let name = fresh.name();
                let _ = writeln!(tail, "const {name}={value};");
                name
            })
            .clone(),
    )
}

/// A name in the place of an expression: apart from a word before it, and with blanks after it.
fn fit(name: &str, before: &str, len: usize) -> Option<String> {
    let gap = if before.ends_with(token::is_word_char) { " " } else { "" };
    let text = format!("{gap}{name:<width$}", width = len.saturating_sub(gap.len()));
    // A word may follow at once only on what was no word itself: there is a blank then.
    (text.len() == len).then_some(text)
}

/// Names that the text has nowhere.
struct Fresh<'a> {
    used: &'a HashSet<&'a str>,
    taken: HashSet<String>,
    next: usize,
}

impl Fresh<'_> {
    const LETTERS: &'static [u8] = b"kcqzjwyvxabdefghilmnoprstuKCQZJWYVXABDEFGHILMNOPRSTU";
    const REST: &'static [u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    /// A name of three bytes, as the shortest expressions have, while there are some; those that
    /// come later are longer, and leave the shortest expressions to naga.
    fn name(&mut self) -> String {
        loop {
            let number = self.next;
            self.next += 1;
            let (row, last) = (number / Self::REST.len(), char::from(Self::REST[number % Self::REST.len()]));
            let (more, first) = (row / Self::LETTERS.len(), char::from(Self::LETTERS[row % Self::LETTERS.len()]));
            let more = if more == 0 { String::new() } else { more.to_string() };
            let name = format!("{first}_{last}{more}");
            if self.free(&name) {
                return name;
            }
        }
    }

    /// A name of so many bytes, if there is one.
    fn sized(&mut self, bytes: usize) -> Option<String> {
        let tries = if bytes == 1 { Self::LETTERS.len() } else { usize::MAX };
        (0..tries.min(1 << 16)).find_map(|number| {
            let last = char::from(Self::REST[number / Self::LETTERS.len() % Self::REST.len()]);
            let first = char::from(Self::LETTERS[number % Self::LETTERS.len()]);
            let name =
                if bytes == 1 { first.to_string() } else { format!("{first}{last:0>width$}", width = bytes - 1) };
            self.free(&name).then_some(name)
        })
    }

    fn free(&mut self, name: &str) -> bool {
        !self.used.contains(name) && self.taken.insert(name.to_owned())
    }
}
