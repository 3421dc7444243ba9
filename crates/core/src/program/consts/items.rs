//! Declarations and statements: which names they bring, and which expressions they hold.
//!
//! Module-scope declarations may stand in any order: those that others need are read first.
//! Statements are read one after another, whatever blocks they stand in; only scopes are kept.

use std::collections::HashMap;

use super::construct::Maker;
use super::names::Meaning;
use super::parse::{Fold, Lost, Operand, Parsed, Parser, concrete, declared, wrong};
use super::token::{Kind, Token};
use super::value::{Const, Kind as Number, Struct, Ty};
use super::{Edit, Mend};
use crate::ops::Num;

/// A module-scope declaration: its tokens, from its attributes on.
#[derive(Debug, Clone, Copy)]
struct Item<'a> {
    keyword: &'a str,
    name: &'a str,
    start: usize,
    end: usize,
}

/// Reads a whole module.
pub(super) fn module(parser: &mut Parser<'_>) -> Parsed<()> {
    let items = split(&parser.tokens)?;
    for item in items.iter().filter(|item| !item.name.is_empty()) {
        parser.names.global(item.name, Meaning::Other);
    }
    for index in order(&items, &parser.tokens) {
        let item = items[index];
        parser.at = item.start;
        parser.item(item)?;
        if parser.at != item.end {
            return Err(Lost);
        }
    }
    Ok(())
}

/// The declarations of a module.
fn split<'a>(tokens: &[Token<'a>]) -> Parsed<Vec<Item<'a>>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let start = at;
        // Attributes, with what they hold in brackets.
        while tokens.get(at).is_some_and(|token| token.is("@")) {
            at += 2;
            if tokens.get(at).is_some_and(|token| token.is("(")) {
                at = matching(tokens, at, "(", ")")?;
            }
        }
        let keyword = tokens.get(at).ok_or(Lost)?;
        if keyword.is(";") {
            at += 1;
            continue;
        }
        let mut name = at + 1;
        if tokens.get(name).is_some_and(|token| token.kind == Kind::Open) {
            while tokens.get(name).is_some_and(|token| token.kind != Kind::Close) {
                name += 1;
            }
            name += 1;
        }
        let named = ["fn", "struct", "const", "override", "alias", "var"].contains(&keyword.text);
        let name = if named { tokens.get(name).ok_or(Lost)?.text } else { "" };
        let block = ["fn", "struct"].contains(&keyword.text);
        let end = tokens[at..].iter().position(|token| token.is(if block { "{" } else { ";" })).ok_or(Lost)?;
        at = if block { matching(tokens, at + end, "{", "}")? } else { at + end + 1 };
        items.push(Item { keyword: keyword.text, name, start, end: at });
    }
    Ok(items)
}

/// One past the bracket that closes the one at an index.
fn matching(tokens: &[Token<'_>], open: usize, left: &str, right: &str) -> Parsed<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += usize::from(token.is(left));
        if token.is(right) {
            depth -= 1;
            if depth == 0 {
                return Ok(at + 1);
            }
        }
    }
    Err(Lost)
}

/// The declarations, each after those that it names, functions and variables last.
fn order(items: &[Item<'_>], tokens: &[Token<'_>]) -> Vec<usize> {
    let early = |item: &Item<'_>| ["const", "override", "alias", "struct"].contains(&item.keyword);
    let index: HashMap<&str, usize> =
        items.iter().enumerate().filter(|(_, item)| early(item)).map(|(at, item)| (item.name, at)).collect();
    let mut done = vec![false; items.len()];
    let mut order = Vec::new();
    for root in (0..items.len()).filter(|&at| early(&items[at])) {
        let mut path = vec![(root, items[root].start)];
        if std::mem::replace(&mut done[root], true) {
            continue;
        }
        while let Some((item, at)) = path.last_mut() {
            if *at == items[*item].end {
                order.push(*item);
                path.pop();
                continue;
            }
            let named = index.get(tokens[*at].text).copied();
            *at += 1;
            if let Some(to) = named.filter(|&to| !std::mem::replace(&mut done[to], true)) {
                path.push((to, items[to].start));
            }
        }
    }
    order.extend((0..items.len()).filter(|&at| !early(&items[at])));
    order
}

impl<'a> Parser<'a> {
    fn item(&mut self, item: Item<'a>) -> Parsed<()> {
        let start = self.tokens[item.start].start;
        let id = self.attributes()?;
        let keyword = self.next()?;
        match keyword.text {
            "override" => self.setting(id, start)?,
            "const" | "var" => self.variable(keyword, true)?,
            "alias" => {
                self.word()?;
                self.expect("=")?;
                if let Fold::Maker(maker @ Maker::Type(_)) = self.whole()?.fold {
                    self.names.global(item.name, Meaning::Maker(maker));
                }
                self.expect(";")?;
            }
            "struct" => self.structure(item.name)?,
            "const_assert" => self.assertion(keyword)?,
            "fn" => self.function()?,
            // Directives.
            _ => self.at = item.end,
        }
        Ok(())
    }

