//! `@align` and `@size` of struct members, taken out of the text before naga reads it.
//!
//! naga keeps nothing of them but the offsets that it makes, and those are not WGSL's: it forgets
//! the alignment that a member's `@align` gives its struct, and sums of sizes may overflow. So
//! naga reads the text with spaces in their place, which leaves every span as it is, and
//! [`super::offsets`] lays structs out. A plain number is read here; any other constant expression
//! naga evaluates, as an `override` at the end of a text that is parsed for that alone.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use naga::{Expression, Handle, Literal, Module};

use super::explain;
use super::guard::{self, Token};
use crate::diag::{Diagnostic, Span};

/// A number that the text gives a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attribute {
    /// At least 1.
    pub value: u32,
    /// Where the number is written.
    pub span: Span,
}

/// A member with attributes of its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member<'a> {
    /// The struct's name.
    pub parent: &'a str,
    /// Its own.
    pub name: &'a str,
    /// `@align(n)`
    pub align: Option<Attribute>,
    /// `@size(n)`
    pub size: Option<Attribute>,
}

/// The text without the attributes, and the members that had them, in order.
pub(super) fn take(text: &str) -> Result<(Cow<'_, str>, Vec<Member<'_>>), Diagnostic> {
    let written = find(text);
    if written.is_empty() {
        return Ok((Cow::Borrowed(text), Vec::new()));
    }
    let mut rest = text.as_bytes().to_vec();
    for written in &written {
        rest[written.whole.clone()].fill(b' ');
    }
    let rest = String::from_utf8(rest).expect("invariant attributes-utf8: whole characters become spaces");
    let values = values(text, &rest, &written)?;
    let mut members: Vec<Member<'_>> = Vec::new();
    for (written, value) in written.iter().zip(values) {
        let attribute = Attribute { value, span: written.span() };
        let same = members.last_mut().filter(|last| (last.parent, last.name) == (written.parent, written.member));
        let member = match same {
            Some(member) => member,
            None => members.push_mut(Member { parent: written.parent, name: written.member, align: None, size: None }),
        };
        match written.kind {
            Kind::Align => member.align = Some(attribute),
            Kind::Size => member.size = Some(attribute),
        }
    }
    Ok((Cow::Owned(rest), members))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Align,
    Size,
}

/// An attribute as it stands in the text.
struct Written<'a> {
    kind: Kind,
    /// From `@` to the closing bracket.
    whole: std::ops::Range<usize>,
    /// What is in the brackets.
    expression: &'a str,
    start: usize,
    parent: &'a str,
    member: &'a str,
}

impl Written<'_> {
    fn span(&self) -> Span {
        Span { start: self.start as u32, end: (self.start + self.expression.len()) as u32 }
    }
}

/// The attributes of all structs. Whatever is not as the grammar wants it is left for naga to refuse.
fn find(text: &str) -> Vec<Written<'_>> {
    let tokens: Vec<Token<'_>> = guard::tokens(text).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let opens = tokens[at].text == "struct" && tokens.get(at + 2).is_some_and(|token| token.text == "{");
        at += 1;
        if !opens {
            continue;
        }
        let parent = tokens[at].text;
        at += 1;
        while at < tokens.len() && tokens[at].text != "}" {
            let starts_member = matches!(tokens[at].text, "{" | ",");
            at += 1;
            if starts_member && let Some((attributes, next)) = member(text, &tokens, at, parent) {
                found.extend(attributes);
                at = next;
            }
        }
    }
    found
}

/// The layout attributes of the member that starts at a token, and the token of its name.
fn member<'a>(
    text: &'a str,
    tokens: &[Token<'a>],
    mut at: usize,
    parent: &'a str,
) -> Option<(Vec<Written<'a>>, usize)> {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.text == word);
    let mut found: Vec<Written<'a>> = Vec::new();
    while is(at, "@") {
        let (sign, name) = (tokens[at], tokens.get(at + 1)?);
        at += 2;
        let open = at;
        if is(open, "(") {
            at = closing(tokens, open)? + 1;
        }
        let kind = match name.text {
            "align" => Kind::Align,
            "size" => Kind::Size,
            _ => continue,
        };
        // Without the bracket, and without a comma that may stand at the end.
        let mut last = at.checked_sub(2)?;
        if is(last, ",") {
            last -= 1;
        }
        if last <= open || found.iter().any(|other| other.kind == kind) {
            return None;
        }
        let (start, end) = (tokens[open + 1].start, tokens[last].end());
        let whole = sign.start..tokens[at - 1].end();
        found.push(Written { kind, whole, expression: &text[start..end], start, parent, member: "" });
    }
    let name = tokens.get(at).filter(|token| token.is_word() && is(at + 1, ":"))?;
    for written in &mut found {
        written.member = name.text;
    }
    Some((found, at))
}

