//! Keeps text away from naga that would overflow its stack or take minutes.
//!
//! naga's parser counts its own recursion, but lowering, ordering of declarations and
//! validation recurse as deep as the program's trees: a chain of 4000 `+`, 1500
//! `else if` or 6000 functions that call one another ends the process (measured on a
//! thread of 2 MiB). One pass over the tokens bounds those depths from above, with
//! limits far below the breaking points and far above what people write.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Span};

/// Bytes of source text; naga's time grows with the square of some of them.
pub(super) const SOURCE_BYTES_MAX: usize = 1 << 20;
/// Operators on the longest path through one expression.
pub(super) const EXPRESSION_DEPTH_MAX: u32 = 512;
/// Brackets of any kind inside one another. naga stops at 200 levels of its own.
pub(super) const BRACKET_DEPTH_MAX: usize = 127;
/// `else if` branches on one path through a function.
pub(super) const ELSE_IF_MAX: u32 = 384;
/// Declarations that depend on one another in a chain.
pub(super) const DECLARATION_CHAIN_MAX: u32 = 256;

/// Refuses text that goes beyond a limit.
pub(super) fn check(text: &str) -> Result<(), Diagnostic> {
    if text.len() > SOURCE_BYTES_MAX {
        let message = format!("the source has {} bytes; the limit is {SOURCE_BYTES_MAX}", text.len());
        return Err(Diagnostic::error("too-large", message).help("split it into several programs"));
    }
    let mut depth = Depth::default();
    let mut declarations = Declarations::default();
    for token in tokens(text) {
        depth.see(token)?;
        declarations.see(token, depth.braces.len() + depth.levels.len());
    }
    declarations.check()
}

/// Where the function `name` is declared, found in the text because naga keeps no span for entry points.
pub(super) fn function_span(text: &str, name: &str) -> Option<Span> {
    let mut after_fn = false;
    tokens(text).find_map(|token| {
        let found = after_fn && token.text == name;
        after_fn = token.text == "fn";
        found.then(|| token.span())
    })
}

/// A word, a number, an operator or a bracket.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    /// As written.
    pub text: &'a str,
    /// Its first byte.
    pub start: usize,
}

impl Token<'_> {
    /// One past its last byte.
    pub(super) fn end(self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn span(self) -> Span {
        Span { start: self.start as u32, end: self.end() as u32 }
    }

    pub(super) fn is_word(self) -> bool {
        self.text.starts_with(is_word_char)
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Operators of two characters, which count once.
const PAIRS: [&str; 9] = ["&&", "||", "<<", ">>", "==", "!=", "<=", ">=", "->"];

/// Words and numbers whole, everything else character by character, comments skipped.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let c = rest.chars().next()?;
            let start = at;
            if rest.starts_with("//") {
                at += rest.find(['\n', '\u{b}', '\u{c}', '\r', '\u{85}', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                at += block_comment(rest);
            } else if is_word_char(c) {
                at += rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
                return Some(Token { text: &text[start..at], start });
            } else {
                at += if PAIRS.iter().any(|pair| rest.starts_with(pair)) { 2 } else { c.len_utf8() };
                if !c.is_whitespace() {
                    return Some(Token { text: &text[start..at], start });
                }
            }
        }
    })
}

/// Bytes of the block comment at the start of `rest`; they nest.
pub(super) fn block_comment(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let (mut at, mut open) = (2, 1_usize);
    while open > 0 && at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"*/") => (at, open) = (at + 2, open - 1),
            Some(b"/*") => (at, open) = (at + 2, open + 1),
            _ => at += 1,
        }
    }
    at
}

/// An open bracket of an expression: how deep the tree inside it can be so far.
#[derive(Default)]
struct Level {
    /// Operators since the last comma: a chain of them is a tree as deep.
    operators: u32,
    /// The deepest bracket inside, which the chain may have at its bottom.
    inside: u32,
    /// The deepest of the parts before the last comma.
    deepest: u32,
}

impl Level {
    fn depth(&self) -> u32 {
        self.deepest.max(self.operators + self.inside)
    }
}

#[derive(Default)]
struct Depth {
    levels: Vec<Level>,
    /// For each open brace, the `else if` so far of the chain that is being read in it.
    braces: Vec<u32>,
    outermost: Level,
    after_else: bool,
    after_brace: bool,
}