    /// Attributes; the numbers in some of them are constant expressions. Gives that of `@id`.
    fn attributes(&mut self) -> Parsed<Option<i128>> {
        let mut id = None;
        while self.take("@") {
            let name = self.word()?;
            if !self.sees("(") {
                continue;
            }
            let numbers = ["align", "binding", "group", "id", "location", "size", "workgroup_size", "blend_src"];
            if !numbers.contains(&name.text) {
                self.at = matching(&self.tokens, self.at, "(", ")")?;
                continue;
            }
            self.at += 1;
            while !self.sees(")") {
                let number = self.whole()?;
                if let ("id", Fold::Known(constant)) = (name.text, number.fold) {
                    id = constant.integer().ok();
                }
                if !self.take(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        Ok(id)
    }

    fn structure(&mut self, name: &'a str) -> Parsed<()> {
        self.word()?;
        self.expect("{")?;
        let (mut members, mut known) = (Vec::new(), true);
        while !self.take("}") {
            self.attributes()?;
            let member = self.word()?;
            self.expect(":")?;
            match self.whole()?.fold {
                Fold::Maker(Maker::Type(ty)) => members.push((member.text.to_owned(), ty)),
                Fold::Known(_) | Fold::Maker(_) | Fold::Builtin(..) | Fold::Unknown | Fold::Wrong(_) => known = false,
            }
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        let ty = Ty::Struct(Struct { name: name.to_owned(), members }.into());
        if known && ty.is_shallow() {
            self.names.global(name, Meaning::Maker(Maker::Type(ty)));
        }
        // Some write a `;` after it, which is a declaration of nothing.
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.word()?;
        self.expect("(")?;
        self.names.open(true);
        while !self.take(")") {
            self.attributes()?;
            let name = self.word()?;
            self.expect(":")?;
            self.whole()?;
            self.names.local(name.text, Meaning::Other);
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        if self.take("->") {
            self.attributes()?;
            self.whole()?;
        }
        self.attributes()?;
        self.expect("{")?;
        self.names.open(false);
        while self.names.depth() > 0 {
            self.statement()?;
        }
        Ok(())
    }

    /// One statement, or the part of one up to its block.
    fn statement(&mut self) -> Parsed<()> {
        self.attributes()?;
        let token = self.next()?;
        match (token.kind, token.text) {
            (Kind::Symbol, ";") => {}
            (Kind::Symbol, "{") => self.names.open(false),
            (Kind::Symbol, "}") => {
                self.names.close();
            }
            (Kind::Word, "continuing") => {
                self.attributes()?;
                self.expect("{")?;
                self.names.open_continuing();
            }
            (Kind::Word, "else" | "loop" | "default" | "discard" | "continue") => {}
            // `case default:` and `default:`
            (Kind::Symbol, ":") => {}
            (Kind::Word, "if" | "while" | "switch") => {
                self.whole()?;
            }
            (Kind::Word, "break") => {
                if self.sees_word("if") {
                    self.at += 1;
                    self.whole()?;
                }
            }
            (Kind::Word, "return") => {
                if !self.sees(";") {
                    self.whole()?;
                }
            }
            (Kind::Word, "case") => {
                while !self.sees(":") && !self.sees("{") {
                    self.whole()?;
                    if !self.take(",") {
                        break;
                    }
                }
            }
            (Kind::Word, "const_assert") => self.assertion(token)?,
            (Kind::Word, "let" | "var" | "const") => self.variable(token, false)?,
            (Kind::Word, "for") => self.header()?,
            _ => {
                self.at -= 1;
                self.update()?;
            }
        }
        Ok(())
    }

    /// The header of a `for`; its variable lives until the block after it ends.
    fn header(&mut self) -> Parsed<()> {
        self.expect("(")?;
        self.names.open(true);
        if !self.take(";") {
            match self.peek().ok_or(Lost)? {
                token if ["let", "var", "const"].iter().any(|word| token.is_word(word)) => {
                    self.at += 1;
                    self.variable(token, false)?;
                }
                _ => {
                    self.update()?;
                    self.expect(";")?;
                }
            }
        }
        if !self.sees(";") {
            self.whole()?;
        }
        self.expect(";")?;
        if !self.sees(")") {
            self.update()?;
        }
        self.expect(")")?;
        Ok(())
    }

    /// An assignment, a call, `x++` or `x--`, without the semicolon.
    fn update(&mut self) -> Parsed<()> {
        let start = self.at;
        if self.sees_word("_") {
            self.at += 1;
        } else {
            let left = self.left()?;
            self.settle(&left);
        }
        let token = self.peek().ok_or(Lost)?;
        let assigns =
            token.text.ends_with('=') && token.kind == Kind::Symbol && !["==", "!=", "<=", ">="].contains(&token.text);
        let steps = if self.take("++") {
            true
        } else if token.is("-") {
            self.at += 1;
            self.expect("-")?;
            true
        } else {
            false
        };
        if assigns || steps {
            let at = std::mem::replace(&mut self.at, start);
            self.place();
            self.at = at;
        }
        if assigns {
            self.at += 1;
            self.whole()?;
        }
        Ok(())
    }

    /// `const_assert`.
    fn assertion(&mut self, keyword: Token<'a>) -> Parsed<()> {
        let condition = self.whole()?;
        if matches!(&condition.fold, Fold::Known(constant) if *constant == Const::bool(false)) {
            let mut found = wrong("`const_assert` failed".to_owned(), keyword.start, condition.end);
            found.labels[0].text = "this is false".to_owned();
            self.found.push(found);
        }
        self.expect(";")?;
        Ok(())
    }

    /// A declaration of a value, from its name to its semicolon.
    fn variable(&mut self, keyword: Token<'a>, global: bool) -> Parsed<()> {
        if self.peek().is_some_and(|token| token.kind == Kind::Open) {
            while self.next()?.kind != Kind::Close {}
        }
        let name = self.word()?;
        let ty = if self.take(":") { Some(self.whole()?) } else { None };
        let mut meaning = Meaning::Other;
        if self.take("=") {
            let init = self.expression()?;
            let value = declared(ty.as_ref(), &init);
            self.settle_in(keyword.text == "const", &init, &value);
            match (keyword.text, &value) {
                ("const", Fold::Known(constant)) => meaning = Meaning::Const(constant.clone()),
                ("let", _) if matches!(init.fold, Fold::Known(_)) => {
                    meaning = Meaning::Let(keyword.start);
                    self.replace(keyword.start, keyword.end(), Mend::Let);
                }
                _ => {}
            }
        }
        self.expect(";")?;
        if global {
            self.names.global(name.text, meaning);
        } else if let Some(rename) = self.names.local(name.text, meaning) {
            self.edits.push(Edit { start: name.start, end: name.end(), mend: Mend::Rename(rename) });
        }
        Ok(())
    }

    /// An override, which becomes a constant where its value is decided.
    fn setting(&mut self, id: Option<i128>, start: usize) -> Parsed<()> {
        let name = self.word()?;
        let ty = if self.take(":") { Some(self.whole()?) } else { None };
        let init = if self.take("=") { Some(self.expression()?) } else { None };
        let end = self.expect(";")?.start;
        let Some(values) = self.decided else {
            init.iter().for_each(|init| self.settle(init));
            return Ok(());
        };
        let declared = match (&ty, &init) {
            (_, Some(init)) => declared(ty.as_ref(), init),
            (Some(ty), None) => ty.fold.clone(),
            (None, None) => Fold::Unknown,
        };
        let kind = match &declared {
            Fold::Known(constant) => constant.ty.kind(),
            Fold::Maker(Maker::Type(ty @ Ty::Scalar(_))) => ty.kind(),
            _ => match ty.as_ref().map(|ty| &ty.fold) {
                Some(Fold::Maker(Maker::Type(ty @ Ty::Scalar(_)))) => ty.kind(),
                _ => None,
            },
        };
        let set = values.get(name.text).or_else(|| values.get(&id?.to_string()));
        let decided = match (set, kind, declared) {
            (Some(&value), Some(kind), _) => Const::num(Number::F64, Num::F64(value)).cast(kind.concrete()).ok(),
            (None, _, Fold::Known(constant)) => concrete(&constant).ok(),
            (None, _, Fold::Wrong(wrong)) => {
                self.found.push(*wrong);
                None
            }
            _ => None,
        };
        match decided {
            Some(constant) => {
                self.names.global(name.text, Meaning::Const(constant.clone()));
                self.replace(start, end, Mend::Decide(name.text.to_owned(), constant));
            }
            None => init.iter().for_each(|init| self.settle(init)),
        }
        Ok(())
    }

    /// The value of a declaration. naga must see that it does not fit the type; what `frexp` and
    /// `modf` give a constant must be written in another way.
    fn settle_in(&mut self, constant: bool, init: &Operand, value: &Fold) {
        self.settle(init);
        if let (Fold::Known(_), Fold::Wrong(_)) = (&init.fold, value) {
            self.settle(&Operand { fold: value.clone(), ..init.clone() });
        }
        if let (true, true, Fold::Known(value)) = (constant, init.mend, value) {
            if value.ty.kind().is_none() {
                self.replace(init.start, init.end, Mend::Constant(value.clone()));
            }
        }
    }
}