/// The bracket that closes the one at a token.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            "{" | "}" | ";" => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A plain number of WGSL.
fn number(text: &str) -> Option<u32> {
    let (digits, most) = match (text.strip_suffix('u'), text.strip_suffix('i')) {
        (Some(digits), _) => (digits, u32::MAX),
        (None, Some(digits)) => (digits, i32::MAX as u32),
        (None, None) => (text, u32::MAX),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => digits.parse().ok()?,
    };
    (value <= most).then_some(value)
}

/// What the attributes' expressions are.
fn values(text: &str, rest: &str, written: &[Written<'_>]) -> Result<Vec<u32>, Diagnostic> {
    let name = unused(text);
    let mut extended = rest.to_owned();
    // Where each expression stands there, for spans.
    let mut copies: Vec<(usize, Span)> = Vec::new();
    let plain: Vec<Option<u32>> = written.iter().map(|written| number(written.expression)).collect();
    for (index, written) in written.iter().enumerate().filter(|(index, _)| plain[*index].is_none()) {
        extended.extend(["\noverride ", &name, &index.to_string(), " = ("]);
        copies.push((extended.len(), written.span()));
        extended.push_str(written.expression);
        // On a line of its own: the expression may end in a comment.
        extended.push_str("\n);");
    }
    let module = if copies.is_empty() {
        Module::default()
    } else {
        let parsed = naga::front::wgsl::parse_str(&extended);
        parsed.map_err(|error| back(explain::parse(&error), rest.len(), &copies))?
    };
    let named = module.overrides.iter().filter_map(|(_, item)| Some((item.name.as_deref()?, item.init)));
    let overrides: HashMap<&str, Option<Handle<Expression>>> = named.collect();
    let value = |(index, plain): (usize, Option<u32>)| {
        let init = || overrides.get(format!("{name}{index}").as_str()).copied().flatten();
        let value = plain.map_or_else(|| evaluated(&module, init()), |plain| Ok(plain.into()));
        let refuse = |message: &str, label: &str| {
            Err(Diagnostic::error("invalid", message).at(Some(written[index].span()), label))
        };
        match value {
            Ok(value) if value < 1 => refuse("an alignment or size must be positive", &format!("this is {value}")),
            Ok(value) => match u32::try_from(value) {
                Ok(value) => Ok(value),
                Err(_) => refuse("an alignment or size must fit into 32 bits", &format!("this is {value}")),
            },
            Err(why) => refuse("an alignment or size must be a constant integer", why),
        }
    };
    plain.into_iter().enumerate().map(value).collect()
}

/// The start of names that the text does not have.
fn unused(text: &str) -> String {
    const START: &str = "seawall_attribute_";
    let number = |token: Token<'_>| token.text.strip_prefix(START)?.split('_').next()?.parse().ok();
    let taken: HashSet<usize> = guard::tokens(text).filter_map(number).collect();
    let free = (0..=taken.len()).find(|number| !taken.contains(number)).unwrap_or_default();
    format!("{START}{free}_")
}

/// The value of an override that is really a constant.
fn evaluated(module: &Module, init: Option<Handle<Expression>>) -> Result<i64, &'static str> {
    let mut at = init.ok_or("this has no value")?;
    loop {
        return match module.global_expressions[at] {
            Expression::Literal(Literal::I32(value)) => Ok(value.into()),
            Expression::Literal(Literal::U32(value)) => Ok(value.into()),
            Expression::ZeroValue(_) => Ok(0),
            Expression::Literal(_) => Err("this is no `i32` or `u32`"),
            Expression::Constant(constant) => {
                at = module.constants[constant].init;
                continue;
            }
            Expression::Override(_)
            | Expression::Compose { .. }
            | Expression::Access { .. }
            | Expression::AccessIndex { .. }
            | Expression::Splat { .. }
            | Expression::Swizzle { .. }
            | Expression::FunctionArgument(_)
            | Expression::GlobalVariable(_)
            | Expression::LocalVariable(_)
            | Expression::Load { .. }
            | Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::ImageQuery { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Select { .. }
            | Expression::Derivative { .. }
            | Expression::Relational { .. }
            | Expression::Math { .. }
            | Expression::As { .. }
            | Expression::CallResult(_)
            | Expression::AtomicResult { .. }
            | Expression::WorkGroupUniformLoadResult { .. }
            | Expression::ArrayLength(_)
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryProceedResult
            | Expression::RayQueryGetIntersection { .. }
            | Expression::SubgroupBallotResult
            | Expression::SubgroupOperationResult { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => Err("this is not known before the program runs"),
        };
    }
}

/// Labels of the text at the end, moved to where it was taken from.
fn back(mut diagnostic: Diagnostic, text_bytes: usize, copies: &[(usize, Span)]) -> Diagnostic {
    for label in diagnostic.labels.iter_mut().filter(|label| label.span.start as usize >= text_bytes) {
        let start = label.span.start as usize;
        let copy = copies.iter().rev().find(|(copy, _)| *copy <= start).or(copies.first());
        let Some((copy, place)) = copy else { continue };
        let moved = |at: u32| (place.start + at.saturating_sub(*copy as u32)).min(place.end);
        label.span = Span { start: moved(label.span.start), end: moved(label.span.end) };
    }
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> Vec<(String, Option<u32>, Option<u32>)> {
        let (rest, members) = take(text).unwrap();
        assert_eq!(rest.len(), text.len());
        let values = |attribute: Option<Attribute>| attribute.map(|attribute| attribute.value);
        members.iter().map(|m| (format!("{}.{}", m.parent, m.name), values(m.align), values(m.size))).collect()
    }

    #[test]
    fn attributes_are_found_in_any_order_and_writing() {
        let text = "const n = 4; const k: i32 = 2; const seawall_attribute_0_1 = 7; const seawall_attribute_1_ = 7;
            struct A { @align(16) a: u32, @size(0x10u) @align(n * 4,) b: array<u32, 3>, c: u32, }
            struct B{@ size /* é */ ( max(n, 8) // bytes
                ) x:u32,@align(array<u32, 2>(4, 32)[1])y:u32,@align(1i<<u32(k+1)) @size(k * 4) z: u32}";
        let name = str::to_owned;
        assert_eq!(
            taken(text),
            [
                (name("A.a"), Some(16), None),
                (name("A.b"), Some(16), Some(16)),
                (name("B.x"), None, Some(8)),
                (name("B.y"), Some(32), None),
                (name("B.z"), Some(8), Some(8)),
            ]
        );
    }

    #[test]
    fn what_the_grammar_does_not_allow_is_left_to_naga() {
        for text in [
            "struct A { a: @align(4) u32 }",
            "struct A { @align(4) @align(4) a: u32 }",
            "struct A { @align a: u32 }",
            "struct A { @align() a: u32 }",
            "struct A { @align(,) a: u32 }",
            "struct A { a: u32, @align(4) }",
            "struct A { @align(4 a: u32 }",
            "struct @align(4) A { a: u32 }",
            "@align(4) struct A { a: u32 }",
            "struct A { @size(1 /* *) a: u32 }",
            "struct A { @align(",
            "struct A { @",
            "struct",
        ] {
            assert_eq!(take(text), Ok((Cow::Borrowed(text), Vec::new())), "{text}");
            naga::front::wgsl::parse_str(text).unwrap_err();
        }
    }

    #[test]
    fn mistakes_are_shown_where_they_are() {
        for (text, place) in [
            ("struct A { @align(4, 8) a: u32 }", ","),
            ("struct A { @align(no) a: u32 }", "no"),
            ("struct A { @align(0) a: u32 }", "0"),
            ("struct A { @size(1 - 2) a: u32 }", "1 - 2"),
            ("struct A { @size(4.0) a: u32 }", "4.0"),
            ("override n = 4; struct A { @align(n) a: u32 }", "n"),
        ] {
            let found = take(text).unwrap_err();
            let span = found.labels[0].span;
            assert_eq!(&text[span.start as usize..span.end as usize], place, "{text}: {found:?}");
        }
    }
}