impl Depth {
    fn see(&mut self, token: Token<'_>) -> Result<(), Diagnostic> {
        let is_else = token.text == "else";
        if self.after_brace && !is_else {
            self.braces.last_mut().into_iter().for_each(|chain| *chain = 0);
        }
        if self.after_else && token.text == "if" {
            self.braces.last_mut().into_iter().for_each(|chain| *chain += 1);
            if self.braces.iter().sum::<u32>() > ELSE_IF_MAX {
                let message = format!("more than {ELSE_IF_MAX} `else if` branches in a chain");
                return Err(Diagnostic::error("too-deep", message)
                    .at(Some(token.span()), "one branch too many")
                    .help("use `switch`, a table, or a function of its own for a part of the chain"));
            }
        }
        self.after_else = is_else;
        self.after_brace = token.text == "}";
        match token.text {
            "(" | "[" => {
                self.operator(token)?;
                self.levels.push(Level::default());
                self.brackets(token)?;
            }
            ")" | "]" => {
                if let Some(level) = self.levels.pop() {
                    let depth = level.depth();
                    let outer = self.levels.last_mut().unwrap_or(&mut self.outermost);
                    outer.inside = outer.inside.max(depth);
                    self.expression(token)?;
                }
            }
            "," => {
                let level = self.levels.last_mut().unwrap_or(&mut self.outermost);
                *level = Level { deepest: level.depth(), ..Level::default() };
            }
            "{" | "}" | ";" => {
                self.levels.clear();
                self.outermost = Level::default();
                if token.text == "{" {
                    self.braces.push(0);
                    self.brackets(token)?;
                } else if token.text == "}" {
                    self.braces.pop();
                }
            }
            _ if token.is_word() => {}
            _ => self.operator(token)?,
        }
        Ok(())
    }

    fn operator(&mut self, token: Token<'_>) -> Result<(), Diagnostic> {
        self.levels.last_mut().unwrap_or(&mut self.outermost).operators += 1;
        self.expression(token)
    }

    fn expression(&self, token: Token<'_>) -> Result<(), Diagnostic> {
        let level = self.levels.last().unwrap_or(&self.outermost);
        if level.depth() <= EXPRESSION_DEPTH_MAX {
            return Ok(());
        }
        let message = format!("an expression is more than {EXPRESSION_DEPTH_MAX} operators deep");
        Err(Diagnostic::error("too-deep", message)
            .at(Some(token.span()), "one operator too many")
            .help("compute parts of it into `let` or `const` values first"))
    }

    fn brackets(&self, token: Token<'_>) -> Result<(), Diagnostic> {
        if self.levels.len() + self.braces.len() <= BRACKET_DEPTH_MAX {
            return Ok(());
        }
        let message = format!("brackets are nested more than {BRACKET_DEPTH_MAX} deep");
        Err(Diagnostic::error("too-deep", message)
            .at(Some(token.span()), "one level too many")
            .help("move the inner part into a function or a value of its own"))
    }
}

/// Module-scope declarations and what each names, in the order in which naga walks them.
#[derive(Default)]
struct Declarations<'a> {
    list: Vec<(Token<'a>, Vec<&'a str>)>,
    introduced: bool,
}

impl<'a> Declarations<'a> {
    fn see(&mut self, token: Token<'a>, open: usize) {
        const KEYWORDS: [&str; 6] = ["fn", "struct", "const", "override", "alias", "var"];
        if open == 0 && KEYWORDS.contains(&token.text) {
            self.introduced = true;
        } else if token.is_word() && self.introduced && open == 0 && !token.text.starts_with(|c: char| c.is_numeric()) {
            // `var<private> x`: the words of the template come first and name nothing.
            let space = ["private", "workgroup", "storage", "uniform", "immediate", "read", "write", "read_write"];
            if !space.contains(&token.text) {
                self.introduced = false;
                self.list.push((token, Vec::new()));
            }
        } else if let Some((_, named)) = self.list.last_mut().filter(|_| token.is_word()) {
            named.push(token.text);
        }
    }

    /// Walks the declarations depth first as naga does, but on a stack of its own.
    fn check(&self) -> Result<(), Diagnostic> {
        let index: HashMap<&str, usize> = self.list.iter().enumerate().map(|(i, (name, _))| (name.text, i)).collect();
        let edges: Vec<Vec<usize>> = self
            .list
            .iter()
            .map(|(_, named)| named.iter().filter_map(|name| index.get(name).copied()).collect())
            .collect();
        // The longest chain from each declaration that is done; 0 while it is not.
        let mut chain = vec![0_u32; self.list.len()];
        let mut open = vec![false; self.list.len()];
        for root in 0..self.list.len() {
            let mut path = vec![(root, 0)];
            while let Some((at, next)) = path.last_mut() {
                let at = *at;
                open[at] = true;
                if let Some(&to) = edges[at].get(*next) {
                    *next += 1;
                    if chain[to] == 0 && !open[to] {
                        path.push((to, 0));
                    }
                    continue;
                }
                path.pop();
                open[at] = false;
                chain[at] = 1 + edges[at].iter().map(|&to| chain[to]).max().unwrap_or(0);
                if chain[at] > DECLARATION_CHAIN_MAX {
                    let message = format!("more than {DECLARATION_CHAIN_MAX} declarations depend on one another");
                    return Err(Diagnostic::error("too-deep", message)
                        .at(Some(self.list[at].0.span()), "the chain from here is too long"));
                }
            }
        }
        Ok(())
    }
}
